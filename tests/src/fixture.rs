//! Worlds full of awkward particles, advanced by the reference to just before a pass.

use std::sync::Mutex;

use glam::{Quat, Vec3, Vec4};
use meniscus::passes::PASSES;
use meniscus_model::{
    Scene, Setup, bake,
    control::LoopReport,
    mesh::TriangleMesh,
    params::{
        Collider, DistanceField, FrameMotion, KIND_BOUNDARY, KIND_FLUID, KIND_REMOVED, Pull,
        RESPONSE_PARTICLES, SHAPE_BOX, SHAPE_MESH, SHAPE_SPHERE, pack_identity,
    },
    scene::{
        Boundary, Capsule, Cuboid, Cylinder, Domain, Drain, Emitter, Fluid, Force, Kernel,
        Material, MeshShape, Mouth, Packing, Plane, Response, Shape, Side, Sphere,
    },
    shared::encode,
};
use meniscus_reference::{Values, World, run};

/// A small deterministic generator (PCG), so that fixtures need no seed from outside.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        let old = self.0;
        self.0 =
            old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        f64::from(self.bits()) / 2_147_483_648.0 - 1.0
    }
}

/// What a world is to be like.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "tests build it")]
pub struct Kind {
    /// Live particles.
    pub particles: u32,
    /// 2 or 3.
    pub dimensions: u32,
    /// x and y are periodic.
    pub periodic: bool,
    /// The torus has 3 cells per axis, so that every pair meets a seam.
    pub three_cells: bool,
    /// All particles in nearly the same place.
    pub coincident: bool,
    /// Varies the random numbers.
    pub seed: u64,
    /// The smoothing kernel.
    pub kernel: Kernel,
}

impl Kind {
    /// Particles in 3-D with walls.
    #[must_use]
    pub fn of(particles: u32) -> Self {
        Self {
            particles,
            dimensions: 3,
            periodic: false,
            three_cells: false,
            coincident: false,
            seed: u64::from(particles),
            kernel: Kernel::Muller,
        }
    }
}

/// Particle spacing of every fixture, in m.
pub const SPACING: f64 = 0.1;

fn scene(kind: Kind) -> Scene {
    let mut scene = Scene::default();
    scene.dimensions = kind.dimensions;
    scene.kernel = Some(kind.kernel);
    scene.particle_radius = SPACING / 2.0;
    // Tension must be seen in the forces, and gravity must not be all that moves.
    let material = |name: &str, rest_density, viscosity| Material {
        name: name.into(),
        rest_density,
        viscosity: Some(viscosity),
        surface_tension: 20.0,
    };
    scene.materials = vec![material("heavy", 1000.0, 4.0), material("light", 400.0, 9.0)];
    let block = Shape::Box(Cuboid { min: [0.0; 3], max: [2.0 * SPACING; 3] });
    let fluid = |material: &str| Fluid {
        material: Some(material.into()),
        shape: block.clone(),
        packing: Packing::Cubic,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        jitter: 0.0,
    };
    scene.fluids = vec![fluid("heavy")];
    let side = if kind.three_cells {
        3.0 * 0.2002
    } else {
        (f64::from(kind.particles.max(8))).cbrt() * SPACING * 1.3
    };
    let half = (side / 2.0).max(0.31);
    scene.domain = Some(Domain {
        min: [-half; 3],
        max: [half; 3],
        periodic: [kind.periodic, kind.periodic, false],
    });
    if kind.periodic && kind.three_cells {
        scene.domain =
            Some(Domain { min: [-0.31; 3], max: [0.31; 3], periodic: [true, true, false] });
    }
    scene.settings.set("muller.sound_speed", 12.0);
    scene.settings.set("viscosity.alpha", 0.2);
    scene.settings.set("viscosity.xsph", 0.1);
    scene.boundaries = boundaries(half, kind.dimensions);
    scene.forces = vec![
        Force::Uniform { acceleration: [0.3, 0.1, 0.0] },
        Force::Attract { center: [0.1, 0.0, 0.0], strength: 5.0, radius: 0.8 },
        Force::Rotation { center: [0.0; 3], axis: [0.0, 0.0, 2.0], strength: 3.0, radius: 0.7 },
    ];
    scene.emitters = vec![
        Emitter {
            material: Some("light".into()),
            mouth: Mouth::Rectangle { width: 3.0 * SPACING, height: 2.0 * SPACING },
            center: [0.0, 0.2, 0.0],
            velocity: [1.0, -0.5, 0.0],
            start: 0.0,
            end: 3.0,
            up: None,
            max_particles: Some(60),
            max_live: None,
        },
        Emitter {
            material: None,
            mouth: Mouth::Circle { radius: 2.0 * SPACING },
            center: [-0.2, -0.05, 0.0],
            velocity: [0.0, -2.0, 0.0],
            start: 0.004,
            end: 3.0,
            up: Some([1.0, 0.0, 0.0]),
            max_particles: None,
            max_live: Some(80),
        },
    ];
    let drain = |shape, outside| Drain { shape, outside };
    scene.drains = vec![
        drain(Shape::Sphere(Sphere { center: [0.2, -0.2, 0.0], radius: 0.12 }), false),
        drain(Shape::Box(Cuboid { min: [-30.0; 3], max: [1.1 * half, 30.0, 30.0] }), true),
    ];
    if kind.dimensions == 3 {
        scene.drains.push(drain(mesh(&tetrahedron(0.2), [-0.25, -0.2, 0.0]), false));
    }
    scene
}

