// Air beyond the open sides of the domain, which is at rest: with the velocity of the last faces, what comes in would bring along
// ever more energy. Faces at the sides have half a cell's mass, since P = 0 there, so what an inlet takes from the flow is ρu²/2, as by
// Bernoulli's law.
//!include common/hat
//!include common/open_faces

// Weight at a place of the velocities along an axis within the domain, 1, against those beyond its open sides, 0: linear, from
// the last value inside to where the next would be.
fn weight_within(x: vec3<f32>, axis: u32) -> f32 {
    let place = (x - params.grid.origin) * params.grid.inverse_cell;
    let size = vec3<i32>(params.grid.size);
    let ring = vec3<i32>(1, 1, params.grid.z_reach);
    let is_torus = params.grid.period > vec3<f32>(0.0);
    let own = vec3<i32>(floor(place));
    let beside = select(clamp(own, ring, size - ring - 1), wrap_cell(own), is_torus);
    var weight = 1.0;
    for (var k = 0u; k < axes(); k++) {
        if (is_torus[k]) { continue; }
        let below = place[k] - f32(ring[k]);
        let above = f32(size[k] - ring[k]) - place[k];
        let share = clamp(min(below, above) + select(0.5, 1.0, k == axis), 0.0, 1.0);
        let side = cell_number(beside + select(vec3<i32>(0), along(k), above < below));
        if (share < 1.0 && is_open(side, k)) { weight *= share; }
    }
    return weight;
}
