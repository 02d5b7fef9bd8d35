// Grid to particles (G2P) of FLIP: velocity of each particle, its own and the change of the field since P2G, and the field's
// (PIC) by the rest of the blend β, v ← β (v + ū − ū*) + (1 − β) ū (Zhu, Bridson 2005).
//!include common/control
//!include common/fall
//!include common/kept_world
//!include common/field_at

//!gather face_before
//!read sorted_position sorted_velocity sorted_identity
//!write velocity identity

// The field as it was gathered. A loop over both fields is too long for compilers to unroll.
fn field_before_at(x: vec3<f32>) -> vec3<f32> {
    var u = vec3<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let corners = corners_around(x, face_shift(axis));
        var sum = 0.0;
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            sum += w.x * w.y * w.z * face_before_at(corner_cell(corners, k))[axis];
        }
        u[axis] = sum;
    }
    return u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    keep_world(s);
    let x = sorted_position[s].xyz;
    let blend = params.methods.flip.blend;
    let own = blend * (sorted_velocity[s].xyz - field_before_at(x));
    let v = field_at(x) + own;
    velocity[s] = vec4<f32>(v, along_gravity(v - sorted_velocity[s].xyz));
    identity[s] = sorted_identity[s];
}