/// A mesh moved and turned.
fn mesh(triangles: &TriangleMesh, translation: [f64; 3]) -> Shape {
    let mut shape = MeshShape::new("fixture");
    shape.rotation.angle = 25.0;
    shape.translation = translation;
    shape.fill_in(triangles);
    Shape::Mesh(shape)
}

/// A solid with sharp edges about its middle.
fn tetrahedron(size: f64) -> TriangleMesh {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let corners = corners.map(|corner| corner.map(|x: f64| 0.5 * size * x));
    let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    TriangleMesh::new(&corners, &faces).expect("a tetrahedron")
}

/// A folded sheet.
fn sheet(size: f64) -> TriangleMesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 0.3, 1.0], [-0.9, -0.2, 0.4]];
    let corners = corners.map(|corner| corner.map(|x: f64| size * x));
    TriangleMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a sheet")
}

/// Every shape, both sides, both responses, moving and at rest.
fn boundaries(half: f64, dimensions: u32) -> Vec<Boundary> {
    let reflect = Response::Reflect { restitution: 0.4, friction: 0.3 };
    let spring = Response::Spring { stiffness: 5000.0, damping: 128.0 };
    let wall = |shape: Shape, side: Side, velocity: [f64; 3], response: &Response| Boundary {
        shape,
        side,
        velocity,
        motion: Vec::new(),
        response: Some(response.clone()),
    };
    let mut walls = vec![
        wall(
            Shape::Box(Cuboid { min: [-half; 3], max: [half; 3] }),
            Side::Inside,
            [0.1, 0.0, 0.0],
            &reflect,
        ),
        wall(
            Shape::Sphere(Sphere { center: [0.0; 3], radius: 1.5 * half }),
            Side::Inside,
            [0.0; 3],
            &reflect,
        ),
        wall(
            Shape::Sphere(Sphere { center: [half, 0.0, 0.0], radius: 0.1 }),
            Side::Outside,
            [0.0, 0.2, 0.0],
            &spring,
        ),
        wall(
            Shape::Plane(Plane { point: [0.0, -0.9 * half, 0.0], normal: [0.1, 1.0, 0.0] }),
            Side::Inside,
            [0.0; 3],
            &spring,
        ),
        wall(
            Shape::Box(Cuboid { min: [0.1, -0.2, -0.1], max: [0.2, -0.05, 0.1] }),
            Side::Outside,
            [0.0; 3],
            &reflect,
        ),
        wall(
            Shape::Capsule(Capsule {
                start: [-0.2, 0.1, 0.0],
                end: [-0.1, 0.25, 0.0],
                radius: 0.06,
            }),
            Side::Outside,
            [0.0; 3],
            &reflect,
        ),
        wall(
            Shape::Capsule(Capsule {
                start: [-half, 0.0, 0.0],
                end: [half, 0.0, 0.0],
                radius: 1.2 * half,
            }),
            Side::Inside,
            [0.0; 3],
            &reflect,
        ),
    ];
    if dimensions == 3 {
        walls.extend([
            wall(
                Shape::Cylinder(Cylinder {
                    start: [0.0, -half, 0.1],
                    end: [0.1, half, 0.0],
                    radius: 1.3 * half,
                }),
                Side::Inside,
                [0.0, 0.0, 0.1],
                &reflect,
            ),
            wall(
                mesh(&tetrahedron(8.0 * half), [0.0, -half, 0.0]),
                Side::Inside,
                [0.0, 0.1, 0.0],
                &reflect,
            ),
            wall(mesh(&tetrahedron(0.35), [0.2, 0.1, 0.1]), Side::Outside, [0.0; 3], &reflect),
            wall(mesh(&sheet(0.4), [-0.2, -0.15, 0.1]), Side::Inside, [0.0; 3], &spring),
            wall(
                Shape::Cylinder(Cylinder {
                    start: [0.0, -0.3, -0.2],
                    end: [0.05, -0.2, -0.1],
                    radius: 0.08,
                }),
                Side::Outside,
                [0.0; 3],
                &reflect,
            ),
        ]);
    }
    walls
}

