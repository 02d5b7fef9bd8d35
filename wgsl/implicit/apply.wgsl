// w = (M + Δt² K) u, and each workgroup's part of r·u, u·w, of |r|²/m, which bounds the square of the error in the norm of the
// masses, and of m v² with what gravity adds in a step.
//!include common/implicit
//!include common/sums

//!read implicit_r implicit_u node
//!write implicit_w poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var dots = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = inertia_of(c);
        if (own.is_unknown) {
            let u = implicit_u[c].xyz;
            let r = implicit_r[c].xyz;
            let v = node[c].xyz;
            let q = implicit_w[c];
            let w = own.matrix * u + q.xyz;
            implicit_w[c] = vec4<f32>(w, q.w);
            let pull = control.dt * gravity();
            dots = vec4<f32>(dot(r, u), dot(u, w), dot(r, r) / own.mass, own.mass * (dot(v, v) + dot(pull, pull)));
        }
    }
    let all = workgroup_sum(dots, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
