// Reaction on a body's particle of the direction p of conjugate gradients and of what the limit at 0 added to κ: forces of
// body/press times Δt².
//!include common/control
//!include common/neighbours
//!include common/kernels
//!include common/body_particles
//!include common/worlds

//!read sorted_position sorted_identity pressure_state pressure_search
//!write pressure_reaction
// V0_i times both.
//!carry push: vec2<f32>

var<private> volume_b: f32;
var<private> share: f32;
var<private> by_p: vec3<f32>;
var<private> by_added: vec3<f32>;

fn load(j: u32) -> Neighbour {
    let volume = material_of(sorted_identity[j]).rest_volume;
    return Neighbour(sorted_position[j], j, volume * vec2<f32>(pressure_state[j].z, pressure_search[j].z));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // V_b in place of the neighbour's volume; the offset has the opposite sign.
    let gradient = share * kernel.density_calibration * volume_b * density_gradient(dot(offset, offset)) * offset;
    let push = select(vec2<f32>(0.0), neighbour.push, mine && neighbour.position.w > 0.0);
    by_p -= push.x * gradient;
    by_added -= push.y * gradient;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let particle = body_particle(element(global_id));
    volume_b = -sorted_position[particle.slot].w;
    share = select(1.0, 2.0, marks_body(sorted_position[particle.slot].w));
    by_p = vec3<f32>(0.0);
    by_added = vec3<f32>(0.0);
    for_each_candidate(first_cell(sorted_identity[particle.slot]), sorted_position[particle.slot].xyz, particle.exists);
    if (!particle.exists) { return; }
    pressure_reaction[particle.k][0] = vec4<f32>(by_p, 0.0);
    pressure_reaction[particle.k][1] = vec4<f32>(by_added, 0.0);
}
