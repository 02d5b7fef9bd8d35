// Jump of the pressure by surface tension: P = Δt σ κ/ρ0 in m²/s on the surface between a cell of liquid and one of air, with the
// curvature there, linear in the level set between both cells (Kang, Fedkiw, Liu 2000). Beyond open sides there is none.
//!include common/control
//!include common/poisson

//!read curvature level_set

// The jump over θ, which is that of the equation of pressure. (The curvature there would be that of a surface beside this one.)
fn surface_jump(c: u32, air: vec3<i32>) -> f32 {
    if (!is_inner(air)) { return 0.0; }
    let other = cell_number(air);
    let away = abs(vec2<f32>(level_set[c], level_set[other]));
    let bent = mix(curvature[c].x, curvature[other].x, away.x / max(away.x + away.y, 1e-6));
    return control.dt * params.materials[0].surface_tension / params.materials[0].rest_density * bent / surface_part(c, air);
}
