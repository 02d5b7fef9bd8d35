//! Gas around a liquid with a level set (`wgsl/gas/`), by densities relative to the liquid's.

use crate::World;
use crate::diffusion::largest;
use crate::faces::{axes, cells, element, is_open, next, open_share, set, solid_velocity};
use crate::grid::{busy_cells, edge};
use crate::poisson::{by_group, diagonal, together};
use crate::smoke::is_inner;
use crate::stress::{Values, around, is_free, is_wet, of_free, speeds, sticky};
use crate::surface_level::{BAND, LEAST, beside, kept_slopes, level, sides};

/// Share of liquid on the way between the centres of two cells.
fn liquid_between(world: &World, a: usize, b: usize) -> f64 {
    let [a, b] = [a, b].map(|c| level(world, c));
    match [a < 0.0, b < 0.0] {
        [true, true] => 1.0,
        [false, false] => 0.0,
        [true, false] => a / (a - b),
        [false, true] => b / (b - a),
    }
}

/// Density of the face between two cells, relative to the liquid's.
fn density(world: &World, a: usize, b: usize) -> f64 {
    let share = liquid_between(world, a, b);
    share + (1.0 - share) / world.number("gas.lightness")
}

/// Whether the face between two cells is in gas: neither of them is liquid.
fn is_in_gas(world: &World, a: usize, b: usize) -> bool {
    [a, b].into_iter().all(|c| level(world, c) >= 0.0)
}

/// Field of both phases.
pub(crate) fn blend(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let of = |name: &str, axis: usize| {
            let u: [f64; 4] = element(world, name, c);
            (u[3] as u32 >> axis & 1 == 1).then_some(u[axis])
        };
        let mut u: [f64; 4] = element(world, "face", c);
        u[3] = 0.0;
        for axis in 0..axes(&params) {
            let [liquid, gas] = ["face", "gas_carried"].map(|name| of(name, axis));
            let [first, second] = match is_in_gas(world, c, next(&params, c, axis, -1)) {
                true => [gas, liquid],
                false => [liquid, gas],
            };
            if let Some(own) = first.or(second) {
                u[axis] = own;
            }
            u[3] += f64::from(1 << axis);
        }
        set(world, "face", c, u);
    }
}

/// Lightness, phase and jump of the lower faces.
pub(crate) fn faces(world: &mut World) {
    let params = world.params;
    let water = &params.materials[0];
    let tension = f64::from(water.surface_tension) / f64::from(water.rest_density);
    for c in busy_cells(world) {
        let mut face = [0.0; 8];
        for axis in 0..axes(&params) {
            let b = next(&params, c, axis, -1);
            if !is_in_gas(world, c, b) {
                face[3] += f64::from(1 << axis);
            }
            let end = match [c, b].map(|c| is_inner(&params, c)) {
                [true, true] => {
                    face[axis] = 1.0 / density(world, c, b);
                    let [own, other] = [c, b].map(|c| element::<2>(world, "curvature", c)[0]);
                    // From the lower cell to this.
                    let into = f64::from(i8::from(level(world, c) < 0.0))
                        - f64::from(i8::from(level(world, b) < 0.0));
                    let way = level(world, c).abs() + level(world, b).abs();
                    let bent = own + level(world, c).abs() / way * (other - own);
                    face[4 + axis] = f64::from(world.control.dt) * tension * bent * into;
                    continue;
                }
                [true, false] => c,
                [false, _] => b,
            };
            // Half a cell.
            face[axis] = 2.0 / density(world, end, end);
        }
        set(world, "gas_faces", c, face);
    }
}

/// Lightness of a cell's lower face, and the jump of P.
fn face_of(world: &World, c: usize, axis: usize) -> [f64; 2] {
    let face: [f64; 8] = element(world, "gas_faces", c);
    [face[axis], face[4 + axis]]
}

/// Coefficients of the equation of pressure.
pub(crate) fn system(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut a = [0.0; 4];
        for axis in (0..axes(&params)).filter(|_| is_inner(&params, c)) {
            let (below, above) = (next(&params, c, axis, -1), next(&params, c, axis, 1));
            let of = |face: usize| open_share(world, face, axis) * face_of(world, face, axis)[0];
            a[3] += of(c) + of(above);
            if is_inner(&params, below) {
                a[axis] = of(c);
            }
        }
        set(world, "coefficient", c, a);
        if a[3] == 0.0 {
            set(world, "solution", c, [0.0; 2]);
        }
    }
}

