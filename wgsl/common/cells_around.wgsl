// Cells that may give something to a solid (common/solid_sums): those of the box around the ball that holds it, or those that are listed
// if they are fewer.
//!include common/busy
//!include common/torus
//!include shared/collider

//!read colliders bodies block_busy

// Cells from a solid's surface within which one gives it something.
const BESIDE = 2.0;

var<private> is_listed: bool;
// First cell of the box, and cells along its axes.
var<private> first_around: vec3<i32>;
var<private> size_around: vec3<u32>;

fn is_summed(solid: u32) -> bool {
    return solid < params.counts.colliders;
}

// Number of cells to be summed for a solid.
fn cells_of(solid: u32) -> u32 {
    if (!is_summed(solid)) { return 0u; }
    enter_solid(solid);
    let listed = 8u * busy_blocks[0];
    let size = vec3<i32>(params.grid.size);
    let reach = min(colliders[solid].reach * params.grid.inverse_cell, vec3<f32>(size)) + BESIDE;
    let middle = (bodies[solid].position.xyz - params.grid.origin) * params.grid.inverse_cell;
    let periodic = params.grid.period > vec3<f32>(0.0);
    let low = vec3<i32>(floor(middle - reach));
    let high = vec3<i32>(floor(middle + reach));
    first_around = select(clamp(low, vec3<i32>(0), size - 1), low, periodic);
    let last = select(clamp(high, vec3<i32>(0), size - 1), high, periodic);
    size_around = vec3<u32>(min(last - first_around + 1, size));
    let around = size_around.x * size_around.y * size_around.z;
    is_listed = listed <= around;
    return min(listed, around);
}

// The k-th of these cells, or one beyond the box.
fn cell_of_solid(k: u32) -> vec3<i32> {
    if (is_listed) { return listed_cell(k); }
    let xy = size_around.x * size_around.y;
    let place = first_around + vec3<i32>(vec3<u32>(k % size_around.x, k / size_around.x % size_around.y, k / xy));
    let cell = select(place, wrap_cell(place), params.grid.period > vec3<f32>(0.0));
    return select(vec3<i32>(-1), cell, block_busy[block_of(cell)] == 1u);
}
