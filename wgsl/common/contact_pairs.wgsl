// Contacts by index of boundary particle. A pass that includes this file binds contact_other,
// partners, model_position, colliders and bodies.
//!include common/control
//!include common/colliders
//!include common/contacts
//!include common/contact_place

// Whether the contact of particle k is known to both sides.
fn stands(k: u32) -> bool {
    let who = contact_other[k];
    if (who.y == NONE) { return false; }
    if (who.z == NONE) { return true; }
    for (var at = 0u; at < MOST_TOUCHES; at++) {
        if (partners[who.z][at] == k) { return true; }
    }
    return false;
}

// Vectors to the contact point of particle k from the centre of its own body, and of the other.
fn arms(k: u32, normal: vec3<f32>) -> array<vec3<f32>, 2> {
    let who = contact_other[k];
    let particle = rotate(bodies[who.x].rotation, model_position[k].xyz);
    let arm = contact_place(colliders[who.x], particle, normal);
    let apart = displacement(bodies[who.x].position.xyz, bodies[who.y].position.xyz);
    return array<vec3<f32>, 2>(arm, arm + apart);
}
