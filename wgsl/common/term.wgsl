// Terms of forces on a fluid particle i, shared by the walk that sums them (sph/forces) and by the walk that sums their
// reactions on bodies (body/react). A term is a file wgsl/terms/NAME.wgsl; it defines some of these functions, and the
// composer calls those that exist:
//   fn NAME_load(j: u32, neighbour: Neighbour) -> Neighbour   adds the term's data of particle j
//   fn NAME_begin(i: u32)                                      before the walk: resets its accumulators
//   fn NAME_force(pair: Pair) -> vec3<f32>                     force density on i by j, in N/m³
//   fn NAME_visit(pair: Pair)                                  adds to its own accumulators
//   fn NAME_end(i: u32) -> vec3<f32>                           force density from its accumulators, in N/m³
//   fn NAME_acceleration(i: u32) -> vec3<f32>                  acceleration from its accumulators, in m/s²
// It may also declare its own variables, bind arrays, and carry members of its own from load to visit (//!carry).
// A term of viscosity or pressure is a sum over pairs (no NAME_end), so that each pair has its reaction.
//!include common/control
//!include common/neighbour
//!include common/kernels

//!gather sorted_position sorted_velocity sorted_identity
// Velocity in m/s, and in w the pressure in Pa, or the friction of a boundary particle.
//!carry velocity: vec4<f32>

// Velocity in m/s and pressure in Pa, volume in m³, density in kg/m³ of particle i. The density is m/V, with the
// volume that also weighs neighbours: forces of pairs then cancel, whether the method has volumes m/ρ or at rest.
var<private> velocity_i: vec4<f32>;
var<private> volume_i: f32;
var<private> density_i: f32;

// m/V of the particle in slot j, in kg/m³.
fn density_of(j: u32, position: vec4<f32>) -> f32 {
    return material_of(sorted_identity_at(j)).mass / abs(position.w);
}

// Particle j without what terms add to it.
fn particle_at(j: u32) -> Neighbour {
    var neighbour: Neighbour;
    neighbour.position = sorted_position_at(j);
    neighbour.slot = j;
    neighbour.velocity = sorted_velocity_at(j);
    return neighbour;
}

// Particle i and j, which may be too far away.
struct Pair {
    neighbour: Neighbour,
    // r_ij = x_i − x_j by the nearest image.
    offset: vec3<f32>,
    // Whether j is a neighbour of i; if not, the volume is 0 and the distance is h, at which kernels
    // vanish.
    near: bool,
    // Whether j is a boundary particle.
    wall: bool,
    r2: f32,
    r: f32,
    // 1/r; 0 at r = 0, where ∇W of spiky has no direction and is taken as 0.
    inverse_r: f32,
    volume: f32,
}

fn pair_of(neighbour: Neighbour, offset: vec3<f32>, mine: bool) -> Pair {
    let h2 = kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    let near = mine && distance2 < h2;
    // Kernels overflow far beyond their support, and 0 · ∞ is NaN.
    let r2 = select(h2, distance2, near);
    let r = sqrt(r2);
    let inverse_r = select(1.0 / r, 0.0, r2 < 1e-12 * h2);
    let volume = select(0.0, abs(neighbour.position.w), near);
    return Pair(neighbour, offset, near, neighbour.position.w < 0.0, r2, r, inverse_r, volume);
}

// Pressure of j; boundary particles have that of i (Akinci 2012), walls without particles none.
fn pressure_of(pair: Pair) -> f32 {
    let wall = select(velocity_i.w, 0.0, is_volume(pair.neighbour));
    return select(pair.neighbour.velocity.w, wall, pair.wall);
}

// −factor ∇W/G, with G the gradient of a linear field of slope 1 by SPH on the rest lattice.
fn pressure_force(pair: Pair, factor: f32) -> vec3<f32> {
    let pressure = select(0.0, kernel.gradient_calibration * factor, pair.volume > 0.0);
    // At r = 0 some have none.
    let push = select(pressure * pressure_gradient(pair.r2), 0.0, pair.inverse_r == 0.0);
    return -(push * pair.offset);
}
