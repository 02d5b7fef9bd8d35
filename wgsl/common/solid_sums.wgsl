// Sums of what cells give to each solid: 16 workgroups a solid, each over every sixteenth 64 of the cells, in a fixed order. A cell
// has up to three solids. The pass says the number from 1 of each, 0 if there is none, and the impulse and angular impulse that
// it gets, for `at` = 0, 2, 4.
//!include common/control
//!include common/busy
//!include common/body_sums

//!write body_partial

// Workgroups of a solid.
const PARTS = 16u;

fn sum_for_solids(group: u32, local: u32, scale: f32) {
    let number = f32(group / PARTS + 1u);
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let cells = 8u * busy_blocks[0];
    for (var k = 64u * (group % PARTS) + local; k < cells; k += 64u * PARTS) {
        let cell = cell_in_block(busy_blocks[k / 8u + 1u], k % 8u);
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
    if (local != 0u || group >= stage.element_count) { return; }
    body_partial[group] = array<vec4<f32>, 2>(vec4<f32>(scale * sums.force, 0.0), vec4<f32>(scale * sums.torque, 0.0));
}
