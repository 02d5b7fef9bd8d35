// Smoke and temperature that were carried, less their error.
//!include common/correction

//!gather smoke_other smoke_carried
//!write smoke

fn value_of(c: u32) -> vec4<f32> {
    return smoke_carried_at(c);
}

fn before_of(c: u32) -> vec4<f32> {
    return smoke_other_at(c);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var value = smoke_carried_at(c);
    if (is_inner(cell)) { value = corrected(c, cell_center(cell), vec3<f32>(0.5)); }
    smoke[c] = value;
}
