// Invocations of passes that sum over the particles of solids: `width` for a solid, by the elements of the stage. The pass itself
// says the width, which is uniform then: of a struct that holds other values as well Tint takes nothing to be.

struct BodyLane {
    // Number of the solid; any of an inactive invocation.
    solid: u32,
    // Number among the invocations of the solid.
    lane: u32,
    // Whether it is the one that has the sum.
    first: bool,
}

fn body_lane(at: u32, local: u32, width: u32) -> BodyLane {
    let count = params.counts.colliders;
    let lane = local % width;
    return BodyLane(min(at / width, count - 1u), lane, lane == 0u && at / width < count);
}
