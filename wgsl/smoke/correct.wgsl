// MacCormack's correction of carried smoke and temperature: carried on to where it comes from, what was carried misses what
// was there by twice the error, q̂ + ½ (q − q̃), limited to the values around its origin; near solids and open sides there
// is none (Selle, Fedkiw, Kim, Liu, Rossignac 2008).
//!include common/interpolate

//!gather smoke_other smoke_carried
//!write smoke

fn value_of(c: u32) -> vec4<f32> {
    return smoke_carried_at(c);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    let x = cell_center(cell);
    var value = smoke_carried_at(c);
    let onwards = moved(x, part_time());
    if (part_time() > 0.0 && is_inner(cell) && is_free(x) && is_free(onwards)) {
        let corners = corners_around(traced(x), vec3<f32>(0.5));
        var low = vec4<f32>(1e30);
        var high = vec4<f32>(-1e30);
        for (var k = 0u; k < corner_count(); k++) {
            let own = smoke_other_at(corner_cell(corners, k));
            low = min(low, own);
            high = max(high, own);
        }
        let error = smoke_other_at(c) - interpolated(onwards, vec3<f32>(0.5));
        value = clamp(value + 0.5 * error, low, high);
    }
    smoke[c] = value;
}
