// Cells of the grid as a box, by index and by coordinates.
//!include common/worlds

fn cell_at(index: u32) -> vec3<i32> {
    let size = params.grid.size;
    var number = index;
    if (has_worlds()) {
        own_world = index / world_cells();
        number -= own_cells();
    }
    return vec3<i32>(vec3<u32>(number % size.x, number / size.x % size.y, number / (size.x * size.y)));
}

fn cell_number(cell: vec3<i32>) -> u32 {
    let size = vec3<i32>(params.grid.size);
    return own_cells() + u32(cell.x + size.x * (cell.y + size.y * cell.z));
}

fn in_box(cell: vec3<i32>) -> bool {
    return all(cell >= vec3<i32>(0)) && all(cell < vec3<i32>(params.grid.size));
}