/// A world at the start of a step: particles of both materials in random order of id, jittered
/// about rest density, some of them far outside the domain or at awkward places.
#[must_use]
pub fn start(kind: Kind) -> World {
    let mut setup = Setup::new(&scene(kind)).expect("the fixture's scene is sound");
    // The scene's own eight (four) particles give way to the fixture's.
    let placeholder = setup.position.len() as u32;
    let n = kind.particles;
    setup.params.counts.capacity = setup.params.counts.capacity - placeholder + n.max(1);
    // Any of the particles may be made a boundary particle: all ids count as theirs.
    (setup.params.counts.first_wall, setup.params.counts.walls) = (0, n.max(1));
    setup.params.counts.first_body = n / 2;
    if kind.three_cells {
        setup.params.grid.size = glam::UVec3::new(3, 3, if kind.dimensions == 2 { 1 } else { 3 });
        setup.params.grid.cell_count = setup.params.grid.size.element_product();
    }
    let mut world = World::new(setup.params, meniscus_model::Control::start(n));
    // Iterations begin with what their loop says.
    world.stage.loop_index = 1 + (kind.seed % 2) as u32;
    world.params.loops[0].warm_start = 0.5;
    world.params.loops[1].warm_start = 0.75;
    world.control.next_id = n + 7;
    world.control.primed = 1;
    world.control.frame = 3;
    world.control.step = 40;
    world.control.steps_in_frame = 2;
    world.control.time_in_frame = 0.002;
    world.control.dt = 0.001;
    world.control.longest_dt = [0.0, 0.001, 0.0025][(kind.seed % 3) as usize];
    world.control.step_share = [1.0, 0.98, 0.3, 0.13][(kind.seed % 4) as usize];
    world.control.max_speed_bits = 2.5_f32.to_bits();
    world.control.max_acceleration_bits = 60.0_f32.to_bits();
    world.set_colliders(&[setup.colliders.clone(), rigid_bodies(kind, &setup.colliders)].concat());
    // The first free body is pulled, and by an even seed the spring is at its longest.
    world.params.pull = Pull {
        arm: Vec3::new(0.05, -0.03, 0.0),
        body: setup.colliders.len() as u32 + 1,
        goal: Vec3::new(0.3, 0.4, 0.0),
        rate: 30.0,
        reach: if kind.seed.is_multiple_of(2) { 0.1 } else { 2.0 },
    };
    world.distances = distances(&setup);
    world.drains.clone_from(&setup.drains);
    world.emitters.clone_from(&setup.emitters);
    let wide = |p: &[f32; 4]| p.map(f64::from);
    world.emitter_points = setup.emitter_points.iter().map(wide).collect();

    let mut random = Random::new(kind.seed);
    litter(&mut world, &mut random);
    stir(&mut world, &setup, &mut random, kind);
    let mut ids: Vec<u32> = (0..n).collect();
    for i in (1..ids.len()).rev() {
        ids.swap(i, random.bits() as usize % (i + 1));
    }
    let per_axis = if kind.dimensions == 2 { f64::from(n).sqrt() } else { f64::from(n).cbrt() };
    let per_axis = (per_axis.ceil() as u32).max(1);
    for (i, id) in ids.into_iter().enumerate() {
        let k = i as u32;
        let place = [k % per_axis, k / per_axis % per_axis, k / per_axis / per_axis];
        let mut x: [f64; 3] = std::array::from_fn(|axis| {
            (f64::from(place[axis]) - f64::from(per_axis) / 2.0 + 0.5 + 0.25 * random.signed())
                * SPACING
        });
        if kind.coincident {
            x = std::array::from_fn(|_| 1e-3 * SPACING * random.signed());
        } else if i % 41 == 17 {
            // Far outside, on both sides: the torus aliases these with cells inside.
            x = x.map(|v| v + 40.0 * SPACING * random.signed());
        } else if i % 97 == 5 && i > 0 {
            // The very place of another particle.
            x = std::array::from_fn(|axis| world.position[i - 1][axis]);
        }
        if kind.dimensions == 2 {
            x[2] = 0.0;
        }
        let flat = if kind.dimensions == 2 { 0.0 } else { 1.0 };
        let v = [2.0 * random.signed(), 2.0 * random.signed(), flat * 2.0 * random.signed()];
        let material = random.bits() % 2;
        world.position[i] = [x[0], x[1], x[2], 900.0 + 50.0 * random.signed()];
        world.velocity[i] = [v[0], v[1], v[2], 100.0 * random.signed()];
        world.identity[i] = [id, pack_identity(KIND_FLUID, material, random.bits() % 5)];
        if i % 7 == 3 {
            // A boundary particle: its volume and its friction are where density and pressure were.
            let driven = world.params.counts.driven;
            let body = match id >= world.params.counts.first_body {
                true => driven + random.bits() % (world.params.counts.colliders - driven),
                false => random.bits() % driven,
            };
            world.identity[i][1] = pack_identity(KIND_BOUNDARY, 0, body);
            world.position[i][3] =
                SPACING.powi(kind.dimensions as i32) * (1.2 + 0.3 * random.signed());
            world.velocity[i][3] = 0.5 + 0.5 * random.signed();
        }
    }
    world.round_to_f32();
    world
}

