// common/node_walk for subgroups of at least 8 lanes: common/neighbours has them share what they load.
//!include common/busy
//!include common/neighbours

fn for_each_around(number: u32, cell: vec3<i32>, enabled: bool) {
    for_each_candidate_from(own_cells(), cell, cell_center(cell), enabled);
}
