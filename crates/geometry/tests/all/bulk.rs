//! Volumes and moments of inertia of filled shapes.

use glam::DVec3;
use meniscus_geometry::{Bulk, Capsule, Cuboid, Cylinder, Shape, Sphere};

/// Volume and moments of inertia, by filling the shape with points.
fn by_points(shape: &Shape, dimensions: u32) -> Bulk {
    let spacing = if dimensions == 2 { 0.004 } else { 0.02 };
    let (middle, half) = shape.bounds();
    let steps = (half / spacing).ceil().as_i64vec3() + 1;
    let reach_z = if dimensions == 2 { 0 } else { steps.z };
    let (mut count, mut inertia) = (0.0, DVec3::ZERO);
    for (z, y, x) in (-reach_z..=reach_z).flat_map(|z| {
        (-steps.y..=steps.y).flat_map(move |y| (-steps.x..=steps.x).map(move |x| (z, y, x)))
    }) {
        let q = spacing * (DVec3::new(x as f64, y as f64, z as f64) + 0.4217);
        let q = if dimensions == 2 { q.with_z(0.0) } else { q };
        if shape.depth(middle + q, dimensions) > 0.0 {
            count += 1.0;
            inertia += DVec3::splat(q.length_squared()) - q * q;
        }
    }
    let volume = count * spacing.powi(dimensions as i32);
    Bulk { volume, inertia: inertia / count }
}

#[test]
fn volumes_and_moments_are_those_of_the_filled_shapes() {
    let capsule =
        Shape::Capsule(Capsule { start: [0.0, -0.2, 0.0], end: [0.0, 0.4, 0.0], radius: 0.3 });
    let shapes = [
        Shape::Box(Cuboid { min: [-0.5, -0.6, -0.7], max: [0.5, 0.4, 0.3] }),
        Shape::Sphere(Sphere { center: [0.1, 0.0, 0.0], radius: 0.6 }),
        capsule,
        Shape::Cylinder(Cylinder { start: [0.0, -0.5, 0.0], end: [0.0, 0.5, 0.0], radius: 0.4 }),
    ];
    for (k, shape) in shapes.iter().enumerate() {
        for dimensions in [2, 3] {
            if dimensions == 2 && k == 3 {
                continue;
            }
            let (exact, counted) =
                (shape.bulk(dimensions).expect("solid"), by_points(shape, dimensions));
            assert!((exact.volume / counted.volume - 1.0).abs() < 0.02, "{shape:?}");
            let axes = if dimensions == 2 { 2..3 } else { 0..3 };
            for axis in axes {
                let ratio = exact.inertia[axis] / counted.inertia[axis];
                assert!((ratio - 1.0).abs() < 0.02, "{shape:?}, {axis}: {ratio}");
            }
        }
    }
}
