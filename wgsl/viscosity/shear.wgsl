// Viscosity of liquids that shear makes thinner or thicker, by the velocity's gradient at the start of the step,
//   ∇v = (Σ_j V_j (v_j − v_i) ⊗ ∇W_ij) L⁻¹,  L = Σ_j V_j (x_j − x_i) ⊗ ∇W_ij                                   (Bonet, Lok 1999)
// with walls that have friction, into the w lanes of viscosity/guess. A model that flows so has in its file
// NAME_viscosity(material, γ̇) -> η, γ̇ = √(2 dev D : dev D).
//!include common/neighbour_list
//!include common/control
//!include common/kernels
//!include common/inverse
//!materials

//!gather sorted_position sorted_velocity
//!read sorted_identity
//!write viscosity_x viscosity_u
// With the friction of a boundary particle in w.
//!carry velocity: vec4<f32>

// Least determinant of L, which is 1 inside.
const LEAST_DETERMINANT = 0.05;

var<private> velocity_i: vec3<f32>;
// Rows of Σ V (v_j − v_i) ⊗ ∇W, and L: xx, yy, zz and yz, xz, xy.
var<private> change: mat3x3<f32>;
var<private> diagonal: vec3<f32>;
var<private> off_diagonal: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let h2 = kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    let slips = neighbour.position.w < 0.0 && neighbour.velocity.w == 0.0;
    let near = mine && distance2 < h2 && !slips;
    let slope = select(0.0, abs(neighbour.position.w), near) * density_gradient(select(h2, distance2, near));
    let apart = neighbour.velocity.xyz - velocity_i;
    let gradient = slope * offset;
    change += mat3x3<f32>(apart.x * gradient, apart.y * gradient, apart.z * gradient);
    diagonal -= gradient * offset;
    off_diagonal -= gradient.yxx * offset.zzy;
}

fn viscosity_of(material: MaterialParams, shear: f32) -> f32 {
    var found = material.viscosity;
    //!each if (material.model == model_TERM) { found = TERM_viscosity(material, shear); }
    return found;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let place = sorted_position_at(i).xyz;
    velocity_i = sorted_velocity_at(i).xyz;
    change = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    diagonal = vec3<f32>(0.0);
    off_diagonal = vec3<f32>(0.0);
    for_each_neighbour(member, place, member.exists);
    if (!member.exists) { return; }
    let flat = params.world.dimensions == 2u;
    let d = vec3<f32>(diagonal.xy, select(diagonal.z, 1.0, flat));
    let e = off_diagonal;
    let l = mat3x3<f32>(vec3<f32>(d.x, e.z, e.y), vec3<f32>(e.z, d.y, e.x), vec3<f32>(e.y, e.x, d.z));
    // Few neighbours, or those on a line, do not tell a gradient: it is then that of the sum alone.
    let tells = determinant(l) > LEAST_DETERMINANT;
    var gradient = change;
    if (tells) { gradient = inverted(l) * change; }
    let mean = (gradient[0].x + gradient[1].y + gradient[2].z) / select(3.0, 2.0, flat);
    let along = vec3<f32>(gradient[0].x, gradient[1].y, gradient[2].z) - select(vec3<f32>(mean), vec3<f32>(mean, mean, 0.0), flat);
    let across = 0.5 * vec3<f32>(gradient[1].z + gradient[2].y, gradient[0].z + gradient[2].x, gradient[0].y + gradient[1].x);
    let shear = sqrt(2.0 * dot(along, along) + 4.0 * dot(across, across));
    let viscosity = viscosity_of(material_of(sorted_identity[i]), shear);
    viscosity_x[i].w = viscosity;
    viscosity_u[i].w = viscosity;
}
