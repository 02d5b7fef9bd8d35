//! The surface: behaviour without enough memory, and properties of its meshes for arbitrary
//! particles.

use std::cell::{Cell, RefCell};

use conformance::{
    cases::Case,
    compare::check,
    course::Course,
    device::{Flavour, block_on, gpu},
    moment::Moment,
    random::Random,
    scenes::parse,
    single::Side,
    topology::{Topology, topology},
};
use glam::DVec3;
use meniscus::{FluidMesh, Gpu, Shaders, Simulation, SurfaceMesh, SurfaceOptions};
use meniscus_methods::Registry;
use meniscus_model::{
    Control, Scene,
    params::{KIND_FLUID, pack_identity},
    scene::{Cuboid, Domain, Fluid, Material, Shape},
};
use meniscus_reference::{Array, Twins, kernels::Kernels};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

/// Noise as the field of a surface meets nearly all of the 256 cases of a cube, which fluid does not.
#[test]
fn noise_meets_all_cases() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let case = Case::read("seams");
    let scene = case.with("wcsph");
    let mut course =
        Course::new(&scene, &Registry::standard(), Twins::standard(), None, &mut |_| Ok(()))
            .and_then(|mut course| course.step(&mut |_| Ok(())).map(|()| course))
            .unwrap_or_else(|stop| panic!("{stop}"));
    course = course.altered(|world, placed| {
        if placed.pass.name == "surface/classify" {
            let mut random = Random::new(7);
            let iso = f64::from(world.surface_control.iso);
            for value in world.surface_field.iter_mut().filter(|v| **v != 0.0 && **v != 1.0) {
                let at_iso = random.bits().is_multiple_of(9);
                *value = if at_iso { iso } else { iso + 0.6 * random.signed() };
            }
        }
    });
    let side = Side::new(gpu, Shaders::standard().for_scene(&course.replica().setup));
    let mut cases = [false; 256];
    let see = &mut |moment: &Moment| {
        if let Some(Array::Words { data, .. }) = moment.after.get("surface_nodes") {
            data.iter().for_each(|word| cases[(word & 255) as usize] = true);
        }
        check(&side, moment).map(drop)
    };
    course.surface(&options(2), see).unwrap_or_else(|stop| panic!("{stop}"));
    let met = cases.iter().filter(|met| **met).count();
    assert!(met >= 250, "{met} of the 256 cases");
}

/// Particle spacing in m.
const SPACING: f64 = 0.1;

/// Input of a surface: positions in m, velocities in m/s.
#[derive(Debug)]
struct Particles {
    place: Vec<DVec3>,
    velocity: Vec<DVec3>,
    id: Vec<u32>,
    /// Densities; by summation if absent.
    density: Option<Vec<f64>>,
}

impl Particles {
    fn at(place: Vec<DVec3>) -> Self {
        let n = place.len();
        Self { place, velocity: vec![DVec3::ZERO; n], id: (0..n as u32).collect(), density: None }
    }

    /// Particles of a cubic lattice that are `inside`, in spacings.
    fn lattice(reach: i32, inside: impl Fn(DVec3) -> bool) -> Self {
        let steps = move || -reach..reach;
        let all = steps().flat_map(|z| steps().flat_map(move |y| steps().map(move |x| [x, y, z])));
        let places = all.map(|place| DVec3::from(place.map(f64::from)) + 0.5);
        Self::at(places.filter(|place| inside(*place)).map(|place| SPACING * place).collect())
    }
}

/// A simulation whose particles are replaced, and its surface.
struct Bench {
    gpu: &'static Gpu,
    simulation: Simulation,
}

impl Bench {
    /// Room for this many particles, in a world of ±2 m.
    fn new(gpu: &'static Gpu, particles: u32) -> Self {
        let mut scene = Scene::default();
        scene.solver = "muller".into();
        scene.particle_radius = SPACING / 2.0;
        scene.materials = vec![Material::new("water")];
        let side = f64::from(particles).cbrt().ceil() * SPACING;
        let shape = Shape::Box(Cuboid { min: [-side / 2.0; 3], max: [side / 2.0; 3] });
        scene.fluids = vec![Fluid::new(shape)];
        scene.domain = Some(Domain { min: [-2.0; 3], max: [2.0; 3], periodic: [false; 3] });
        let simulation = block_on(gpu, Simulation::new(gpu, &scene)).unwrap();
        assert!(simulation.setup().capacity() >= particles);
        Self { gpu, simulation }
    }

