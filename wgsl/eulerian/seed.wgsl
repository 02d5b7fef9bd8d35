// Radii of the markers by the level set, within 0.1 and 0.5 cells; those that have escaped keep theirs, and those far from the surface
// go. Every 20 steps new ones fill the room that there is near the surface, at places by a hash of cell, slot and step (Enright,
// Marschner, Fedkiw 2002; Jarzynski, Olano 2020).
//!include common/control
//!include common/level_markers

//!read level_markers_other solid_share
//!write level_markers

// Steps between these.
const EVERY = 20u;

fn hash(x: u32) -> u32 {
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// Between 0 and 1, in 2⁻²⁴.
fn share_of(x: u32) -> f32 {
    return f32(x >> 8u) / 16777216.0;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    // Nothing moves in solids.
    let free = is_inner(cell) && solid_share[c] >= 0.5;
    let seeds = control.step % EVERY == 0u && abs(level_set[c]) < MARKED;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let i = SLOTS * c + slot;
        var marker = level_markers_other[i];
        let seeded = seeds && marker.w == 0.0;
        if (seeded) {
            let first = hash(hash(i) ^ control.step);
            let second = hash(first);
            let part = vec3<f32>(share_of(first), share_of(second), select(0.5, share_of(hash(second)), axes() == 3u));
            marker = vec4<f32>(params.grid.origin + (vec3<f32>(cell) + part) * params.grid.cell, 0.0);
        }
        let there = free && (seeded || marker.w != 0.0);
        var radius = 0.0;
        if (there) {
            let d = level_at(marker.xyz);
            let side = select(sign(marker.w), select(1.0, -1.0, d < 0.0), seeded);
            let own = select(side * d, abs(marker.w), side * d < -abs(marker.w));
            radius = select(0.0, side * clamp(own, LEAST_RADIUS, MOST_RADIUS), abs(d) < MARKED);
        }
        level_markers[i] = select(vec4<f32>(0.0), vec4<f32>(marker.xyz, radius), radius != 0.0);
    }
}
