// Volumes of driven particles grow from next to nothing in the mouth to the rest volume, with the square of the way: fluid that is
// there gives way at about the speed of the mouth, where whole particles in its midst would throw it. What a wall
// has stopped is no longer driven.
//!include common/control
//!include common/driven

//!read sorted_velocity
//!write sorted_position sorted_identity

// Share of the driven way on which they grow: behind those that the mouth lets go of is a layer as dense as fluid, else they would
// fall back.
const GROWTH = 0.75;
// Share of the mouth's velocity below which something has stopped it.
const STOPPED = 0.5;
// Least share of the volume: only boundary particles have volumes that are not positive.
const LEAST = 0.01;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    let x = sorted_position[s];
    let mouth = driven(who, x.xyz);
    if (mouth.w == 0.0) { return; }
    if (dot(sorted_velocity[s].xyz, mouth.xyz) < STOPPED * dot(mouth.xyz, mouth.xyz)) {
        sorted_identity[s].y = who.y & 0xffffu;
        return;
    }
    let emitter = emitters[(who.y >> 16u) - 1u];
    let way = max(dot(displacement(x.xyz, emitter.center), emitter.direction), 0.0) / (GROWTH * emitter.reach);
    sorted_position[s].w = x.w * clamp(way * way, LEAST, 1.0);
}
