// Sums of what cells give to each solid: one to sixteen workgroups a solid, each over every so many 64
// of the cells, in a fixed order. A cell has up to three solids. The pass says how many cells are to be summed for a solid and which (common/cells_around or
// common/listed_cells), the number from 1 of each solid of a cell, 0 if there is none, and the impulse and angular impulse that it
// gets, for `at` = 0, 2, 4.
//!include common/control
//!include common/busy
//!include common/body_sums
//!include common/collider_sums

//!write body_partial

fn sum_for_solids(group: u32, local: u32, scale: f32) {
    let parts = sums_of_collider();
    let solid = group / parts;
    let number = f32(solid + 1u);
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let cells = cells_of(solid);
    for (var k = 64u * (group % parts) + local; k < cells; k += 64u * parts) {
        let cell = cell_of_solid(k);
        if (!in_box(cell)) { continue; }
        let c = cell_number(cell);
        for (var at = 0u; at < 6u; at += 2u) {
            let who = solid_of(c, at);
            if (who == 0.0) { break; }
            if (who == number) {
                force += impulse_of(c, at);
                torque += impulse_of(c, at + 1u);
            }
        }
    }
    let sums = sums_of(BodySums(force, torque, 0u), local, 64u);
    if (local != 0u || group >= stage.element_count || !is_summed(solid)) { return; }
    body_partial[group] = array<vec4<f32>, 2>(vec4<f32>(scale * sums.force, 0.0), vec4<f32>(scale * sums.torque, 0.0));
}
