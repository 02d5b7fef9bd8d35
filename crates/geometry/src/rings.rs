//! Points and triangles around an axis.

use std::f64::consts::PI;

use glam::DVec3;

use crate::form::Triangles;

/// Number of points around an axis, and along a quarter circle.
const AROUND: u32 = 48;
pub(crate) const QUARTER: u32 = 12;

/// Number of steps that divide a length into pieces of about a spacing.
#[must_use]
pub fn steps(length: f64, spacing: f64) -> u64 {
    (length / spacing).round().max(1.0) as u64
}

/// A vector without its z component in 2-D.
pub(crate) fn flat(v: DVec3, dimensions: u32) -> DVec3 {
    if dimensions == 2 { v.with_z(0.0) } else { v }
}

/// A circle of points in the plane of two unit vectors.
pub(crate) fn ring(center: DVec3, u: DVec3, v: DVec3, radius: f64, spacing: f64) -> Vec<DVec3> {
    let count = steps(2.0 * PI * radius.max(0.0), spacing);
    let at = |k: u64| {
        let angle = 2.0 * PI * k as f64 / count as f64;
        center + radius.max(0.0) * (angle.cos() * u + angle.sin() * v)
    };
    (0..count).map(at).collect()
}

/// A Fibonacci lattice on a sphere.
pub(crate) fn fibonacci(center: DVec3, radius: f64, spacing: f64) -> Vec<DVec3> {
    let radius = radius.max(0.0);
    let count = (4.0 * PI * (radius / spacing).powi(2)).round().max(1.0) as u64;
    let golden = PI * (3.0 - 5f64.sqrt());
    let at = |k: u64| {
        let y = 1.0 - 2.0 * (k as f64 + 0.5) / count as f64;
        let around = golden * k as f64;
        let r = (1.0 - y * y).sqrt();
        center + radius * DVec3::new(r * around.cos(), y, r * around.sin())
    };
    (0..count).map(at).collect()
}

/// A step of a quarter circle, as an angle.
pub(crate) fn angle(step: u32) -> f64 {
    0.5 * PI * f64::from(step) / f64::from(QUARTER)
}

/// Surface of revolution, from a profile of (height, radius) from the bottom up.
pub(crate) fn turned(origin: DVec3, axis: DVec3, profile: &[(f64, f64)]) -> Triangles {
    let up = axis.normalize_or(DVec3::Y);
    let (u, v) = up.any_orthonormal_pair();
    let mut points = Vec::new();
    // First point and number of points of each row; on the axis there is one.
    let mut rows = Vec::new();
    for (height, radius) in profile {
        let count = if *radius > 1e-12 { AROUND } else { 1 };
        rows.push((points.len() as u32, count));
        for k in 0..count {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(AROUND)).sin_cos();
            points.push((origin + *height * up + *radius * (cos * u + sin * v)).to_array());
        }
    }
    let mut triangles = Vec::new();
    for pair in rows.windows(2) {
        for k in 0..AROUND {
            let at = |(first, count): (u32, u32), k: u32| first + k % count;
            let quad = [at(pair[0], k), at(pair[0], k + 1), at(pair[1], k + 1), at(pair[1], k)];
            if pair[0].1 > 1 {
                triangles.push([quad[0], quad[1], quad[2]]);
            }
            if pair[1].1 > 1 {
                triangles.push([quad[0], quad[2], quad[3]]);
            }
        }
    }
    (points, triangles)
}