/// Adds the jump of the pressure to the right-hand side.
pub(crate) fn jump(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        if diagonal(world, c) == 0.0 {
            continue;
        }
        let [mut r, s] = element(world, "remainder", c);
        for axis in 0..axes(&params) {
            for (face, way) in [(c, 1.0), (next(&params, c, axis, 1), -1.0)] {
                let a = element::<4>(world, "coefficient", face)[axis];
                r += way * a * face_of(world, face, axis)[1];
            }
        }
        set(world, "remainder", c, [r, s]);
    }
}

/// The fields of both phases, less the gradient of pressure.
pub(crate) fn project(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        let bits = element::<8>(world, "gas_faces", c)[3] as u32;
        let mut known = [0.0; 2];
        let mut push = [0.0; 4];
        for axis in 0..axes(&params) {
            let b = next(&params, c, axis, -1);
            if diagonal(world, c) == 0.0 && diagonal(world, b) == 0.0 {
                continue;
            }
            let [light, jump] = face_of(world, c, axis);
            let rise =
                element::<2>(world, "solution", c)[0] - element::<2>(world, "solution", b)[0];
            match is_open(world, c, axis) {
                true => {
                    let before = u[axis];
                    u[axis] -= light * (rise - jump) / edge(&params);
                    push[axis] = (u[axis] - before) / dt.max(1e-30);
                    push[3] += f64::from(phase(world, light) << axis);
                }
                false => u[axis] = solid_velocity(world, c, axis),
            }
            known[usize::from(bits >> axis & 1 == 0)] += f64::from(1 << axis);
        }
        if dt > 0.0 {
            set(world, "gas_push", c, push);
        }
        for (name, known) in ["face_other", "gas_other"].into_iter().zip(known) {
            u[3] = known;
            set(world, name, c, u);
        }
    }
}

/// The field of both phases that carries the level set.
pub(crate) fn both(world: &mut World) {
    for c in busy_cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        let gas: [f64; 4] = element(world, "gas_face", c);
        let bits = element::<8>(world, "gas_faces", c)[3] as u32;
        for axis in (0..axes(&world.params)).filter(|axis| bits >> axis & 1 == 0) {
            u[axis] = gas[axis];
        }
        set(world, "gas_other", c, u);
    }
}

/// Slope of the level set, along each axis across the surface or by the cells to both sides.
fn slope(world: &World, c: usize) -> f64 {
    let own = level(world, c);
    let along = |axis: usize| {
        let both = sides(world, c, axis);
        let others = both.into_iter().filter(|other| (*other < 0.0) != (own < 0.0));
        let across = others.map(|other| (other - own).abs()).reduce(f64::max);
        across.unwrap_or((both[1] - both[0]).abs() / 2.0)
    };
    (0..axes(&world.params)).map(|axis| along(axis).powi(2)).sum::<f64>().sqrt()
}

/// Start of the distance, with slopes of both sides of the surface.
pub(crate) fn near(world: &mut World) {
    let [flat, steep] = kept_slopes(world);
    let params = world.params;
    for c in busy_cells(world) {
        let own = level(world, c);
        let all =
            (0..axes(&params)).flat_map(|axis| [-1, 1].map(|step| beside(&params, c, axis, step)));
        let across = all.filter(|other| (level(world, *other) < 0.0) != (own < 0.0));
        let slopes: Vec<_> = across.map(|other| slope(world, other)).collect();
        let away = match slopes.len() {
            0 => BAND,
            count => {
                let mean = (slope(world, c) + slopes.iter().sum::<f64>() / count as f64) / 2.0;
                (own.abs() * mean.clamp(flat, steep) / mean.max(0.1)).clamp(LEAST, BAND)
            }
        };
        set(world, "level_set_other", c, [if own < 0.0 { -away } else { away }]);
    }
}

/// Viscosity at a place, relative to the liquid's.
fn thickness(world: &World, level: f64) -> f64 {
    let share = (0.5 - level).clamp(0.0, 1.0);
    share + (1.0 - share) * world.number("gas.thickness")
}

