//! Each problem of a scene is found, at its key, and without others.

use meniscus_model::mesh::{Solid, TriangleMesh};
use meniscus_model::scene::{
    Body, Boundary, Capsule, Content, Cuboid, Cylinder, Domain, Emitter, Fluid, Force, Inlet,
    Interpolation, Keyframe, Material, MeshShape, Motion, Mouth, Outlet, Plane, Problem,
    ProblemKind, Profile, Response, Shape, Side, Sphere, Turn, Way,
};
use meniscus_model::{Scene, check::problems};

mod openings;
mod solids;

fn material(name: &str) -> Material {
    Material::new(name)
}

fn fluid(shape: Shape) -> Fluid {
    Fluid::new(shape)
}

pub(super) fn wall(shape: Shape, side: Side) -> Boundary {
    Boundary { side, ..Boundary::container(shape) }
}

fn cube(min: f64, max: f64) -> Shape {
    Shape::Box(Cuboid { min: [min; 3], max: [max; 3] })
}

fn emitter() -> Emitter {
    Emitter {
        max_particles: Some(1000),
        ..Emitter::new(
            Mouth::Rectangle { width: 0.1, height: 0.1 },
            [0.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
        )
    }
}

/// A valid scene: a cube of water in a larger box, particles 0.1 m apart.
fn sound() -> Scene {
    let mut scene = Scene::default();
    scene.solver = "muller".into();
    scene.particle_radius = 0.05;
    scene.materials = vec![material("water")];
    scene.fluids = vec![fluid(cube(-1.0, 1.0))];
    scene.boundaries = vec![wall(cube(-1.0, 3.0), Side::Inside)];
    scene
}

fn flat() -> Scene {
    let mut scene = sound();
    scene.dimensions = 2;
    scene
}

pub(super) fn found(change: impl FnOnce(&mut Scene)) -> Vec<String> {
    let mut scene = sound();
    change(&mut scene);
    problems(&scene).iter().map(Problem::to_string).collect()
}

/// Asserts that the change causes a single problem, which begins with this text.
fn expect(beginning: &str, change: impl FnOnce(&mut Scene)) {
    let found = found(change);
    assert!(found.len() == 1 && found[0].starts_with(beginning), "{found:?}, not {beginning}");
}

#[test]
fn a_sound_scene_has_no_problems() {
    assert_eq!(problems(&sound()), []);
    assert_eq!(problems(&flat()), []);
}

#[test]
fn what_32_bits_cannot_hold_is_refused() {
    expect("fluid: fluid, containers and domain are 5,000,005 support radii wide", |s| {
        s.boundaries[0].shape = cube(-1.0, 1_000_000.0);
    });
    expect("domain: its periodic axes need 1,000,000,000 grid cells", |s| {
        s.domain = Some(Domain { min: [-100.0; 3], max: [100.0; 3], periodic: [true; 3] });
    });
    expect("time.step: must be at most 0.1 s, after which emitter[0]", |s| {
        s.emitters = vec![emitter()];
        s.time.step = Some(1.5 * 0.1);
    });
}

#[test]
fn sound_and_fixed_steps() {
    // A column as in the other tests; its initial 30 m/s is faster than its fall.
    let fast = |s: &mut Scene| s.fluids[0].velocity = [30.0, 0.0, 0.0];
    expect("muller.sound_speed: must be at least 30.0000 m/s", move |s| {
        fast(s);
        s.settings.set("muller.sound_speed", 29.0);
    });
    // A stiffness is the paper's own parameter, and is not checked.
    let mut scene = sound();
    fast(&mut scene);
    scene.settings.set("muller.stiffness", 3.0);
    assert_eq!(problems(&scene), []);
    // 0.4 h/c, 0.125 (h/2)²/ν, 0.25 √(ρ(h/2)³/(2πσ)) and 0.25 √(h/g) with h = 0.2 m.
    let says = |part: &str, change: &dyn Fn(&mut Scene)| {
        let found = found(change);
        let whole = found.len() == 1 && found[0].starts_with("time.step: ");
        assert!(whole && found[0].contains(part), "{found:?}, not {part}");
    };
    says("is more than the CFL condition allows with time.cfl = 1: 4.000e-2 s by sound", &|s| {
        (s.gravity, s.time.step) = ([0.0; 3], Some(0.041));
        s.settings.set("muller.sound_speed", 2.0);
        s.materials[0].viscosity = Some(0.0);
    });
    says("1.250e-2 s by viscosity (0.125", &|s| {
        (s.solver, s.gravity, s.time.step) = ("iisph".into(), [0.0; 3], Some(0.0126));
        s.materials[0].viscosity = Some(100.0);
    });
    says("9.974e-3 s by tension", &|s| {
        (s.solver, s.gravity, s.time.step) = ("iisph".into(), [0.0; 3], Some(0.02));
        s.materials[0].surface_tension = 100.0;
    });
    says("3.570e-2 s by gravity", &|s| {
        (s.solver, s.time.step) = ("dfsph".into(), Some(0.036));
    });
    // time.cfl is the factor on all limits.
    let mut scene = sound();
    (scene.solver, scene.time.step, scene.time.cfl) = ("dfsph".into(), Some(0.01), 2.0);
    assert_eq!(problems(&scene), []);
}

#[test]
fn numbers_of_the_scene() {
    expect("dimensions: must be 2 or 3, not 4", |s| s.dimensions = 4);
    expect("particle_radius: must be greater than 0, not 0.0", |s| s.particle_radius = 0.0);
    expect("particle_radius: must be greater than 0, not -1.0", |s| s.particle_radius = -1.0);
    expect("particle_radius: must be a finite", |s| s.particle_radius = f64::NAN);
    expect("particle_radius: gives a support radius of 4e-6 m", |s| s.particle_radius = 1e-6);
    expect(
        "particle_radius: gives a support radius of 2e-5 m; kernels in 32-bit floats need 3e-5",
        |s| {
            (s.dimensions, s.particle_radius) = (2, 5e-6);
        },
    );
    expect("support_radius: must be larger than", |s| s.support_radius = Some(0.1));
    expect("support_radius: must be larger than", |s| s.support_radius = Some(0.41));
    expect("support_radius: must be a finite", |s| s.support_radius = Some(f64::INFINITY));
    expect("gravity[2]: must be a finite", |s| s.gravity[2] = f64::NEG_INFINITY);
    expect("gravity[0]: must be a finite", |s| s.gravity[0] = 1e300);
}

#[test]
fn domains() {
    let domain = |min, max, periodic| Some(Domain { min, max, periodic });
    expect("domain.min[1]: must be below max: 1 ≥ 1", |s| {
        s.domain = domain([-1.0, 1.0, -1.0], [1.0; 3], [false; 3]);
    });
    expect("domain.max[0]: must be a finite", |s| {
        s.domain = domain([-1.0; 3], [f64::NAN, 1.0, 1.0], [false; 3]);
    });
    expect("domain.periodic[2]: the domain is 2.50 support radii long in z: fewer than 3", |s| {
        s.domain = domain([-1.0, -1.0, -0.25], [1.0, 1.0, 0.25], [false, false, true]);
    });
    expect("fluid[0].shape: reaches beyond the domain, which is periodic in y", |s| {
        s.domain = domain([-1.0, 0.0, -1.0], [1.0; 3], [true; 3]);
    });
    expect("domain.periodic[2]: z cannot be periodic in 2-D", |s| {
        *s = flat();
        s.domain = domain([-1.0; 3], [1.0; 3], [false, false, true]);
    });
    let sound = found(|s| s.domain = domain([-1.0; 3], [1.0; 3], [true; 3]));
    assert!(sound.is_empty(), "{sound:?}");
    expect("fluid: fluid, containers and domain are 50,000,010 support radii wide", |s| {
        s.boundaries.clear();
        s.fluids.push(fluid(cube(1e7, 1e7 + 1.0)));
    });
}

#[test]
fn times() {
    expect("time.fps: must be greater than 0", |s| s.time.fps = 0.0);
    expect("time.fps: must be at most 100000", |s| s.time.fps = 200_000.0);
    expect("time.until: must be 0 or more", |s| s.time.until = -1.0);
    expect("time.step: must be greater than 0", |s| s.time.step = Some(0.0));
    expect("time.step: 0.000000001 s is below time.min_step", |s| s.time.step = Some(1e-9));
    expect("time.max_step: must be greater than 0", |s| s.time.max_step = -0.1);
    expect("time.max_step: 0.005 s is below time.min_step", |s| s.time.min_step = 0.1);
    expect("time.min_step: must be greater than 0", |s| s.time.min_step = 0.0);
    expect("time.cfl: must be greater than 0", |s| s.time.cfl = 0.0);
    expect("time.cfl: must be at most 2", |s| s.time.cfl = 2.5);
}

#[test]
fn muller_and_materials() {
    expect("muller.stiffness: must be greater", |s| s.settings.set("muller.stiffness", 0.0));
    expect("muller.sound_speed: must be greater", |s| s.settings.set("muller.sound_speed", -1.0));
    expect("tension.surface_threshold: must be 0", |s| {
        s.settings.set("tension.surface_threshold", -1.0);
    });
    expect("material: no material", |s| s.materials.clear());
    expect("material[16]: at most 16 are possible, not 17", |s| {
        s.materials = (0..17).map(|i| material(&i.to_string())).collect();
    });
    expect("material[1].name: \"water\" is the name of material[0] already", |s| {
        s.materials.push(material("water"));
    });
    expect("material[0].rest_density: must be greater", |s| s.materials[0].rest_density = 0.0);
    expect("material[0].rest_density: must be greater", |s| s.materials[0].rest_density = 1e-300);
    expect("material[0].viscosity: must be 0 or", |s| s.materials[0].viscosity = Some(-1.0));
    expect("material[0].surface_tension: must be 0", |s| s.materials[0].surface_tension = -1.0);
    expect("material[0].refractive_index: must be from 1 to 3", |s| {
        s.materials[0].refractive_index = Some(0.5);
    });
    expect("material[0].opacity: needs color", |s| s.materials[0].opacity = Some(30.0));
    expect("material[0].opacity: must be from 0.01 to 1000", |s| {
        (s.materials[0].color, s.materials[0].opacity) = (Some([0.2; 3]), Some(0.0));
    });
    expect("fluid[0].material: no material is called \"oil\"; there are: water", |s| {
        s.fluids[0].material = Some("oil".into());
    });
}

#[test]
fn fluids() {
    expect("fluid: no fluid", |s| s.fluids.clear());
    expect("fluid[0].jitter: must be from 0 to 0.5", |s| s.fluids[0].jitter = 0.6);
    expect("fluid[0].velocity[1]: must be a finite", |s| s.fluids[0].velocity[1] = f64::NAN);
    let shape = |shape: Shape| move |s: &mut Scene| s.fluids[0].shape = shape;
    let origin = [0.0; 3];
    let up = [0.0, 1.0, 0.0];
    expect(
        "fluid[0].shape.plane: a plane cannot",
        shape(Shape::Plane(Plane { point: origin, normal: up })),
    );
    expect(
        "fluid[0].shape.box.min[2]: must be below max: 1 ≥ 0",
        shape(Shape::Box(Cuboid { min: [0.0, 0.0, 1.0], max: [1.0, 1.0, 0.0] })),
    );
    expect(
        "fluid[0].shape.sphere.radius: must be greater",
        shape(Shape::Sphere(Sphere { center: origin, radius: 0.0 })),
    );
    expect(
        "fluid[0].shape.cylinder.end: must differ from start",
        shape(Shape::Cylinder(Cylinder { start: up, end: up, radius: 0.5 })),
    );
    expect(
        "fluid[0].shape.capsule.end: must differ from start",
        shape(Shape::Capsule(Capsule { start: up, end: up, radius: 0.5 })),
    );
    expect("fluid[0].shape: is too small for a particle: they are 0.1 m", shape(cube(0.0, 0.09)));
    expect(
        "fluid[0].shape: is too small for a particle",
        shape(Shape::Sphere(Sphere { center: origin, radius: 0.04 })),
    );
    expect("fluid: 1,000,000,000,000 particles in total; at most 64,000,000", |s| {
        s.fluids[0].shape = cube(0.0, 1000.0);
    });
    expect("fluid: 4,294,975,295 particles in total", |s| {
        s.emitters = vec![Emitter { max_particles: Some(u32::MAX), ..emitter() }];
    });
}

#[test]
fn fluids_are_inside_their_containers() {
    let reaches = |container: Shape, side: Side| {
        found(|s| s.boundaries = vec![wall(container, side)]).len() == 1
    };
    let sphere = |radius| Shape::Sphere(Sphere { center: [0.0; 3], radius });
    let tube = |radius| {
        Shape::Cylinder(Cylinder { start: [0.0, -1.0, 0.0], end: [0.0, 2.0, 0.0], radius })
    };
    let floor = |y| Shape::Plane(Plane { point: [0.0, y, 0.0], normal: [0.0, 2.0, 0.0] });
    // Centres of corner particles are 0.95 m from the origin on each axis.
    assert!(reaches(cube(-0.9, 3.0), Side::Inside));
    assert!(!reaches(cube(-0.96, 3.0), Side::Inside));
    assert!(reaches(sphere(1.64), Side::Inside) && !reaches(sphere(1.65), Side::Inside));
    assert!(reaches(tube(1.34), Side::Inside) && !reaches(tube(1.35), Side::Inside));
    assert!(reaches(floor(-0.9), Side::Inside) && !reaches(floor(-0.96), Side::Inside));
    assert!(reaches(floor(-0.9), Side::Outside), "a plane has its normal for its side");
    assert!(!reaches(cube(5.0, 6.0), Side::Outside), "obstacles contain nothing");

    let round = |shape: Shape| found(|s| s.fluids = vec![fluid(shape)]).len() == 1;
    let ball = |x| Shape::Sphere(Sphere { center: [x, 0.0, 0.0], radius: 0.5 });
    assert!(round(ball(-0.6)) && !round(ball(-0.5)));
    let capsule = |x| Shape::Capsule(Capsule { start: [x, 0.0, 0.0], end: [1.0; 3], radius: 0.5 });
    assert!(round(capsule(-0.6)) && !round(capsule(-0.5)));
    let upright =
        |x| Shape::Cylinder(Cylinder { start: [x, -1.0, 0.0], end: [x, 1.0, 0.0], radius: 0.5 });
    assert!(round(upright(-0.6)) && !round(upright(-0.5)));

    expect("emitter[0].center: reaches 1 m outside the container boundary[0]", |s| {
        s.emitters = vec![Emitter { center: [0.0, 4.0, 0.0], ..emitter() }];
    });
}

#[test]
fn forces() {
    let force = |force: Force| move |s: &mut Scene| s.forces.push(force);
    let center = [0.0; 3];
    expect(
        "force[0].uniform.acceleration[0]: must be a finite",
        force(Force::Uniform { acceleration: [f64::NAN, 0.0, 0.0] }),
    );
    expect(
        "force[0].attract.radius: must be greater",
        force(Force::Attract { center, strength: -1.0, radius: 0.0 }),
    );
    expect(
        "force[0].rotation.axis: must not be 0",
        force(Force::Rotation { center, axis: center, strength: 1.0, radius: 1.0 }),
    );
    expect("force[8]: at most 8 are possible, not 9", |s| {
        s.forces = vec![Force::Uniform { acceleration: center }; 9];
    });
}

#[test]
fn flat_scenes_have_no_z() {
    let expect = |beginning: &str, change: &dyn Fn(&mut Scene)| {
        expect(beginning, |s| {
            *s = flat();
            change(s);
        });
    };
    let tube = Shape::Cylinder(Cylinder { start: [0.0; 3], end: [0.0, 1.0, 0.0], radius: 0.5 });
    let plane = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.1] });
    let ball = Shape::Sphere(Sphere { center: [0.0, 0.0, 0.1], radius: 0.5 });
    let axis = |axis| Force::Rotation { center: [0.0; 3], axis, strength: 1.0, radius: 1.0 };
    expect("gravity[2]: must be 0 in 2-D", &|s| s.gravity[2] = 1.0);
    expect("fluid[0].velocity[2]: must be 0 in 2-D", &|s| s.fluids[0].velocity[2] = 1.0);
    expect("fluid[0].shape.cylinder: there are no cylinders", &|s| {
        s.fluids[0].shape = tube.clone();
    });
    expect("fluid[0].shape.sphere.center[2]: must be 0", &|s| s.fluids[0].shape = ball.clone());
    expect("boundary[0].shape.plane.normal[2]: must be 0", &|s| {
        s.boundaries[0].shape = plane.clone();
    });
    expect("force[0].rotation.axis: must be along z", &|s| s.forces = vec![axis([0.0, 1.0, 0.0])]);
    let mut scene = flat();
    scene.forces = vec![axis([0.0, 0.0, -2.0])];
    scene.fluids[0].shape = Shape::Box(Cuboid { min: [-1.0, -1.0, 0.0], max: [1.0, 1.0, 0.0] });
    assert_eq!(problems(&scene), [], "boxes need no depth in 2-D");
}

