// What the pressure of both phases has at the lower faces of each cell: the lightness (common/phases), and in w the sum of 1, 2, 4
// for those in liquid; then the jump of P = Δt p/ρ_l from the lower cell to the upper, Δt σκ/ρ_l to the side of the liquid, with the
// curvature on the surface (Kang, Fedkiw, Liu 2000). Beyond open sides P is 0 on the face, half a cell away, and without a jump.
//!include common/control
//!include common/phases
//!include common/busy

//!read curvature
//!write gas_faces

fn jump(c: u32, b: u32) -> f32 {
    let own = level_set[c];
    let other = level_set[b];
    if ((own < 0.0) == (other < 0.0)) { return 0.0; }
    let bent = (abs(other) * curvature[c].x + abs(own) * curvature[b].x) / (abs(own) + abs(other));
    let rise = control.dt * params.materials[0].surface_tension / params.materials[0].rest_density * bent;
    return select(-rise, rise, own < 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var light = vec4<f32>(0.0);
    var jumps = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let below = wrap_next(cell - along(axis));
        let b = cell_number(below);
        let inside = vec2<bool>(is_inner(cell), is_inner(below));
        if (all(inside)) {
            light[axis] = lightness(c, b);
            jumps[axis] = jump(c, b);
        } else {
            let end = select(b, c, inside.x);
            light[axis] = 2.0 * lightness(end, end);
        }
        light.w += select(f32(1u << axis), 0.0, is_in_gas(c, b));
    }
    gas_faces[c] = array<vec4<f32>, 2>(light, jumps);
}