/// Viscosity of a cell, 0 in solids.
fn of_cell(world: &World, c: usize) -> f64 {
    if is_wet(world, c) { thickness(world, level(world, c)) } else { 0.0 }
}

/// Viscosity at the edge of a cell's lower corner in the plane of two axes, 0 unless it is between four free faces.
fn of_edge(world: &World, c: usize, a: usize, b: usize) -> f64 {
    if !around(world, c, a, b).into_iter().all(|(face, axis, _)| is_free(world, face, axis)) {
        return 0.0;
    }
    let back = |c: usize, axis: usize| next(&world.params, c, axis, -1);
    let cells = [c, back(c, a), back(c, b), back(back(c, a), b)];
    thickness(world, cells.map(|c| level(world, c)).iter().sum::<f64>() / 4.0)
}

/// A weight, and the velocities whose sum it resists: number and axis of each face, and its sign.
type Resistance = (f64, Vec<(usize, usize, f64)>);

/// What resists at a free lower face: cells, edges, and half edges of walls.
fn resists(world: &World, c: usize, a: usize) -> Vec<Resistance> {
    let params = &world.params;
    let (up, down) = (next(params, c, a, 1), next(params, c, a, -1));
    let mut all: Vec<Resistance> = [(c, up), (down, down)]
        .map(|(cell, other)| (2.0 * of_cell(world, cell), vec![(c, a, 1.0), (other, a, -1.0)]))
        .to_vec();
    for b in (0..axes(params)).filter(|b| *b != a) {
        for (corner, way) in [(c, 1.0), (next(params, c, b, 1), -1.0)] {
            let faces =
                around(world, corner, a, b).map(|(face, axis, sign)| (face, axis, way * sign));
            all.push((of_edge(world, corner, a, b), faces.to_vec()));
        }
    }
    let own = thickness(world, (level(world, c) + level(world, down)) / 2.0);
    all.extend(
        sticky(world, c, a).iter().map(|wall| (2.0 * own, vec![(c, a, 1.0), (*wall, a, -1.0)])),
    );
    all
}

/// Viscosities, totals and densities, and what walls push.
pub(crate) fn links(world: &mut World) {
    let params = world.params;
    let material = params.materials[0];
    let viscosity = f64::from(material.viscosity) / f64::from(material.rest_density);
    let k = f64::from(world.control.dt) * viscosity / edge(&params).powi(2);
    world.floats_mut("diffusion_scalars")[4..8].copy_from_slice(&[k, k, k, 0.0]);
    for c in 0..cells(world) {
        let mut links = [0.0; 12];
        links[8..].fill(1.0);
        links[0] = of_cell(world, c);
        let mut push = [0.0; 4];
        for a in 0..axes(&params) {
            for b in a + 1..axes(&params) {
                links[a + b] = of_edge(world, c, a, b);
            }
            if !is_free(world, c, a) {
                continue;
            }
            links[7] += f64::from(1 << a);
            let all = resists(world, c, a);
            links[4 + a] = all.iter().map(|(weight, _)| weight).sum();
            links[8 + a] = 1.0 / face_of(world, c, a)[0];
            let walls = all.iter().map(|(weight, faces)| match faces[..] {
                [_, (face, axis, _)] if !is_open(world, face, axis) => {
                    weight * solid_velocity(world, face, axis)
                }
                _ => 0.0,
            });
            push[a] = walls.sum();
        }
        set(world, "gas_links", c, links);
        set(world, "diffusion_r", c, push);
    }
}

/// The field with the acceleration by pressure of the last step.
pub(crate) fn ahead(world: &mut World) {
    pushed(world, 1.0, ["face", "face_other"]);
}

/// And without it.
pub(crate) fn restore(world: &mut World) {
    pushed(world, -1.0, ["face_other", "face"]);
}

/// 1 of a face in liquid, 8 of one in gas, 0 of one at the surface.
fn phase(world: &World, light: f64) -> u32 {
    // Of f32.
    let is = |other: f64| (light - other).abs() <= 1e-6 * other;
    u32::from(is(1.0)) + 8 * u32::from(is(world.number("gas.lightness")))
}

