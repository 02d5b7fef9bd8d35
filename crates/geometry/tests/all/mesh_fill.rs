//! Particles that fill meshes.

use glam::DVec3;
use meniscus_geometry::{
    Content, Cuboid, Cylinder, MeshShape, Shape, Sphere, Vec3,
    mesh::{Solid, TriangleMesh},
};

use crate::{closest, fill::densities};

const S: f64 = 0.1;

/// The surface of a shape as a mesh.
fn mesh_of(shape: &Shape) -> Shape {
    let (points, triangles) = shape.triangles();
    let solid = Solid::new(TriangleMesh::new(&points, &triangles).expect("sound"));
    Shape::Mesh(MeshShape { content: Content::of(solid), ..MeshShape::new("") })
}

fn ball(across: f64) -> Shape {
    mesh_of(&Shape::Sphere(Sphere { center: [0.0; 3], radius: 0.5 * across * S }))
}

/// Ten spacings across, within 0.2 % of the volume, with the particles of the lattice half a spacing below the surface.
#[test]
fn meshes_are_filled_to_their_volume() {
    let slanted = Cylinder { start: [0.0; 3], end: [0.3, 1.0, 0.2], radius: 0.5 };
    let odd = Cuboid { min: [0.0; 3], max: [1.05; 3] };
    for (mesh, least) in [
        (ball(10.0), 0.6),
        (mesh_of(&Shape::Cylinder(slanted)), 0.6),
        (mesh_of(&Shape::Box(odd)), 0.6),
    ] {
        let particles = mesh.fill(S, 3);
        let ratio = particles.len() as f64 * S.powi(3) / mesh.bulk(3).expect("closed").volume;
        assert!((ratio - 1.0).abs() < 0.002, "{ratio}");
        let depth = |p: &Vec3| mesh.depth(DVec3::from(*p), 3);
        let shallowest = particles.iter().map(depth).fold(f64::INFINITY, f64::min);
        assert!(shallowest > 0.48 * S, "{shallowest}");
        assert!(closest(&particles) > least * S, "{}", closest(&particles) / S);
    }
    assert_eq!(ball(10.0).fill(S, 3), ball(10.0).fill(S, 3));
}

/// Water that fills a tank with sloping walls, and others whose sides are no whole spacings: as by walls of their own shape, no
/// particle is compressed by 2 %. The fault was 18 to 22 %.
#[test]
fn what_fills_its_walls_is_not_compressed() {
    // A trough with sloping sides, 25 by 9.4 by 12.5 spacings.
    let profile = [[-0.1, 0.0], [0.1, 0.0], [0.2, 0.1], [0.2, 0.15], [-0.2, 0.15], [-0.2, 0.1]];
    let points: Vec<_> =
        [-0.1, 0.1].iter().flat_map(|z| profile.map(|[x, y]| [x, y, *z])).collect();
    let ends = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4]];
    let side = |k: u32| [[k, (k + 1) % 6, k + 6], [(k + 1) % 6, (k + 1) % 6 + 6, k + 6]];
    let triangles: Vec<_> = ends
        .into_iter()
        .chain(ends.map(|[a, b, c]| [a + 6, c + 6, b + 6]))
        .chain((0..6).flat_map(side))
        .collect();
    let solid = Solid::new(TriangleMesh::new(&points, &triangles).expect("sound"));
    assert!(solid.mesh().is_closed());
    let trough = Shape::Mesh(MeshShape { content: Content::of(solid), ..MeshShape::new("") });
    let odd = mesh_of(&Shape::Box(Cuboid { min: [0.0; 3], max: [0.3, 0.15, 0.2] }));
    let ball = Shape::Sphere(Sphere { center: [0.0; 3], radius: 0.1 });
    let can = Shape::Cylinder(Cylinder { start: [0.0; 3], end: [0.0, 0.2, 0.0], radius: 0.1 });
    // In a ball six spacings in radius no lattice is left, and disordered particles have 1.4 % more at the same number.
    for (shape, most) in
        [(trough, 1.02), (odd, 1.02), (mesh_of(&ball), 1.03), (ball, 1.03), (can, 1.02)]
    {
        let spacing = 0.016;
        let particles = shape.fill(spacing, 3);
        let count = shape.bulk(3).expect("solid").volume / spacing.powi(3);
        assert!(
            (particles.len() as f64 - count).abs() <= 0.5 + 1e-6,
            "{} of {count}",
            particles.len()
        );
        let [low, high] = densities(&particles, &shape, spacing, 3);
        assert!(low > 0.97 && high < most, "{low} to {high}");
    }
}

#[test]
fn a_box_of_whole_spacings_has_a_lattice() {
    let cuboid = Shape::Box(Cuboid { min: [0.0; 3], max: [1.0, 0.5, 0.3] });
    let particles = mesh_of(&cuboid).fill(S, 3);
    let lattice = cuboid.fill(S, 3);
    assert_eq!(particles.len(), lattice.len());
    let far = |(p, q): (&Vec3, &Vec3)| DVec3::from(*p).distance(DVec3::from(*q));
    assert!(particles.iter().zip(&lattice).map(far).fold(0.0, f64::max) < 1e-12);
}

/// A pin beside a ball, which is too thin for particles.
#[test]
fn thin_parts_stay_empty() {
    let (points, triangles) = Shape::Sphere(Sphere { center: [0.0; 3], radius: 0.5 }).triangles();
    let pin = Cuboid { min: [0.51, -0.03, -0.03], max: [2.0, 0.03, 0.03] };
    let (more, pin) = Shape::Box(pin).triangles();
    let first = points.len() as u32;
    let points = [points, more].concat();
    let pin = pin.iter().map(|t| t.map(|i| first + i));
    let triangles: Vec<_> = triangles.into_iter().chain(pin).collect();
    let solid = Solid::new(TriangleMesh::new(&points, &triangles).expect("sound"));
    let mesh = Shape::Mesh(MeshShape { content: Content::of(solid), ..MeshShape::new("") });
    let particles = mesh.fill(S, 3);
    assert!(particles.iter().all(|p| DVec3::from(*p).length() < 0.5 - 0.4 * S));
    assert!(particles.len() > 500);
}
