// Sums over particles at the nodes of all blocks. An invocation has a column of 4 nodes, so that it loads each particle only once
// for all of them.
//
// The surface of one material among others is that of all fluid, or where its field equals that of the others: with
// volumes less than 0 for these, min(Σ |V| W, s + ½ Σ V W) for the surface's value s. So surfaces of materials that touch
// meet.
//
// A pass that includes this file defines load and visit (common/neighbours); visit calls add.
//!include common/surface_columns
//!include common/kernels
//!include common/neighbours

//!gather sorted_position

// Heights in m of the column's nodes above the first.
var<private> heights: vec4<f32>;
// Σ V W and Σ |V| W for each node.
var<private> sum: vec4<f32>;
var<private> whole: vec4<f32>;

fn add(volume: f32, kernels: vec4<f32>) {
    sum += volume * kernels;
    whole += abs(volume) * kernels;
}

fn evaluate_column(number: u32) {
    let column = column_of(number);
    let node = vec3<f32>(column.cell) + vec3<f32>(column.place) / column.per_cell;
    heights = vec4<f32>(0.0, 1.0, 2.0, 3.0) / (column.per_cell * params.grid.inverse_cell.z);
    sum = vec4<f32>(0.0);
    whole = vec4<f32>(0.0);
    for_each_candidate_from(0u, column.cell, params.grid.origin + node / params.grid.inverse_cell, column.live);
    var values = kernel.density_calibration * sum;
    if (surface_control[0].material != 0u) {
        values = min(kernel.density_calibration * whole, surface_control[0].iso + 0.5 * values);
    }
    write_column(column, values);
}
