// Curvature in 1/m of the surface in cells near it, κ = ∇·(∇φ/|∇φ|) by central differences, positive of a drop, within ±1/Δx (Osher,
// Fedkiw 2003), on the surface itself: 1/κ grows by the distance around a circle, and by half of it around a ball. 0 in other cells.
// Less in the middle of a film, where φ has a ridge in place of a slope.
// In x it leads by a quarter of the longest step of capillary waves, with gas by all of it, at its rate of the last step: curvature and pressure on a grid are
// no exact gradients of an energy, and without this damping waves of a few cells grow, slowly, on drops at rest.
//!include common/control
//!include common/level_set

//!write curvature

// Cells from the surface within which it is needed: in those beside it, and in those that may be in the next step.
const NEEDED = 2.0;

// Part of the longest step by which it leads, with gas, whose field does not follow the liquid's as well; and the most steps.
const LEAD = 0.25;
const LEAD_IN_GAS = 1.0;
const MOST = 4.0;

// Least slope, half of what it is of distances.
const LEAST_SLOPE = 0.5;

const PI = 3.14159265;

// Level set there; notes where there is none yet.
var<private> has_level: bool;
fn level_at(cell: vec3<i32>, step: vec3<i32>) -> f32 {
    let level = level_set[beside(cell, step)];
    has_level = has_level && level != 0.0;
    return level;
}

// Steps by which it leads.
fn lead() -> f32 {
    let light = params.materials[0].rest_density / max(params.materials[0].surface_tension, 1e-30);
    let longest = sqrt(params.grid.cell * light / (4.0 * PI)) * params.grid.cell;
    return min(select(LEAD, LEAD_IN_GAS, params.methods.gas.lightness > 0.0) * longest / max(control.dt, 1e-30), MOST);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = level_set[c];
    var bent = 0.0;
    has_level = own != 0.0;
    if (abs(own) < NEEDED) {
        var slope = vec3<f32>(0.0);
        // Second differences along the axes, and their means over rows by 1 : 10 : 1, whose errors are the same in all directions (Collatz
        // 1960). Those of single rows would drive currents from the axes to the diagonals.
        var single = vec3<f32>(0.0);
        var second = vec3<f32>(0.0);
        // Σ over pairs of axes of ∂φ/∂a ∂φ/∂b ∂²φ/∂a∂b.
        var mixed = 0.0;
        for (var axis = 0u; axis < axes(); axis++) {
            let a = along(axis);
            let below = level_at(cell, -a);
            let above = level_at(cell, a);
            slope[axis] = 0.5 * (above - below);
            single[axis] = (above - own) - (own - below);
            second[axis] += single[axis];
            for (var other = 0u; other < axis; other++) {
                let b = along(other);
                let up = vec2<f32>(level_at(cell, a - b), level_at(cell, a + b));
                let down = vec2<f32>(level_at(cell, -a - b), level_at(cell, b - a));
                mixed += 0.25 * slope[axis] * slope[other] * ((up.y - up.x) - (down.y - down.x));
                let rows = ((up.y - above) - (above - up.x)) + ((down.y - below) - (below - down.x));
                let both = (rows - 2.0 * single[other]) / 12.0;
                second[axis] += both;
                second[other] += both;
            }
        }
        let square = max(dot(slope, slope), LEAST_SLOPE * LEAST_SLOPE);
        bent = (dot(slope * slope, second.yzx + second.zxy) - 2.0 * mixed) / (square * sqrt(square));
    }
    if (!has_level) { bent = 0.0; }
    let round = clamp(1.0 - bent * own / f32(axes() - 1u), 0.5, 2.0);
    let now = clamp(bent / round, -1.0, 1.0) / params.grid.cell;
    let before = curvature[c].y;
    let is_known = now != 0.0 && before != 0.0;
    let led = now + select(0.0, lead() * (now - before), is_known);
    curvature[c] = vec2<f32>(clamp(led, -1.0 / params.grid.cell, 1.0 / params.grid.cell), now);
}
