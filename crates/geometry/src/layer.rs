//! Boundary particles: one layer on the far side of a solid's surface, half a spacing behind it,
//! so that it continues the lattice of fluid that touches the surface (Akinci 2012).

use std::f64::consts::PI;

use glam::DVec3;

use crate::{
    mesh::{Solid, TriangleMesh},
    shape::{Shape, Side, Vec3},
};

/// World coordinates in m of the boundary particles of a solid, about `spacing` m apart. Planes
/// are covered within `low` … `high`.
#[must_use]
pub fn layer(
    shape: &Shape,
    side: Side,
    spacing: f64,
    dimensions: u32,
    low: DVec3,
    high: DVec3,
) -> Vec<Vec3> {
    if let Shape::Mesh(mesh) = shape {
        return mesh.content.get().map_or(Vec::new(), |solid| solid.layer(side, spacing).to_vec());
    }
    layer_at(shape, side, 0.5 * spacing, spacing, dimensions, [low, high])
}

/// The same of shapes but meshes, `depth` m behind the surface.
#[must_use]
pub fn layer_at(
    shape: &Shape,
    side: Side,
    depth: f64,
    spacing: f64,
    dimensions: u32,
    [low, high]: [DVec3; 2],
) -> Vec<Vec3> {
    let behind = match side {
        Side::Inside => depth,
        Side::Outside => -depth,
    };
    let points = match (shape, dimensions) {
        (Shape::Box { min, max }, _) => {
            let grown = DVec3::splat(behind);
            box_layer(DVec3::from(*min) - grown, DVec3::from(*max) + grown, spacing, dimensions)
        }
        (Shape::Plane { point, normal }, _) => {
            let normal = DVec3::from(*normal).normalize_or(DVec3::Y);
            let origin = DVec3::from(*point) - depth * normal;
            plane_layer(origin, normal, spacing, dimensions, low, high)
        }
        (Shape::Sphere { center, radius }, 2) => {
            ring(DVec3::from(*center), DVec3::X, DVec3::Y, radius + behind, spacing)
        }
        (Shape::Sphere { center, radius }, _) => {
            sphere_layer(DVec3::from(*center), radius + behind, spacing)
        }
        (Shape::Capsule { start, end, radius }, _) => {
            let (start, end) = (DVec3::from(*start), DVec3::from(*end));
            capsule_layer(start, end, radius + behind, spacing, dimensions)
        }
        // Meshes were dealt with; points are no solid.
        (Shape::Mesh(_) | Shape::Points(_), _) => Vec::new(),
        (Shape::Cylinder { start, end, radius }, _) => {
            let (start, end) = (DVec3::from(*start), DVec3::from(*end));
            let axis = (end - start).normalize_or(DVec3::Y);
            cylinder_layer(start - behind * axis, end + behind * axis, radius + behind, spacing)
        }
    };
    points.into_iter().map(|point| point.to_array()).collect()
}

/// Boundary particles of an obstacle in the frame of its mesh, about `spacing` m apart: half a
/// spacing inside a closed mesh, on the surface of an open one, which is a sheet one spacing thick.
/// The same on every run.
#[must_use]
pub fn mesh_layer(mesh: &TriangleMesh, spacing: f64) -> Vec<Vec3> {
    Solid::new(mesh.clone()).layer(Side::Outside, spacing).to_vec()
}

/// Steps that divide a length into pieces of about a spacing.
#[must_use]
pub fn steps(length: f64, spacing: f64) -> u64 {
    (length / spacing).round().max(1.0) as u64
}

fn box_layer(min: DVec3, max: DVec3, spacing: f64, dimensions: u32) -> Vec<DVec3> {
    let counts: [u64; 3] = std::array::from_fn(|k| {
        if k == 2 && dimensions == 2 { 0 } else { steps(max[k] - min[k], spacing) }
    });
    let mut points = Vec::new();
    for k in 0..=counts[2] {
        for j in 0..=counts[1] {
            let on_face = dimensions == 3 && (k == 0 || k == counts[2]) || j == 0 || j == counts[1];
            let step = if on_face { 1 } else { counts[0] as usize };
            for i in (0..=counts[0]).step_by(step) {
                let at = [i, j, k];
                let mut point = DVec3::from_array(std::array::from_fn(|axis| {
                    let share = at[axis] as f64 / counts[axis].max(1) as f64;
                    min[axis] + share * (max[axis] - min[axis])
                }));
                if dimensions == 2 {
                    point.z = 0.0;
                }
                points.push(point);
            }
        }
    }
    points
}

