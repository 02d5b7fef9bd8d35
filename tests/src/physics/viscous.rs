//! Thick liquids by implicit viscosity: a dragged plate, a turning drop, jets that fold and coil.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use meniscus::Error;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_methods::Registry;
use meniscus_model::scene::{Body, Boundary, Cuboid, Domain, Motion, Response, Shape};

use crate::scenes::parse;

use super::{COARSE, Case, Expected, Particle, Plot, Trial, block, quantile, rms};

/// Width of the channel in m, viscosity in m²/s and Pa·s, speed of the plate in m/s.
const WIDTH: f64 = 1e-3;
const NU: f64 = 1e-6;
const MU: f64 = 1e-3;
const PLATE: f64 = 1e-5;

pub(super) const COUETTE: Case = Case {
    name: "couette",
    title: "A plate drags a viscous liquid",
    about: "A channel 1 mm wide in 2-D, periodic along its length, with ν = 10⁻⁶ m²/s, whose upper wall is a body \
            that moves at 0.01 mm/s, by implicit viscosity in steps of 100 times the explicit ones, after 2 s = 2 L²/ν. \
            Measured are the largest difference of any particle from the linear profile, relative to the plate's speed, \
            and the force on the plate, μ U/L per area. On the lattice the operator has 0.95 of the viscosity, which the \
            force shows.",
    run: couette,
    ..COARSE
};

fn couette(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = WIDTH / trial.pick(20.0, 40.0);
    let mut scene = trial.scene(spacing);
    let h = 3.0 * spacing;
    scene.support_radius = Some(h);
    scene.gravity = [0.0; 3];
    scene.materials[0].viscosity = Some(MU);
    scene.settings.set("viscosity.model", "implicit");
    let step = 100.0 * 0.125 * (0.5 * h).powi(2) / NU;
    (scene.time.step, scene.time.fps) = (Some(step), 1.0 / step);
    // Slow sound, for steps of that length.
    Trial::sound_speed(&mut scene, 50.0 * PLATE);
    let length = 10.0 * spacing;
    let beyond = 5.0 * spacing;
    scene.domain = Some(Domain {
        min: [0.0, -beyond, 0.0],
        max: [length, WIDTH + beyond, 0.0],
        periodic: [true, false, false],
    });
    scene.fluids = vec![block([0.0; 2], [length, WIDTH])];
    let response = Some(Response::Particles { friction: 0.0, no_slip: true });
    scene.boundaries = vec![Boundary { response, ..trial.plane([0.0; 2], [0.0, 1.0]) }];
    let plate = Cuboid { min: [0.0, WIDTH, -1.0], max: [length, WIDTH + 4.0 * spacing, 1.0] };
    let mut plate = Body::new(Shape::Box(plate));
    let methods = Registry::standard().choose(&scene).expect("the methods exist");
    plate.drag = methods.no_slip_friction(methods.kernel(&scene), h, spacing, 2);
    plate.motion = vec![Motion::Translate { velocity: [PLATE, 0.0, 0.0] }];
    scene.bodies = vec![plate];
    let progress = trial.progress;
    let resolution = trial.pick("L/20", "L/40");
    let end = 2.0 * WIDTH * WIDTH / NU;
    let mut water = trial.start(&scene, resolution)?;
    while water.time() < end {
        water.next_frame()?;
        progress(water.time() / end);
    }
    let particles = water.state()?;
    let wrong = particles
        .iter()
        .map(|p| (p.velocity.x / PLATE - p.position.y / WIDTH).abs())
        .fold(0.0, f64::max);
    water.report()?;
    let force = -water.simulation.bodies()[0].force[0] / (MU * PLATE / WIDTH * length);
    trial.outcome.measure("error of the profile", 100.0 * wrong);
    trial.outcome.measure("error of the force", 100.0 * (force - 1.0).abs());
    Ok(())
}

pub(super) const ROTATION: Case = Case {
    name: "rigid_rotation",
    title: "A thick drop turns as one",
    about: "A ball of 100 Pa·s and 5 cm in diameter without gravity that turns at 1 rad/s, by implicit viscosity, \
            for 100 steps of 1 ms. Rotation is no shear, so nothing must change. Measured is the angular momentum, and \
            the largest difference of any velocity from ω × r, relative to the fastest.",
    run: rotation,
    ..COARSE
};

