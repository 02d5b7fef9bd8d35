// The world of a particle in w of its place, from the pass that writes its velocity to the one that writes its place, which has no
// binding left for identities.
//!include common/worlds

//!write position

fn keep_world(s: u32) {
    if (has_worlds()) { position[s].w = f32(own_world); }
}

fn enter_kept(s: u32) {
    if (has_worlds()) { own_world = u32(position[s].w); }
}
