// Leap-frog, first half: x += ½Δt v, on the unsorted arrays. Boundary particles take the velocity
// of their solid.
//!include common/control
//!include common/shapes

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;
@group(1) @binding(1) var<storage, read> identity: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read_write> velocity: array<vec4<f32>>;
@group(1) @binding(3) var<storage, read_write> position: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= control.particle_count) { return; }
    let x = position[i];
    let who = identity[i];
    var v = velocity[i];
    if (kind_of(who) == KIND_BOUNDARY) {
        v = vec4<f32>(colliders[who.y >> 16u].velocity, v.w);
        velocity[i] = v;
    }
    position[i] = vec4<f32>(wrap_position(x.xyz + 0.5 * control.dt * v.xyz), x.w);
}