fn rotation(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = 0.05 / trial.pick(12.0, 20.0);
    let text = r#"
gravity = [0.0, 0.0, 0.0]
[[material]]
name = "syrup"
[[fluid]]
shape.sphere = { center = [0.0, 0.0, 0.0], radius = 0.025 }
angular_velocity = [0.0, 0.0, 1.0]
jitter = 0.1
"#;
    let mut scene = parse(&format!("particle_radius = {}\n{text}", spacing / 2.0));
    scene.solver = trial.solver.into();
    scene.support_radius = Some(3.0 * spacing);
    scene.materials[0].viscosity = Some(100.0);
    scene.settings.set("viscosity.model", "implicit");
    (scene.time.step, scene.time.fps) = (Some(0.001), 1000.0);
    Trial::sound_speed(&mut scene, 0.25);
    let resolution = trial.pick("diameter/12", "diameter/20");
    let progress = trial.progress;
    let mut drop = trial.start(&scene, resolution)?;
    let spin = |particles: &[Particle]| -> (DVec3, f64, f64) {
        let n = particles.len() as f64;
        let mean = |of: &dyn Fn(&Particle) -> DVec3| particles.iter().map(of).sum::<DVec3>() / n;
        let (center, drift) = (mean(&|p| p.position), mean(&|p| p.velocity));
        let momentum = mean(&|p| (p.position - center).cross(p.velocity - drift));
        let inertia = particles
            .iter()
            .map(|p| (p.position - center).truncate().length_squared())
            .sum::<f64>()
            / n;
        let omega = DVec3::Z * momentum.z / inertia;
        let wrong = |p: &Particle| (p.velocity - drift - omega.cross(p.position - center)).length();
        let fastest =
            particles.iter().map(|p| omega.cross(p.position - center).length()).fold(0.0, f64::max);
        (momentum, particles.iter().map(wrong).fold(0.0, f64::max), fastest)
    };
    let (before, ..) = spin(&drop.state()?);
    for step in 0..100 {
        drop.next_frame()?;
        progress(f64::from(step) / 100.0);
    }
    let (after, wrong, fastest) = spin(&drop.state()?);
    let change = (after.z / before.z - 1.0).abs();
    trial.outcome.measure("change of the angular momentum", 1e6 * change);
    trial.outcome.measure("velocities besides rotation", 100.0 * wrong / fastest);
    Ok(())
}

/// Width of the jet in m, its speed in m/s, and its Reynolds number.
const JET_WIDTH: f64 = 0.01;
const SPEED: f64 = 0.5;
const REYNOLDS: f64 = 0.25;

pub(super) const JET: Case = Case {
    name: "planar_jet",
    title: "A planar jet folds if it falls from high enough",
    about: "A jet in 2-D, D = 1 cm wide at 0.5 m/s and of Reynolds number 0.25, falls on a plate 4 D and 12 D below. \
            Below 8.8 D it stays straight, above it folds (Cruickshank and Munson 1981). The inlet is tilted by 1 %. \
            Measured is the 90th percentile, after the landing, of the distance between the axis and the middle of the \
            jet where it meets the heap: at most the 4 % of a fall by 4 D that the tilt moves it and a spacing. A jet that \
            folds lies beside itself, by D/2 or more: D over its distance is at most 2.",
    solvers: &["wcsph", "dfsph"],
    coarse: false,
    plots: &[Plot {
        name: "foot",
        title: "Foot of a planar jet that falls by 4 D and by 12 D",
        x: "time · speed / height",
        y: "offset of the foot / D",
        scattered: false,
        expected: &[Expected {
            label: "straight",
            points: || vec![(0.0, 0.0), (2.5, 0.0)],
            line: true,
        }],
    }],
    run: jet,
    ..COARSE
};

/// How far to the side the middle of the jet is above the heap: that of the lowest slice that is not wider than a folded
/// jet.
fn foot_of(particles: &[Particle], height: f64) -> Option<f64> {
    const SLICE: f64 = 0.25 * JET_WIDTH;
    let slices = (height / SLICE) as usize;
    let mut foot = None;
    for slice in (0..slices).rev() {
        let low = SLICE * slice as f64;
        let inside = particles.iter().filter(|p| (low..low + SLICE).contains(&p.position.y));
        let places: Vec<f64> = inside.map(|p| p.position.x).collect();
        let left = places.iter().copied().fold(f64::INFINITY, f64::min);
        let right = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if places.is_empty() || right - left > 1.8 * JET_WIDTH {
            break;
        }
        foot = Some(0.5 * (left + right));
    }
    foot
}

