//! Shaken containers lose no particles.

use conformance::device::{Flavour, block_on, gpu};
use meniscus::Simulation;
use meniscus_model::{
    Scene,
    mesh::TriangleMesh,
    scene::{Boundary, Cuboid, Cylinder, Fluid, Material, MeshShape, Response, Shape, Sphere},
};

/// Containers with room for a cube of fluid 0.6 m wide about the origin.
fn containers() -> Vec<(&'static str, Shape)> {
    let mesh = |mesh: &TriangleMesh| {
        let mut shape = MeshShape::new("container");
        shape.rotation.angle = 20.0;
        shape.fill_in(mesh);
        Shape::Mesh(shape)
    };
    vec![
        ("box", Shape::Box(Cuboid { min: [-0.5; 3], max: [0.5; 3] })),
        (
            "cylinder",
            Shape::Cylinder(Cylinder {
                start: [0.0, -0.5, 0.0],
                end: [0.0, 0.5, 0.0],
                radius: 0.5,
            }),
        ),
        ("sphere", Shape::Sphere(Sphere { center: [0.0; 3], radius: 0.6 })),
        ("glass", mesh(&glass())),
        ("concave", mesh(&channel())),
    ]
}

/// A tumbler with a lid: narrow foot, round edge, wide rim.
fn glass() -> TriangleMesh {
    let profile = [(0.4, -0.5), (0.48, -0.46), (0.5, -0.4), (0.55, 0.1), (0.6, 0.6)];
    let around = 24;
    let mut points = vec![[0.0, -0.5, 0.0], [0.0, 0.6, 0.0]];
    for (r, y) in profile {
        for k in 0..around {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(around)).sin_cos();
            points.push([r * cos, y, r * sin]);
        }
    }
    let at = |i: u32, k: u32| 2 + i * around + k % around;
    let top = profile.len() as u32 - 1;
    let mut triangles = Vec::new();
    for k in 0..around {
        triangles.push([0, at(0, k), at(0, k + 1)]);
        triangles.push([1, at(top, k + 1), at(top, k)]);
        for i in 0..top {
            triangles.push([at(i, k), at(i + 1, k), at(i + 1, k + 1)]);
            triangles.push([at(i, k), at(i + 1, k + 1), at(i, k + 1)]);
        }
    }
    TriangleMesh::new(&points, &triangles).expect("a tumbler")
}

/// A box with a notch, so that one of its edges points into the fluid.
fn channel() -> TriangleMesh {
    let outline = [
        [-0.6, -0.4],
        [0.9, -0.4],
        [0.9, 0.6],
        [0.45, 0.6],
        [0.45, 0.1],
        [0.3, 0.1],
        [0.3, 0.6],
        [-0.6, 0.6],
    ];
    let n = outline.len() as u32;
    let points: Vec<[f64; 3]> =
        [-0.4, 0.4].iter().flat_map(|z| outline.map(|[x, y]| [x, y, *z])).collect();
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    // Counter-clockwise, as seen from in front: the parts left of, below, and right of the notch.
    let front =
        [[0, 5, 6], [0, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]].map(|t: [u32; 3]| t);
    for [a, b, c] in front {
        triangles.extend([[n + a, n + b, n + c], [a, c, b]]);
    }
    let mesh = TriangleMesh::new(&points, &triangles).expect("a channel");
    assert!(mesh.is_closed());
    mesh
}

fn scene(shape: Shape, radius: f64, solver: &'static str, response: Option<Response>) -> Scene {
    let mut scene = Scene::default();
    scene.solver = solver.into();
    scene.particle_radius = radius;
    scene.materials = vec![Material::new("water")];
    scene.fluids =
        vec![Fluid::new(Shape::Box(Cuboid { min: [-0.3, -0.3, -0.3], max: [0.2, 0.2, 0.3] }))];
    scene.boundaries = vec![Boundary { response, ..Boundary::container(shape) }];
    scene.time.fps = 50.0;
    scene
}

/// Shakes a scene back and forth by 0.1 m at up to 1.5 m/s, in a rotating direction.
fn shake(name: &str, scene: &Scene, seconds: f64) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = block_on(gpu, Simulation::new(gpu, scene)).expect("sound");
    let fluid = block_on(gpu, simulation.report()).expect("a report").fluid;
    assert!(fluid > 100, "{name}: {fluid} particles");
    while simulation.time() < seconds - 1e-9 {
        let t = simulation.time() as f32;
        let along = glam::Vec3::new((0.9 * t).cos(), 0.4 * (1.7 * t).sin(), (0.9 * t).sin());
        simulation.move_walls(1.5 * (15.0 * t).sin() * along);
        block_on(gpu, simulation.next_frame()).expect("it goes well");
        let report = block_on(gpu, simulation.report()).expect("a report");
        let t = report.time;
        assert_eq!(report.lost, 0, "{name} of {fluid}: lost by {t} s");
        assert_eq!(report.fluid, fluid, "{name} of {fluid}: removed by {t} s");
    }
    // The shaking had an effect.
    let report = block_on(gpu, simulation.report()).expect("a report");
    assert!(report.max_speed > 0.2, "{name}: {} m/s", report.max_speed);
}