fn plane_layer(
    origin: DVec3,
    normal: DVec3,
    spacing: f64,
    dimensions: u32,
    low: DVec3,
    high: DVec3,
) -> Vec<DVec3> {
    let (u, v) = if dimensions == 2 {
        (DVec3::Z.cross(normal).normalize_or(DVec3::X), DVec3::ZERO)
    } else {
        normal.any_orthonormal_pair()
    };
    // The lattice goes as far as the region's corners reach, and keeps what is within it.
    let corner = |k: usize| {
        DVec3::from_array(std::array::from_fn(|axis| {
            if k >> axis & 1 == 0 { low[axis] } else { high[axis] }
        }))
    };
    let reach = |axis: DVec3| {
        let along = (0..8).map(|k| (corner(k) - origin).dot(axis));
        let (from, to) = along.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        ((from / spacing).floor() as i64, (to / spacing).ceil() as i64)
    };
    let ((u0, u1), (v0, v1)) = (reach(u), reach(v));
    let mut points = Vec::new();
    for j in v0..=v1 {
        for i in u0..=u1 {
            let point = origin + spacing * (i as f64 * u + j as f64 * v);
            let margin = DVec3::splat(spacing);
            let mut within = point.cmpge(low - margin) & point.cmple(high + margin);
            if dimensions == 2 {
                within.z = true;
            }
            if within.all() {
                points.push(point);
            }
        }
    }
    points
}

/// A circle in the plane of two unit vectors.
fn ring(center: DVec3, u: DVec3, v: DVec3, radius: f64, spacing: f64) -> Vec<DVec3> {
    let count = steps(2.0 * PI * radius.max(0.0), spacing);
    let at = |k: u64| {
        let angle = 2.0 * PI * k as f64 / count as f64;
        center + radius.max(0.0) * (angle.cos() * u + angle.sin() * v)
    };
    (0..count).map(at).collect()
}

