// Start of an implicit step from the velocities after explicit forces and contacts, v: the residual of (M + Δt² K) v = M v* is
// −Δt² K v (Stomakhin et al. 2013, §8).
//!include common/implicit

//!read implicit_w
//!write implicit_r implicit_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = inertia_of(c);
    let q = implicit_w[c];
    var r = vec3<f32>(0.0);
    var u = vec3<f32>(0.0);
    if (own.is_unknown) {
        r = -q.xyz;
        u = preconditioned(own, q.w, r);
    }
    implicit_r[c] = vec4<f32>(r, 0.0);
    implicit_u[c] = vec4<f32>(u, 0.0);
}
