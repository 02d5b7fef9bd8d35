// Tangents of the particles' stress at the start of a step, in cell order; 0 of models that have none, whose stress stays as
// it is during the step.
//!include common/control
//!include common/strain
//!include common/tangent
//!materials

//!read sorted_identity sorted_deformation
//!write tangent

fn tangent_of(material: MaterialParams, f: mat3x3<f32>, state: vec3<f32>) -> Tangent {
    var found: Tangent;
    //!each if (material.model == model_TERM) { found = TERM_tangent(material, f, state); }
    return found;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || kind_of(sorted_identity[s]) == KIND_BOUNDARY) { return; }
    let rows = sorted_deformation[s];
    let f = ONE + transpose(mat3x3<f32>(rows[0].xyz, rows[1].xyz, rows[2].xyz));
    let state = vec3<f32>(rows[0].w, rows[1].w, rows[2].w);
    tangent[s] = tangent_rows(tangent_of(material_of(sorted_identity[s]), f, state));
}
