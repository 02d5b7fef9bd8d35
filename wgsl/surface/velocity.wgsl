// The fluid's velocity in m/s at each vertex: Σ V_j v_j W_ij / Σ V_j W_ij.
//!include common/control
//!include common/surface
//!include common/kernels
//!include common/neighbours

//!gather sorted_position sorted_velocity
//!read surface_control surface_position
//!write surface_velocity
//!carry velocity: vec4<f32>

var<private> velocity_sum: vec3<f32>;
var<private> weight_sum: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let weight = select(0.0, max(neighbour.position.w, 0.0), mine) * density_kernel(dot(offset, offset));
    velocity_sum += weight * neighbour.velocity.xyz;
    weight_sum += weight;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let count = surface_control[0].vertex_count;
    let live = i < count;
    let slot = min(i, max(count, 1u) - 1u);
    velocity_sum = vec3<f32>(0.0);
    weight_sum = 0.0;
    for_each_candidate(0u, surface_position[slot].xyz, live);
    if (live) {
        let mean = velocity_sum / select(1.0, weight_sum, weight_sum > 0.0);
        surface_velocity[i] = vec4<f32>(mean, 0.0);
    }
}
