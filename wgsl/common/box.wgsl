// The box of cells of grid methods: cubes of edge Δx, numbered as the sort's cells. On every axis that is not periodic
// it has one more cell at either end, the ring, which holds no particle at a sort. So every other cell has all its
// neighbours.
//!include common/cells
//!include common/torus

// Most particles of a cell: software Vulkan runs 65,535 iterations of loops in an invocation.
const MAX_CROWD = 1024u;
// Least mass of a node that has a velocity, relative to that of a full cell.
const LEAST_MASS = 1e-7;

// Centre of a cell, relative to the domain's centre.
fn cell_center(cell: vec3<i32>) -> vec3<f32> {
    return params.grid.origin + (vec3<f32>(cell) + 0.5) * params.grid.cell;
}

// Volume of a cell in m³ (m² in 2-D).
fn cell_volume() -> f32 {
    let edge = params.grid.cell;
    return edge * edge * select(1.0, edge, params.world.dimensions == 3u);
}

// Whether a cell may hold particles at a sort: not one of the ring, nor beyond it.
fn is_inner(cell: vec3<i32>) -> bool {
    let ring = vec3<i32>(1, 1, params.grid.z_reach);
    let periodic = params.grid.period > vec3<f32>(0.0);
    let low = select(ring, vec3<i32>(0), periodic);
    return all(cell >= low) && all(cell < vec3<i32>(params.grid.size) - low);
}

// Density of a particle whose nodes count this volume per mass (mpm/mirror): beyond the surface and beside bodies a quarter of that at
// rest.
fn density_of(volume: f32) -> f32 {
    return max(1.0 / volume, 0.25 * params.materials[0].rest_density);
}
