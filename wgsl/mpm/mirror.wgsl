// Volume per mass of each node in m³/kg, in place of its mass: of what its spline has in front of the walls (mpm/walls), so that
// particles beside walls do not lack what would be behind them. Its mean over a particle's nodes, Σ w Δxᵈ/m_i, is the particle's
// share of the volume: mass by mass it sums up to that of all nodes, Σ_p m_p Σ w Δxᵈ/m_i = Σ_i Δxᵈ, which sums of densities do not.
//!include common/control
//!include common/box
//!include common/busy

//!read open_share
//!write node

// Nodes deeper in a wall reach no particle's density by more.
const LEAST_SHARE = 1e-3;
// Of nodes with little mass, the volume relative to that at rest: they are beyond the surface. A share above 1 is of nodes that
// count none: particles that reach any of them have next to no density, and keep their volume.
const MOST_VOLUME = 4.0;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let share = select(1.0, max(open_share[c], LEAST_SHARE), params.counts.colliders > 0u);
    let rest = 1.0 / params.materials[0].rest_density;
    let volume = min(share * cell_volume() / max(node[c].w, 1e-30), MOST_VOLUME * rest);
    node[c].w = select(volume, share * rest, share > 1.0);
}
