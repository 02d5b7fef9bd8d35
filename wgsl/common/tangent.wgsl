// Tangents of material points for implicit steps: how much stress a small strain adds. In the frame U of F = U Σ Vᵀ, with
// D = Uᵀ ∇δv U, a displacement δv makes δF = ∇δv F and δτ = (∂P/∂F : δF) Fᵀ = U T Uᵀ of
//   T_ii = Σ_j σ_i σ_j ∂²ψ/∂σ_i∂σ_j D_jj,   T_ij = a σ_j² D_ij + b σ_i σ_j D_ji,
//   a ± b = (P_i ∓ P_j)/(σ_i ∓ σ_j),  P_i = ∂ψ/∂σ_i                                      (Stomakhin et al. 2012; Teran et al. 2005)
// A model that has one defines in its file NAME_tangent(material, start) -> Tangent.

// At the start of a step: F, the state of the model, and ∇v in 1/s.
struct Start {
    f: mat3x3<f32>,
    state: vec3<f32>,
    gradient: mat3x3<f32>,
}

struct Tangent {
    // The first two columns of U.
    u0: vec3<f32>,
    u1: vec3<f32>,
    // σ_i² ∂²ψ/∂σ_i², and σ_i σ_j ∂²ψ/∂σ_i∂σ_j of yz, xz, xy, in Pa.
    diagonal: vec3<f32>,
    mixed: vec3<f32>,
    // a σ_j², a σ_i² and b σ_i σ_j of these pairs.
    first: vec3<f32>,
    second: vec3<f32>,
    cross: vec3<f32>,
    // Mean modulus in Pa, for the preconditioner.
    modulus: f32,
    // J η and J ζ in Pa s of viscous models, τ = 2 J η dev D + J ζ tr D 1 with D = ½ (∇v + ∇vᵀ): implicit/tangent puts them into the rest.
    shear_viscosity: f32,
    bulk_viscosity: f32,
}

fn tangent_rows(t: Tangent) -> array<vec4<f32>, 6> {
    return array<vec4<f32>, 6>(vec4<f32>(t.u0, t.modulus), vec4<f32>(t.u1, t.cross.x), vec4<f32>(t.diagonal, t.cross.y),
        vec4<f32>(t.mixed, t.cross.z), vec4<f32>(t.first, 0.0), vec4<f32>(t.second, 0.0));
}

fn tangent_from(rows: array<vec4<f32>, 6>) -> Tangent {
    return Tangent(rows[0].xyz, rows[1].xyz, rows[2].xyz, rows[3].xyz, rows[4].xyz, rows[5].xyz,
        vec3<f32>(rows[1].w, rows[2].w, rows[3].w), rows[0].w, 0.0, 0.0);
}

// Change of τ by a small strain ∇δv.
fn stiffened(t: Tangent, strain: mat3x3<f32>) -> mat3x3<f32> {
    let u = mat3x3<f32>(t.u0, t.u1, cross(t.u0, t.u1));
    // Columns: d[j][i] = D_ij.
    let d = transpose(u) * strain * u;
    let along = vec3<f32>(d[0].x, d[1].y, d[2].z);
    let direct = vec3<f32>(
        t.diagonal.x * along.x + t.mixed.z * along.y + t.mixed.y * along.z,
        t.mixed.z * along.x + t.diagonal.y * along.y + t.mixed.x * along.z,
        t.mixed.y * along.x + t.mixed.x * along.y + t.diagonal.z * along.z);
    // Of yz, xz, xy, and of zy, zx, yx.
    let upper = vec3<f32>(d[2].y, d[2].x, d[1].x);
    let lower = vec3<f32>(d[1].z, d[0].z, d[0].y);
    let above = t.first * upper + t.cross * lower;
    let below = t.second * lower + t.cross * upper;
    let stress = mat3x3<f32>(vec3<f32>(direct.x, below.z, below.y), vec3<f32>(above.z, direct.y, below.x),
        vec3<f32>(above.y, above.x, direct.z));
    return u * stress * transpose(u);
}
