// Upper bound on the number of list entries of each cluster: one per 32 slots of each range of
// cells around it. Writes one element more than there can be clusters.
//!include common/control
//!include common/clusters

//!write neighbour_count

var<private> count: u32;

fn visit_range(begin: u32, end: u32) {
    count += (end - begin + 31u) / 32u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    if (number >= stage.element_count) { return; }
    count = 0u;
    for_each_range(slots_of(number));
    neighbour_count[number] = count;
}
