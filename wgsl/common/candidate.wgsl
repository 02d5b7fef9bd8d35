// What the walks over neighbours share.

struct Candidate {
    // x, y, z in m and volume in w.
    position: vec4<f32>,
    // Velocity in m/s and pressure in w.
    velocity: vec4<f32>,
    viscosity: f32,
    // In kg/m³.
    density: f32,
    // A symmetric tensor: its xx, yy, zz and its yz, xz, xy.
    diagonal: vec3<f32>,
    off_diagonal: vec3<f32>,
}

// A candidate of which only the position matters.
fn at_position(position: vec4<f32>) -> Candidate {
    return moving(position, vec4<f32>(0.0));
}

fn moving(position: vec4<f32>, velocity: vec4<f32>) -> Candidate {
    return Candidate(position, velocity, 0.0, 0.0, vec3<f32>(0.0), vec3<f32>(0.0));
}