/// A struct of floats as such.
fn floats(frame: &FrameMotion) -> Vec<f64> {
    let bytes = encode(std::slice::from_ref(frame));
    bytemuck::pod_collect_to_vec::<_, f32>(&bytes).into_iter().map(f64::from).collect()
}

/// The distances of all meshes, each scene's made once.
fn distances(setup: &Setup) -> Vec<f64> {
    static MADE: Mutex<Vec<(Vec<DistanceField>, Vec<f64>)>> = Mutex::new(Vec::new());
    let fields: Vec<_> = setup.fields.iter().map(|(_, field)| *field).collect();
    let mut made = MADE.lock().expect("no test panics here");
    if let Some((_, distances)) = made.iter().find(|(known, _)| *known == fields) {
        return distances.clone();
    }
    let mut world = World::new(setup.params, meniscus_model::Control::start(0));
    world.distances.resize(setup.distance_count().max(1) as usize, 0.0);
    for field in 0..fields.len() {
        fill_field(&mut world, setup, field);
        for (pass, elements) in field_passes(&world) {
            world.stage.element_count = elements;
            run(&mut world, pass);
        }
    }
    made.push((fields, world.distances.clone()));
    world.distances
}

/// Asks for the distances of one of the meshes, all of whose triangles make one batch.
fn fill_field(world: &mut World, setup: &Setup, field: usize) {
    let Some((solid, field)) = setup.fields.get(field) else { return };
    let batch = bake::batches(solid).next().expect("triangles");
    world.distance_field = field.with_batch(&batch.boxes);
    (world.field_boxes, world.field_triangles) = (batch.boxes, batch.triangles);
}

