//! Meshes whose shells cross, nest or touch.

use glam::DVec3;
use meniscus_geometry::{
    Content, Cuboid, MeshShape, Shape, Side, Sphere, Vec3,
    mesh::{Solid, TriangleMesh},
};

use crate::closest;

/// One mesh of the surfaces of shapes, of which some are inside out.
fn mesh_of(shapes: &[(Shape, bool)]) -> Shape {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (shape, is_inverted) in shapes {
        let (more, own) = shape.triangles();
        let first = points.len() as u32;
        points.extend(more);
        let order = |[a, b, c]: [u32; 3]| if *is_inverted { [a, c, b] } else { [a, b, c] };
        triangles.extend(own.into_iter().map(|t| order(t.map(|i| first + i))));
    }
    let solid = Solid::new(TriangleMesh::new(&points, &triangles).expect("sound"));
    assert!(solid.mesh().is_closed());
    Shape::Mesh(MeshShape { content: Content::of(solid), ..MeshShape::new("") })
}

fn cuboid(min: Vec3, max: Vec3) -> Shape {
    Shape::Box(Cuboid { min, max })
}

fn outward<const N: usize>(shapes: [Shape; N]) -> Shape {
    mesh_of(&shapes.map(|shape| (shape, false)))
}

/// Two boxes that cross, of which one is within the other, or that share a face, are one box: its volume, centre and moments of
/// inertia, its lattice of particles, and walls that are nowhere inside it.
#[test]
fn shells_that_cross_nest_or_touch_are_one_box() {
    let spacing = 0.125;
    for (pair, whole) in [
        // The reported fault: 1,021 particles in place of 768.
        (
            [
                cuboid([-0.75, -0.5, -0.5], [0.25, 0.5, 0.5]),
                cuboid([-0.25, -0.5, -0.5], [0.75, 0.5, 0.5]),
            ],
            cuboid([-0.75, -0.5, -0.5], [0.75, 0.5, 0.5]),
        ),
        ([cuboid([-0.5; 3], [0.5; 3]), cuboid([-0.25; 3], [0.25; 3])], cuboid([-0.5; 3], [0.5; 3])),
        // As one that has halves of other heights: faces in part of one another.
        (
            [
                cuboid([-1.0, -0.5, -0.5], [0.0, 0.5, 0.5]),
                cuboid([0.0, -0.5, -0.5], [1.0, 0.5, 0.5]),
            ],
            cuboid([-1.0, -0.5, -0.5], [1.0, 0.5, 0.5]),
        ),
    ] {
        let mesh = outward(pair);
        let (found, due) = (mesh.bulk(3).expect("closed"), whole.bulk(3).expect("a box"));
        assert!((found.volume - due.volume).abs() < 1e-12, "{found:?}, due {due:?}");
        assert!(mesh.middle().distance(whole.middle()) < 1e-12, "{}", mesh.middle());
        let moments = |inertia: DVec3| {
            let mut all = inertia.to_array();
            all.sort_by(f64::total_cmp);
            DVec3::from(all)
        };
        assert!(moments(found.inertia).distance(moments(due.inertia)) < 1e-12, "{found:?}");
        let (filled, lattice) = (mesh.fill(spacing, 3), whole.fill(spacing, 3));
        assert_eq!(filled.len(), lattice.len());
        let apart = |(p, q): (&Vec3, &Vec3)| DVec3::from(*p).distance(DVec3::from(*q));
        assert!(filled.iter().zip(&lattice).map(apart).fold(0.0, f64::max) < 1e-9);
        let nowhere = [DVec3::NEG_INFINITY, DVec3::INFINITY];
        for p in mesh.layer(Side::Inside, 0.0, spacing, 3, nowhere) {
            let depth = whole.depth(DVec3::from(p), 3);
            assert!(depth.abs() < 1e-9, "a wall's particle {depth} m inside at {p:?}");
        }
    }
}

/// Two cubes that share a face, at spacings of which the lattice has no site on the face: 1,955 of 2,000 came.
#[test]
fn no_hole_is_left_where_faces_are_shared() {
    let halves =
        [cuboid([-1.0, -0.5, -0.5], [0.0, 0.5, 0.5]), cuboid([0.0, -0.5, -0.5], [1.0, 0.5, 0.5])];
    let mesh = outward(halves);
    for (parts, due) in [(10.0, 2000), (9.0, 1458)] {
        assert_eq!(mesh.fill(1.0 / parts, 3).len(), due);
    }
}

/// A step: a small box on a large one, which share part of a face.
#[test]
fn a_face_may_lie_within_another() {
    let mesh =
        outward([cuboid([0.0; 3], [2.0, 1.0, 2.0]), cuboid([0.5, 1.0, 0.5], [1.5, 2.0, 1.5])]);
    let particles = mesh.fill(0.1, 3);
    assert_eq!(particles.len(), 5000);
    assert!(closest(&particles) > 0.06, "{}", closest(&particles));
    // In the middle of the common face the surface is far.
    assert!((mesh.depth(DVec3::new(1.0, 1.0, 1.0), 3) - 0.5).abs() < 1e-12);
}

