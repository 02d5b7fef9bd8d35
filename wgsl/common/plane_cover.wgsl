// Share of a hat below a plane at the distance d from its centre, in cells: ½ (1 − d)² for d ≥ 0, and 1 − ½ (1 + d)² below.
fn plane_cover(d: f32) -> f32 {
    let part = max(1.0 - abs(d), 0.0);
    return select(1.0 - 0.5 * part * part, 0.5 * part * part, d >= 0.0);
}

// Distance in cells of the plane below which the share is c.
fn plane_distance(c: f32) -> f32 {
    return select(1.0 - sqrt(2.0 * c), sqrt(2.0 * (1.0 - c)) - 1.0, c > 0.5);
}
