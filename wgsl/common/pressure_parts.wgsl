// Parts of the sums in pressure_dots, of workgroups over the members of clusters.
//!include common/control
//!include common/sums

//!write pressure_dots

// Call it in uniform control flow, with the particle's part and the number of its place in clusters.
fn leave_part(part: vec4<f32>, at: u32, local: u32) {
    let sum = workgroup_sum(part, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&pressure_dots), cluster_group_count())) { pressure_dots[group] = sum; }
}
