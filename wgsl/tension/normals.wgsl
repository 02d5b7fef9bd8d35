// Normals of the free surface (Marrone, Colagrossi, Le Touzé, Graziani 2010). With gradients divided by g, that of a
// linear field of slope 1 on the rest lattice, and V the volume at rest, of walls V_b,
//   A_i = 1/g Σ_j V (−W'(r)/r) r_ij ⊗ r_ij,   ν'_i = 1/g Σ_j V ∇W_ij,   ν_i = −A_i⁻¹ ν'_i
// the smallest eigenvalue λ of A is 1 inside and small at the surface, and ν points out of the fluid. tension_normal
// is (ν/|ν|, λ), with a normal only where λ is in [LAMBDA_SPLASH, LAMBDA_INSIDE] and |ν| h is at least LEAST_STEEPNESS; tension_gradient
// is h ν', without a unit and into the fluid (Akinci, Akinci, Teschner 2013, 4, with volumes at rest), in which the particles
// of walls weigh ω = 1 + cos θ/(1 − β), so that the area's tension meets a wall at the contact angle θ (Young, Dupré); or, with
// tension.normals = "unit", −ν/|ν|.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/free_surface
//!include common/wetting

//!gather sorted_position sorted_identity
//!write tension_normal tension_gradient
// ω = 1 + cos θ/(1 − β) between 0 and 1; 1 of fluid.
//!carry weight: f32

// Least |ν| h of a normal.
const LEAST_STEEPNESS = 0.05;

// Σ V ∇W in m⁻¹; A: xx, yy, zz; yz, xz, xy.
var<private> gradient: vec3<f32>;
// Σ V ∇W in m⁻¹ with walls weighed by their contact angles: less where the fluid shuns them.
var<private> weighed: vec3<f32>;
var<private> squares: vec3<f32>;
var<private> products: vec3<f32>;

fn load(j: u32) -> Neighbour {
    var neighbour = Neighbour(sorted_position_at(j), j, 1.0);
    if (HAS_WETTING && neighbour.position.w < 0.0) {
        let area = max(1.0 - params.methods.tension_free_surface.share, 1e-6);
        neighbour.weight = clamp(1.0 + wetting_of(sorted_identity_at(j)) / area, 0.0, 1.0);
    }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let h2 = kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    // In one place there is no direction.
    let near = mine && distance2 < h2 && distance2 > 1e-12 * h2;
    let volume = select(0.0, abs(neighbour.position.w), near);
    let slope = volume * pressure_gradient(select(h2, distance2, near));
    gradient += slope * offset;
    if (HAS_WETTING) { weighed += slope * neighbour.weight * offset; }
    squares -= slope * offset * offset;
    products -= slope * offset.yxx * offset.zzy;
}

// Symmetric matrix with xx, yy, zz in `diagonal` and yz, xz, xy in `others`.
fn matrix_of(diagonal: vec3<f32>, others: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(diagonal.x, others.zy), vec3<f32>(others.z, diagonal.y, others.x), vec3<f32>(others.yx, diagonal.z));
}

// Smallest eigenvalue (Smith 1961): those of B = A − m, m their mean, are p t with t³ − 3t = 2r, where 6p² = tr B² and
// 2r = det B/p³. The smallest t, 2 cos(arccos(r)/3 + 2π/3), is smooth in √(1 − r): the polynomial is right to 4e-7.
fn smallest_eigenvalue(diagonal: vec3<f32>, others: vec3<f32>) -> f32 {
    if (params.world.dimensions == 2u) {
        let half = 0.5 * (diagonal.x - diagonal.y);
        return min(0.5 * (diagonal.x + diagonal.y) - sqrt(half * half + others.z * others.z), diagonal.z);
    }
    let mean = (diagonal.x + diagonal.y + diagonal.z) / 3.0;
    let apart = diagonal - mean;
    let p = sqrt((dot(apart, apart) + 2.0 * dot(others, others)) / 6.0);
    // Of three equal ones.
    if (p < 1e-6) { return mean; }
    let r = 0.5 * determinant(matrix_of(apart / p, others / p));
    let s = sqrt(clamp(1.0 - r, 0.0, 2.0));
    let t = -1.0 + s * (-0.8164728 + s * (0.11082304 + s * (-0.036449877 + s * (0.013269109
        + s * (-0.0037558155 + s * 0.00053586204)))));
    return mean + p * t;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    gradient = vec3<f32>(0.0);
    weighed = vec3<f32>(0.0);
    squares = vec3<f32>(0.0);
    products = vec3<f32>(0.0);
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    let calibration = params.methods.tension_free_surface.gradient;
    var diagonal = calibration * squares;
    if (params.world.dimensions == 2u) { diagonal.z = 1.0; }
    let others = calibration * products;
    let lambda = smallest_eigenvalue(diagonal, others);
    // h ν' and h ν.
    let inward = calibration * kernel.support_radius * gradient;
    let a = matrix_of(diagonal, others);
    let yz = cross(a[1], a[2]);
    let solved = inward.x * yz + inward.y * cross(a[2], a[0]) + inward.z * cross(a[0], a[1]);
    let candidate = lambda >= LAMBDA_SPLASH && lambda <= LAMBDA_INSIDE;
    let outward = select(vec3<f32>(0.0), -solved / dot(a[0], yz), candidate);
    let steepness = length(outward);
    let normal = select(vec3<f32>(0.0), outward / steepness, steepness >= LEAST_STEEPNESS);
    tension_normal[i] = vec4<f32>(normal, lambda);
    let area = select(inward, calibration * kernel.support_radius * weighed, HAS_WETTING);
    let unit = params.methods.tension_free_surface.unit > 0.0;
    tension_gradient[i] = vec4<f32>(select(area, -normal, unit), kernel.support_radius);
}
