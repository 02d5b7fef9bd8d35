// Smoke and temperature that decay, and those that sources keep up: inside them what they set; and smoke of the hand.
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
    var value = smoke[c] * exp(-control.dt * rates);
    let x = cell_center(cell_at(c));
    for (var k = 0u; k < params.counts.sources; k++) {
        let kept = source_values[k][1];
        value = mix(value, vec4<f32>(kept.xy, 0.0, 0.0), source_share(k, x));
    }
    for (var k = 0u; k < params.counts.force_fields; k++) {
        value.x = max(value.x, stir_share(k, x) * params.force_fields[k].strength);
    }
    smoke_other[c] = value;
}
