// A step of conjugate gradients along p, as far as κ stays positive.
//!include common/pressure

struct PressureStep {
    kappa: f32,
    // What the limit at 0 added.
    added: f32,
    // e, without the effect of what the limit added.
    error: f32,
}

fn after_step(state: vec4<f32>, alpha: f32) -> PressureStep {
    let wanted = state.x + alpha * state.z;
    let kappa = max(wanted, 0.0);
    return PressureStep(kappa, kappa - wanted, state.y - alpha * state.w);
}
