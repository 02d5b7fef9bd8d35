// Impulses of a pressure on bodies, ρ0 Δxᵈ⁻¹ Σ P J over the cells beside them: 16 workgroups a solid, each over every
// sixteenth 64 of the cells, in a fixed order. The pass says what the pressure P of a cell is.
//!include common/control
//!include common/busy
//!include common/body_sums

//!read levers
//!write body_partial

// Workgroups of a solid.
const PARTS = 16u;

fn sum_levers(group: u32, local: u32) {
    let number = f32(group / PARTS + 1u);
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let cells = 8u * busy_blocks[0];
    for (var k = 64u * (group % PARTS) + local; k < cells; k += 64u * PARTS) {
        let cell = cell_in_block(busy_blocks[k / 8u + 1u], k % 8u);
        if (!in_box(cell)) { continue; }
        let c = min(cell_number(cell), arrayLength(&levers) - 1u);
        for (var at = 0u; at < 6u; at += 2u) {
            let who = levers[c][at].w;
            if (who == 0.0) { break; }
            if (who == number) {
                let pressure = pressure_in(c);
                force += pressure * levers[c][at].xyz;
                torque += pressure * levers[c][at + 1u].xyz;
            }
        }
    }
    let sums = sums_of(BodySums(force, torque, 0u), local, 64u);
    if (local != 0u || group >= stage.element_count) { return; }
    let area = params.materials[0].rest_density * params.grid.cell * select(1.0, params.grid.cell, params.world.dimensions == 3u);
    body_partial[group] = array<vec4<f32>, 2>(vec4<f32>(area * sums.force, 0.0), vec4<f32>(area * sums.torque, 0.0));
}