/// The passes that fill a field, and their elements.
fn field_passes(world: &World) -> [(&'static str, u32); 2] {
    let DistanceField { nodes, size, .. } = world.distance_field;
    [("solid/bake", size.element_product()), ("solid/flood", nodes.y * nodes.z)]
}

/// A field of which half is known, to the nearer of its two passes.
fn field_before(pass: &str, kind: Kind) -> World {
    let setup = Setup::new(&scene(kind)).expect("the fixture's scene is sound");
    let mut world = start(kind);
    // A device that folds soon has no room for the container's.
    let small = |(_, field): &(_, DistanceField)| field.length() < 1 << 14;
    let small: Vec<_> = (0..setup.fields.len()).filter(|k| small(&setup.fields[*k])).collect();
    let number = kind.particles as usize % small.len().max(1);
    fill_field(&mut world, &setup, small.get(number).copied().unwrap_or(usize::MAX));
    let field = world.distance_field;
    // Batches before have found nothing, or something here and there.
    let (band, from) = (f64::from(field.band), field.first as usize);
    let share = f64::from(kind.particles % 2);
    let mut random = Random::new(kind.seed);
    for value in world.distances.iter_mut().skip(from).take(field.length() as usize) {
        let near = (2.0 * band * random.signed()).clamp(-band, band);
        *value = if random.signed() < 0.0 { 0.0 } else { share * near };
    }
    for (name, elements) in field_passes(&world) {
        world.stage.element_count = elements;
        if name == pass {
            break;
        }
        run(&mut world, name);
    }
    world.round_to_f32();
    world
}

/// A full lattice around the origin, uncalibrated and sorted, with 5 particles to each side of the
/// one whose sorted slot is returned: spacing 0.05 m, h = 0.1 m, water (VALIDATION 2.15).
#[must_use]
pub fn lattice(kernel: Kernel) -> (World, usize) {
    let mut scene = Scene::default();
    scene.particle_radius = 0.025;
    scene.kernel = Some(kernel);
    scene.calibrate_density = false;
    scene.materials = vec![Material {
        name: "water".into(),
        rest_density: 1000.0,
        viscosity: None,
        surface_tension: 0.0,
    }];
    let block = Shape::Box(Cuboid { min: [-0.275; 3], max: [0.275; 3] });
    scene.fluids = vec![Fluid::new(block)];
    let setup = Setup::new(&scene).expect("the lattice is sound");
    let n = setup.position.len();
    let mut world = World::new(setup.params, meniscus_model::Control::start(n as u32));
    (world.control.primed, world.control.dt) = (1, 0.001);
    for i in 0..n {
        world.position[i] = setup.position[i].map(f64::from);
        world.identity[i] = setup.identity[i];
    }
    sort(&mut world);
    for name in ["neighbours/rows", "neighbours/count", "neighbours/list"] {
        world.stage.element_count = elements_of(&world, name);
        run(&mut world, name);
        prepare_neighbours(&mut world, name, 3);
    }
    let length = |p: &[f64; 4]| p[0].hypot(p[1]).hypot(p[2]);
    let nearest = |a: &usize, b: &usize| {
        length(&world.sorted_position[*a]).total_cmp(&length(&world.sorted_position[*b]))
    };
    let middle = (0..n).min_by(nearest).expect("particles");
    (world, middle)
}

/// Three bodies that share the boundary particles: the first is held, the others move freely.
fn rigid_bodies(kind: Kind, others: &[Collider]) -> Vec<Collider> {
    let flat = kind.dimensions == 2;
    let axes = if flat { Vec3::Z } else { Vec3::ONE };
    let turn = if flat { Vec3::Z } else { Vec3::new(1.0, -2.0, 0.5).normalize() };
    let body = |k: u32, shape: u32| Collider {
        shape,
        position: 0.1 * Vec3::new(k as f32 - 1.0, 0.5, 0.0),
        half_extents: 0.1 * Vec3::new(1.0, 0.7, 0.4),
        radius: 0.08,
        rotation: Vec4::from(Quat::from_axis_angle(turn, 0.4 + k as f32)),
        response: RESPONSE_PARTICLES,
        restitution: 0.3,
        friction: 0.4,
        first_particle: k * (kind.particles / 3),
        particle_count: kind.particles / 3,
        inverse_mass: 0.2 * k as f32,
        inverse_inertia: k as f32 * axes * Vec3::new(3.0, 5.0, 8.0),
        ..Default::default()
    };
    // The distances of an obstacle serve a body as well.
    let second = match others.iter().find(|c| c.shape == SHAPE_MESH && c.inside == 0) {
        Some(mesh) => Collider { field: mesh.field, radius: mesh.radius, ..body(1, SHAPE_MESH) },
        None => body(1, SHAPE_BOX),
    };
    vec![body(0, SHAPE_BOX), second, body(2, SHAPE_SPHERE)]
}

/// Bodies move, and so do the driven solids.
fn stir(world: &mut World, setup: &Setup, random: &mut Random, kind: Kind) {
    let flat = kind.dimensions == 2;
    let mut vector = |size: f64| {
        let v: [f64; 3] = std::array::from_fn(|_| size * random.signed());
        if flat { [v[0], v[1], 0.0] } else { v }
    };
    let set = |data: &mut [f64], at: usize, v: [f64; 3]| data[at..at + 3].copy_from_slice(&v);
    for body in &mut world.bodies {
        set(body, 8, vector(1.0));
        let [x, y, z] = vector(3.0);
        let spin = if flat { [0.0, 0.0, x] } else { [x, y, z] };
        set(body, 12, spin);
        set(body, 16, spin.map(|s| 0.2 * s));
    }
    let frames = setup.motions_from(0.3, [Vec3::ZERO, Vec3::X]);
    for (k, motion) in world.motions.iter_mut().enumerate() {
        let own: Vec<f64> = match frames.get(k) {
            Some(frame) => floats(frame),
            None => [vec![0.1; 3], vec![0.0; 4], vec![1.0], vec![0.0; 24]].concat(),
        };
        motion.copy_from_slice(&own);
        if k % 2 == 1 {
            for at in [8, 16] {
                set(motion, at, vector(1.0));
            }
            set(motion, 12, vector(0.02));
            for (at, size) in [(20, 8.0), (24, 0.3), (28, 8.0)] {
                let [x, y, z] = vector(size);
                set(motion, at, if flat { [0.0, 0.0, x] } else { [x, y, z] });
            }
        }
    }
    for model in &mut world.model_position {
        set(model, 0, vector(0.1));
        model[3] = 0.0;
    }
}

/// Fills what a step has yet to compute, and slots without particles, with what shows where it is read or
/// not written: NaN, and words that are no index. What a pass may read gets sane values.
fn litter(world: &mut World, random: &mut Random) {
    let kept = [
        "emitter_layers",
        "emitter_points",
        "marching_cubes",
        "distances",
        "bodies",
        "motions",
        "model_position",
        "wall_slots",
        "contact_other",
        "partners",
    ];
    for name in World::BUFFERS.iter().filter(|name| !kept.contains(name)) {
        litter_buffer(world, random, name);
    }
    // Of the last step, in Pa: enough to change velocities in a step.
    world.warm.fill_with(|| 1e5 * random.signed());
    // Of all iterations before, in kg/m, no less than 0.
    world.kappa_sum.fill_with(|| 0.1 * random.signed().abs());
    // Boundary particles have no acceleration of their own, and those that a body lacks no force.
    world.acceleration.as_flattened_mut().fill_with(|| 10.0 * random.signed());
    world.reaction.as_flattened_mut().fill_with(|| 10.0 * random.signed());
    // Errors in percent, and numbers of particles, of groups of 64.
    world.residuals.fill_with(|| [30.0 * random.signed().abs(), f64::from(random.bits() % 65)]);
    // A sum over particles, counted on.
    world.surface_outside.fill(random.bits() % 1000);
}

fn litter_buffer(world: &mut World, random: &mut Random, name: &str) {
    match world.buffer(name) {
        Some(Values::Floats { data, .. }) => data.fill(f64::NAN),
        Some(Values::Words { data, .. }) => {
            data.fill_with(|| 0xdead_0000 | (random.bits() % 0x10000));
        }
        None => {}
    }
}

/// Whether a pass comes before another in some solver's step: passes of two solvers never meet, what
/// all share is tried in Müller's, and what PCISPH, IISPH and DFSPH share in DFSPH's.
fn belongs(earlier: &str, pass: &str) -> bool {
    const SOLVERS: [&str; 4] = ["muller/", "wcsph/", "pcisph/", "dfsph/"];
    const ITERATION: [&str; 5] =
        ["sph/warm", "sph/push", "sph/compression", "sph/correct", "sph/keep"];
    let solver = |name: &str| SOLVERS.iter().find(|solver| name.starts_with(**solver)).copied();
    // Volumes of body/press, too, are those at rest, as incompressible solvers keep them.
    let incompressible = pass == "body/press" || ITERATION.contains(&pass);
    let own = solver(pass).unwrap_or(if incompressible { "dfsph/" } else { "muller/" });
    if ITERATION.contains(&earlier) {
        return ["pcisph/", "dfsph/"].contains(&own);
    }
    solver(earlier).is_none_or(|solver| solver == own)
}

/// The walk that sums forces, in the steps of this fixture.
const FORCES: &str = "sph/forces+viscosity_muller+pressure_muller+tension_color_field";

/// The passes of a step that come before `pass`, and what else it needs.
#[must_use]
pub fn just_before(pass: &str, kind: Kind) -> World {
    if pass.starts_with("surface/") {
        return surface_before(pass, kind);
    }
    if pass == "solid/bake" || pass == "solid/flood" {
        return field_before(pass, kind);
    }
    let mut world = start(kind);
    let file = pass.split('+').next().unwrap_or(pass);
    let before = PASSES.iter().map(|row| row.name).take_while(|name| *name != file);
    let order: Vec<_> = before.collect();
    let steps = |name: &&&'static str| {
        !name.starts_with("time/begin_frame")
            && (!name.starts_with("loop/") || **name == "loop/residual")
            && !name.starts_with("reduce/")
            && belongs(name, pass)
            && !name.starts_with("diagnostics/")
            // sph/density is what stands there otherwise.
            && **name != "wcsph/continuity"
    };
    for name in order.iter().filter(steps) {
        if *name == "sort/count" {
            world.cell_count.fill(0);
        }
        world.stage.element_count = elements_of(&world, name);
        if *name == "body/impulse" {
            count_touches(&mut world);
        }
        let with_terms = if *name == "sph/forces" { FORCES } else { *name };
        run(&mut world, with_terms);
        match *name {
            "sort/count" => scan_cells(&mut world),
            // Too little room for half of the worlds in which that is tried.
            _ if pass == "neighbours/room" && kind.seed % 2 == 1 => {
                prepare_neighbours(&mut world, name, -1);
            }
            _ => prepare_neighbours(&mut world, name, 3),
        }
        world.round_to_f32();
    }
    world.stage.element_count = elements_of(&world, pass);
    match pass {
        "body/impulse" => count_touches(&mut world),
        "body/end" => slow_down(&mut world),
        // Nothing touches in half of the worlds, and in the others one body does.
        "body/touch" => {
            world.body_touches.fill(0);
            if let Some(last) = world.body_touches.last_mut() {
                *last = (kind.seed % 2) as u32;
            }
        }
        "reduce/clear" | "reduce/sum" | "reduce/scan" => {
            world.values.clone_from(&world.cell_count);
            world.stage.element_count = world.values.len() as u32;
            if pass == "reduce/scan" {
                // The level above, done: exclusive prefix sums of the blocks' totals.
                run(&mut world, "reduce/sum");
                let mut sum = 0;
                for (offset, total) in world.offsets.iter_mut().zip(&world.totals) {
                    *offset = sum;
                    sum += total;
                }
            }
        }
        "sort/count" => world.cell_count.fill(0),
        // Half of what would be taken back is more than iterations before have pushed.
        "pcisph/compression" | "dfsph/divergence" | "sph/compression" => {
            let mut free = world.clone();
            free.kappa_sum.fill(f64::INFINITY);
            run(&mut free, pass);
            let mut random = Random::new(kind.seed);
            for (sum, kappa) in world.kappa_sum.iter_mut().zip(&free.kappa) {
                *sum = 2.0 * kappa.abs() * random.signed().abs();
            }
        }
        // More and less than at rest, and tension in half of the worlds.
        "muller/pressure" | "wcsph/pressure" => {
            world.params.sph.clamp_pressure = (kind.seed % 2) as u32;
            let mut random = Random::new(kind.seed);
            for (density, identity) in world.density.iter_mut().zip(&world.sorted_identity) {
                let material = world.params.materials[(identity[1] >> 8 & 15) as usize];
                *density = f64::from(material.rest_density) * (1.02 + 0.2 * random.signed());
            }
        }
        // Incompressible fluid may come nearer to walls of particles.
        "solid/collide" if kind.seed % 2 == 1 => {
            world.params.sph.incompressible = 1;
            world.params.counts.driven = world.params.counts.colliders;
        }
        "time/begin_frame" => world.control.frame_done = 1,
        "diagnostics/partial" | "diagnostics/total" => {
            world.control.frame_done = 1;
            if pass == "diagnostics/total" {
                run(&mut world, "diagnostics/partial");
            }
        }
        "loop/begin" | "loop/test" | "loop/end" => {
            world.stage.loop_index = 1;
            world.stage.loop_first = 5;
            world.params.loops[0].min_iterations = 2;
            world.params.loops[0].max_iterations = 9;
            world.params.loops[0].tolerance = 0.5;
            world.control.iteration = (kind.seed % 10) as u32;
            world.residual[0] = if kind.seed.is_multiple_of(3) { 0.4 } else { 0.6 };
            world.control.loops[0] = LoopReport {
                iterations: 40,
                exhausted: (kind.seed % 5) as u32,
                residual_sum: 1.25,
                residual_max: 0.5,
            };
            world.control.most_iterations.x = (kind.seed % 7) as u32;
            world.control.converged = (kind.seed / 2 % 2) as u32 * u32::from(pass == "loop/end");
        }
        _ => {}
    }
    world.round_to_f32();
    world
}

