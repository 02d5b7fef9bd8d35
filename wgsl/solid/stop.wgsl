// Sums of what the surfaces of measured solids took from fluid particles in the step (solid/collide), J = −Σ m Δv and
// Σ (x − r_g) × −m Δv, for each solid over a block of slots of its world: those of a world are together.
//!include common/control
//!include common/bodies
//!include common/torus

//!read bodies identity position stops
//!write stop_sums

// Slots in a block (crates/methods/src/space.rs).
const BLOCK = 64u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let e = element(global_id);
    if (e >= stage.element_count) { return; }
    let solids = params.counts.driven / params.counts.worlds;
    let blocks = stage.element_count / params.counts.driven;
    let world = e / (solids * blocks);
    let c = world * solids + e % solids;
    let slots = arrayLength(&stops) / params.counts.worlds;
    let first = world * slots + e / solids % blocks * BLOCK;
    var impulse = vec3<f32>(0.0);
    var twist = vec3<f32>(0.0);
    for (var i = first; i < min(first + BLOCK, (world + 1u) * slots); i++) {
        let stop = stops[i];
        let mine = u32(stop.w) == c + 1u && i < control.particle_count && kind_of(identity[i]) != KIND_BOUNDARY;
        if (!mine) { continue; }
        impulse -= stop.xyz;
        twist -= cross(displacement(position[i].xyz, bodies[c].position.xyz), stop.xyz);
    }
    stop_sums[e][0] = vec4<f32>(impulse, 0.0);
    stop_sums[e][1] = vec4<f32>(twist, 0.0);
}
