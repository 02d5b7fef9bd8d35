// Each workgroup's part of Σ m v*, Σ m |v*|², Σ m and the number of fluid particles, masses over that of the first
// material, from r = m v* of viscosity/guess.
//!include common/control
//!include common/sums

//!read sorted_identity viscosity_r
//!write viscosity_sums

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let s = element(global_id);
    var momentum = vec4<f32>(0.0);
    var mass = vec4<f32>(0.0);
    if (has_particle(s)) {
        let r = viscosity_r[s];
        let relative = material_of(sorted_identity[s]).mass / params.materials[0].mass;
        if (r.w > 0.0) {
            momentum = vec4<f32>(r.xyz, dot(r.xyz, r.xyz) / relative);
            mass = vec4<f32>(relative, 1.0, 0.0, 0.0);
        }
    }
    let momenta = workgroup_sum(momentum, local);
    let masses = workgroup_sum(mass, local);
    let group = s / 64u;
    if (local == 0u && group < arrayLength(&viscosity_sums)) {
        viscosity_sums[group][0] = momenta;
        viscosity_sums[group][1] = masses;
    }
}
