// What the walks over neighbours share.

struct Candidate {
    // x, y, z in m and volume in w.
    position: vec4<f32>,
    // Velocity in m/s and pressure in w.
    velocity: vec4<f32>,
    viscosity: f32,
}

@group(1) @binding(0) var<storage, read> cell_start: array<u32>;
