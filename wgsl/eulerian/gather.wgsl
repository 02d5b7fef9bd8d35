// The field at the start of a step: where it has been carried, else what the markers give. At the mouths of emitters it is theirs: the
// share of a face is that of the mouth's points in the hat around it, at most 1, so that a jet leaves at the mouth's velocity
// whatever the field there was.
//!include common/control
//!include common/hat
//!include common/torus
//!include common/busy
//!include common/mouths

//!read face_carried face_gathered
//!write face

// Share of a mouth's points in the hat around a face, with the axis of the flow left out: there the hat is one cell to either side.
fn mouth_share(emitter: EmitterParams, x: vec3<f32>) -> f32 {
    let ahead = dot(displacement(x, emitter.center), emitter.direction);
    let near = 1.0 - abs(ahead) * params.grid.inverse_cell.x;
    if (near <= 0.0) { return 0.0; }
    var count = 0.0;
    for (var k = 0u; k < emitter.point_count; k++) {
        let offset = displacement(x - ahead * emitter.direction, emitter_points[emitter.first_point + k].xyz);
        let w = hats(offset * params.grid.inverse_cell);
        count += w.x * w.y * w.z;
    }
    // Points of a full cell.
    let spacing = 2.0 * params.world.particle_radius * params.grid.inverse_cell.x;
    let full = 1.0 / (spacing * select(1.0, spacing, axes() == 3u));
    return near * min(count / full, 1.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let carried = face_carried[c];
    let gathered = face_gathered[c];
    var u = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let is_carried = ((u32(carried.w) >> axis) & 1u) == 1u;
        let known = is_carried || ((u32(gathered.w) >> axis) & 1u) == 1u;
        u[axis] = select(gathered[axis], carried[axis], is_carried);
        // Whether markers are there as well.
        u.w += select(0.0, f32(1u << axis), known) + f32(u32(gathered.w) & (8u << axis));
    }
    for (var e = 0u; e < params.counts.emitters; e++) {
        let emitter = emitters[e];
        let offset = displacement(cell_center(cell), emitter.center);
        let reach = emitter.radius + 3.0 * params.grid.cell;
        if (!flows(e) || dot(offset, offset) > reach * reach) { continue; }
        for (var axis = 0u; axis < axes(); axis++) {
            let share = mouth_share(emitter, face_center(cell, axis));
            u[axis] = mix(u[axis], emitter.velocity[axis], share);
        }
    }
    face[c] = u;
}