#[test]
fn overlapping_fluids() {
    let pair = |first: Shape, second: Shape| {
        let mut scene = sound();
        scene.fluids = vec![fluid(first), fluid(second)];
        scene.boundaries = vec![wall(cube(-4.0, 4.0), Side::Inside)];
        let found = problems(&scene);
        scene.allow_overlap = true;
        assert_eq!(problems(&scene), []);
        found
    };
    let ball = |x, radius| Shape::Sphere(Sphere { center: [x, 0.0, 0.0], radius });
    let found = pair(cube(0.0, 1.0), cube(0.9, 2.0));
    assert_eq!(
        found,
        [Problem::new("fluid[1].shape", "fills a place that fluid[0] fills already")
            .of(ProblemKind::Overlap)]
    );
    assert!(pair(cube(0.0, 1.0), cube(1.0, 2.0)).is_empty(), "touching is not overlapping");
    assert!(pair(ball(0.0, 1.0), ball(2.0, 1.0)).is_empty());
    assert_eq!(pair(ball(0.0, 1.0), ball(1.5, 1.0)).len(), 1);
    let corner = Shape::Box(Cuboid { min: [0.8, 0.8, 0.8], max: [2.0, 2.0, 2.0] });
    assert!(pair(ball(0.0, 1.0), corner).is_empty(), "their boxes overlap, they do not");
    assert_eq!(pair(cube(-2.0, 2.0), ball(0.0, 0.3)).len(), 1, "one within the other");
}
