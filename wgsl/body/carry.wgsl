// Velocities of boundary particles in cell order, of bodies that have been pushed since they were
// placed: v = v_g + ω × (R q) (T 15).
//!include common/control
//!include common/bodies
//!include common/shapes

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read> model_position: array<vec4<f32>>;
@group(1) @binding(3) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(4) var<storage, read> cell_start: array<u32>;
@group(1) @binding(5) var<storage, read_write> sorted_velocity: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    // Boundary particles come behind the fluid.
    let s = cell_start[params.cell_count] + element(global_id);
    if (s >= control.particle_count) { return; }
    let who = sorted_identity[s];
    let c = who.y >> 16u;
    if (kind_of(who) != KIND_BOUNDARY) { return; }
    if (colliders[c].inverse_mass == 0.0) { return; }
    let body = bodies[c];
    let arm = rotate(body.rotation, model_position[who.x - params.first_wall].xyz);
    sorted_velocity[s] = vec4<f32>(velocity_at(body, arm), sorted_velocity[s].w);
}