    fn surface(&self, options: &SurfaceOptions) -> FluidMesh {
        FluidMesh::new(self.gpu, &self.simulation, options).unwrap()
    }

    fn put(&self, particles: &Particles) {
        let params = &self.simulation.setup().params;
        let density = particles.density.clone().unwrap_or_else(|| {
            let kernels = Kernels::of(params);
            let factor = f64::from(params.kernel.density_calibration * params.materials[0].mass);
            let sum = |a: &DVec3| -> f64 {
                particles.place.iter().map(|b| kernels.poly6(a.distance(*b))).sum()
            };
            particles.place.iter().map(|a| factor * sum(a)).collect()
        });
        let with = |v: &DVec3, w: f64| v.extend(w).as_vec4().to_array();
        let place: Vec<_> = particles.place.iter().zip(density).map(|(x, w)| with(x, w)).collect();
        let velocity: Vec<_> = particles.velocity.iter().map(|v| with(v, 0.0)).collect();
        let what = pack_identity(KIND_FLUID, 0, 0);
        let identity: Vec<_> = particles.id.iter().map(|id| [*id, what]).collect();
        let machine = self.simulation.machine();
        machine.write("position", bytemuck::cast_slice(&place)).unwrap();
        machine.write("velocity", bytemuck::cast_slice(&velocity)).unwrap();
        machine.write("identity", bytemuck::cast_slice(&identity)).unwrap();
        machine.write_control(&Control {
            particle_count: particles.place.len() as u32,
            ..*self.simulation.control()
        });
    }

    fn mesh(&self, surface: &mut FluidMesh, particles: &Particles) -> SurfaceMesh {
        self.put(particles);
        block_on(self.gpu, surface.read(&self.simulation)).unwrap()
    }
}

fn look(mesh: &SurfaceMesh) -> Topology {
    topology(&mesh.position, &mesh.triangles).unwrap_or_else(|fault| panic!("{fault}"))
}

fn options(fineness: u32) -> SurfaceOptions {
    SurfaceOptions { fineness, ..SurfaceOptions::default() }
}

/// Clusters, isolated particles and some beyond the box, with densities that may be far off.
fn any_particles() -> impl Strategy<Value = Particles> {
    let clusters = proptest::collection::vec((any::<u64>(), 0..60usize, 0.02..0.6f64), 0..5);
    (clusters, any::<bool>(), any::<u64>()).prop_map(|(clusters, summed, seed)| {
        let mut place = Vec::new();
        for (seed, count, size) in clusters {
            let mut random = Random::new(seed);
            let mut vector =
                |reach: f64| DVec3::from_array([0; 3].map(|_| reach * random.signed()));
            let center = vector(2.2);
            place.extend((0..count).map(|_| center + vector(size)));
        }
        let mut random = Random::new(seed);
        let mut particles = Particles::at(place);
        let density = |_: &DVec3| 1000.0 * (1.0 + 0.8 * random.signed());
        if !summed {
            particles.density = Some(particles.place.iter().map(density).collect());
        }
        particles
    })
}

