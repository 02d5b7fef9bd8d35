// Velocity of the scene's vortices, before the first step: of columns, Γ/(2πr) (1 − exp(−r²/δ²)) about the axis, of
// rings the integral of Biot and Savart over a circle of Gaussian cores,
// u = Γ/(4π) ∮ dl × d/|d|³ (erf ρ − 2ρ exp(−ρ²)/√π), ρ = |d|/δ, d from the circle to the face (Saffman 1970).
//!include common/control
//!include common/hat
//!include common/torus

//!read vortices
//!write face

const SEGMENTS = 128u;
const TURN = 6.2831853;

// Error function; errors up to 1.5e-7 (Abramowitz, Stegun 1964, 7.1.26).
fn error_function(x: f32) -> f32 {
    let t = 1.0 / (1.0 + 0.3275911 * x);
    let series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return 1.0 - series * exp(-x * x);
}

fn column(d: vec3<f32>, core: f32, circulation: f32) -> vec3<f32> {
    let square = max(d.x * d.x + d.y * d.y, 1e-12);
    let ratio = square / (core * core);
    // The series where the difference loses its digits.
    let share = select(1.0 - exp(-ratio), ratio - 0.5 * ratio * ratio, ratio < 1e-2);
    return circulation * share / (TURN * square) * vec3<f32>(-d.y, d.x, 0.0);
}

fn ring(d: vec3<f32>, radius: f32, axis: vec3<f32>, core: f32, circulation: f32) -> vec3<f32> {
    let other = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), abs(axis.x) > 0.7);
    let p = normalize(cross(axis, other));
    let q = cross(axis, p);
    var sum = vec3<f32>(0.0);
    for (var k = 0u; k < SEGMENTS; k++) {
        let angle = TURN * (f32(k) + 0.5) / f32(SEGMENTS);
        let away = d - radius * (cos(angle) * p + sin(angle) * q);
        let segment = (TURN * radius / f32(SEGMENTS)) * (cos(angle) * q - sin(angle) * p);
        let l = max(length(away), 1e-6 * radius);
        let ratio = l / core;
        let full = error_function(ratio) - 1.1283792 * ratio * exp(-ratio * ratio);
        // The series where the difference loses its digits: 4 ρ³/(3 √π).
        let share = select(full, 0.7522528 * ratio * ratio * ratio * (1.0 - 0.6 * ratio * ratio), ratio < 0.15);
        sum += share / (l * l * l) * cross(segment, away);
    }
    return circulation / (2.0 * TURN) * sum;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active() || control.primed == 1u) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var u = face[c];
    for (var k = 0u; k < params.counts.vortices; k++) {
        let values = vortices[k];
        for (var axis = 0u; axis < params.world.dimensions; axis++) {
            let d = displacement(face_center(cell, axis), values[0].xyz);
            if (values[0].w > 0.0) {
                u[axis] += ring(d, values[0].w, values[1].xyz, values[1].w, values[2].x)[axis];
            } else {
                u[axis] += column(d, values[1].w, values[2].x)[axis];
            }
        }
    }
    face[c] = u;
}
