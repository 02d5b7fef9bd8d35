// Contact angles of walls.
//!include shared/collider

//!read colliders

// cos θ of the wall that a boundary particle belongs to; 0 of neighbours that stand for walls without particles.
fn wetting_of(who: vec2<u32>) -> f32 {
    let is_particle = kind_of(who) == KIND_BOUNDARY;
    return select(0.0, colliders[select(0u, who.y >> 16u, is_particle)].wetting, is_particle);
}
