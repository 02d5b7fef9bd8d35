// Data for splatting (M §4.1) per particle: its position and |n|, n = ∇c = Σ V_j ∇W (M 16); the
// outward normal −n/|n| (M 24) and its speed. Surface particles have |n| > l (M 23). Jelly, snow and sand, which are drawn
// as spheres, have none.
//!include common/control
//!include common/kernels
//!include common/neighbours
//!include shared/looks

//!gather sorted_position
//!read sorted_velocity sorted_identity
//!write splat_position splat_normal splat_material

var<private> normal: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    normal += select(0.0, neighbour.position.w, mine) * density_gradient(dot(offset, offset)) * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let live = i < control.particle_count;
    let slot = min(i, params.counts.capacity - 1u);
    let x = sorted_position_at(slot);
    normal = vec3<f32>(0.0);
    for_each_candidate(0u, x.xyz, live);
    if (live) {
        let n = kernel.density_calibration * normal;
        let steepness = length(n);
        // Particles other than fluid have no volume and no splat.
        splat_material[i] = (sorted_identity[i].y >> 8u) & 255u;
        let has_splat = x.w > 0.0 && material_of(sorted_identity[i]).look == LOOK_LIQUID;
        splat_position[i] = vec4<f32>(x.xyz, select(0.0, steepness, has_splat));
        let outward = select(vec3<f32>(0.0, 1.0, 0.0), -n / steepness, steepness > 0.0);
        splat_normal[i] = vec4<f32>(outward, length(sorted_velocity[i].xyz));
    }
}