/// What comes between the passes that find neighbours: scans, and room for all candidates and so many
/// more.
fn prepare_neighbours(world: &mut World, done: &str, more: i32) {
    match done {
        "neighbours/rows" => scan(&mut world.row_cluster_start, &world.row_clusters),
        "neighbours/count" => {
            scan(&mut world.neighbour_start, &world.neighbour_count);
            let total = *world.neighbour_start.last().expect("an element");
            world.neighbours.resize(total.saturating_add_signed(more).max(1) as usize, [7; 2]);
        }
        _ => {}
    }
}

/// Elements of the passes that find neighbours or sum over bodies.
fn elements_of(world: &World, pass: &str) -> u32 {
    match pass {
        "neighbours/rows" => world.row_clusters.len() as u32,
        "neighbours/count" | "neighbours/room" | "neighbours/list" => {
            world.neighbour_count.len() as u32
        }
        // Boundary particles from this id on are of free bodies, and from half of it on of any.
        "body/carry" | "body/near" | "body/contact" | "body/partners" | "body/impulse" => {
            world.params.counts.walls - world.params.counts.first_body
        }
        "body/react" | "body/press" => {
            world.params.counts.walls - world.params.counts.first_body / 2
        }
        // Both ways to sum over bodies.
        "body/kick" | "body/apply" => {
            world.params.counts.colliders
                * if world.params.counts.capacity.is_multiple_of(2) { 8 } else { 64 }
        }
        _ => world.stage.element_count,
    }
}

