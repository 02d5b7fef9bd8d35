//! Boundary particles: one layer on the far side of a solid's surface, half a spacing behind it,
//! so that it continues the lattice of fluid that touches the surface (Akinci 2012).

use std::f64::consts::PI;

use glam::DVec3;

use crate::{
    kernel,
    mesh::{Solid, TriangleMesh},
    scene::{Domain, Kernel, Shape, Side, Vec3},
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

/// Drops the points that are images of others: those beyond the domain on its periodic axes. With
/// `fit`, the others are spread so that a whole number of spacings fills the period.
pub fn keep_one_period(points: &mut Vec<Vec3>, domain: &Domain, spacing: f64, fit: bool) {
    for axis in (0..3).filter(|axis| domain.periodic[*axis]) {
        let (low, period) = (domain.min[axis], domain.max[axis] - domain.min[axis]);
        let filled = if fit { steps(period, spacing) as f64 * spacing } else { period };
        let slack = 1e-6 * spacing;
        points.retain(|point| (-slack..filled - slack).contains(&(point[axis] - low)));
        for point in &mut *points {
            point[axis] = low + (point[axis] - low) * period / filled;
        }
    }
}

/// The images of points, over the domain's periodic axes, that are within `reach` m of it.
#[must_use]
pub fn images(points: &[Vec3], domain: &Domain, reach: f64) -> Vec<Vec3> {
    let mut all = points.to_vec();
    for axis in (0..3).filter(|axis| domain.periodic[*axis]) {
        let (low, high) = (domain.min[axis], domain.max[axis]);
        for k in 0..all.len() {
            let at = all[k][axis];
            let ends = [(at - low < reach, high - low), (high - at < reach, low - high)];
            for (_, shift) in ends.into_iter().filter(|(near, _)| *near) {
                let mut image = all[k];
                image[axis] += shift;
                all.push(image);
            }
        }
    }
    all.split_off(points.len())
}

/// Boundary particles of an obstacle in the frame of its mesh, about `spacing` m apart: half a
/// spacing inside a closed mesh, on the surface of an open one, which is a sheet one spacing thick.
/// The same on every run.
#[must_use]
pub fn mesh_layer(mesh: &TriangleMesh, spacing: f64) -> Vec<Vec3> {
    Solid::new(mesh.clone()).layer(Side::Outside, spacing).to_vec()
}

/// `V_b` = γ / `Σ_k` `W_bk` of each boundary particle, k over all of them, itself included (Akinci 2012,
/// 4). γ = `P_0` `Σ_k` `P_k` / `P_1`, `P_k` the rest lattice's sum over the plane k spacings away: with it a
/// flat wall weighs what the fluid would that it stands in for.
#[must_use]
pub fn volumes(points: &[Vec3], kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> Vec<f64> {
    use std::collections::HashMap;

    let cell = |p: &Vec3| p.map(|x| (x / h).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (i, point) in points.iter().enumerate() {
        cells.entry(cell(point)).or_default().push(i);
    }
    let factor = kernel::wall_factor(kernel, h, spacing, dimensions);
    let volume = |point: &Vec3| {
        let [x, y, z] = cell(point);
        let mut sum = 0.0;
        for (dz, dy, dx) in (-1..=1)
            .flat_map(|dz| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (dz, dy, dx))))
        {
            for j in cells.get(&[x + dx, y + dy, z + dz]).into_iter().flatten() {
                let r = DVec3::from(*point).distance(DVec3::from(points[*j]));
                sum += kernel::density(kernel, h, dimensions, r);
            }
        }
        factor / sum
    };
    points.iter().map(volume).collect()
}

/// Steps that divide a length into pieces of about a spacing.
fn steps(length: f64, spacing: f64) -> u64 {
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
    fn walls_continue_across_periodic_ends() {
        let plane = Shape::Plane { point: [0.3, 0.0, 0.2], normal: [0.0, 1.0, 0.0] };
        // 20 spacings, and 10.4, which ten of 1.04 spacings fill.
        let domain = Domain {
            min: [-10.0 * SPACING, 0.0, 0.0],
            max: [10.0 * SPACING, 1.0, 10.4 * SPACING],
            periodic: [true, false, true],
        };
        let (low, high) = (domain.min.into(), domain.max.into());
        let mut points = layer(&plane, Side::Inside, SPACING, 3, low, high);
        keep_one_period(&mut points, &domain, SPACING, true);
        assert_eq!(points.len(), 200);
        let h = 2.0 * SPACING;
        let all = [points.clone(), images(&points, &domain, h)].concat();
        let volumes = volumes(&all, Kernel::CubicSpline, h, SPACING, 3);
        for volume in &volumes[..points.len()] {
            assert!((volume / volumes[0] - 1.0).abs() < 1e-9, "{volume} and {}", volumes[0]);
        }
        // A wall without ends along z, 1.04 spacings apart, is that much larger per particle.
        assert!((1.0..1.08).contains(&(volumes[0] / SPACING.powi(3))), "{}", volumes[0]);
    }

    #[test]
    fn a_wall_without_slip_drags_a_shear_flow_like_its_mirror_image() {
        for kernel in [Kernel::Muller, Kernel::CubicSpline, Kernel::WendlandC2] {
            for (dimensions, ratio) in [(3, 2.0), (3, 2.4), (3, 4.0), (2, 2.0), (2, 3.0)] {
                let h = ratio * SPACING;
                let plane = Shape::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
                let points = layer_of(&plane, Side::Inside, dimensions);
                let volumes = volumes(&points, kernel, h, SPACING, dimensions);
                let friction = kernel::no_slip_friction(kernel, h, SPACING, dimensions);
                let rest = SPACING.powi(dimensions as i32);
                let middle = *points
                    .iter()
                    .min_by(|a, b| (a[0].hypot(a[2])).total_cmp(&b[0].hypot(b[2])))
                    .expect("points");
                let (mut wall, mut image) = (0.0, 0.0);
                // The flow is v = y. The wall is at rest, its images move backwards.
                for layer in 0..4 {
                    let height = (f64::from(layer) + 0.5) * SPACING;
                    let from = DVec3::from(middle).with_y(height);
                    for (point, volume) in points.iter().zip(&volumes) {
                        let point = DVec3::from(*point);
                        let drag = |p: DVec3| kernel::drag(kernel, h, dimensions, p.length());
                        wall += volume * friction * height * drag(from - point);
                        for depth in 0..4 {
                            let point = point - f64::from(depth) * SPACING * DVec3::Y;
                            image += rest * (height - point.y) * drag(from - point);
                        }
                    }
                }
                let error = wall / image - 1.0;
                assert!(error.abs() < 1e-9, "{kernel:?}, {dimensions}-D, {ratio}: {error}");
            }
        }
    }

    #[test]
    fn fluid_on_a_flat_wall_has_the_density_of_the_lattice() {
        for kernel in [Kernel::Muller, Kernel::CubicSpline, Kernel::WendlandC2] {
            flat_wall(kernel);
        }
    }

    #[test]
    fn a_mesh_of_a_box_has_the_layer_of_the_box() {
        let (min, max) = ([-0.5, -0.6, -0.7], [0.53, 0.4, 0.3]);
        for side in [Side::Inside, Side::Outside] {
            let expected = layer_of(&Shape::Box { min, max }, side, 3);
            let mesh = crate::mesh::tests::box_mesh(min, max);
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
        let ball = crate::mesh::tests::ball_mesh(0.6, 48, 96);
        let turned = crate::mesh::tests::box_mesh([-0.5, -0.3, -0.7], [0.5, 0.3, 0.7]).placed(
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
        let whole = crate::mesh::tests::box_mesh([0.0; 3], [1.0, 1.0, 1.0]);
        let sheet = TriangleMesh::new(whole.positions(), &whole.triangles()[..2]).expect("sound");
        let points = mesh_layer(&sheet, SPACING);
        assert_eq!(points.len(), 121);
        assert!(points.iter().all(|p| p[2].abs() < 1e-12));
        let plate = crate::mesh::tests::box_mesh([0.0; 3], [1.0, 1.0, 0.6 * SPACING]);
        let points = mesh_layer(&plate, SPACING);
        assert!((81..=121).contains(&points.len()), "{}", points.len());
        assert!(points.iter().all(|p| (p[2] - 0.3 * SPACING).abs() < 0.2 * SPACING), "{points:?}");
    }

    fn flat_wall(kernel: Kernel) {
        for (dimensions, ratio) in [(3, 2.0), (3, 2.4), (3, 3.0), (2, 2.0), (2, 3.0)] {
            let h = ratio * SPACING;
            let plane = Shape::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
            let points = layer_of(&plane, Side::Inside, dimensions);
            let volumes = volumes(&points, kernel, h, SPACING, dimensions);
            // Fluid in the half-space above, its first layer half a spacing above the wall.
            let rest = SPACING.powi(dimensions as i32);
            let weight = |p: DVec3| kernel::density(kernel, h, dimensions, p.length());
            let site = points.iter().map(|p| DVec3::from(*p));
            let center = site
                .clone()
                .min_by(|a, b| a.with_y(0.0).length().total_cmp(&b.with_y(0.0).length()))
                .expect("points")
                + DVec3::Y * SPACING;
            let walls: f64 = site.zip(&volumes).map(|(p, v)| v * weight(p - center)).sum();
            let reach = 4;
            let reach_z = if dimensions == 2 { 0 } else { reach };
            let mut fluid = 0.0;
            for (z, y, x) in (-reach_z..=reach_z).flat_map(|z| {
                (0..=reach).flat_map(move |y| (-reach..=reach).map(move |x| (z, y, x)))
            }) {
                fluid += rest * weight(DVec3::new(x as f64, y as f64, z as f64) * SPACING);
            }
            let lattice = kernel::lattice_sum(kernel, h, SPACING, dimensions);
            let sum = walls + fluid;
            assert!(
                (sum / lattice - 1.0).abs() < 1e-6,
                "{dimensions}-D, {ratio}: {}",
                sum / lattice
            );
        }
    }
}
