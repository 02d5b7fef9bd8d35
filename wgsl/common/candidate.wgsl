// Neighbour candidates, shared by all walks over neighbours.
//!include common/params

struct Candidate {
    // x, y, z in m and volume in w.
    position: vec4<f32>,
    // Velocity in m/s and pressure in w.
    velocity: vec4<f32>,
    viscosity: f32,
    // Density in kg/m³.
    density: f32,
    slot: u32,
    // Symmetric tensor: xx, yy, zz and yz, xz, xy.
    diagonal: vec3<f32>,
    off_diagonal: vec3<f32>,
    // Field of momentum of a material point: its gradient's rows, and the mean in w.
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
    // Terms of its field that are products of offsets with that along z, of each component.
    more_x: vec4<f32>,
    more_y: vec4<f32>,
    more_z: vec4<f32>,
}

// Slot of the neighbour that stands for walls without particles.
const VOLUME = 0xffffffffu;

// Whether a candidate stands for walls without particles.
fn is_volume(candidate: Candidate) -> bool {
    return HAS_VOLUMES && candidate.slot == VOLUME;
}

// Whether a boundary particle of this volume belongs to a body: its last bit says so, which takes no array.
fn marks_body(volume: f32) -> bool {
    return HAS_BODIES && (bitcast<u32>(volume) & 1u) == 1u;
}

// Whether a candidate is a boundary particle of a body.
fn is_of_body(candidate: Candidate) -> bool {
    return candidate.position.w < 0.0 && !is_volume(candidate) && marks_body(candidate.position.w);
}

// Candidate with a position only.
fn at_position(position: vec4<f32>) -> Candidate {
    return moving(position, vec4<f32>(0.0));
}

fn moving(position: vec4<f32>, velocity: vec4<f32>) -> Candidate {
    let none = vec4<f32>(0.0);
    return Candidate(position, velocity, 0.0, 0.0, 0u, none.xyz, none.xyz, none, none, none, none, none, none);
}
