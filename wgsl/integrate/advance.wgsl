// Semi-implicit Euler, second half: x += Δt v, from the sorted to the unsorted arrays. The
// position's w lane carries the density, or the volume of a boundary particle.
//!include common/control
//!include common/grid

@group(1) @binding(0) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(3) var<storage, read> density: array<f32>;
@group(1) @binding(4) var<storage, read_write> position: array<vec4<f32>>;
@group(1) @binding(5) var<storage, read_write> velocity: array<vec4<f32>>;
@group(1) @binding(6) var<storage, read_write> identity: array<vec2<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s >= control.particle_count) { return; }
    let x = sorted_position[s];
    let v = sorted_velocity[s];
    let who = sorted_identity[s];
    let w = select(density[s], -x.w, kind_of(who) == KIND_BOUNDARY);
    position[s] = vec4<f32>(wrap_position(x.xyz + control.dt * v.xyz), w);
    velocity[s] = v;
    identity[s] = who;
}
