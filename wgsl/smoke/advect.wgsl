// Semi-Lagrangian advection: smoke and temperature where the flow has carried them from (Stam 1999). None come from beyond
// the domain.
//!include common/interpolate

//!gather smoke_other
//!write smoke

fn value_of(c: u32) -> vec4<f32> {
    return smoke_other_at(c);
}

// Half of a cell's diagonal, of its edge: farther in a solid the middle of no cell with air is.
const HALF_DIAGONAL = 0.87;

// Place at the start of the smoke that is at x at the end: not deeper in a solid than x, if that is the middle of a cell with air,
// so that what rests there stays.
fn traced_air(x: vec3<f32>) -> vec3<f32> {
    let start = moved(x, -part_time());
    if (params.counts.colliders == 0u) { return start; }
    let wall = nearest_wall(start);
    if (wall.distance >= 0.0) { return start; }
    let own = nearest_wall(x).distance;
    let kept = select(0.0, min(own, 0.0), own > -HALF_DIAGONAL * params.grid.cell);
    return start - min(wall.distance - kept, 0.0) * wall.normal;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var value = vec4<f32>(0.0);
    if (is_inner(cell)) { value = interpolated(traced_air(cell_center(cell)), vec3<f32>(0.5)); }
    smoke[c] = value;
}
