// Gradients of s = ρ/ρ0 before the step that are right for linear fields also beside walls and surfaces (Randles, Libersky
// 1996; Antuono et al. 2010, 6):
//   ⟨∇s⟩_i = M_i⁻¹ b_i,   M_i = −Σ_j V0_j W'/r r_ij ⊗ r_ij,   b_i = Σ_j V0_j (s_j − s_i) ∇W_ij
// over fluid of the same material. Where neighbours are too few for M to have an inverse, the gradient goes to 0: with D = det M,
// M⁻¹ is taken as adj M D/(D² + LEAST²). density_slope is (⟨∇s⟩, s − 1).
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_identity density
//!write density_slope
// s − 1, and the kind and material.
//!carry excess: f32, matter: u32

// Determinant of M, 1 within fluid, below which there is no gradient.
const LEAST = 0.01;

var<private> excess_i: f32;
var<private> matter_i: u32;
// M: xx, yy, zz; yz, xz, xy.
var<private> squares: vec3<f32>;
var<private> products: vec3<f32>;
var<private> slope: vec3<f32>;

fn excess_of(j: u32) -> f32 {
    let rest_density = material_of(sorted_identity_at(j)).rest_density;
    return (density_at(j) - rest_density) / rest_density;
}

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, excess_of(j), sorted_identity_at(j).y & 0xffffu);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let is_same = mine && neighbour.position.w > 0.0 && neighbour.matter == matter_i;
    let volume = select(0.0, neighbour.position.w, is_same);
    let weight = volume * density_gradient(dot(offset, offset));
    squares -= weight * offset * offset;
    products -= weight * offset.yxx * offset.zzy;
    slope += weight * select(0.0, neighbour.excess - excess_i, is_same) * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    excess_i = excess_of(i);
    matter_i = sorted_identity_at(i).y & 0xffffu;
    squares = vec3<f32>(0.0);
    products = vec3<f32>(0.0);
    slope = vec3<f32>(0.0);
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    var d = squares;
    if (params.world.dimensions == 2u) { d.z = 1.0; }
    let o = products;
    let x = vec3<f32>(d.x, o.z, o.y);
    let y = vec3<f32>(o.z, d.y, o.x);
    let z = vec3<f32>(o.y, o.x, d.z);
    let yz = cross(y, z);
    let adjoint = slope.x * yz + slope.y * cross(z, x) + slope.z * cross(x, y);
    let determinant = dot(x, yz);
    let inverse = determinant / (determinant * determinant + LEAST * LEAST);
    density_slope[i] = vec4<f32>(inverse * adjoint, excess_i);
}
