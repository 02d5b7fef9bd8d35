//! Surface tension of liquids on a grid (`wgsl/liquid/`): distances by sums over cells, curvatures by matrices of second derivatives.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::World;
use crate::faces::{axes, element, is_open, nearest_solid, next, open_share, set, solids};
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::poisson::{diagonal, part};
use crate::smoke::is_inner;
use crate::space::{with_w, xyz};
use crate::surface_level::{
    LEAST, beside, is_near, kept_slopes, level, plane_cover, plane_distance,
};

/// Cells from the surface within which there is a curvature.
const NEEDED: f64 = 2.0;
/// Least slope.
const LEAST_SLOPE: f64 = 0.5;
/// Cells up to which a cell in a solid has an image, and what says that it has none.
const DEEPEST: f64 = 3.0;
const UNKNOWN: f64 = 1e3;
/// Least way to an image.
const LEAST_WAY: f64 = 0.999;
/// Parts of a cell to which images are rounded.
const PARTS: f64 = 4096.0;
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
        dt if world.number("gas.lightness") > 0.0 => (longest / dt).min(4.0),
        dt => (longest / (4.0 * dt)).min(4.0),
    };
    for c in busy_cells(world) {
        let mut bent = 0.0;
        if level(world, c).abs() < NEEDED {
            let all_known = Cell::new(true);
            let at = |steps: [i64; 3]| {
                let place = (0..axes).fold(c, |c, axis| beside(&params, c, axis, steps[axis]));
                let level = level(world, place);
                all_known.set(all_known.get() && level != 0.0);
                level
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
            let square = slope.length_squared().max(LEAST_SLOPE.powi(2));
            let trace = hessian.x_axis.x + hessian.y_axis.y + hessian.z_axis.z;
            let along = slope.dot(hessian * slope);
            if all_known.get() {
                bent = (slope.length_squared() * trace - along) / square.powf(1.5);
            }
        }
        // Radius of a circle, or half of a ball's, where this is.
        let at_surface = bent / (1.0 - bent * level(world, c) / (axes - 1) as f64).clamp(0.5, 2.0);
        let now = at_surface.clamp(-1.0, 1.0) / edge(&params);
        let [_, before]: [f64; 2] = element(world, "curvature", c);
        let rise = if now != 0.0 && before != 0.0 { now - before } else { 0.0 };
        let most = 1.0 / edge(&params);
        set(world, "curvature", c, [(now + lead * rise).clamp(-most, most), now]);
    }
}

/// Ways to mirror images beyond walls, and how much nearer a surface is there by its contact angle.
pub(crate) fn mirror(world: &mut World) {
    let params = world.params;
    let solids = solids(world);
    for c in busy_cells(world) {
        let mut image = [0.0; 4];
        if element::<1>(world, "solid_share", c)[0] < 1.0 {
            let found = nearest_solid(world, &solids, center(&params, coordinates(&params, c)));
            let (solid, (contact, ..)) = found.expect("a solid");
            let way = -2.0 * contact.distance / edge(&params);
            if way.abs() > 2.0 * DEEPEST {
                image[3] = UNKNOWN;
            } else if way > LEAST_WAY {
                let wetting = f64::from(solids[solid].collider.wetting);
                image = with_w(way * contact.normal, way * wetting);
            }
        }
        set(world, "mirror", c, image);
    }
}

