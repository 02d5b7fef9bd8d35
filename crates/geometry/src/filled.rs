//! What a rigid body is made of: volume and moments of inertia of filled shapes.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::{sample, shape::Shape};

/// Volume and inertia of a shape of uniform density.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solid {
    /// Volume in m³ (area in m² in 2-D).
    pub volume: f64,
    /// Principal moments of inertia by the mass, about the middle, in the shape's own axes (of which
    /// y is that of a cylinder or capsule; a mesh's are its principal axes), in m².
    pub inertia: DVec3,
}

/// The solid that fills a shape; none fills a plane, points, or a mesh that encloses no volume.
#[must_use]
pub fn solid(shape: &Shape, dimensions: u32) -> Option<Solid> {
    let flat = dimensions == 2;
    let (_, half) = sample::bounds(shape);
    let about_z = |inertia: f64| DVec3::new(0.0, 0.0, inertia);
    let square = |x: f64| x * x;
    let length = |a: [f64; 3], b: [f64; 3]| DVec3::from(a).distance(DVec3::from(b));
    let (volume, inertia) = match *shape {
        Shape::Plane { .. } | Shape::Points(_) => return None,
        Shape::Mesh(_) => {
            let (filled, _) = shape.mesh()?.as_body()?;
            (filled.volume, filled.inertia)
        }
        Shape::Box { .. } if flat => {
            (4.0 * half.x * half.y, about_z((square(half.x) + square(half.y)) / 3.0))
        }
        Shape::Box { .. } => {
            let h2 = half * half;
            (8.0 * half.element_product(), DVec3::new(h2.y + h2.z, h2.z + h2.x, h2.x + h2.y) / 3.0)
        }
        Shape::Sphere { radius, .. } if flat => {
            (PI * square(radius), about_z(square(radius) / 2.0))
        }
        Shape::Sphere { radius, .. } => {
            (4.0 / 3.0 * PI * radius.powi(3), DVec3::splat(0.4 * square(radius)))
        }
        Shape::Cylinder { start, end, radius } => {
            let h = length(start, end) / 2.0;
            let across = square(radius) / 4.0 + square(h) / 3.0;
            (2.0 * PI * square(radius) * h, DVec3::new(across, square(radius) / 2.0, across))
        }
        Shape::Capsule { start, end, radius } => {
            let (r, h) = (radius, length(start, end) / 2.0);
            // The shaft, and both ends together, whose centroids are so far from where they begin.
            let (shaft, ends, centroid) = if flat {
                (4.0 * h * r, PI * square(r), 4.0 * r / (3.0 * PI))
            } else {
                (2.0 * PI * square(r) * h, 4.0 / 3.0 * PI * r.powi(3), 0.375 * r)
            };
            let apart = square(h) + 2.0 * h * centroid;
            let inertia = if flat {
                about_z(shaft * (square(h) + square(r)) / 3.0 + ends * (square(r) / 2.0 + apart))
            } else {
                let across =
                    shaft * (square(r) / 4.0 + square(h) / 3.0) + ends * (0.4 * square(r) + apart);
                let along = shaft * square(r) / 2.0 + ends * 0.4 * square(r);
                DVec3::new(across, along, across)
            };
            (shaft + ends, inertia / (shaft + ends))
        }
    };
    Some(Solid { volume, inertia })
}

/// The centre of mass of a filled shape, about which bodies turn.
#[must_use]
pub fn middle(shape: &Shape) -> DVec3 {
    let filled = shape.mesh().and_then(|solid| solid.as_body());
    filled.map_or_else(|| sample::bounds(shape).0, |(filled, _)| filled.center)
}

/// How far from its middle a shape reaches at most, in m.
#[must_use]
pub fn reach(shape: &Shape) -> f64 {
    let (center, half) = sample::bounds(shape);
    half.length() + center.distance(middle(shape))
}

