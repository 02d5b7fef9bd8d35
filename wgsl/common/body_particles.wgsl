// Invocations of passes over particles of bodies: the last of the boundary particles, as many as
// the stage has elements. Static walls, which are most of them, cost these passes nothing.

struct BodyParticle {
    // Index among boundary particles.
    k: u32,
    // Sorted slot; any slot for an inactive invocation.
    slot: u32,
    // Whether the invocation is active.
    exists: bool,
}

//!read wall_slots

fn body_particle(element: u32) -> BodyParticle {
    let k = params.counts.walls - stage.element_count + element;
    let slot = wall_slots[min(k, arrayLength(&wall_slots) - 1u)];
    let exists = k < params.counts.walls && slot < control.particle_count;
    return BodyParticle(k, min(slot, params.counts.capacity - 1u), exists);
}
