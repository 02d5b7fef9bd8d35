//! Particles that fill shapes.

use crate::closest;
use glam::DVec3;
use meniscus_geometry::{Capsule, Cuboid, Cylinder, Packing, Plane, Shape, Sphere};

const S: f64 = 0.05;

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Box(Cuboid { min: [0.0; 3], max: [0.5, 0.3, 0.2] }),
        Shape::Sphere(Sphere { center: [0.1, 0.2, 0.3], radius: 0.33 }),
        Shape::Cylinder(Cylinder { start: [0.0, -1.0, 0.0], end: [0.0, -0.6, 0.0], radius: 0.2 }),
        Shape::Cylinder(Cylinder { start: [0.0; 3], end: [0.3, 0.4, 0.5], radius: 0.2 }),
        Shape::Capsule(Capsule { start: [0.0; 3], end: [0.3, 0.0, 0.5], radius: 0.11 }),
        Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] }),
    ]
}

#[test]
fn a_box_of_ten_by_six_by_four_spacings() {
    let particles = shapes()[0].fill(S, 3);
    assert_eq!(particles.len(), 240);
    assert_eq!(particles[0], [0.025; 3]);
    let flat = shapes()[0].fill(S, 2);
    assert_eq!(flat.len(), 60);
    assert!(flat.iter().all(|p| p[2] == 0.0));
}

#[test]
fn count_bounds_fill() {
    for dimensions in [2, 3] {
        for shape in shapes() {
            for radius_scale in [1.0, 0.37, 0.2] {
                let spacing = S * radius_scale;
                let made = shape.fill(spacing, dimensions).len() as f64;
                let estimate = shape.count(spacing, dimensions);
                assert!(estimate >= made, "{shape:?}: {estimate} < {made}");
                assert_eq!(estimate == 0.0, made == 0.0, "{shape:?}");
            }
        }
    }
}

#[test]
fn particles_keep_half_a_spacing_from_the_surface() {
    for shape in &shapes()[..5] {
        let particles = shape.fill(S, 3);
        assert!(!particles.is_empty());
        for p in particles {
            assert!(shape.depth(DVec3::from(p), 3) >= 0.48 * S, "{shape:?} {p:?}");
        }
    }
}

/// Ten spacings across, within 2 % of the volume, and not crowded.
#[test]
fn shapes_are_filled_to_their_volume() {
    let ball = Sphere { center: [0.1, 0.2, 0.0], radius: 5.0 * S };
    let upright = Cylinder { start: [0.0, -1.0, 0.0], end: [0.0, -0.6, 0.0], radius: 5.0 * S };
    let slanted = Cylinder { start: [0.0; 3], end: [0.3, 0.4, 0.5], radius: 5.0 * S };
    let pill = Capsule { start: [0.0; 3], end: [0.3, 0.1, 0.0], radius: 5.0 * S };
    for (shape, dimensions, least) in [
        (Shape::Sphere(ball.clone()), 3, 0.6),
        (Shape::Sphere(ball), 2, 0.6),
        (Shape::Cylinder(upright), 3, 0.6),
        (Shape::Cylinder(slanted), 3, 0.6),
        (Shape::Capsule(pill.clone()), 3, 0.6),
        (Shape::Capsule(pill), 2, 0.6),
    ] {
        let particles = shape.fill(S, dimensions);
        let volume = shape.bulk(dimensions).expect("solid").volume;
        let ratio = particles.len() as f64 * S.powi(dimensions as i32) / volume;
        assert!((ratio - 1.0).abs() < 0.02, "{shape:?} in {dimensions}-D: {ratio}");
        let closest = closest(&particles);
        assert!(closest > least * S, "{shape:?} in {dimensions}-D: {}", closest / S);
        assert!(dimensions == 3 || particles.iter().all(|p| p[2] == 0.0));
        assert_eq!(particles, shape.fill(S, dimensions));
    }
}

#[test]
fn a_thin_cylinder_has_a_row_of_particles() {
    let thin = Cylinder { start: [0.0; 3], end: [0.0, 10.0 * S, 0.0], radius: 0.5 * S };
    let particles = Shape::Cylinder(thin).fill(S, 3);
    let row: Vec<_> = (0..10).map(|k| [0.0, (f64::from(k) + 0.5) * S, 0.0]).collect();
    assert_eq!(particles.len(), row.len());
    let apart = |(p, q): (&[f64; 3], &[f64; 3])| DVec3::from(*p).distance(DVec3::from(*q));
    assert!(particles.iter().zip(&row).map(apart).fold(0.0, f64::max) < 1e-12);
}

#[test]
fn layers_are_flush_with_the_ends_of_an_upright_cylinder() {
    let particles = shapes()[2].fill(S, 3);
    let lowest = particles.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let highest = particles.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    assert!((lowest - -0.975).abs() < 0.02 * S && (highest - -0.625).abs() < 0.02 * S);
}

#[test]
fn jitter_is_bounded_repeatable_and_depends_on_the_seed() {
    let shape = &shapes()[0];
    let still = shape.particles(Packing::Cubic, S, 3, 0.0, 7);
    let moved = shape.particles(Packing::Cubic, S, 3, 0.2, 7);
    assert_eq!(moved, shape.particles(Packing::Cubic, S, 3, 0.2, 7));
    assert_ne!(moved, shape.particles(Packing::Cubic, S, 3, 0.2, 8));
    let offsets: Vec<f64> =
        still.iter().flatten().zip(moved.iter().flatten()).map(|(a, b)| b - a).collect();
    assert!(offsets.iter().all(|d| d.abs() <= 0.2 * S + 1e-12));
    let mean = offsets.iter().sum::<f64>() / offsets.len() as f64;
    assert!(mean.abs() < 0.1 * 0.2 * S, "{mean}");
    assert!(shape.particles(Packing::Cubic, S, 2, 0.2, 7).iter().all(|p| p[2] == 0.0));
}

#[test]
fn absurd_sizes_do_not_overflow() {
    let huge = Shape::Box(Cuboid { min: [-1e300; 3], max: [1e300; 3] });
    assert_eq!(huge.count(1e-3, 3), f64::INFINITY);
    let huge = Shape::Sphere(Sphere { center: [0.0; 3], radius: 1e300 });
    assert_eq!(huge.count(1e-3, 3), f64::INFINITY);
}