/// Eigenvalues and eigenvectors (a rotation) of a symmetric matrix, by Jacobi's rotations of the
/// largest element off the diagonal, to one part in 10¹². Every one is by 45° at most: axes that are
/// principal already, or nearly so, are not turned into each other.
#[must_use]
pub fn principal_axes(mut a: DMat3) -> (DVec3, DMat3) {
    let mut axes = DMat3::IDENTITY;
    let nothing = 1e-12 * (a.x_axis.x + a.y_axis.y + a.z_axis.z).abs();
    for _ in 0..50 {
        let off = |p: usize, q: usize| a.col(q)[p].abs();
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let Some((p, q)) = pairs.into_iter().max_by(|m, n| off(m.0, m.1).total_cmp(&off(n.0, n.1)))
        else {
            break;
        };
        let (twice, apart) = (2.0 * a.col(q)[p], a.col(p)[p] - a.col(q)[q]);
        if twice.abs() <= nothing {
            break;
        }
        let angle = if apart < 0.0 { (-twice).atan2(-apart) } else { twice.atan2(apart) };
        let mut turn = DMat3::IDENTITY;
        let (sin, cos) = (0.5 * angle).sin_cos();
        turn.col_mut(p)[p] = cos;
        turn.col_mut(p)[q] = sin;
        turn.col_mut(q)[p] = -sin;
        turn.col_mut(q)[q] = cos;
        a = turn.transpose() * a * turn;
        axes *= turn;
    }
    (DVec3::new(a.x_axis.x, a.y_axis.y, a.z_axis.z), axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by filling the shape with points.
    fn by_points(shape: &Shape, dimensions: u32) -> Solid {
        let spacing = if dimensions == 2 { 0.004 } else { 0.02 };
        let (middle, half) = sample::bounds(shape);
        let steps = (half / spacing).ceil().as_i64vec3() + 1;
        let reach_z = if dimensions == 2 { 0 } else { steps.z };
        let (mut count, mut inertia) = (0.0, DVec3::ZERO);
        for (z, y, x) in (-reach_z..=reach_z).flat_map(|z| {
            (-steps.y..=steps.y).flat_map(move |y| (-steps.x..=steps.x).map(move |x| (z, y, x)))
        }) {
            let q = spacing * (DVec3::new(x as f64, y as f64, z as f64) + 0.4217);
            let q = if dimensions == 2 { q.with_z(0.0) } else { q };
            if sample::depth(shape, middle + q, dimensions) > 0.0 {
                count += 1.0;
                inertia += DVec3::splat(q.length_squared()) - q * q;
            }
        }
        let volume = count * spacing.powi(dimensions as i32);
        Solid { volume, inertia: inertia / count }
    }

    #[test]
    fn volumes_and_moments_are_those_of_the_filled_shapes() {
        let capsule = Shape::Capsule { start: [0.0, -0.2, 0.0], end: [0.0, 0.4, 0.0], radius: 0.3 };
        let shapes = [
            Shape::Box { min: [-0.5, -0.6, -0.7], max: [0.5, 0.4, 0.3] },
            Shape::Sphere { center: [0.1, 0.0, 0.0], radius: 0.6 },
            capsule,
            Shape::Cylinder { start: [0.0, -0.5, 0.0], end: [0.0, 0.5, 0.0], radius: 0.4 },
        ];
        for (k, shape) in shapes.iter().enumerate() {
            for dimensions in [2, 3] {
                if dimensions == 2 && k == 3 {
                    continue;
                }
                let (exact, counted) =
                    (solid(shape, dimensions).expect("solid"), by_points(shape, dimensions));
                assert!((exact.volume / counted.volume - 1.0).abs() < 0.02, "{shape:?}");
                let axes = if dimensions == 2 { 2..3 } else { 0..3 };
                for axis in axes {
                    let ratio = exact.inertia[axis] / counted.inertia[axis];
                    assert!((ratio - 1.0).abs() < 0.02, "{shape:?}, {axis}: {ratio}");
                }
            }
        }
    }
}
