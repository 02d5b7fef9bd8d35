//! Surfaces of shapes as triangles.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus_geometry::{
    Capsule, Cuboid, Cylinder, Shape, Sphere, Vec3, form::Triangles, mesh::TriangleMesh,
};

/// Enclosed volume in m³, positive where the triangles are counter-clockwise seen from outside.
fn volume((points, triangles): &Triangles) -> f64 {
    let sixth = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| DVec3::from(points[i as usize]));
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(sixth).sum()
}

#[test]
fn shapes_are_closed_and_seen_from_outside() {
    let (start, end, radius) = ([0.1, 0.0, 0.2], [0.5, 0.7, 0.2], 0.3);
    let length = DVec3::from(start).distance(end.into());
    let ball = 4.0 / 3.0 * PI * radius * radius * radius;
    let shaft = PI * radius * radius * length;
    let shapes: [(Shape, f64); 4] = [
        (Cuboid { min: [0.0; 3], max: [1.0, 2.0, 3.0] }.into(), 6.0),
        (Sphere { center: start, radius }.into(), ball),
        (Cylinder { start, end, radius }.into(), shaft),
        (Capsule { start, end, radius }.into(), shaft + ball),
    ];
    for (shape, expected) in shapes {
        let bulk = shape.bulk(3).expect("a solid").volume;
        assert!((bulk / expected - 1.0).abs() < 1e-12, "{shape:?}: {bulk}");
        for surface in [shape.triangles(), shape.own_triangles()] {
            let found = volume(&surface);
            assert!((found / expected - 1.0).abs() < 0.01, "{shape:?}: {found}");
            let (points, triangles): &(Vec<Vec3>, _) = &surface;
            assert!(TriangleMesh::new(points, triangles).expect("sound").is_closed(), "{shape:?}");
            // Vertices are shared: each edge is passed once in either direction.
            let mut edges: Vec<_> =
                triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
            edges.sort_unstable();
            assert!(edges.windows(2).all(|pair| pair[0] != pair[1]), "{shape:?}");
            assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "{shape:?}");
        }
    }
}
