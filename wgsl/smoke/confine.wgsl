// Acceleration by vorticity confinement, ε Δx N × ω with N = ∇|ω|/|∇|ω||, which turns eddies that the grid damps
// (Fedkiw, Stam, Jensen 2001); nothing while ε is 0.
//!include common/control
//!include common/hat

//!read vorticity
//!write confinement

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    let strength = params.methods.stable_fluids.confinement;
    if (!is_active() || strength == 0.0) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var push = vec3<f32>(0.0);
    if (is_inner(cell)) {
        var rise = vec3<f32>(0.0);
        for (var axis = 0u; axis < params.world.dimensions; axis++) {
            let above = vorticity[cell_number(wrap_next(cell + along(axis)))].w;
            rise[axis] = 0.5 * (above - vorticity[cell_number(wrap_next(cell - along(axis)))].w);
        }
        // Differences below this share of |ω| are rounding, and have no direction.
        if (length(rise) > 1e-5 * vorticity[c].w) {
            push = strength * params.grid.cell * cross(normalize(rise), vorticity[c].xyz);
        }
    }
    confinement[c] = vec4<f32>(push, 0.0);
}