/// A cross of two bars, of which one stands out: sides of the distance, the volume and walls are those of the union.
#[test]
fn distances_are_those_of_the_union() {
    let mesh = outward([
        cuboid([-2.0, -0.5, -0.5], [2.0, 0.5, 0.5]),
        cuboid([-0.5, -2.0, -0.4], [0.5, 2.0, 0.6]),
    ]);
    let bulk = mesh.bulk(3).expect("closed");
    assert!((bulk.volume - (4.0 + 4.0 - 0.9)).abs() < 1e-9, "{bulk:?}");
    for (point, due) in [
        ([0.0, 0.0, 0.0], 0.5),
        ([0.0, 0.0, 0.3], 0.3),
        ([0.0, 0.0, 0.55], 0.05),
        ([0.4, 0.0, 0.45], 0.0f64.hypot(0.1f64.hypot(0.05))),
        ([1.0, 0.0, 0.0], 0.5),
        ([0.0, 1.5, 0.1], 0.5),
        ([1.0, 0.8, 0.0], -0.3),
        ([0.6, 0.0, 0.7], -0.1f64.hypot(0.1)),
    ] {
        let found = mesh.depth(DVec3::from(point), 3);
        assert!((found - due).abs() < 1e-9, "{found}, due {due} at {point:?}");
    }
}

/// Two balls that cross: the sum of the volumes without the lens of both, which is between those of the spheres within and
/// around the facets.
#[test]
fn curved_shells_that_cross_are_joined() {
    let ball = |x: f64| Shape::Sphere(Sphere { center: [x, 0.1 * x, 0.03], radius: 0.5 });
    let d = 0.6 * 1.01f64.sqrt();
    let lens = |r: f64| std::f64::consts::PI / 12.0 * (4.0 * r + d) * (2.0 * r - d).powi(2);
    let one = outward([ball(0.0)]);
    let (within, single) =
        (one.depth(DVec3::new(0.0, 0.0, 0.03), 3), one.bulk(3).expect("closed").volume);
    let union = outward([ball(0.0), ball(0.6)]).bulk(3).expect("closed").volume;
    let (least, most) = (2.0 * single - lens(0.5), 2.0 * single - lens(within));
    assert!(union > least && union < most, "{union}, due {least} to {most}");
}

/// A shell that points inward within another is a cavity, and one beside it is a solid however it is turned; both stay as they are.
#[test]
fn cavities_and_parts_beside_each_other_stay() {
    let large = cuboid([-0.5; 3], [0.5; 3]);
    let hollow = mesh_of(&[(large.clone(), false), (cuboid([-0.25; 3], [0.25; 3]), true)]);
    assert!((hollow.bulk(3).expect("closed").volume - 0.875).abs() < 1e-12);
    assert_eq!(hollow.mesh().expect("a mesh").mesh().triangles().len(), 24);
    let beside = mesh_of(&[(large, false), (cuboid([0.6; 3], [0.9; 3]), true)]);
    assert!((beside.bulk(3).expect("closed").volume - 1.027).abs() < 1e-12);
}

/// A bar that crosses itself as a figure of eight, one shell: volume of the union.
#[test]
fn a_shell_that_crosses_itself_is_united_with_itself() {
    // An L-shaped prism whose second arm comes back through the first, as one closed ring of square sections.
    let path: [[f64; 2]; 6] =
        [[-2.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, -2.0], [0.0, -2.5]];
    let half = 0.25;
    let count = path.len();
    let along = |i: usize| {
        let (a, b) = (path[i.saturating_sub(1)], path[(i + 1).min(count - 1)]);
        let c = path[i];
        let unit = |p: [f64; 2], q: [f64; 2]| {
            let d = glam::DVec2::from(q) - glam::DVec2::from(p);
            d.normalize_or_zero()
        };
        (unit(a, c), unit(c, b))
    };
    let mut points: Vec<Vec3> = Vec::new();
    for (i, place) in path.iter().enumerate() {
        let (before, after) = along(i);
        let side = |t: glam::DVec2| t.perp();
        let mean = match (before.length() > 0.5, after.length() > 0.5) {
            (true, true) => {
                let sum = side(before) + side(after);
                2.0 * sum / sum.length_squared()
            }
            (true, false) => side(before),
            _ => side(after),
        };
        for (u, z) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            let p = glam::DVec2::from(*place) + u * mean;
            points.push([p.x, p.y, z]);
        }
    }
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    for i in 0..count as u32 - 1 {
        for k in 0..4 {
            let (a, b) = (4 * i + k, 4 * i + (k + 1) % 4);
            triangles.extend([[a, a + 4, b + 4], [a, b + 4, b]]);
        }
    }
    let last = 4 * (count as u32 - 1);
    triangles.extend([[last, last + 2, last + 1], [last, last + 3, last + 2]]);
    let mesh = TriangleMesh::new(&points, &triangles).expect("sound");
    assert!(mesh.is_closed());
    // Sections of 0.25 m² along the axis, less one cube where the last arm crosses the first.
    let length: f64 =
        path.windows(2).map(|w| glam::DVec2::from(w[0]).distance(glam::DVec2::from(w[1]))).sum();
    let due = 0.25 * length - 0.125;
    assert!((mesh.volume() - due).abs() < 1e-9, "{}, due {due}", mesh.volume());
}
