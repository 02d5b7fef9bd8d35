// Impulses of the pressure on bodies and on walls whose forces are measured, P the solution of its equation. At a wall P is half a
// cell beyond the cell's centre, where the wall keeps the fluid from falling: P + ½ Δx Δt g·n for each of its faces, n into the
// wall, and for the moment with n = J/|J|. (Bodies have shares of faces that are exact for water at rest.)
//!include common/levers

//!read solution colliders

fn solid_pressure(c: u32, at: u32) -> vec3<f32> {
    let first = 2u * (at / 2u);
    let lever = levers[c][first];
    let is_wall = colliders[u32(lever.w) - 1u].is_body == 2u;
    let fall = select(0.0, 0.5 * params.grid.cell * control.dt, is_wall) * params.world.gravity;
    let whole = dot(fall, lever.xyz) / max(length(lever.xyz), 1e-6);
    return solution[c].x + select(vec3<f32>(whole), fall * sign(lever.xyz), at == first);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    sum_for_solids(element(global_id) / 64u, local, mass_of_face());
}