/// Free bodies turn by at most two radians in a step, as their momenta about their thinnest axis say: the
/// middle of larger turns is not found by iteration, which only makes rounding grow.
fn slow_down(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for (body, collider) in world.bodies.iter_mut().zip(&world.colliders) {
        let momentum = body[16..19].iter().map(|part| part * part).sum::<f64>().sqrt();
        let turn = dt * momentum * f64::from(collider.inverse_inertia.max_element());
        let share = 2.0 / turn.max(2.0);
        body[16..19].iter_mut().for_each(|part| *part *= share);
    }
    world.round_to_f32();
}

/// Contacts of bodies: at least one, as `body/apply` finds where particles are their bodies' own.
fn count_touches(world: &mut World) {
    for (k, count) in world.body_touches.iter_mut().enumerate() {
        *count = 1 + k as u32 % 5;
    }
}

/// `cell_start` from `cell_count`, without the passes under test.
fn scan_cells(world: &mut World) {
    scan(&mut world.cell_start, &world.cell_count);
}

/// Exclusive prefix sums, also of what follows the values in use.
fn scan(sums: &mut [u32], values: &[u32]) {
    let mut sum: u32 = 0;
    for (start, value) in sums.iter_mut().zip(values) {
        *start = sum;
        sum = sum.wrapping_add(*value);
    }
}

