// MacCormack's correction of what was carried: carried on to where it comes from, it misses what was there by twice the
// error, q̂ + ½ (q − q̃), limited to the values around its origin; near solids and open sides there is none (Selle, Fedkiw,
// Kim, Liu, Rossignac 2008). The pass has the functions value_of(c) and before_of(c), the values of a cell after and
// before it was carried.
//!include common/interpolate

fn corrected(c: u32, x: vec3<f32>, shift: vec3<f32>) -> vec4<f32> {
    let carried = value_of(c);
    let onwards = moved(x, part_time());
    if (part_time() == 0.0 || !is_free(x) || !is_free(onwards)) { return carried; }
    let corners = corners_around(traced(x), shift);
    var low = vec4<f32>(1e30);
    var high = vec4<f32>(-1e30);
    for (var k = 0u; k < corner_count(); k++) {
        let own = before_of(corner_cell(corners, k));
        low = min(low, own);
        high = max(high, own);
    }
    let error = before_of(c) - interpolated(onwards, shift);
    return clamp(carried + 0.5 * error, low, high);
}
