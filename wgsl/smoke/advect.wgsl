// Semi-Lagrangian advection: smoke and temperature where the flow has carried them from (Stam 1999). None come from beyond
// the domain.
//!include common/interpolate

//!gather smoke_other
//!write smoke

fn value_of(c: u32) -> vec4<f32> {
    return smoke_other_at(c);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var value = vec4<f32>(0.0);
    if (is_inner(cell)) { value = interpolated(traced(cell_center(cell)), vec3<f32>(0.5)); }
    smoke[c] = value;
}
