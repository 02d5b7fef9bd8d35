// Invocations of passes over particles of bodies: the last of the boundary particles, as many as
// the stage has elements, as many of each world. Static walls, which are most of them, cost these passes nothing.
//!include common/worlds

struct BodyParticle {
    // Index among boundary particles.
    k: u32,
    // Sorted slot; any slot for an inactive invocation.
    slot: u32,
    // First cell of its world.
    world: u32,
    // Whether the invocation is active.
    exists: bool,
}

//!read wall_slots

fn body_particle(element: u32) -> BodyParticle {
    let k = params.counts.walls - stage.element_count + element;
    let slot = wall_slots[min(k, arrayLength(&wall_slots) - 1u)];
    let exists = k < params.counts.walls && slot < control.particle_count;
    var world = 0u;
    if (SEVERAL_WORLDS) {
        world = element / max(stage.element_count / params.counts.worlds, 1u) * world_cells();
    }
    return BodyParticle(k, min(slot, params.counts.capacity - 1u), world, exists);
}
