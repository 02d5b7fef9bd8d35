// ρ_i += Δt Dρ_i/Dt by the continuity equation (Monaghan 1992; Becker, Teschner 2007), the rate of change of
// the sum in sph/density and, like it, with rest volumes:
//   Dρ_i/Dt = ρ0_i Σ_j V0_j (v_i − v_j)·∇W_ij / S
// from the particle's previous density, at the positions in the middle of the step.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_velocity
//!read sorted_identity order position
//!write density
//!carry velocity: vec4<f32>

var<private> velocity_i: vec3<f32>;
var<private> rate: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let volume = select(0.0, abs(neighbour.position.w), mine);
    rate += volume * density_gradient(dot(offset, offset)) * dot(velocity_i - neighbour.velocity.xyz, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let x = sorted_position_at(i);
    let live = member.exists;
    velocity_i = sorted_velocity_at(i).xyz;
    rate = 0.0;
    for_each_neighbour(member, x.xyz, live);
    if (live) {
        let change = material_of(sorted_identity[i]).rest_density * kernel.density_calibration * rate;
        density[i] = position[order[i]].w + control.dt * change;
    }
}
