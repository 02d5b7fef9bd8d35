// Cover of each cell by the level set, ½ − φ/2 between 0 and 1: ½ is on the surface, and θ = φ_c/(φ_c − φ_n) between two cells.
// At the start φ is the distance of a plane that covers as much of the hat as the particles do: c = ½ (1 − φ)², φ ≥ 0, and the
// same below. Beyond open sides there is air.
//!include common/control
//!include common/hat
//!include common/busy
//!include common/level_band

//!write level_set cover

// Distance in cells of the plane.
fn plane(c: f32) -> f32 {
    return select(1.0 - sqrt(2.0 * c), sqrt(2.0 * (1.0 - c)) - 1.0, c > 0.5);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var d = level_set[c];
    if (d == 0.0) {
        d = plane(clamp(cover[c], 0.0, 1.0));
        d = select(d, LEAST_LEVEL, d == 0.0);
        level_set[c] = d;
    }
    cover[c] = select(0.0, clamp(0.5 - 0.5 * d, 0.0, 1.0), is_inner(cell));
}
