// Sums of what nodes give to each solid: 16 workgroups a solid, each over every sixteenth 64 of the cells with particles around
// them, in a fixed order.
//!include common/control
//!include common/busy
//!include common/body_sums

//!read push
//!write body_partial

// Workgroups of a solid.
const PARTS = 16u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let group = element(global_id) / 64u;
    let number = f32(group / PARTS + 1u);
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let cells = 8u * busy_blocks[0];
    for (var k = 64u * (group % PARTS) + local; k < cells; k += 64u * PARTS) {
        let cell = cell_in_block(busy_blocks[k / 8u + 1u], k % 8u);
        if (!in_box(cell)) { continue; }
        let c = min(cell_number(cell), arrayLength(&push) - 1u);
        for (var at = 0u; at < 6u; at += 2u) {
            let who = push[c][at].w;
            if (who == 0.0) { break; }
            if (who == number) {
                force += push[c][at].xyz;
                torque += push[c][at + 1u].xyz;
            }
        }
    }
    let sums = sums_of(BodySums(force, torque, 0u), local, 64u);
    if (local != 0u || group >= stage.element_count) { return; }
    body_partial[group] = array<vec4<f32>, 2>(vec4<f32>(sums.force, 0.0), vec4<f32>(sums.torque, 0.0));
}
