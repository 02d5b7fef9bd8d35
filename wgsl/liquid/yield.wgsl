// Share of the free bodies in the equation of pressure, which yield to it (Batty, Bertails, Bridson 2007): Δx J·(V, ω) of each
// cell, with the change (V, ω) = M⁻¹ ρ0 Δxᵈ⁻¹ Σ P J of the velocities of the bodies beside it; 0 of other cells.
//!include common/control
//!include common/busy
//!include common/colliders
//!include common/collider_sums

//!read colliders bodies levers body_partial
//!write poisson_w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var flux = 0.0;
    let parts = sums_of_collider();
    for (var at = 0u; at < 6u; at += 2u) {
        let lever = levers[c][at];
        if (lever.w == 0.0) { break; }
        let solid = u32(lever.w) - 1u;
        if (colliders[solid].inverse_mass == 0.0) { continue; }
        var impulse = vec3<f32>(0.0);
        var twist = vec3<f32>(0.0);
        for (var k = 0u; k < parts; k++) {
            impulse += body_partial[solid * parts + k][0].xyz;
            twist += body_partial[solid * parts + k][1].xyz;
        }
        let spin = spin_of(bodies[solid].rotation, twist, colliders[solid].inverse_inertia);
        flux += colliders[solid].inverse_mass * dot(lever.xyz, impulse) + dot(levers[c][at + 1u].xyz, spin);
    }
    poisson_w[c] = params.grid.cell * flux;
}
