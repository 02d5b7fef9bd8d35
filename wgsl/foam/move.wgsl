// Kind of each particle by the number n of fluid particles around it, of the N inside the fluid: spray below 0.2 N, a bubble above
// 0.65 N, else foam; a kind is kept up to a tenth beyond. And its motion over Δt (Ihmsen et al. 2012, 12, 14):
//   spray    v' = (v + Δt g)/(1 + Δt k),   x' = x + ½Δt (v + v')
//   foam     v' = ṽ,   x' = x + Δt ṽ,   ṽ the fluid's velocity
//   bubble   v' − ṽ = (v − ṽ − Δt k_b g)/(1 + Δt k_d),   x' = x + Δt v'
// Only foam ages. The newborn have their places already.
//!include common/control
//!include common/torus
//!include common/foam

//!read foam_state foam_carrier foam_position foam_velocity foam_identity
//!write foam_moved_position foam_moved_velocity foam_moved_identity

fn kind_by(n: f32, before: u32, newborn: bool) -> u32 {
    let margin = select(0.1, 0.0, newborn);
    let most = params.methods.foam.neighbours;
    let spray = 0.2 * most * (1.0 + select(-margin, margin, before == FOAM_SPRAY));
    let bubble = 0.65 * most * (1.0 + select(margin, -margin, before == FOAM_BUBBLE));
    return select(select(FOAM_FOAM, FOAM_BUBBLE, n > bubble), FOAM_SPRAY, n < spray);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= min(foam_state[FOAM_END], stage.element_count)) { return; }
    let newborn = i >= foam_state[FOAM_FIRST];
    let who = foam_identity[i];
    let carrier = foam_carrier[i];
    let kind = kind_by(carrier.w, who.y, newborn);
    let place = foam_position[i];
    let motion = foam_velocity[i];
    let dt = select(bitcast<f32>(foam_state[FOAM_STEP]), 0.0, newborn);
    let g = params.world.gravity;
    let numbers = params.methods.foam;
    var v = motion.xyz;
    var way = vec3<f32>(0.0);
    if (kind == FOAM_SPRAY) {
        v = (motion.xyz + dt * g) / (1.0 + dt * numbers.drag);
        way = 0.5 * dt * (motion.xyz + v);
    } else if (kind == FOAM_FOAM) {
        v = carrier.xyz;
        way = dt * v;
    } else {
        let apart = motion.xyz - carrier.xyz - dt * numbers.buoyancy * g;
        v = carrier.xyz + apart / (1.0 + dt * numbers.coupling);
        way = dt * v;
    }
    if (newborn) { v = motion.xyz; }
    let life = place.w - select(0.0, dt, kind == FOAM_FOAM);
    foam_moved_position[i] = vec4<f32>(wrap_position(place.xyz + way), life);
    foam_moved_velocity[i] = vec4<f32>(v, motion.w + dt);
    foam_moved_identity[i] = vec2<u32>(who.x, kind);
}
