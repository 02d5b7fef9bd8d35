//! Surface tension with a level set (`wgsl/eulerian/`), by matrices of second derivatives.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::World;
use crate::faces::{axes, element, is_open, next, open_share, set};
use crate::grid::{busy_cells, edge};
use crate::poisson::{diagonal, part};
use crate::smoke::is_inner;
use crate::surface_level::{FLAT, STEEP, beside, is_near, level};

/// Cells from the surface within which there is a curvature.
const NEEDED: f64 = 2.0;
/// Cells from the surface within which the level set stays as it was carried.
const KEPT: f64 = 3.0;

/// Curvature |∇φ|⁻³ (|∇φ|² tr H − ∇φᵀ H ∇φ) with the matrix H of second derivatives, those along an axis as means over rows.
pub(crate) fn curvature(world: &mut World) {
    let params = world.params;
    let axes = axes(&params);
    let water = &params.materials[0];
    let [density, tension] = [water.rest_density, water.surface_tension].map(f64::from);
    let longest = (density * edge(&params).powi(3) / (4.0 * PI * tension)).sqrt();
    let lead = match f64::from(world.control.dt) {
        0.0 => 4.0,
        dt => (longest / (4.0 * dt)).min(4.0),
    };
    for c in busy_cells(world) {
        let mut bent = 0.0;
        if level(world, c).abs() < NEEDED {
            let at = |steps: [i64; 3]| {
                let place = (0..axes).fold(c, |c, axis| beside(&params, c, axis, steps[axis]));
                level(world, place)
            };
            let step = |axis: usize, way: i64| {
                let mut steps = [0; 3];
                steps[axis] = way;
                steps
            };
            let both = |a: usize, b: usize, ways: [i64; 2]| {
                let mut steps = step(a, ways[0]);
                steps[b] = ways[1];
                at(steps)
            };
            let (mut slope, mut hessian) = (DVec3::ZERO, DMat3::ZERO);
            for a in 0..axes {
                slope[a] = (at(step(a, 1)) - at(step(a, -1))) / 2.0;
                for b in 0..axes {
                    hessian.col_mut(a)[b] = if a == b {
                        let row = |beside: usize, way: i64| {
                            [-1, 0, 1].map(|step| both(a, beside, [step, way]))
                        };
                        let bends = |[x, y, z]: [f64; 3]| x - 2.0 * y + z;
                        let own = bends([-1, 0, 1].map(|way| at(step(a, way))));
                        // Of the rows beside it along each other axis.
                        let others = (0..axes).filter(|other| *other != a);
                        let more = |other| bends(row(other, 1)) + bends(row(other, -1)) - 2.0 * own;
                        own + others.map(more).sum::<f64>() / 12.0
                    } else {
                        let rises = [1, -1].map(|way| both(a, b, [1, way]) - both(a, b, [-1, way]));
                        (rises[0] - rises[1]) / 4.0
                    };
                }
            }
            let square = slope.length_squared().max(1e-6);
            let trace = hessian.x_axis.x + hessian.y_axis.y + hessian.z_axis.z;
            let along = slope.dot(hessian * slope);
            bent = (slope.length_squared() * trace - along) / square.powf(1.5);
        }
        // Radius of a circle, or half of a ball's, where this is.
        let at_surface = bent / (1.0 - bent * level(world, c) / (axes - 1) as f64).clamp(0.5, 2.0);
        let now = at_surface.clamp(-1.0, 1.0) / edge(&params);
        let [_, before]: [f64; 2] = element(world, "curvature", c);
        let rise = if now != 0.0 && before != 0.0 { now - before } else { 0.0 };
        set(world, "curvature", c, [now + lead * rise, now]);
    }
}

/// P on the surface between a cell of liquid and one of air.
fn jump_at(world: &World, c: usize, air: usize) -> f64 {
    if !is_inner(&world.params, air) {
        return 0.0;
    }
    let water = &world.params.materials[0];
    let [own, other] = [c, air].map(|c| element::<2>(world, "curvature", c)[0]);
    let [here, there] = [c, air].map(|c| level(world, c).abs());
    let bent = own + here / (here + there).max(1e-6) * (other - own);
    f64::from(world.control.dt) * f64::from(water.surface_tension) * bent
        / f64::from(water.rest_density)
}

/// Adds the jump of the pressure to the right-hand side.
pub(crate) fn jump(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        if diagonal(world, c) <= 0.0 {
            continue;
        }
        let [mut r, s] = element(world, "remainder", c);
        for axis in 0..axes(&params) {
            let (below, above) = (next(&params, c, axis, -1), next(&params, c, axis, 1));
            for (face, other) in [(c, below), (above, above)] {
                if diagonal(world, other) == 0.0 {
                    let open = open_share(world, face, axis);
                    r += open * jump_at(world, c, other) / part(world, c, other);
                }
            }
        }
        set(world, "remainder", c, [r, s]);
    }
}

/// Adds the gradient of the jump to the projected field.
pub(crate) fn pull(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, "face_other", c);
        for axis in (0..axes(&params)).filter(|axis| is_open(world, c, *axis)) {
            let below = next(&params, c, axis, -1);
            // Of what the pressure rises from the lower cell to the upper.
            let rise = match [c, below].map(|c| diagonal(world, c) > 0.0) {
                [true, false] => -jump_at(world, c, below) / part(world, c, below),
                [false, true] => jump_at(world, below, c) / part(world, below, c),
                _ => continue,
            };
            u[axis] -= rise / edge(&params);
        }
        set(world, "face_other", c, u);
    }
}

/// Level set within slopes of what was carried.
pub(crate) fn bound(world: &mut World) {
    for c in busy_cells(world) {
        let carried = level(world, c);
        let [swept]: [f64; 1] = element(world, "level_set_other", c);
        if !is_near(world, c) && swept.abs() < KEPT {
            let away = carried.abs().max(FLAT * swept.abs()).min(STEEP * swept.abs());
            set(world, "level_set_other", c, [if carried < 0.0 { -away } else { away }]);
        }
    }
}
