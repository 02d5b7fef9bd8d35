//! Boundary particles: one layer on the far side of a solid's surface, half a spacing behind it,
//! which continues the lattice of fluid that touches the surface (Akinci 2012).

use glam::DVec3;
use meniscus_geometry::steps;
use meniscus_scene::{Domain, Kernel, Vec3};

use crate::kernel;

/// Drops points that are images of others: those beyond the domain on its periodic axes. With
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

/// Images of points across the domain's periodic axes, within `reach` m of the domain.
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

/// The volume, with a last bit that says whether the particle belongs to a body: passes over neighbours need no other
/// array for that.
pub(crate) fn marked(volume: f64, of_body: bool) -> f32 {
    f32::from_bits((volume as f32).to_bits() & !1 | u32::from(of_body))
}

/// `V_b` = γ / `Σ_k` `W_bk` of each boundary particle, over all of them including itself (Akinci
/// 2012, 4). γ = `P_0` `Σ_k` `P_k` / `P_1`, with `P_k` the rest lattice's sum over the plane k
/// spacings away, gives a flat wall the density contribution of the fluid it replaces.
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

#[cfg(test)]
mod tests {
    use meniscus_scene::{Plane, Shape, Side};

    use super::*;

    const SPACING: f64 = 0.1;

    fn layer_of(shape: &Shape, side: Side, dimensions: u32) -> Vec<Vec3> {
        shape.layer(
            side,
            0.5 * SPACING,
            SPACING,
            dimensions,
            [DVec3::splat(-1.0), DVec3::splat(1.0)],
        )
    }

    #[test]
    fn walls_continue_across_periodic_ends() {
        let plane = Shape::Plane(Plane { point: [0.3, 0.0, 0.2], normal: [0.0, 1.0, 0.0] });
        // 20 spacings, and 10.4, filled by ten of 1.04 spacings.
        let domain = Domain {
            min: [-10.0 * SPACING, 0.0, 0.0],
            max: [10.0 * SPACING, 1.0, 10.4 * SPACING],
            periodic: [true, false, true],
        };
        let (low, high) = (domain.min.into(), domain.max.into());
        let mut points = plane.layer(Side::Inside, 0.5 * SPACING, SPACING, 3, [low, high]);
        keep_one_period(&mut points, &domain, SPACING, true);
        assert_eq!(points.len(), 200);
        let h = 2.0 * SPACING;
        let all = [points.clone(), images(&points, &domain, h)].concat();
        let volumes = volumes(&all, Kernel::CubicSpline, h, SPACING, 3);
        for volume in &volumes[..points.len()] {
            assert!((volume / volumes[0] - 1.0).abs() < 1e-9, "{volume} and {}", volumes[0]);
        }
        // An infinite wall along z, with particles 1.04 spacings apart, has a volume that much
        // larger per particle.
        assert!((1.0..1.08).contains(&(volumes[0] / SPACING.powi(3))), "{}", volumes[0]);
    }

    #[test]
    fn a_wall_without_slip_drags_a_shear_flow_like_its_mirror_image() {
        for kernel in [Kernel::Muller, Kernel::CubicSpline, Kernel::WendlandC2] {
            for (dimensions, ratio) in [(3, 2.0), (3, 2.4), (3, 4.0), (2, 2.0), (2, 3.0)] {
                let h = ratio * SPACING;
                let plane = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
                let points = layer_of(&plane, Side::Inside, dimensions);
                let volumes = volumes(&points, kernel, h, SPACING, dimensions);
                let drags = kernel::laplacian_drag;
                let friction = kernel::no_slip_friction(kernel, h, SPACING, dimensions, drags);
                let rest = SPACING.powi(dimensions as i32);
                let middle = *points
                    .iter()
                    .min_by(|a, b| (a[0].hypot(a[2])).total_cmp(&b[0].hypot(b[2])))
                    .expect("points");
                let (mut wall, mut image) = (0.0, 0.0);
                // The flow is v = y. The wall is at rest; its images move backwards.
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

    fn flat_wall(kernel: Kernel) {
        for (dimensions, ratio) in [(3, 2.0), (3, 2.4), (3, 3.0), (2, 2.0), (2, 3.0)] {
            let h = ratio * SPACING;
            let plane = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
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
