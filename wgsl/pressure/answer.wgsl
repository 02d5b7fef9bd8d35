// Displacements and turns of free bodies by the reactions of pressure/press, summed in a fixed order by as many invocations
// as there are elements for a collider; those of other bodies are 0.
//!include common/control
//!include common/bodies
//!include common/colliders
//!include common/body_lane
//!include common/body_sums

//!read colliders bodies model_position pressure_reaction
//!write pressure_answer

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let c = own.solid;
    let collider = colliders[c];
    let rotation = bodies[c].rotation;
    for (var which = 0u; which < 2u; which++) {
        var force = vec3<f32>(0.0);
        var torque = vec3<f32>(0.0);
        for (var k = own.lane; k < collider.particle_count; k += width) {
            let at = collider.first_particle + k;
            let f = pressure_reaction[at][which].xyz;
            force += f;
            torque += cross(rotate(rotation, model_position[at].xyz), f);
        }
        workgroupBarrier(); // the last sums have been read
        let sums = sums_of(BodySums(force, torque, 0u), local, width);
        if (own.first) {
            let free = collider.inverse_mass > 0.0;
            let turn = spin_of(rotation, sums.torque, collider.inverse_inertia);
            pressure_answer[c][2u * which] = vec4<f32>(collider.inverse_mass * sums.force, 0.0);
            pressure_answer[c][2u * which + 1u] = vec4<f32>(select(vec3<f32>(0.0), turn, free), 0.0);
        }
    }
}
