// Smoke and temperature in the cells behind walls, by which those beside them are interpolated: the mean of the air's that a closed
// face parts from each, and beside a wall with a temperature 2 T_w − T. So nothing flows through walls as what they do not have.
//!include common/control
//!include common/nearest_wall
//!include common/open_faces

//!read coefficient
//!write smoke_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    if (coefficient[c].w > 0.0) { return; }
    let cell = cell_at(c);
    var sum = vec4<f32>(0.0);
    var count = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        for (var way = 0u; way < 2u; way++) {
            let step = select(-1, 1, way == 1u) * along(axis);
            let other = cell_number(wrap_next(cell + step));
            let face = select(cell, wrap_next(cell + step), way == 1u);
            if (coefficient[other].w == 0.0 || is_open(cell_number(face), axis)) { continue; }
            var value = smoke_other[other];
            if (HAS_HEAT) {
                let heat = colliders[nearest_wall(face_center(face, axis)).solid].heat;
                value.y = mix(value.y, 2.0 * heat.y - value.y, heat.x);
            }
            sum += value;
            count += 1.0;
        }
    }
    if (count > 0.0) { smoke_other[c] = sum / count; }
}
