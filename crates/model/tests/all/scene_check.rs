//! Each problem of a scene is found, at its key, and without others.

use meniscus_model::mesh::{Solid, TriangleMesh};
use meniscus_model::scene::{
    Body, Boundary, Capsule, Content, Cuboid, Cylinder, Domain, Emitter, Fluid, Force, Inlet,
    Interpolation, Keyframe, Material, MeshShape, Motion, Mouth, Outlet, Plane, Problem,
    ProblemKind, Profile, Response, Shape, Side, Sphere, Turn, Way,
};
use meniscus_model::{Scene, check::problems};

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
        material: None,
        mouth: Mouth::Rectangle { width: 0.1, height: 0.1 },
        center: [0.0, 0.0, 0.0],
        velocity: [0.0, -1.0, 0.0],
        start: 0.0,
        end: f64::INFINITY,
        max_particles: Some(1000),
        up: None,
        max_live: None,
        rate: None,
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

    expect("emitter[0].center: reaches 1.000e0 m outside the container boundary[0]", |s| {
        s.emitters = vec![Emitter { center: [0.0, 4.0, 0.0], ..emitter() }];
    });
}

#[test]
fn boundaries_and_drains() {
    let response =
        |response: Response| move |s: &mut Scene| s.boundaries[0].response = Some(response.clone());
    let reflect = |restitution, friction| response(Response::Reflect { restitution, friction });
    expect("boundary[0].response.reflect.restitution: must be from 0 to 1", reflect(1.1, 0.0));
    expect("boundary[0].response.reflect.friction: must be 0 or more", reflect(0.0, -0.1));
    expect("boundary[0].suction: must be from 0 to", |s| s.boundaries[0].suction = Some(-1.0));
    expect("boundary[0].suction: must be left out: it is of the solvers of SPH", |s| {
        s.solver = "flip".into();
        s.boundaries[0].suction = Some(100.0);
    });
    let spring = |stiffness, damping| response(Response::Spring { stiffness, damping });
    expect("boundary[0].response.spring.stiffness: must be 0 or more", spring(-1.0, 0.0));
    expect("boundary[0].response.spring.damping: must be a finite", spring(0.0, f64::NAN));
    let particles = |friction, no_slip| response(Response::Particles { friction, no_slip });
    expect("boundary[0].response.particles.friction: must be 0 or more", particles(-1.0, false));
    expect(
        "boundary[0].response.particles.friction: must be left out where no_slip = true",
        particles(1.0, true),
    );
    let volume = |friction, no_slip| response(Response::Volume { friction, no_slip });
    expect("boundary[0].response.volume.friction: must be 0 or more", volume(-1.0, false));
    expect(
        "boundary[0].response.volume.friction: must be left out where no_slip = true",
        volume(1.0, true),
    );
    expect("boundary[0].velocity[0]: must be a finite", |s| {
        s.boundaries[0].velocity[0] = f64::INFINITY;
    });
    let still = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0; 3] });
    expect("boundary[1].shape.plane.normal: must not be 0", |s| {
        s.boundaries.push(wall(still.clone(), Side::Outside));
    });
    expect("drain[0].shape.plane.normal: must not be 0", |s| {
        s.drains.push(meniscus_model::scene::Drain { shape: still.clone(), outside: false });
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
fn emitters() {
    let with = |emitter: Emitter| move |s: &mut Scene| s.emitters.push(emitter);
    let mouth = |width| Mouth::Rectangle { width, height: 0.1 };
    expect("emitter[0].velocity: must not be 0", with(Emitter { velocity: [0.0; 3], ..emitter() }));
    expect("emitter[0].rate: must be greater", with(Emitter { rate: Some(0.0), ..emitter() }));
    expect(
        "emitter[0].mouth.rectangle.width: must be greater",
        with(Emitter { mouth: mouth(0.0), ..emitter() }),
    );
    expect(
        "emitter[0].mouth.circle.radius: must be greater",
        with(Emitter { mouth: Mouth::Circle { radius: -1.0 }, ..emitter() }),
    );
    expect(
        "emitter[0].mouth: is too small for a particle",
        with(Emitter { mouth: mouth(0.04), ..emitter() }),
    );
    expect(
        "emitter[0].mouth: holds 100,000,000,000 particles in one layer",
        with(Emitter { mouth: mouth(1e10), ..emitter() }),
    );
    expect("emitter[0].end: must be later than start", with(Emitter { end: 0.0, ..emitter() }));
    expect(
        "emitter[0].end: must be later than start",
        with(Emitter { end: f64::NAN, ..emitter() }),
    );
    expect("emitter[0].start: must be 0 or more", with(Emitter { start: -1.0, ..emitter() }));
    expect(
        "emitter[0].max_particles: must be at least one layer, 3, not 2",
        with(Emitter { mouth: mouth(0.3), max_particles: Some(2), ..emitter() }),
    );
    expect(
        "emitter[0].max_particles: must be at least one layer, 1, not 0",
        with(Emitter { max_particles: Some(0), ..emitter() }),
    );
    expect(
        "emitter[0].material: no material is called",
        with(Emitter { material: Some("oil".into()), ..emitter() }),
    );
    expect("emitter[0].center: reaches 2.000e-1 m outside the container", |s| {
        s.emitters.push(Emitter { mouth: mouth(0.5), center: [3.0, 1.0, 0.0], ..emitter() });
    });
    let above = Emitter { mouth: mouth(0.3), center: [0.0, 2.0, 0.0], ..emitter() };
    // Particles of the emitter are 0.1 m apart: one is in the corner.
    let corner = Shape::Box(Cuboid { min: [0.05, 1.5, -0.2], max: [0.5, 2.5, 0.2] });
    expect("emitter[0].center: its mouth is 5.000e-2 m deep in the obstacle boundary[1]", |s| {
        s.emitters.push(above.clone());
        s.boundaries.push(wall(corner.clone(), Side::Outside));
    });
    expect("emitter[0].center: its mouth is 5.000e-2 m deep in body[0]", |s| {
        s.emitters.push(above.clone());
        s.bodies.push(Body { density: Some(500.0), ..Body::new(corner.clone()) });
    });
    let alone = found(|s| {
        s.fluids.clear();
        s.emitters.push(emitter());
    });
    assert!(alone.is_empty(), "{alone:?}");
}

#[test]
fn open_boundaries() {
    let inlet = || Inlet { side: Some(Way::Left), velocity: Some(1.0), ..Inlet::default() };
    let outlet = || Outlet { side: Some(Way::Right), ..Outlet::default() };
    let found = |change: &dyn Fn(&mut Scene)| {
        found(|s| {
            s.solver = "apic".into();
            change(s);
        })
    };
    let with_inlet = |inlet: Inlet| found(&|s| s.inlets = vec![inlet.clone()]);
    let with_outlet = |outlet: Outlet| found(&|s| s.outlets = vec![outlet.clone()]);
    assert!(with_inlet(inlet()).is_empty());
    assert!(with_outlet(outlet()).is_empty());
    let expect = |texts: Vec<String>, beginning: &str| {
        assert!(texts.len() == 1 && texts[0].starts_with(beginning), "{texts:?}");
    };
    let face = |min, max, direction| Inlet {
        side: None,
        min: Some(min),
        max: Some(max),
        direction,
        ..inlet()
    };
    let right = Some(Way::Right);
    expect(with_inlet(Inlet { rate: Some(1.0), ..inlet() }), "inlet[0]: must have one of velocity");
    expect(with_inlet(Inlet { velocity: None, ..inlet() }), "inlet[0]: needs a velocity");
    expect(with_inlet(Inlet { side: None, ..inlet() }), "inlet[0]: needs a side");
    expect(with_inlet(Inlet { direction: right, ..inlet() }), "inlet[0].side: must be given");
    expect(with_inlet(Inlet { level: Some(9.0), ..inlet() }), "inlet[0].level: must be between");
    let parabola = Inlet { profile: Profile::Parabolic, level: Some(0.5), ..inlet() };
    expect(with_inlet(parabola), "inlet[0].profile: must be left out beside a level");
    let corners = ([-1.0; 3], [-1.0, 1.0, 3.0]);
    expect(with_inlet(face(corners.0, corners.1, None)), "inlet[0]: needs a direction");
    expect(with_inlet(face(corners.0, corners.1, right)), "inlet[0]: covers a part of that side");
    expect(with_inlet(face(corners.0, [3.0; 3], right)), "inlet[0].min: must be a rectangle");
    let outside = face([-2.0, -1.0, -1.0], [-2.0, 3.0, 3.0], right);
    expect(with_inlet(outside), "inlet[0]: is outside of the container boundary[0]");
    let low = face([-0.5, -9.0, -1.0], [-0.5, 3.0, 3.0], right);
    expect(with_inlet(low), "inlet[0]: reaches beyond the containers");
    let both = Outlet { level: Some(0.5), pressure: Some(1.0), ..outlet() };
    expect(with_outlet(both), "outlet[0]: must have a level or a pressure");
    let unnamed = found(&|s| {
        s.outlets = vec![Outlet { name: Some("a".into()), ..outlet() }; 2];
    });
    expect(unnamed, "outlet[1].name: \"a\" is the name of an earlier");
    let weightless = found(&|s| {
        s.gravity = [0.0; 3];
        s.outlets = vec![Outlet { level: Some(0.5), ..outlet() }];
    });
    expect(weightless, "outlet[0].level: needs gravity");
    let alone = found(&|s| {
        s.solver = "dfsph".into();
        s.inlets = vec![Inlet { velocity: None, level: Some(0.5), ..inlet() }];
    });
    expect(alone, "inlet[0]: the solver \"dfsph\" lets nothing in by a level alone");
    let pressed = found(&|s| {
        s.solver = "dfsph".into();
        s.outlets = vec![Outlet { level: Some(0.5), ..outlet() }];
    });
    expect(pressed, "outlet[0]: the solver \"dfsph\" holds no level or pressure beyond an outlet");
    let iterated = found(&|s| {
        s.solver = "dfsph".into();
        s.settings.set("dfsph.pressure", "cg");
        s.outlets = vec![outlet()];
    });
    expect(iterated, "dfsph.pressure: must be \"jacobi\"");
    let other = found(&|s| {
        s.solver = "mls_mpm".into();
        s.outlets = vec![outlet()];
    });
    expect(other, "outlet[0]: the solver \"mls_mpm\" has no open boundaries");
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

fn body(shape: Shape) -> Body {
    Body { density: Some(500.0), ..Body::new(shape) }
}

/// Triangles of a cube, without the first `left_out`.
fn cube_mesh(min: f64, max: f64, left_out: usize) -> Shape {
    let corner = |k: usize| [1, 2, 4].map(|bit| if k & bit == 0 { min } else { max });
    let corners: Vec<_> = (0..8).map(corner).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let triangles: Vec<[u32; 3]> = halves.skip(left_out).collect();
    let mesh = TriangleMesh::new(&corners, &triangles).expect("sound");
    Shape::Mesh(MeshShape { content: Content::of(Solid::new(mesh)), ..MeshShape::new("cube.obj") })
}

#[test]
fn fluids_of_meshes() {
    let with = |shape: Shape| move |s: &mut Scene| s.fluids[0].shape = shape;
    assert_eq!(found(with(cube_mesh(0.2, 0.7, 0))), [""; 0]);
    expect("fluid[0].shape: has 3 open edges: fluid fills", with(cube_mesh(0.2, 0.7, 1)));
}

#[test]
fn bodies_of_meshes() {
    let with = |shape: Shape| move |s: &mut Scene| s.bodies = vec![body(shape)];
    assert_eq!(found(with(cube_mesh(1.5, 2.0, 0))), [""; 0]);
    expect(
        "body[0].shape.mesh: has 3 open edges: a body needs a closed mesh",
        with(cube_mesh(1.5, 2.0, 1)),
    );
    // Two sides of one face.
    let sheet =
        TriangleMesh::new(&[[1.5; 3], [2.0, 1.5, 1.5], [1.5, 2.0, 1.5]], &[[0, 1, 2], [0, 2, 1]]);
    let content = Content::of(Solid::new(sheet.expect("sound")));
    let sheet = Shape::Mesh(MeshShape { content, ..MeshShape::new("sheet.obj") });
    expect("body[0].shape.mesh: encloses no volume", with(sheet));
    expect("body[0].shape.mesh.file: has not been read", with(Shape::Mesh(MeshShape::new(""))));
    expect("body[0].shape.mesh: is 5.000e-2 m large", with(cube_mesh(1.5, 1.55, 0)));
    expect("body[0].shape: reaches 5.000e-1 m outside", with(cube_mesh(2.5, 3.5, 0)));
    expect("body[0].shape.mesh: there are no meshes in 2-D", |s| {
        s.dimensions = 2;
        s.bodies = vec![body(cube_mesh(1.5, 2.0, 0))];
    });
    expect("body[0].mass: gives a density of 8 kg/m³", |s| {
        let own = Body { density: None, mass: Some(1.0), ..body(cube_mesh(1.5, 2.0, 0)) };
        s.bodies = vec![own];
    });
    for (first, second) in
        [(cube(1.5, 2.0), cube_mesh(1.9, 2.4, 0)), { (cube_mesh(1.5, 2.0, 0), cube(1.9, 2.4)) }]
    {
        expect("body[1].shape: fills a place that body[0] fills already", |s| {
            s.bodies = vec![body(first), body(second)];
        });
    }
    assert_eq!(
        found(|s| s.bodies = vec![body(cube(1.5, 2.0)), body(cube_mesh(2.0, 2.5, 0))]),
        [""; 0]
    );
}

#[test]
fn bodies() {
    let sound = || body(cube(1.5, 2.0));
    assert_eq!(found(|s| s.bodies = vec![sound(), body(cube(2.0, 2.5))]), [""; 0], "they touch");
    let one = |beginning: &str, change: &dyn Fn(&mut Body)| {
        expect(beginning, |s| {
            let mut own = sound();
            change(&mut own);
            s.bodies = vec![own];
        });
    };
    one("body[0].density: must be greater than 0, not 0.0", &|b| b.density = Some(0.0));
    one("body[0].density: must be greater than 0, not -3.0", &|b| b.density = Some(-3.0));
    one("body[0]: needs a density or a mass", &|b| b.density = None);
    one("body[0]: needs a density or a mass", &|b| b.mass = Some(1.0));
    one("body[0].density: gives a density of 1.1 kg/m³", &|b| b.density = Some(1.1));
    one("body[0].mass: gives a density of 8 kg/m³", &|b| {
        (b.density, b.mass) = (None, Some(1.0));
    });
    one("body[0].restitution: must be from 0 to 1", &|b| b.restitution = 1.5);
    one("body[0].friction: must be 0 or more", &|b| b.friction = -0.1);
    one("body[0].shape.plane: a plane cannot be a body", &|b| {
        b.shape = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
    });
    one("body[0].rotation.axis: must not be 0", &|b| {
        b.rotation = Some(Turn { axis: [0.0; 3], angle: 1.0 });
    });
    one("body[0].velocity: a body that does not move freely has none", &|b| {
        (b.fixed, b.velocity) = (true, [1.0, 0.0, 0.0]);
    });
    one("body[0].hinge: must be along a principal axis", &|b| b.hinge = Some([1.0, 0.2, 0.0]));
    one("body[0].hinge: must not be 0", &|b| b.hinge = Some([0.0; 3]));
    one("body[0].hinge: holds the centre of a body that turns freely", &|b| {
        (b.hinge, b.velocity) = (Some([0.0, 2.0, 0.0]), [1.0, 0.0, 0.0]);
    });
    one("body[0].motion[0].sway.period: must be greater than 0", &|b| {
        b.motion = vec![Motion::Sway { amplitude: [0.1; 3], period: 0.0, phase: 0.0 }];
    });
    one("body[0].motion[0].keyframes.frames[1].time: must be later than 1 s", &|b| {
        let frame = Keyframe { time: 1.0, position: [0.0; 3], angle: 0.0 };
        b.motion = vec![Motion::Keyframes {
            interpolation: Interpolation::Monotone,
            center: None,
            axis: [0.0, 1.0, 0.0],
            frames: vec![frame, frame],
        }];
    });
    one("body[0].shape: reaches 5.000e-1 m outside the container boundary[0]", &|b| {
        b.shape = cube(2.5, 3.5);
    });
    expect("body[0].shape: is outside the domain", |s| {
        s.boundaries.clear();
        s.domain = Some(Domain { min: [-1.0; 3], max: [1.0; 3], periodic: [false; 3] });
        s.bodies = vec![sound()];
    });
    expect("body[1].shape: fills a place that body[0] fills already", |s| {
        s.bodies = vec![sound(), body(cube(1.8, 2.2))];
    });
    expect("body[0].density: gives a density of 9 kg/m³; bodies need at least 10 kg/m³", |s| {
        s.bodies = vec![Body { density: Some(9.0), ..sound() }];
    });
    expect("body[65535]: at most 65535 are possible, not 65536", |s| {
        s.bodies = vec![Body { fixed: true, density: None, ..sound() }; 65_536];
    });
}
