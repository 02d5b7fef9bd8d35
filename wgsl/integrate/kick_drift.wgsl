// Leap-frog, second half: v += Δt (a + g); x += ½Δt v, from the sorted to the unsorted arrays,
// which saves a copy. The position's w lane carries the density and the velocity's the pressure.
// Boundary particles only move. control.max_acceleration becomes the largest |a|, for the next Δt.
//!include common/control_write
//!include common/torus
//!include common/maximum
//!include common/worlds

//!gather sorted_position sorted_velocity sorted_identity
//!read acceleration
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let s = element(global_id);
    var magnitude = 0.0;
    if (has_particle(s)) {
        let there = sorted_position_at(s);
        let who = sorted_identity_at(s);
        let wall = kind_of(who) == KIND_BOUNDARY;
        let old = sorted_velocity_at(s);
        enter(who);
        let a = select(acceleration[s].xyz + gravity(), vec3<f32>(0.0), wall);
        let v = old.xyz + control.dt * a;
        // ρ = m/V; the density buffer would be a ninth storage buffer.
        let density = select(material_of(who).mass / there.w, -there.w, wall);
        position[s] = vec4<f32>(wrap_position(there.xyz + 0.5 * control.dt * v), density);
        velocity[s] = vec4<f32>(v, old.w);
        identity[s] = who;
        magnitude = length(a);
    }
    let largest = workgroup_maximum(magnitude, local);
    if (has_maximum(local)) { atomicMax(&control.max_acceleration_bits, largest); }
}