fn jet(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = JET_WIDTH / 8.0;
    let progress = trial.progress;
    for (number, height, what) in [
        (0.0, 4.0 * JET_WIDTH, "offset from 4 D, of D"),
        (1.0, 12.0 * JET_WIDTH, "D over the offset from 12 D"),
    ] {
        let text = format!(
            r#"
dimensions = 2
solver = "{}"
particle_radius = {}
support_radius = {}
viscosity.model = "implicit"
time.fps = 100.0
[[material]]
name = "syrup"
viscosity = {}
[[boundary]]
shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}
response.particles = {{ no_slip = true }}
[domain]
min = [-0.1, 0.0, 0.0]
max = [0.1, {}, 0.0]
[[emitter]]
mouth.rectangle = {{ width = {JET_WIDTH}, height = 1.0 }}
center = [0.0, {height}, 0.0]
velocity = [{}, {}, 0.0]
max_particles = 6000
"#,
            trial.solver,
            spacing / 2.0,
            3.0 * spacing,
            1000.0 * SPEED * JET_WIDTH / REYNOLDS,
            height + 2.0 * JET_WIDTH,
            0.01 * SPEED,
            -SPEED,
        );
        let mut water = trial.start(&parse(&text), "D/8")?;
        let end = 2.5 * height / SPEED;
        let mut foot = Vec::new();
        while water.time() < end {
            water.next_frame()?;
            progress(0.5 * (number + water.time() / end));
            if let Some(offset) = foot_of(&water.state()?, height) {
                foot.push((water.time() * SPEED / height, offset / JET_WIDTH));
            }
        }
        let landed = foot.iter().filter(|(time, _)| *time > 1.2).map(|(_, offset)| offset.abs());
        let offset = quantile(landed, 0.9);
        let value = if number == 0.0 { offset } else { 1.0 / offset };
        trial.outcome.measure(what, value);
        trial.outcome.curve("foot", foot);
    }
    Ok(())
}

pub(super) const COIL: Case = Case {
    name: "coiling",
    title: "A thread of honey coils",
    about: "The scene honey from 1.2 s to its end: a thread of 30 Pa·s coils on a plate. Measured is its angular \
            speed at three quarters of its height, against that of a thread whose weight is carried by viscous forces, Ω \
            = (g Q³/(ν a⁸))^¼ (Ribe 2004), with the flow Q and the radius a measured there. It is a scaling law: the \
            tolerance is a factor of 2.",
    solvers: &["dfsph"],
    coarse: false,
    plots: &[Plot {
        name: "turns",
        title: "Turns of a coiling thread of honey",
        x: "time / s",
        y: "turns",
        scattered: false,
        expected: &[],
    }],
    run: coil,
    ..COARSE
};

fn coil(trial: &mut Trial<'_>) -> Result<(), Error> {
    let loaded = load_scene("honey", &LoadOptions::default()).expect("a bundled scene");
    let mut scene = loaded.scene;
    scene.time.fps = 100.0;
    let spacing = scene.spacing();
    let honey = &scene.materials[0];
    let nu = honey.viscosity.expect("a viscous liquid") / honey.rest_density;
    let top = scene.emitters[0].center[1];
    let end = scene.time.until;
    let progress = trial.progress;
    let mut thread = trial.start(&scene, "thread/6")?;
    let (mut turns, mut radii, mut last) = (Vec::new(), Vec::new(), None::<f64>);
    let mut total = 0.0;
    let mut emitted = Vec::new();
    while thread.time() < end {
        thread.next_frame()?;
        progress(thread.time() / end);
        let state = thread.state()?;
        emitted.push((thread.time(), state.len() as f64 * spacing.powi(3)));
        let band: Vec<DVec3> = state
            .iter()
            .map(|p| p.position)
            .filter(|x| (0.7 * top..0.8 * top).contains(&x.y))
            .collect();
        if band.len() < 10 {
            continue;
        }
        let middle = band.iter().sum::<DVec3>() / band.len() as f64;
        // A disc of radius a has the second moments a²/2 about its middle.
        let away = band.iter().map(|x| ((x - middle) * DVec3::new(1.0, 0.0, 1.0)).length());
        radii.push(2.0_f64.sqrt() * rms(away));
        if thread.time() > 1.2 {
            let angle = middle.z.atan2(middle.x);
            let step = last.map_or(0.0, |last| (angle - last + PI).rem_euclid(TAU) - PI);
            total += step;
            turns.push((thread.time(), total / TAU));
            last = Some(angle);
        }
    }
    let slope = super::slope(&turns).abs() * TAU;
    let flow = super::slope(&emitted);
    let radius = quantile(radii.into_iter(), 0.5);
    let expected = (9.81 * flow.powi(3) / (nu * radius.powi(8))).powf(0.25);
    let ratio = slope / expected;
    println!(
        "coiling at {slope:.2} rad/s, expected {expected:.2}; a = {radius:.5} m, Q = {flow:.3e} m³/s"
    );
    trial.outcome.measure("angular speed, as a factor", ratio.max(1.0 / ratio));
    trial.outcome.curve("turns", turns);
    Ok(())
}
