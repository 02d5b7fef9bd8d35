// Wind and smoke around the hand.
//!include common/torus
//!include shared/force_fields

// Share of a field of that kind at a place: 1 at its centre, 0 beyond its radius.
fn stir_share(k: u32, x: vec3<f32>) -> f32 {
    let field = params.force_fields[k];
    if (field.kind != FIELD_STIR) { return 0.0; }
    return max(0.0, 1.0 - length(displacement(x, field.center)) / field.radius);
}