/// (radii, seconds): the coarsest radius for a short time, or three of them for a long time with
/// `MENISCUS_FULL`.
fn extent() -> (&'static [f64], f64) {
    match std::env::var_os("MENISCUS_FULL") {
        Some(_) => (&[0.04, 0.025, 0.0125], 10.0),
        None => (&[0.04], 2.0),
    }
}

/// Tests a container with boundary particles, with reflecting walls and, for meshes, with springs.
fn lose_nothing(container: &str) {
    let (radii, seconds) = extent();
    let (name, shape) =
        containers().into_iter().find(|(name, _)| *name == container).expect("there is");
    for radius in radii {
        let scene = |solver, response| scene(shape.clone(), *radius, solver, response);
        shake(name, &scene("dfsph", None), seconds);
        let seconds = 0.5 * seconds;
        shake(name, &scene("muller", None), seconds);
        let reflect = Response::Reflect { restitution: 0.0, friction: 0.0 };
        shake(name, &scene("muller", Some(reflect)), seconds);
        if matches!(shape, Shape::Mesh(_)) {
            // k Δt² < 1 for steps of at most 5 ms.
            let spring = Response::Spring { stiffness: 2e4, damping: 100.0 };
            shake(name, &scene("muller", Some(spring)), seconds);
        }
    }
}

#[test]
fn a_shaken_box_loses_nothing() {
    lose_nothing("box");
}

#[test]
fn a_shaken_cylinder_loses_nothing() {
    lose_nothing("cylinder");
}

#[test]
fn a_shaken_sphere_loses_nothing() {
    lose_nothing("sphere");
}

#[test]
fn a_shaken_glass_loses_nothing() {
    lose_nothing("glass");
}

#[test]
fn a_shaken_concave_mesh_loses_nothing() {
    lose_nothing("concave");
}

#[test]
fn a_spring_that_is_too_soft_gives_way_for_a_radius() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let spring = Response::Spring { stiffness: 10.0, damping: 0.0 };
    for (name, shape) in containers() {
        let mut simulation = {
            let scene = scene(shape, 0.04, "muller", Some(spring.clone()));
            block_on(gpu, Simulation::new(gpu, &scene)).expect("sound")
        };
        block_on(gpu, simulation.run_until(0.4)).expect("it goes well");
        let report = block_on(gpu, simulation.report()).expect("a report");
        assert_eq!(report.lost, 0, "{name}");
    }
}

#[test]
fn a_mesh_of_a_box_holds_water_as_the_box_does() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (min, max) = ([0.0; 3], [0.4, 0.6, 0.4]);
    let corner = |k: usize| {
        std::array::from_fn(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] })
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<_> =
        faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let points: Vec<_> = (0..8).map(corner).collect();
    let mut mesh = MeshShape::new("box");
    mesh.fill_in(&TriangleMesh::new(&points, &triangles).expect("a box"));
    let result = [Shape::Box(Cuboid { min, max }), Shape::Mesh(mesh)].map(|shape| {
        let mut scene = scene(shape, 0.02, "dfsph", None);
        scene.fluids[0].shape = Shape::Box(Cuboid { min: [0.0; 3], max: [0.4, 0.28, 0.4] });
        let mut simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("sound");
        block_on(gpu, simulation.run_until(0.5)).expect("it goes well");
        block_on(gpu, simulation.report()).expect("a report")
    });
    let [own, meshed] = result;
    // The fluid is at the same height in both, to a tenth of a spacing: of a mesh only the nearest face counts, also in its
    // concave edges (0.05 was measured).
    let height = own.center_of_mass[1] - meshed.center_of_mass[1];
    assert!(height.abs() < 0.1 * 0.04, "{height} m apart");
    // Seven layers of fluid, up to 0.07 spacings nearer to five walls, ten spacings apart.
    let nearer = 0.07 * 0.04;
    assert!(
        (0.14 - 2.4 * nearer..0.1415).contains(&own.center_of_mass[1]),
        "{:?}",
        own.center_of_mass
    );
    let speeds = [own.max_speed, meshed.max_speed];
    // It is still settling: a third of the kinetic energy is left half a second later.
    assert!(speeds.iter().all(|v| *v < 0.4), "{speeds:?} m/s");
    assert_eq!([own.lost, meshed.lost], [0, 0]);
}
