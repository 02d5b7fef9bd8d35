//! A fill is a function of the shape: it moves with it, and last digits change nothing.

use glam::{DVec2, DVec3};
use meniscus_geometry::{
    Capsule, Content, Cuboid, Cylinder, MeshShape, Polygon, Shape, Sphere, Vec3,
    mesh::{Solid, TriangleMesh},
};

const S: f64 = 0.04;

/// A number in [-1, 1] that looks random.
fn noise(seed: u32) -> f64 {
    (f64::from(seed) * 12.9898).sin() * 43_758.545 % 1.0
}

/// Shapes at a place, with numbers that are up to `last` m off; all but the first have no whole spacings.
fn shapes(at: DVec3, last: f64) -> Vec<(Shape, u32)> {
    let mut seed = 0;
    let mut off = || {
        seed += 1;
        last * noise(seed)
    };
    let mut point =
        |x: f64, y: f64, z: f64| -> Vec3 { [at.x + x + off(), at.y + y + off(), at.z + z + off()] };
    let (points, triangles) = Shape::Sphere(Sphere { center: [0.0; 3], radius: 0.13 }).triangles();
    let ball: Vec<_> = points.iter().map(|p| point(p[0], p[1], p[2])).collect();
    // A wedge: 5.75 by 4 by 5 spacings.
    let wedge = [[0.0, 0.0], [0.23, 0.0], [0.0, 0.16]];
    let corners: Vec<_> = [0.0, 0.2]
        .iter()
        .flat_map(|z| wedge.map(|[x, y]| [x, y, *z]))
        .map(|[x, y, z]| point(x, y, z))
        .collect();
    let sides =
        [[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];
    let mesh = |points: &[Vec3], triangles: &[[u32; 3]]| {
        let solid = Solid::new(TriangleMesh::new(points, triangles).expect("sound"));
        Shape::Mesh(MeshShape { content: Content::of(solid), ..MeshShape::new("") })
    };
    let meshes = [mesh(&ball, &triangles), mesh(&corners, &sides)];
    let flat = |[x, y, _]: Vec3| DVec2::new(x, y).to_array();
    let outline = wedge.map(|[x, y]| flat(point(x, y, 0.0)));
    let radius = 0.13 + last;
    let mut all = vec![
        (Shape::Box(Cuboid { min: point(0.0, 0.0, 0.0), max: point(0.25, 0.3125, 0.25) }), 3),
        (Shape::Box(Cuboid { min: point(0.0, 0.0, 0.0), max: point(0.25, 0.37, 0.0) }), 2),
        (Shape::Sphere(Sphere { center: point(0.0, 0.0, 0.0), radius }), 3),
        (Shape::Sphere(Sphere { center: point(0.0, 0.0, 0.0), radius }), 2),
        (
            Shape::Cylinder(Cylinder {
                start: point(0.0, 0.0, 0.0),
                end: point(0.0, 0.25, 0.0),
                radius,
            }),
            3,
        ),
        (
            Shape::Cylinder(Cylinder {
                start: point(0.0, 0.0, 0.0),
                end: point(0.1, 0.2, 0.1),
                radius,
            }),
            3,
        ),
        (
            Shape::Capsule(Capsule {
                start: point(0.0, 0.0, 0.0),
                end: point(0.1, 0.2, 0.1),
                radius,
            }),
            3,
        ),
        (Shape::Polygon(Polygon::new(outline)), 2),
    ];
    all.extend(meshes.into_iter().map(|mesh| (mesh, 3)));
    all
}

/// Compares fills, whose particles may be 1 µm elsewhere, and those of the mesh of many vertices by `many` m.
fn compare(at: DVec3, last: f64, many: f64) {
    for ((here, dimensions), (there, _)) in
        shapes(DVec3::ZERO, 0.0).into_iter().zip(shapes(at, last))
    {
        let (a, b) = (here.fill(S, dimensions), there.fill(S, dimensions));
        assert_eq!(a.len(), b.len(), "{here:?}");
        let moved = if dimensions == 2 { at.with_z(0.0) } else { at };
        let apart = |(p, q): (&Vec3, &Vec3)| (DVec3::from(*p) + moved).distance(DVec3::from(*q));
        let most = a.iter().zip(&b).map(apart).fold(0.0, f64::max);
        let is_fine = here.mesh().is_some_and(|solid| solid.mesh().positions().len() > 64);
        let due = if is_fine { many } else { 1e-6 };
        assert!(a.len() > 10 && most < due, "{most} m in {dimensions}-D of {here:?}");
    }
}

/// 0.85 mm was the difference by place alone, 15 mm by last digits: rounding that grew while particles gave way.
#[test]
fn a_fill_moves_with_its_shape() {
    for x in [8.0, -37.5, 100.0, 1.0 / 3.0] {
        compare(DVec3::new(x, 0.7 * x, -x), 0.0, 1e-6);
    }
}

/// Of a mesh of many vertices what they change grows to less than a hundredth of a spacing.
#[test]
fn last_digits_do_not_change_a_fill() {
    compare(DVec3::ZERO, 3e-8, 0.01 * S);
}
