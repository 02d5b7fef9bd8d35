// Held nodes that follow a free one (common/held).
//!include common/held
//!include common/gathered

//!read hold

// Chooses them, around a cell, from the sides on which they may be.
fn choose_followers(cell: vec3<i32>, sides: u32) {
    let low = first_around(sides);
    let high = last_around(sides);
    choose_none(low, high);
    for (var dz = low.z; dz <= high.z; dz++) {
        for (var dy = low.y; dy <= high.y; dy++) {
            for (var dx = low.x; dx <= high.x; dx++) {
                let step = vec3<i32>(dx, dy, dz);
                let next = wrap_next(cell + step);
                if (!is_busy(next)) { continue; }
                let nodes = hold_from(hold[cell_number(next)]);
                if (is_held(nodes) && answers(nodes, -vec3<f32>(step) * params.grid.cell) > 0.0) { choose(step); }
            }
        }
    }
}
