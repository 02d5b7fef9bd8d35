//! Velocities of vortices before the first step (`wgsl/smoke/vortex`).

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::World;
use crate::faces::{axes, cells, element, middle, set};
use crate::space::displacement;

/// Segments of a vortex ring.
const SEGMENTS: u32 = 128;

/// erf by its series, and beyond 4, where the rest is below 2e-8, 1.
fn error_function(x: f64) -> f64 {
    if x > 4.0 {
        return 1.0;
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..80 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    2.0 / PI.sqrt() * sum
}

/// The vortices' velocities before the first step.
pub(crate) fn vortex(world: &mut World) {
    if world.control.primed == 1 {
        return;
    }
    let params = world.params;
    for c in 0..cells(world) {
        let mut u: [f64; 4] = element(world, "face", c);
        for (axis, u) in u.iter_mut().enumerate().take(axes(&params)) {
            let x = middle(&params, c, axis);
            for k in 0..params.counts.vortices as usize {
                let [cx, cy, cz, radius, nx, ny, nz, core, circulation, ..] =
                    element::<12>(world, "vortices", k);
                let d = displacement(&params, x, DVec3::new(cx, cy, cz));
                let v = match radius > 0.0 {
                    true => ring(d, radius, DVec3::new(nx, ny, nz), core),
                    false => column(d, core),
                };
                *u += circulation * v[axis];
            }
        }
        set(world, "face", c, u);
    }
}

/// Velocity around a column of unit circulation.
fn column(d: DVec3, core: f64) -> DVec3 {
    let square = (d.x * d.x + d.y * d.y).max(1e-12);
    let share = -(-square / (core * core)).exp_m1();
    share / (TAU * square) * DVec3::new(-d.y, d.x, 0.0)
}

/// Velocity around a ring of unit circulation.
fn ring(d: DVec3, radius: f64, axis: DVec3, core: f64) -> DVec3 {
    let p = axis.any_orthonormal_vector();
    let q = axis.cross(p);
    // The circle's segments begin where those of the shader do.
    let other = if axis.x.abs() > 0.7 { DVec3::Y } else { DVec3::X };
    let turned = axis.cross(other).normalize();
    let start = turned.dot(q).atan2(turned.dot(p));
    let of = |k: u32| {
        let angle = start + TAU * (f64::from(k) + 0.5) / f64::from(SEGMENTS);
        let away = d - radius * (angle.cos() * p + angle.sin() * q);
        let segment = TAU * radius / f64::from(SEGMENTS) * (angle.cos() * q - angle.sin() * p);
        let l = away.length().max(1e-6 * radius);
        let r = l / core;
        let share = error_function(r) - 2.0 / PI.sqrt() * r * (-r * r).exp();
        share / l.powi(3) * segment.cross(away)
    };
    (0..SEGMENTS).map(of).sum::<DVec3>() / (2.0 * TAU)
}
