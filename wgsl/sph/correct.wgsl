// Second half of an iteration: corrects velocities by κ (Solenthaler, Pajarola 2009, Algorithm 2;
// Bender, Koschier 2015, Algorithms 2 and 3), and adds κ to the step's sum.
//!include common/push

//!publish sorted_velocity
//!write kappa_sum

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let change = per_step() * displacement_by_pressure(member);
    if (member.exists) {
        publish_sorted_velocity(i, sorted_velocity[i] + vec4<f32>(change, 0.0));
        kappa_sum[i] += kappa_at(i);
    }
}