/// Linear interpolation of an array at the mirror image of a cell, if it has one; the least of its size there.
fn at_image(world: &World, c: usize, of: impl Fn(usize) -> f64) -> Option<[f64; 2]> {
    let params = &world.params;
    let way = (PARTS * xyz(element(world, "mirror", c)) + 0.5).floor() / PARTS;
    if xyz(element(world, "mirror", c)) == DVec3::ZERO {
        return None;
    }
    let reach = |axis: usize| if axis < axes(params) { vec![0, 1] } else { vec![0] };
    let mut corners = vec![(1.0, c)];
    for axis in 0..3 {
        let along = |(weight, c): (f64, usize)| {
            let weights = move |step: i64| {
                let away = (way[axis] - way[axis].floor() - step as f64).abs();
                (weight * (1.0 - away), beside(params, c, axis, way[axis].floor() as i64 + step))
            };
            reach(axis).into_iter().map(weights).collect::<Vec<_>>()
        };
        corners = corners.into_iter().flat_map(along).collect();
    }
    let corners = corners.into_iter().map(|(weight, c)| (weight, of(c)));
    let corners: Vec<_> = corners.filter(|(weight, _)| *weight > 0.0).collect();
    let least = corners.iter().map(|(_, value)| value.abs()).fold(f64::INFINITY, f64::min);
    Some([corners.iter().map(|(weight, value)| weight * value).sum(), least])
}

/// Cover, in solids by the distance at the image.
pub(crate) fn reflect(world: &mut World) {
    for c in busy_cells(world) {
        let [.., nearer]: [f64; 4] = element(world, "mirror", c);
        let covers = |c| element::<1>(world, "cover", c)[0];
        let images = [at_image(world, c, |c| level(world, c)), at_image(world, c, covers)];
        let cover = match images {
            _ if nearer == UNKNOWN => 0.0,
            [_, Some([share, _])] if nearer == 0.0 => share,
            [Some([away, least]), _] if least > 0.0 && away.abs() > 1.0 => {
                plane_cover(away - nearer)
            }
            [_, Some([share, _])] => plane_cover(plane_distance(share.clamp(0.0, 1.0)) - nearer),
            _ => covers(c),
        };
        set(world, "reflected", c, [cover]);
    }
}

/// Means of seven cells in a row by the binomial coefficients of 6.
pub(crate) fn blur(world: &mut World) {
    let params = world.params;
    let axis = world.stage.level as usize;
    let is_busy: BTreeSet<_> = busy_cells(world).into_iter().collect();
    for c in is_busy.clone() {
        let of = |(step, weight): (i64, f64)| {
            let other = beside(&params, c, axis, step);
            if is_busy.contains(&other) {
                weight * element::<1>(world, "cover", other)[0]
            } else {
                0.0
            }
        };
        let row = (-3..).zip([1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0]);
        set(world, "blurred", c, [row.map(of).sum::<f64>() / 64.0]);
    }
}

/// Distances by the inverse of a bell's integral, with the logistic function in place of it.
pub(crate) fn distance(world: &mut World) {
    let width = (1.0_f64 / 6.0 + 1.5).sqrt();
    let slope = (2.0 * PI).sqrt() / 4.0;
    let has_solids = world.params.counts.colliders > 0;
    for c in busy_cells(world) {
        let blurred = |c| element::<1>(world, "blurred", c)[0];
        let (mut share, mut nearer) = (blurred(c), 0.0);
        if has_solids {
            [.., nearer] = element::<4>(world, "mirror", c);
            share = at_image(world, c, blurred).map_or(share, |[share, _]| share);
        }
        let share = share.clamp(1e-3, 1.0 - 1e-3);
        let away = width * slope * (1.0 / share - 1.0).ln() - nearer;
        let level = match away {
            _ if nearer == UNKNOWN => 0.0,
            0.0 => LEAST,
            away => away,
        };
        set(world, "level_set", c, [level]);
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

/// Level set within slopes of what was carried (`wgsl/eulerian/bound`).
pub(crate) fn bound(world: &mut World) {
    for c in busy_cells(world) {
        let carried = level(world, c);
        let [swept]: [f64; 1] = element(world, "level_set_other", c);
        if !is_near(world, c) && swept.abs() < KEPT {
            let [flat, steep] = kept_slopes(world);
            let away = carried.abs().max(flat * swept.abs()).min(steep * swept.abs());
            set(world, "level_set_other", c, [if carried < 0.0 { -away } else { away }]);
        }
    }
}
