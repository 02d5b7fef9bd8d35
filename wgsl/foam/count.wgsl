// Births at each particle of a liquid: the whole part of the expected number, and one more with the probability of the rest.
//!include common/control
//!include common/foam
//!include shared/looks

//!read foam_rate sorted_identity
//!write foam_births

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    var births = 0u;
    if (i < control.particle_count) {
        let who = sorted_identity[i];
        if (kind_of(who) == KIND_FLUID && material_of(who).look == LOOK_LIQUID) {
            let expected = min(foam_rate[i], f32(FOAM_MOST_BIRTHS - 1u));
            let whole = floor(expected);
            births = u32(whole) + select(0u, 1u, random(who.x, control.step, 0u) < expected - whole);
        }
    }
    foam_births[i] = births;
}
