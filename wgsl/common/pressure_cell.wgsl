// Coarse cells of the correction of pressure: those of the first level, two of the sort's along each axis. A pass that
// includes this file defines
//   fn add(slot: u32)    accumulates over a fluid particle
//!include common/levels

//!read cell_start

fn for_each_in_cell(number: u32) {
    let finer = level_of(0u);
    let first = first_child(level_cell_at(level_of(1u), number));
    let count = child_count(finer, first);
    for (var k = 0; k < 8; k++) {
        let part = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
        if (any(part >= count)) { continue; }
        let c = level_index(finer, first + part);
        let end = cell_start[c + 1u];
        for (var s = cell_start[c]; s < end; s++) { add(s); }
    }
}
