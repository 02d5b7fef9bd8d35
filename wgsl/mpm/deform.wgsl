// Constitutive models of material points: deformation gradient F ← (1 + Δt ∇v) F, the material's return mapping, and its
// Kirchhoff stress τ = P Fᵀ for the next step, by the file of each model in wgsl/materials. Arrays hold F − 1, and the
// model's state in the w lanes of its rows.
// Records the fastest signal, c + |v|, for the next time step; with implicit steps a share of c.
//!include common/control_write
//!include common/maximum
//!include common/strain
//!materials

//!read identity position affine sorted_deformation
//!write deformation stress velocity

fn respond(material: MaterialParams, strain: Strain) -> Response {
    var response: Response;
    //!each if (material.model == model_TERM) { response = TERM_respond(material, strain); }
    return response;
}

// √(3/2) |dev τ|, by differences, so that it is 0 where all three are one.
fn von_mises(tau: mat3x3<f32>) -> f32 {
    let diagonal = vec3<f32>(tau[0].x, tau[1].y, tau[2].z);
    let apart = diagonal - diagonal.yzx;
    let off = vec3<f32>(tau[1].z, tau[0].z, tau[0].y);
    return sqrt(0.5 * dot(apart, apart) + 3.0 * dot(off, off));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let s = element(global_id);
    var signal = 0.0;
    if (has_particle(s) && kind_of(identity[s]) != KIND_BOUNDARY) {
        let material = material_of(identity[s]);
        let now = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
        let rows = affine[s];
        let old = sorted_deformation[s];
        let c = transpose(mat3x3<f32>(rows[0].xyz, rows[1].xyz, rows[2].xyz));
        let h = transpose(mat3x3<f32>(old[0].xyz, old[1].xyz, old[2].xyz));
        let change = control.dt * (c + c * h);
        let state = vec3<f32>(old[0].w, old[1].w, old[2].w);
        let strain = Strain(c, ONE + h + change, transpose(h + change), state, control.dt, now + control.dt, position[s].w);
        let found = respond(material, strain);
        let next = found.rows;
        let tensor = found.tau;
        deformation[s] = array<vec4<f32>, 3>(
            vec4<f32>(next[0], found.state.x), vec4<f32>(next[1], found.state.y), vec4<f32>(next[2], found.state.z));
        stress[s] = array<vec4<f32>, 2>(
            vec4<f32>(tensor[0].x, tensor[1].y, tensor[2].z, von_mises(tensor)),
            vec4<f32>(tensor[1].z, tensor[0].z, tensor[0].y, material.rest_volume * found.energy));
        let trace = tensor[0].x + tensor[1].y + select(0.0, tensor[2].z, params.world.dimensions == 3u);
        let v = velocity[s].xyz;
        // p = −tr σ/d of the Cauchy stress σ = τ/J.
        let d = f32(params.world.dimensions);
        velocity[s] = vec4<f32>(v, -trace / (d * max(abs(found.volume), 1e-3)));
        let steep = sqrt(dot(c[0], c[0]) + dot(c[1], c[1]) + dot(c[2], c[2]));
        signal = max(material.sound_share * found.sound + length(v), 2.0 * params.time.step_share * params.time.cfl * params.grid.cell * steep);
    }
    let largest = workgroup_maximum(signal, local);
    if (has_maximum(local)) { atomicMax(&control.max_signal_bits, largest); }
}
