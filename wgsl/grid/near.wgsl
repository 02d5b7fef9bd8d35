// Solids whose walls may be within three cells of a point of a block, by the balls that hold them: their number, and the first
// 31 of them. Where there are more, all solids count (common/block_solids).
//!include common/control
//!include common/cell_blocks
//!include common/bodies
//!include shared/collider
//!include common/torus

//!read colliders bodies
//!write block_solids

// Beyond this many cells no wall matters (grid/solid two, liquid/mirror three), and a little.
const NEAR = 3.01;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let block = element(global_id);
    if (block >= stage.element_count) { return; }
    let half = 0.5 * vec3<f32>(block_size()) * vec3<f32>(1.0, 1.0, f32(params.grid.z_reach));
    let center = params.grid.origin + (vec3<f32>(block_corner(block)) + half) * params.grid.cell;
    let reach = (length(half) + NEAR) * params.grid.cell;
    var found: array<u32, 32>;
    for (var own = 0u; own < solid_count(); own++) {
        let k = own_solid(own);
        let offset = displacement(center, bodies[k].position.xyz);
        if (length(offset * vec3<f32>(1.0, 1.0, f32(params.grid.z_reach))) > colliders[k].reach + reach) { continue; }
        found[0] += 1u;
        if (found[0] < 32u) { found[found[0]] = k; }
    }
    if (found[0] > 31u) { found[0] = solid_count(); }
    block_solids[block] = found;
}
