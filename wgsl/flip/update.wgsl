// Velocity of each particle: its own and the change of the field since it was gathered, and the field's by the rest of
// the blend β, v ← β (v + ū − ū*) + (1 − β) ū (Zhu, Bridson 2005; HYBRIDS 1.2).
//!include common/control
//!include common/hat

//!gather face face_before
//!read sorted_position sorted_velocity sorted_identity
//!write velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position[s].xyz;
    let blend = params.methods.flip.blend;
    var mean = vec3<f32>(0.0);
    var before = vec3<f32>(0.0);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let corners = corners_around(x, face_shift(axis));
        var sums = vec2<f32>(0.0);
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            let c = corner_cell(corners, k);
            sums += w.x * w.y * w.z * vec2<f32>(face_at(c)[axis], face_before_at(c)[axis]);
        }
        mean[axis] = sums.x;
        before[axis] = sums.y;
    }
    velocity[s] = vec4<f32>(mean + blend * (sorted_velocity[s].xyz - before), 0.0);
    identity[s] = sorted_identity[s];
}
