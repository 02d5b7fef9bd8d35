//! Boundary particles behind the surfaces of shapes and meshes.

use glam::DVec3;
use meniscus_geometry::{
    Capsule, Cuboid, Cylinder, Plane, Shape, Side, Sphere, Vec3,
    mesh::{Solid, TriangleMesh},
};

fn mesh_of(shape: &Shape) -> TriangleMesh {
    let (positions, triangles) = shape.triangles();
    TriangleMesh::new(&positions, &triangles).expect("sound")
}

fn box_mesh(min: Vec3, max: Vec3) -> TriangleMesh {
    mesh_of(&Shape::Box(Cuboid { min, max }))
}

fn ball_mesh(radius: f64) -> TriangleMesh {
    mesh_of(&Shape::Sphere(Sphere { center: [0.0; 3], radius }))
}

fn mesh_layer(mesh: &TriangleMesh) -> Vec<Vec3> {
    Solid::new(mesh.clone()).layer(Side::Outside, SPACING).to_vec()
}

const SPACING: f64 = 0.1;

fn layer_of(shape: &Shape, side: Side, dimensions: u32) -> Vec<Vec3> {
    shape.layer(side, 0.5 * SPACING, SPACING, dimensions, [DVec3::splat(-1.0), DVec3::splat(1.0)])
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Box(Cuboid { min: [-0.5, -0.6, -0.7], max: [0.5, 0.4, 0.3] }),
        Shape::Sphere(Sphere { center: [0.1, 0.0, 0.2], radius: 0.6 }),
        Shape::Plane(Plane { point: [0.0, -0.3, 0.0], normal: [0.0, 2.0, 0.0] }),
        Shape::Cylinder(Cylinder { start: [0.0, -0.5, 0.0], end: [0.3, 0.5, 0.1], radius: 0.4 }),
        Shape::Capsule(Capsule { start: [-0.3, 0.0, 0.0], end: [0.3, 0.2, 0.0], radius: 0.4 }),
    ]
}

#[test]
fn particles_are_half_a_spacing_behind_the_surface() {
    for shape in shapes() {
        for (side, expected) in [(Side::Inside, -0.5), (Side::Outside, 0.5)] {
            let expected = if matches!(shape, Shape::Plane(_)) { -0.5 } else { expected } * SPACING;
            let points = layer_of(&shape, side, 3);
            assert!(points.len() > 50, "{shape:?}");
            for point in points {
                let depth = shape.depth(DVec3::from(point), 3);
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
            if dimensions == 2 && matches!(shape, Shape::Cylinder(_)) {
                continue;
            }
            let points = layer_of(&shape, Side::Inside, dimensions);
            for (i, a) in points.iter().enumerate() {
                let others = points.iter().enumerate().filter(|(j, _)| *j != i);
                let distance = |(_, b): (usize, &Vec3)| DVec3::from(*a).distance(DVec3::from(*b));
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
        let expected = layer_of(&Shape::Box(Cuboid { min, max }), side, 3);
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
    let ball = ball_mesh(0.6);
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
    let points = mesh_layer(&sheet);
    assert_eq!(points.len(), 121);
    assert!(points.iter().all(|p| p[2].abs() < 1e-12));
    let plate = box_mesh([0.0; 3], [1.0, 1.0, 0.6 * SPACING]);
    let points = mesh_layer(&plate);
    assert!((81..=121).contains(&points.len()), "{}", points.len());
    assert!(points.iter().all(|p| (p[2] - 0.3 * SPACING).abs() < 0.2 * SPACING), "{points:?}");
}
