// Velocity that sources set, and buoyancy, a = g (α s − β T), or with its own density g (α s − (ρ0/ρ − 1)): hot air rises against gravity, dense smoke sinks
// (Fedkiw, Stam, Jensen 2001), with vorticity confinement and force fields, at the faces.
//!include common/sources
//!include common/force_fields
//!include common/stir
//!include common/lightness

//!read confinement
//!write face

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    let dt = control.dt * params.methods.stable_fluids.share;
    var u = face[c];
    for (var axis = 0u; axis < axes(); axis++) {
        let x = face_center(cell, axis);
        var own_velocity = vec3<f32>(0.0);
        own_velocity[axis] = u[axis];
        let below = cell_number(wrap_next(cell - along(axis)));
        let between = 0.5 * (smoke_other[c] + smoke_other[below]);
        let own = params.methods.stable_fluids;
        let heat = select(own.buoyancy * between.y, lightness(c, below) - 1.0, own.variable == 1u);
        let weight = own.weight * between.x - heat;
        u[axis] += dt * (params.world.gravity[axis] * weight + field_acceleration(x, own_velocity)[axis]);
        if (params.methods.stable_fluids.confinement > 0.0) {
            u[axis] += 0.5 * dt * (confinement[c][axis] + confinement[below][axis]);
        }
        for (var k = 0u; HAS_JETS && k < params.counts.sources; k++) {
            let kept = source_values[k][0];
            if (kept.w > 0.0) { u[axis] = mix(u[axis], kept[axis], source_share(k, x)); }
        }
        for (var k = 0u; k < params.counts.force_fields; k++) {
            u[axis] = mix(u[axis], params.force_fields[k].direction[axis], stir_share(k, x));
        }
    }
    face[c] = u;
}