/// The passes of the surface that come before `pass`, between two steps. There is a little more
/// room than they need.
fn surface_before(pass: &str, kind: Kind) -> World {
    let mut world = start(kind);
    let mut random = Random::new(kind.seed + 1);
    stratify(&mut world, kind, &mut random);
    let mut room = world.surface_control;
    room.iso = 0.6;
    room.fineness = if kind.particles <= 216 { 1 + kind.particles % 3 } else { 1 };
    world.make_room(room);
    world.taubin_factor.fill(-0.53);
    world.stage.element_count = world.params.grid.cell_count;
    run(&mut world, "integrate/drift");
    wrap_walls(&mut world);
    sort(&mut world);
    // As it is without anisotropic kernels, but just before their own pass.
    let anisotropic = pass == "surface/field_anisotropic";
    let only = |name: &&str| *name != "surface/shape" && *name != "surface/field_anisotropic";
    if anisotropic {
        sort_by_smoothed(&mut world);
    }
    let surface = PASSES.iter().map(|row| row.name).filter(|name| name.starts_with("surface/"));
    for name in surface.take_while(|name| *name != pass).filter(only) {
        run(&mut world, name);
        match name {
            "surface/touch" => {
                scan(&mut world.surface_block, &world.surface_flag);
                room.block_capacity = world.surface_flag.iter().sum::<u32>() + 3;
                world.make_room(room);
                for name in ["surface_tiles", "surface_field", "surface_nodes", "tile_vertices"] {
                    litter_buffer(&mut world, &mut random, name);
                }
                for name in ["tile_triangles", "tile_vertex_start", "tile_triangle_start"] {
                    litter_buffer(&mut world, &mut random, name);
                }
            }
            "surface/field" if kind.particles % 2 == 1 => {
                // Noise meets more of the 256 cases than fluid does. 0 and 1 may be by definition.
                let known = |value: &&mut f64| **value != 0.0 && **value != 1.0;
                let values = world.surface_field.iter_mut();
                values.filter(known).for_each(|value| *value = 0.6 + 0.6 * random.signed());
            }
            "surface/classify" => {
                scan(&mut world.tile_vertex_start, &world.tile_vertices);
                scan(&mut world.tile_triangle_start, &world.tile_triangles);
                let mut counted = world.clone();
                run(&mut counted, "surface/draw");
                room = world.surface_control;
                room.vertex_capacity = counted.surface_control.vertex_count + 5;
                room.index_capacity = counted.surface_control.index_count + 7;
                world.make_room(room);
                for name in ["position", "normal", "index", "ring", "smoothed"] {
                    litter_buffer(&mut world, &mut random, &format!("surface_{name}"));
                }
            }
            _ => {}
        }
        world.round_to_f32();
    }
    world
}

/// Boundary particles within the periods, where `body/place` would have put them.
fn wrap_walls(world: &mut World) {
    let period = world.params.grid.period.to_array().map(f64::from);
    for (position, identity) in world.position.iter_mut().zip(&world.identity) {
        if identity[1] & 255 == KIND_BOUNDARY {
            for (x, period) in position.iter_mut().zip(period).filter(|(_, period)| *period > 0.0) {
                *x -= period * (*x / period + 0.5).floor();
            }
        }
    }
    world.round_to_f32();
}

/// The counting sort.
fn sort(world: &mut World) {
    world.cell_count.fill(0);
    run(world, "sort/count");
    scan_cells(world);
    for name in ["sort/bin", "sort/rank", "sort/reorder"] {
        run(world, name);
    }
    world.round_to_f32();
}

/// The smoothed centres of particles, the stretch of their kernels, and a sort by those centres.
fn sort_by_smoothed(world: &mut World) {
    run(world, "surface/shape");
    world.round_to_f32();
    std::mem::swap(&mut world.position, &mut world.smoothed_position);
    sort(world);
    std::mem::swap(&mut world.position, &mut world.smoothed_position);
}

/// Densities as in a block of fluid: less than at rest on its outside, so that cells in the middle
/// of a large one are deep in the fluid.
fn stratify(world: &mut World, kind: Kind, random: &mut Random) {
    let half = 0.5 * f64::from(kind.particles).cbrt().ceil() * SPACING;
    for i in 0..kind.particles as usize {
        let material = (world.identity[i][1] >> 8 & 255) as usize;
        let rest_density = f64::from(world.params.materials[material].rest_density);
        let [x, y, z, _] = world.position[i];
        let deep = x.abs().max(y.abs()).max(z.abs()) < half - SPACING;
        let share = if deep { 1.0 } else { 0.82 } + 0.06 * random.signed();
        world.position[i][3] = share * rest_density;
    }
    world.round_to_f32();
}

/// A removed particle here and there, as `emit/drain` marks them.
pub fn remove_some(world: &mut World) {
    for (i, identity) in world.identity.iter_mut().enumerate() {
        if i % 13 == 4 {
            identity[1] |= KIND_REMOVED;
        }
    }
}
