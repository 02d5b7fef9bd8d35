// Sources of particles: crates/model/src/params.rs, Emitter.

struct Emitter {
    velocity: vec3<f32>,
    first_point: u32,
    point_count: u32,
    identity: u32,
    max_layers: u32,
    max_live: u32,
    interval: f32,
    start: f32,
    end: f32,
}
