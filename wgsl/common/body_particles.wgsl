// The invocations of passes over particles of bodies: the last of the boundary particles, as many as the
// stage has elements. Static walls, which are most of them, cost such passes nothing.

struct BodyParticle {
    // Its place among boundary particles.
    k: u32,
    // Its sorted slot; of an invocation that has none, any one.
    slot: u32,
    // Whether it has one.
    exists: bool,
}

@group(1) @binding(7) var<storage, read> wall_slots: array<u32>;

fn body_particle(element: u32) -> BodyParticle {
    let k = params.counts.walls - stage.element_count + element;
    let slot = wall_slots[min(k, arrayLength(&wall_slots) - 1u)];
    let exists = k < params.counts.walls && slot < control.particle_count;
    return BodyParticle(k, min(slot, params.counts.capacity - 1u), exists);
}