#[test]
fn the_mesh_of_any_particles_is_a_closed_manifold() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 300);
    let with = |fineness, value, anisotropic| {
        let value = Some(value);
        let options = SurfaceOptions {
            fineness,
            value,
            anisotropic,
            smoothing: 1,
            velocity: true,
            material: None,
        };
        RefCell::new(bench.surface(&options))
    };
    let surfaces =
        [with(1, 0.1, false), with(2, 0.6, false), with(3, 0.9, false), with(1, 0.4, true)];
    // Random cases begin with the same seed each time, and failures leave no file.
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let (meshes, outside) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new_with_rng(config, random).run(&any_particles(), |particles| {
        for surface in &surfaces {
            let mesh = bench.mesh(&mut surface.borrow_mut(), &particles);
            let found = topology(&mesh.position, &mesh.triangles).map_err(TestCaseError::fail)?;
            let unit = |n: &[f32; 3]| (glam::Vec3::from(*n).length() - 1.0).abs() < 1e-5;
            prop_assert!(mesh.normal.iter().all(unit));
            if !mesh.triangles.is_empty() {
                prop_assert!(found.volume > 0.0, "{found:?}");
                meshes.set(meshes.get() + 1);
            }
            outside.set(outside.get() + mesh.outside);
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (meshes, outside) = (meshes.get(), outside.get());
    assert!(meshes >= 60 && outside > 0, "{meshes} meshes, {outside} particles beyond the box");
}

#[test]
fn a_ball_is_a_ball_and_a_torus_has_a_hole() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 4096);
    let ball = Particles::lattice(10, |place| place.length() < 9.0);
    let torus =
        Particles::lattice(15, |place| (place.truncate().length() - 9.0).hypot(place.z) < 3.3);
    for fineness in [1, 2] {
        let rough = SurfaceOptions { value: Some(0.6), ..options(fineness) };
        let mut surface = bench.surface(&rough);
        for (particles, euler_characteristic) in [(&ball, 2), (&torus, 0)] {
            let mesh = bench.mesh(&mut surface, particles);
            let found = look(&mesh);
            assert_eq!(found.euler_characteristic, euler_characteristic);
            assert_eq!(found.components, 1);
            // The fluid fills the volume of its particles; between the steps of a lattice is less fluid than in a surface
            // at rest.
            let exact = particles.place.len() as f64 * SPACING.powi(3);
            assert!((found.volume / exact - 1.0).abs() < 0.03, "{found:?}, expected {exact}");
        }
    }
}

#[test]
fn lone_particles_are_balls_and_the_buffers_grow_until_all_are_there() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 512);
    let mut surface = bench.surface(&options(1));
    let step = 4.6 * SPACING;
    let lone = Particles::lattice(4, |_| true);
    let lone = Particles::at(lone.place.iter().map(|place| *place * step / SPACING).collect());
    bench.put(&lone);
    surface.extract().unwrap();
    let first = block_on(gpu, surface.counts()).unwrap();
    assert!(first.overflow == 1 && first.block_count > first.block_capacity, "{first:?}");
    // A program that records it gets room by a later frame, once the device has said so.
    let mut frames = bench.surface(&options(1));
    let mut replaced = 0;
    for _ in 0..4 {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        replaced += u32::from(frames.record(&bench.simulation, &mut encoder).unwrap());
        gpu.queue().submit([encoder.finish()]);
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
    }
    let recorded = block_on(gpu, frames.counts()).unwrap();
    assert!(replaced >= 1 && recorded.overflow == 0, "{replaced}, {recorded:?}");
    let mesh = bench.mesh(&mut surface, &lone);
    let found = look(&mesh);
    assert_eq!((found.components, found.euler_characteristic), (512, 1024));
    assert_eq!(mesh.outside, 0);
}

#[test]
fn anisotropic_kernels_make_flat_sides_flatter() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 4096);
    let mut random = Random::new(3);
    let mut cube = Particles::lattice(8, |_| true);
    for place in &mut cube.place {
        *place += 0.2 * SPACING * DVec3::from_array([0; 3].map(|_| random.signed()));
    }
    // Mean angle between the upper side's normals and the vertical, away from its edges.
    let tilt = |anisotropic: bool| {
        let value = (!anisotropic).then_some(0.6);
        let mut surface = bench.surface(&SurfaceOptions { anisotropic, value, ..options(2) });
        let mesh = bench.mesh(&mut surface, &cube);
        let found = look(&mesh);
        assert_eq!((found.components, found.euler_characteristic), (1, 2));
        let share = found.volume / (4096.0 * SPACING.powi(3));

        assert!((0.95..1.05).contains(&share), "{share}");
        let middle = |x: &[f32; 3]| x[0].abs().max(x[2].abs()) < 0.5 && x[1] > 0.6;
        let vertices = mesh.position.iter().zip(&mesh.normal).filter(|(x, _)| middle(x));
        let angles: Vec<_> =
            vertices.map(|(_, n)| f64::from(n[1].clamp(-1.0, 1.0)).acos()).collect();
        angles.iter().sum::<f64>() / angles.len() as f64
    };
    let (round, flat) = (tilt(false), tilt(true));
    assert!(flat < 0.85 * round, "{round} {flat}");
}

