// What every pass may read and only the host writes: crates/model/src/params.rs, field by field.

struct Material {
    mass: f32,
    rest_density: f32,
    rest_volume: f32,
    viscosity: f32,
    surface_tension: f32,
    stiffness: f32,
    reserved: f32,
    reserved_2: f32,
}

struct ForceField {
    center: vec3<f32>,
    kind: u32,
    direction: vec3<f32>,
    strength: f32,
    radius: f32,
}

struct Pull {
    arm: vec3<f32>,
    body: u32,
    goal: vec3<f32>,
    rate: f32,
    reach: f32,
}

struct Loop {
    min_iterations: u32,
    max_iterations: u32,
    tolerance: f32,
    warm_start: f32,
}

struct Params {
    gravity: vec3<f32>,
    dimensions: u32,
    grid_origin: vec3<f32>,
    support_radius: f32,
    inverse_cell: vec3<f32>,
    particle_radius: f32,
    grid_size: vec3<u32>,
    cell_count: u32,
    period: vec3<f32>,
    z_reach: i32,
    inverse_period: vec3<f32>,
    support_radius_squared: f32,
    poly6: f32,
    spiky_gradient: f32,
    viscosity_laplacian: f32,
    density_calibration: f32,
    gradient_calibration: f32,
    clamp_pressure: u32,
    surface_threshold: f32,
    mixed_viscosity: u32,
    force_field_count: u32,
    kernel: u32,
    kernel_constant: f32,
    gamma: f32,
    pcisph_factor: f32,
    alpha: f32,
    expected_speed: f32,
    viscosity_calibration: f32,
    xsph: f32,
    body_depth: f32,
    first_body: u32,
    relaxation: f32,
    frame_duration: f32,
    fixed_step: f32,
    max_step: f32,
    min_step: f32,
    cfl: f32,
    sound_speed: f32,
    min_speed: f32,
    collider_count: u32,
    emitter_count: u32,
    emitter_point_count: u32,
    drain_count: u32,
    capacity: u32,
    first_wall: u32,
    wall_count: u32,
    driven_count: u32,
    first_drift: f32,
    pull: Pull,
    loops: array<Loop, 4>,
    force_fields: array<ForceField, 8>,
    materials: array<Material, 16>,
}

@group(0) @binding(0) var<uniform> params: Params;

const KIND_FLUID = 0u;
const KIND_BOUNDARY = 1u;
const KIND_REMOVED = 255u;

// identity.y packs kind (8 bits), material (8) and body (16).
fn kind_of(identity: vec2<u32>) -> u32 {
    return identity.y & 255u;
}

// Whether it is a particle of a rigid body: their ids come last.
fn is_body(identity: vec2<u32>) -> bool {
    return kind_of(identity) == KIND_BOUNDARY && identity.x >= params.first_body;
}

fn material_of(identity: vec2<u32>) -> Material {
    return params.materials[min((identity.y >> 8u) & 255u, 15u)];
}