fn pushed(world: &mut World, way: f64, [from, to]: [&str; 2]) {
    let most = 2.0 * world.params.world.gravity.as_dvec3().length();
    for c in busy_cells(world) {
        let (last, u): (Values, Values) = (element(world, "gas_push", c), element(world, from, c));
        let mut after: Values = element(world, "face", c);
        for k in 0..3 {
            let now =
                if k < axes(&world.params) { phase(world, face_of(world, c, k)[0]) } else { 0 };
            let push = match last[3] as u32 & now << k {
                // Fluid at rest.
                0 => -f64::from(world.params.world.gravity[k]),
                _ => last[k].clamp(-most, most),
            };
            after[k] = u[k] + way * f64::from(world.control.dt) * push;
        }
        set(world, to, c, after);
    }
}

/// k times what resists the velocities of an array at a free lower face.
fn resistance(world: &World, name: &str, c: usize, a: usize) -> f64 {
    let value = |face: usize, axis: usize| match is_free(world, face, axis) {
        true => element::<4>(world, name, face)[axis],
        false => 0.0,
    };
    let of = |(weight, faces): &Resistance| {
        weight * faces.iter().map(|(face, axis, sign)| sign * value(*face, *axis)).sum::<f64>()
    };
    let k = world.floats("diffusion_scalars")[4];
    k * resists(world, c, a).iter().map(of).sum::<f64>()
}

/// Density of a face, and the inverse of its diagonal.
fn mass(world: &World, c: usize, a: usize) -> [f64; 2] {
    let links: [f64; 12] = element(world, "gas_links", c);
    let k = world.floats("diffusion_scalars")[4];
    [links[8 + a], 1.0 / (links[8 + a] + k * links[4 + a])]
}

/// The explicit change, and the largest velocities.
pub(crate) fn start(world: &mut World) {
    let k = world.floats("diffusion_scalars")[4];
    for c in busy_cells(world) {
        let push: Values = element(world, "diffusion_r", c);
        let r = of_free(world, c, |a| k * push[a] - resistance(world, "face_other", c, a));
        let u = of_free(world, c, |a| mass(world, c, a)[1] * r[a]);
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, u);
    }
    by_group(world, speeds, largest);
}

/// w = A u.
pub(crate) fn apply(world: &mut World) {
    for c in busy_cells(world) {
        let u: Values = element(world, "diffusion_u", c);
        let of = |a| mass(world, c, a)[0] * u[a] + resistance(world, "diffusion_u", c, a);
        let w = of_free(world, c, of);
        set(world, "diffusion_w", c, w);
    }
    let scales = &world.floats("diffusion_scalars")[8..11];
    let scale = scales.iter().copied().fold(f64::INFINITY, f64::min);
    let products = |world: &World, c: usize| {
        let of = |name: &str| {
            let all: Values = element(world, name, c);
            of_free(world, c, |axis| scale * all[axis])
        };
        let [r, u, w] = ["diffusion_r", "diffusion_u", "diffusion_w"].map(of);
        let dot = |a: Values, b: Values| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let most = of_free(world, c, |a| (r[a] / mass(world, c, a)[0]).abs());
        [dot(r, u), dot(u, w), most.into_iter().fold(0.0, f64::max), 0.0]
    };
    by_group(world, products, together);
}

/// A step of conjugate gradients.
pub(crate) fn step(world: &mut World) {
    let [alpha, beta] = [0, 1].map(|k| world.floats("diffusion_scalars")[k]);
    for c in 0..cells(world) {
        let of = |name: &str| element::<4>(world, name, c);
        let next = |now: &str, before: &str| -> Values {
            let (now, before) = (of(now), of(before));
            std::array::from_fn(|k| now[k] + if beta > 0.0 { beta * before[k] } else { 0.0 })
        };
        let p = next("diffusion_u", "diffusion_p");
        let s = next("diffusion_w", "diffusion_s");
        let (u, r) = (of("face_other"), of("diffusion_r"));
        let r: Values = std::array::from_fn(|k| r[k] - alpha * s[k]);
        let corrected = of_free(world, c, |a| mass(world, c, a)[1] * r[a]);
        set(world, "diffusion_p", c, p);
        set(world, "diffusion_s", c, s);
        set(world, "face_other", c, std::array::from_fn::<f64, 4, _>(|k| u[k] + alpha * p[k]));
        set(world, "diffusion_r", c, r);
        set(world, "diffusion_u", c, corrected);
    }
}
