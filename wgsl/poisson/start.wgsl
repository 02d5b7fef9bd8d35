// Start of conjugate gradients from P = 0.
//!include common/control
//!include common/busy

//!read coefficient poisson_scalars
//!write solution remainder
//!publish poisson_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let diagonal = coefficient[c].w;
    let is_liquid = diagonal > 0.0;
    let r = select(0.0, remainder[c].x - poisson_scalars[own_world].x, is_liquid);
    remainder[c] = vec2<f32>(r, 0.0);
    publish_poisson_u(c, select(0.0, r / max(diagonal, 1e-30), is_liquid));
    solution[c] = vec2<f32>(0.0);
}