/// Water ten spacings high in a tank, after 0.2 s, too, and a ball of ten spacings.
#[test]
fn levels_and_balls_keep_their_volume() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = |solver: &str, fluid: &str, rest: &str| {
        parse(&format!(
            "solver = \"{solver}\"\nparticle_radius = 0.01\n{rest}\n[time]\nfps = 10.0\n[[material]]\n\
             name = \"water\"\n[[fluid]]\n{fluid}\n"
        ))
    };
    let tank = "boundary = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [0.3, 0.4, 0.3] }, side = \"inside\" }]";
    let water = "shape.box = { min = [0.0, 0.0, 0.0], max = [0.3, 0.2, 0.3] }";
    let ball = "shape.sphere = { center = [0.0, 0.0, 0.0], radius = 0.1 }";
    let free = "gravity = [0.0, 0.0, 0.0]";
    let images = SurfaceOptions { anisotropic: true, smoothing: 16, ..options(1) };
    let round = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    for (scene, frames, volume) in [
        (scene("dfsph", water, tank), 0, 0.018),
        (scene("dfsph", water, tank), 2, 0.018),
        (scene("wcsph", water, tank), 2, 0.018),
        (scene("wcsph", ball, free), 0, round),
    ] {
        let mut simulation = block_on(gpu, Simulation::new(gpu, &scene)).unwrap();
        for _ in 0..frames {
            block_on(gpu, simulation.next_frame()).unwrap();
        }
        for (options, most) in [(options(1), 0.02), (images, 0.06)] {
            let mut surface = FluidMesh::new(gpu, &simulation, &options).unwrap();
            let mesh = block_on(gpu, surface.read(&simulation)).unwrap();
            let ratio = look(&mesh).volume / volume;
            assert!(
                (ratio - 1.0).abs() < most,
                "{ratio} after {frames} frames of {}",
                scene.solver
            );
            if frames > 0 || volume == round {
                continue;
            }
            let is_level =
                |x: &&[f32; 3]| x[1] > 0.15 && x[0].max(x[2]) < 0.25 && x[0].min(x[2]) > 0.05;
            let level: Vec<_> =
                mesh.position.iter().filter(is_level).map(|x| f64::from(x[1])).collect();
            let level = level.iter().sum::<f64>() / level.len() as f64;
            assert!((level / 0.2 - 1.0).abs() < 0.02, "a level of {level} m");
        }
    }
}

#[test]
fn particles_in_one_place_have_a_shape() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 27);
    let options = SurfaceOptions { anisotropic: true, smoothing: 1, velocity: true, ..options(1) };
    let mut surface = bench.surface(&options);
    let mesh = bench.mesh(&mut surface, &Particles::at(vec![DVec3::new(0.03, 0.01, 0.02); 27]));
    look(&mesh);
    let shape = surface.machine().buffer("surface_shape").unwrap();
    let bytes = block_on(gpu, gpu.read(&[shape])).unwrap();
    let shapes: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes[0]);
    assert!(shapes[..27 * 8].iter().all(|x| x.is_finite()), "{:?}", &shapes[..8]);
}

#[test]
fn the_order_of_particles_does_not_change_the_mesh() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 1000);
    let mut surface = bench.surface(&SurfaceOptions { velocity: true, ..options(1) });
    let mut random = Random::new(5);
    let mut particles = Particles::lattice(5, |_| true);
    for i in 0..particles.place.len() {
        let mut vector = || DVec3::from_array([0; 3].map(|_| random.signed()));
        particles.place[i] += 0.4 * SPACING * vector();
        particles.velocity[i] = vector();
    }
    let mesh = bench.mesh(&mut surface, &particles);
    look(&mesh);
    let velocities = mesh.velocity.clone().expect("asked for");
    let fastest = particles.velocity.iter().map(|v| v.length() as f32).fold(0.0, f32::max);
    let speeds = velocities.iter().map(|v| glam::Vec3::from(*v).length());
    assert!(speeds.fold(0.0, f32::max) <= fastest);

    // Particles in other slots with the same ids give the same bits.
    let n = particles.place.len();
    for i in (1..n).rev() {
        let j = random.bits() as usize % (i + 1);
        particles.place.swap(i, j);
        particles.velocity.swap(i, j);
        particles.id.swap(i, j);
    }
    assert!(mesh == bench.mesh(&mut surface, &particles));

    // With other ids, sums have another order: the same mesh except for rounding.
    particles.id.reverse();
    let other = bench.mesh(&mut surface, &particles);
    assert_eq!(mesh.triangles, other.triangles);
    for (a, b) in mesh.position.iter().zip(&other.position) {
        assert!(glam::Vec3::from(*a).distance(glam::Vec3::from(*b)) < 1e-4 * SPACING as f32);
    }
}