/// A Fibonacci lattice.
fn sphere_layer(center: DVec3, radius: f64, spacing: f64) -> Vec<DVec3> {
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

fn cylinder_layer(start: DVec3, end: DVec3, radius: f64, spacing: f64) -> Vec<DVec3> {
    let axis = (end - start).normalize_or(DVec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    let length = (end - start).length();
    let rings = steps(length, spacing);
    let mut points = Vec::new();
    for k in 0..=rings {
        let center = start + axis * (length * k as f64 / rings as f64);
        points.extend(ring(center, u, v, radius, spacing));
    }
    let circles = steps(radius, spacing);
    for cap in [start, end] {
        for k in 0..circles {
            let r = radius * k as f64 / circles as f64;
            points.extend(ring(cap, u, v, r, spacing));
        }
    }
    points
}

fn capsule_layer(
    start: DVec3,
    end: DVec3,
    radius: f64,
    spacing: f64,
    dimensions: u32,
) -> Vec<DVec3> {
    let flat = |p: DVec3| if dimensions == 2 { p.with_z(0.0) } else { p };
    let (start, end) = (flat(start), flat(end));
    let axis = (end - start).normalize_or(DVec3::Y);
    let length = (end - start).length();
    let ends = |center: DVec3| match dimensions {
        2 => ring(center, DVec3::X, DVec3::Y, radius, spacing),
        _ => sphere_layer(center, radius, spacing),
    };
    // The last row of the shaft is where the hemispheres begin.
    let apart = 0.5 * spacing;
    let mut points: Vec<_> =
        ends(start).into_iter().filter(|p| (*p - start).dot(axis) < -apart).collect();
    points.extend(ends(end).into_iter().filter(|p| (*p - end).dot(axis) > apart));
    let rows = steps(length.max(spacing), spacing);
    for k in 0..=rows {
        let center = start + axis * (length * k as f64 / rows as f64);
        if dimensions == 2 {
            let side = DVec3::Z.cross(axis) * radius;
            points.extend([center + side, center - side]);
        } else {
            let (u, v) = axis.any_orthonormal_pair();
            points.extend(ring(center, u, v, radius, spacing));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::tests::{ball_mesh, box_mesh};

    const SPACING: f64 = 0.1;

    fn layer_of(shape: &Shape, side: Side, dimensions: u32) -> Vec<Vec3> {
        layer(shape, side, SPACING, dimensions, DVec3::splat(-1.0), DVec3::splat(1.0))
    }

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Box { min: [-0.5, -0.6, -0.7], max: [0.5, 0.4, 0.3] },
            Shape::Sphere { center: [0.1, 0.0, 0.2], radius: 0.6 },
            Shape::Plane { point: [0.0, -0.3, 0.0], normal: [0.0, 2.0, 0.0] },
            Shape::Cylinder { start: [0.0, -0.5, 0.0], end: [0.3, 0.5, 0.1], radius: 0.4 },
            Shape::Capsule { start: [-0.3, 0.0, 0.0], end: [0.3, 0.2, 0.0], radius: 0.4 },
        ]
    }

    #[test]
    fn particles_are_half_a_spacing_behind_the_surface() {
        for shape in shapes() {
            for (side, expected) in [(Side::Inside, -0.5), (Side::Outside, 0.5)] {
                let expected =
                    if matches!(shape, Shape::Plane { .. }) { -0.5 } else { expected } * SPACING;
                let points = layer_of(&shape, side, 3);
                assert!(points.len() > 50, "{shape:?}");
                for point in points {
                    let depth = crate::sample::depth(&shape, DVec3::from(point), 3);
                    // Outside of edges the nearest surface is further away than its planes.
                    assert!((depth - expected).abs() < 1e-9, "{shape:?} {side:?}: {depth}");
                }
            }
        }
    }

    #[test]
    fn no_gap_lets_a_particle_through_and_none_coincide() {
        for dimensions in [2, 3] {
            for shape in shapes() {
                if dimensions == 2 && matches!(shape, Shape::Cylinder { .. }) {
                    continue;
                }
                let points = layer_of(&shape, Side::Inside, dimensions);
                for (i, a) in points.iter().enumerate() {
                    let others = points.iter().enumerate().filter(|(j, _)| *j != i);
                    let distance =
                        |(_, b): (usize, &Vec3)| DVec3::from(*a).distance(DVec3::from(*b));
                    let nearest = others.map(distance).fold(f64::MAX, f64::min);
                    assert!(nearest < 1.2 * SPACING, "{shape:?} in {dimensions}-D: {nearest}");
                    assert!(nearest > 0.2 * SPACING, "{shape:?} in {dimensions}-D: {nearest}");
                }
            }
        }
    }

    #[test]
    fn a_mesh_of_a_box_has_the_layer_of_the_box() {
        let (min, max) = ([-0.5, -0.6, -0.7], [0.53, 0.4, 0.3]);
        for side in [Side::Inside, Side::Outside] {
            let expected = layer_of(&Shape::Box { min, max }, side, 3);
            let mesh = box_mesh(min, max);
            let found = Solid::new(mesh).layer(side, SPACING);
            assert_eq!(found.len(), expected.len(), "{side:?}");
            for point in &expected {
                let distance = |p: &Vec3| DVec3::from(*p).distance(DVec3::from(*point));
                let nearest = found.iter().map(distance).fold(f64::MAX, f64::min);
                assert!(nearest < 1e-6 * SPACING, "{side:?}: {point:?} is {nearest} m away");
            }
        }
    }

    #[test]
    fn layers_of_meshes_are_even_and_half_a_spacing_behind() {
        let ball = ball_mesh(0.6, 48, 96);
        let turned = box_mesh([-0.5, -0.3, -0.7], [0.5, 0.3, 0.7]).placed(
            [1.0, 1.2, 0.9],
            [1.0, 2.0, -0.5],
            0.7,
            [0.1, 0.2, 0.3],
        );
        for mesh in [ball, turned] {
            for side in [Side::Inside, Side::Outside] {
                let solid = Solid::new(mesh.clone());
                let points = solid.layer(side, SPACING);
                let expected = if side == Side::Inside { 0.5 } else { -0.5 } * SPACING;
                let mut spacings = 0.0;
                for (i, p) in points.iter().enumerate() {
                    let p = DVec3::from(*p);
                    // Outside of edges the surface is further away than its planes.
                    let distance = solid.distance(p);
                    assert!(distance / expected > 0.98 && distance / expected < 1.8, "{distance}");
                    let others = points.iter().enumerate().filter(|(j, _)| *j != i);
                    let nearest =
                        others.map(|(_, q)| DVec3::from(*q).distance(p)).fold(f64::MAX, f64::min);
                    assert!(nearest > 0.55 * SPACING && nearest < 1.2 * SPACING, "{nearest}");
                    spacings += nearest / SPACING / points.len() as f64;
                }
                assert!(spacings > 0.8, "{side:?}: on average {spacings} spacings");
                let again = Solid::new(mesh.clone()).layer(side, SPACING);
                assert_eq!(points, again, "the same on every run");
            }
        }
    }

    #[test]
    fn a_sheet_has_its_layer_on_it_and_a_thin_plate_one_layer_in_it() {
        let whole = box_mesh([0.0; 3], [1.0, 1.0, 1.0]);
        let sheet = TriangleMesh::new(whole.positions(), &whole.triangles()[..2]).expect("sound");
        let points = mesh_layer(&sheet, SPACING);
        assert_eq!(points.len(), 121);
        assert!(points.iter().all(|p| p[2].abs() < 1e-12));
        let plate = box_mesh([0.0; 3], [1.0, 1.0, 0.6 * SPACING]);
        let points = mesh_layer(&plate, SPACING);
        assert!((81..=121).contains(&points.len()), "{}", points.len());
        assert!(points.iter().all(|p| (p[2] - 0.3 * SPACING).abs() < 0.2 * SPACING), "{points:?}");
    }
}
