// Smoke and temperature that decay, and those that sources keep up: inside them what they set; and smoke of the hand. Where it is
// hot enough fuel f burns: r = min(f, Δt/t_burn) leaves it, soot·r is smoke, T grows by r T_flame up to T_flame, less what flames
// radiate, c Δt (T/T_flame)⁴, and the gas expands (smoke/expand) at a rate of r/Δt.
//!include common/sources
//!include common/stir

//!read smoke
//!write smoke_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let rates = vec4<f32>(params.methods.stable_fluids.fading, params.methods.stable_fluids.cooling, 0.0, 0.0);
    let own = params.methods.stable_fluids;
    var value = smoke[c] * exp(-control.dt * rates);
    value.w = 0.0;
    let x = cell_center(cell_at(c));
    for (var k = 0u; k < params.counts.sources; k++) {
        let kept = source_values[k][1];
        value = mix(value, vec4<f32>(kept.xyz, 0.0), source_share(k, x));
    }
    for (var k = 0u; k < params.counts.force_fields; k++) {
        value.x = max(value.x, stir_share(k, x) * params.force_fields[k].strength);
    }
    if (own.burning > 0.0) {
        let burnt = select(0.0, min(value.z, control.dt * own.burning), value.y > own.ignition);
        value.x += own.soot * burnt;
        value.y += min(burnt * own.flame, max(own.flame - value.y, 0.0));
        value.z -= burnt;
        let hot = max(value.y, 0.0) / own.flame;
        value.y -= min(max(value.y, 0.0), control.dt * own.radiation * hot * hot * hot * hot);
        value.w = select(0.0, burnt / control.dt, control.dt > 0.0);
    }
    smoke_other[c] = value;
}