#[test]
fn smoothing_keeps_topology_and_volume() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let bench = Bench::new(gpu, 4096);
    let mut random = Random::new(11);
    let mut ball = Particles::lattice(10, |place| place.length() < 9.0);
    for place in &mut ball.place {
        *place += 0.3 * SPACING * DVec3::from_array([0; 3].map(|_| random.signed()));
    }
    // Mean distance of vertices from the mean of their neighbours.
    let roughness = |mesh: &SurfaceMesh| {
        let mut around = vec![(DVec3::ZERO, 0.0); mesh.position.len()];
        let place = |i: u32| DVec3::from(mesh.position[i as usize].map(f64::from));
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                around[from as usize].0 += place(to);
                around[from as usize].1 += 1.0;
            }
        }
        let apart =
            |(i, (sum, count)): (usize, &(DVec3, f64))| (*sum / *count).distance(place(i as u32));
        around.iter().enumerate().map(apart).sum::<f64>() / around.len() as f64
    };
    let mesh = |smoothing| {
        let mut surface = bench.surface(&SurfaceOptions { smoothing, ..options(1) });
        bench.mesh(&mut surface, &ball)
    };
    let (rough, smooth) = (mesh(0), mesh(10));
    assert_eq!(rough.triangles, smooth.triangles);
    let (before, after) = (look(&rough), look(&smooth));
    assert_eq!(before.euler_characteristic, after.euler_characteristic);
    assert!((after.volume / before.volume - 1.0).abs() < 0.01, "{before:?} {after:?}");
    let (rough, smooth) = (roughness(&rough), roughness(&smooth));
    assert!(smooth < 0.75 * rough, "{rough} {smooth}");
}

/// Two liquids side by side fill what both together fill: without a gap, and without a groove at their edges.
#[test]
fn surfaces_of_materials_that_touch_meet() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = Scene::default();
    scene.particle_radius = SPACING / 2.0;
    scene.materials = vec![Material::new("oil"), Material::new("water")];
    scene.materials[0].rest_density = 800.0;
    let cube = |from: f64, to: f64| {
        Fluid::new(Shape::Box(Cuboid { min: [from, -0.5, -0.5], max: [to, 0.5, 0.5] }))
    };
    scene.fluids = vec![cube(-1.0, 0.0), cube(0.0, 1.0)];
    scene.fluids[1].material = Some("water".into());
    scene.domain = Some(Domain { min: [-2.0; 3], max: [2.0; 3], periodic: [false; 3] });
    let simulation = block_on(gpu, Simulation::new(gpu, &scene)).unwrap();
    for anisotropic in [false, true] {
        let options = SurfaceOptions { anisotropic, ..options(2) };
        let look = |material| {
            let options = SurfaceOptions { material, ..options };
            let mut surface = FluidMesh::new(gpu, &simulation, &options).unwrap();
            let mesh = block_on(gpu, surface.read(&simulation)).unwrap();
            let ends = mesh.position.iter().map(|x| x[0]);
            let reach = ends.fold([f32::MAX, f32::MIN], |[a, b], x| [a.min(x), b.max(x)]);
            (look(&mesh).volume, reach)
        };
        let [(whole, _), (oil, [_, right]), (water, [left, _])] =
            [None, Some(0), Some(1)].map(look);
        println!("{whole} m³ in all, {oil} and {water} m³, which end at {right} and {left} m");
        // Where three surfaces meet, cubes cut their corners.
        let lost = 1.0 - (oil + water) / whole;
        assert!(lost.abs() < if anisotropic { 0.014 } else { 0.0012 }, "{lost} is between them");
        assert!(right.abs().max(left.abs()) < 0.002 * SPACING as f32, "{right} and {left} m");
    }
}
