// Acceleration a_p of the fluid by pressure and walls, for the next step's implicit viscosity: a share of (v − v_r)/Δt of this step
// with the velocity v_r with which it began after viscosity, and the rest of the mean before, which viscosity/end took from v_r.
//!include common/control
//!include common/worlds

//!read velocity identity viscosity_r
//!write viscosity_last

// Largest acceleration by pressure that viscosity counts on, in that of gravity: more is an impact, which will not last.
const MOST_PUSH: f32 = 10.0;

// a, or the part of it that is as long as that; without gravity none.
fn lasting(a: vec3<f32>) -> vec3<f32> {
    let most = MOST_PUSH * length(gravity());
    return a * select(most / length(a), 1.0, dot(a, a) <= most * most);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    enter(identity[i]);
    let fluid = kind_of(identity[i]) == KIND_FLUID && control.dt > 0.0;
    let a = params.methods.viscosity_implicit.share * (velocity[i].xyz - viscosity_r[i].xyz) / control.dt;
    viscosity_last[i][1] = vec4<f32>(select(vec3<f32>(0.0), lasting(a), fluid), 0.0);
}
