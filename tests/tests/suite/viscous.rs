//! Viscosity as a whole: what it keeps, and how fast it slows flows down.

use std::{
    f64::consts::{PI, TAU},
    fs,
};

use conformance::{
    device::{Flavour, gpu},
    scenes::{momentum, parse, run_for, solvers, start, state},
};
use glam::DVec3;
use meniscus::{Gpu, Simulation};
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_methods::Registry;
use meniscus_model::{Scene, Setup, State, scene::Value};
use meniscus_reference::{Replica, World, run};

/// Density in kg/m³ of all scenes here.
const DENSITY: f64 = 1000.0;

/// Step in s that explicit viscosity would allow, times its kinematic viscosity in m²/s: 0.125 (h/2)².
fn limit(scene: &Scene) -> f64 {
    0.125 * (0.5 * conformance::scenes::support_radius(scene)).powi(2)
}

/// A drop in disorder, free in space, whose viscosity makes steps of 2 ms `times` the explicit limit.
fn drop(solver: &str, times: f64) -> Scene {
    let text = r#"
particle_radius = 0.01
support_radius = 0.06
gravity = [0.0, 0.0, 0.0]
time = { step = 0.002, fps = 500.0 }
viscosity.model = "implicit"
[wcsph]
sound_speed = 4.0
[[material]]
name = "honey"
[[fluid]]
shape.box = { min = [-0.1, -0.1, -0.1], max = [0.1, 0.1, 0.1] }
angular_velocity = [0.0, 0.0, 2.0]
velocity = [0.3, 0.0, 0.0]
jitter = 0.2
"#;
    let mut scene = parse(text);
    scene.solver = solver.into();
    scene.materials[0].viscosity = Some(DENSITY * times * limit(&scene) / 0.002);
    scene
}

/// Pair impulses are opposite, so momentum stays to rounding, however thick the liquid.
#[test]
fn momentum_is_kept_at_any_viscosity() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        for (times, bound) in [(1.0, 2e-6), (100.0, 2e-6), (1e4, 5e-5)] {
            let scene = drop(solver, times);
            let mut simulation = start(gpu, &scene);
            let mass = DENSITY * scene.spacing().powi(3);
            run_for(gpu, &mut simulation, 0.004);
            let (before, size) = momentum(&state(gpu, &simulation), mass);
            run_for(gpu, &mut simulation, 0.01);
            let (after, _) = momentum(&state(gpu, &simulation), mass);
            let change = (after - before).length() / size / 5.0;
            assert!(change < bound, "{solver}, {times} × the limit: {change:e} a step");
        }
    }
}

/// Momentum and angular momentum of a liquid and a body in it, about the origin, in SI units.
fn with_body(gpu: &Gpu, simulation: &Simulation, scene: &Scene, body: [f64; 2]) -> [DVec3; 2] {
    let mass = DENSITY * scene.spacing().powi(3);
    let mut sums = [DVec3::ZERO; 2];
    for particle in state(gpu, simulation).fluid() {
        let v = mass * DVec3::from(particle.velocity.map(f64::from));
        sums[0] += v;
        sums[1] += DVec3::from(particle.position).cross(v);
    }
    let own = &simulation.bodies()[0];
    let v = body[0] * DVec3::from(own.velocity);
    let spin = body[1] * DVec3::from(own.angular_velocity);
    [sums[0] + v, sums[1] + DVec3::from(own.position).cross(v) + spin]
}

/// A cube that is thrown into syrup spinning gives the syrup what it loses, and is never thrown back, however light it is and
/// however long the step: bodies are part of the system. With their velocities given, the syrup would take several times the
/// momentum of a light one.
#[test]
fn syrup_takes_what_a_body_loses() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        for density in [50.0, 3000.0] {
            let body = format!(
                "[[body]]\nshape.box = {{ min = [-0.04, -0.04, -0.04], max = [0.04, 0.04, 0.04] }}\ndensity = {density}\ndrag = 1.0\n\
                 velocity = [0.3, 0.0, 0.0]\nangular_velocity = [0.0, 0.0, 5.0]"
            );
            let mut scene = drop(solver, 100.0);
            scene.bodies = parse(&format!("{}\n{body}", "particle_radius = 0.01")).bodies;
            scene.fluids[0].velocity = [0.0; 3];
            scene.fluids[0].angular_velocity = [0.0; 3];
            let mut simulation = start(gpu, &scene);
            let mass = density * 0.08f64.powi(3);
            let own = [mass, mass * 0.08f64.powi(2) / 6.0];
            let [before, spin] = with_body(gpu, &simulation, &scene, own);
            for _ in 0..10 {
                run_for(gpu, &mut simulation, 0.002);
                let [now, turn] = with_body(gpu, &simulation, &scene, own);
                let body = &simulation.bodies()[0];
                let [lost, turned] =
                    [(now - before) / before.length(), (turn - spin) / spin.length()];
                println!("{solver}, {density}: {:e}, {:e}", lost.length(), turned.length());
                // A light body loses all but 0.5 % of its speed in a step: what it keeps is rounded.
                assert!(lost.length() < 3e-4, "{now} {before}");
                assert!(turned.length() < 2e-4, "{turn} {spin}");
                assert!(body.velocity[0] > 0.0 && body.angular_velocity[2] > 0.0, "{body:?}");
            }
        }
    }
}

/// A held disc in a liquid at rest has its buoyancy by pressure, and no friction, in long steps as well: viscosity does not resist
/// the fall of each step that pressure ends. Else friction pushes the disc down, by 29 % of its buoyancy here.
#[test]
fn honey_at_rest_does_not_push_a_held_disc_down() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = r#"
dimensions = 2
particle_radius = 0.01
support_radius = 0.06
time = { step = 0.004, fps = 50.0 }
viscosity = { model = "implicit", max_error = 0.01 }
[[material]]
name = "honey"
viscosity = 20.0
[[fluid]]
shape.box = { min = [-0.2, 0.0], max = [0.2, 0.3] }
[[boundary]]
shape.box = { min = [-0.2, 0.0], max = [0.2, 0.4] }
side = "inside"
[[body]]
shape.sphere = { center = [0.0, 0.15], radius = 0.06 }
fixed = true
drag = 1.9
"#;
    let buoyancy = DENSITY * 9.81 * PI * 0.06f64.powi(2);
    for solver in ["dfsph", "iisph"] {
        let mut scene = parse(text);
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, 1.0);
        let force = &simulation.forces()[0];
        let [friction, pressure] =
            [force.mean_friction()[1], force.mean_pressure[1]].map(|f| f / buoyancy);
        println!("{solver}: friction {friction}, pressure {pressure}");
        assert!(friction.abs() < 0.1, "{solver}: {friction}");
        assert!((pressure - 1.0).abs() < 0.25, "{solver}: {pressure}");
    }
}

/// Forces along the line between two particles turn nothing: a drop keeps its angular momentum to rounding, by any solver. By
/// Müller's forces along differences of velocities this one loses a third of it.
#[test]
fn pairwise_viscosity_keeps_the_rotation_of_a_free_drop() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let spin = |state: &State| -> f64 {
        let one = |i: usize| {
            let v = state.velocity()[i];
            let v = DVec3::new(v[0].into(), v[1].into(), v[2].into());
            DVec3::from(state.world_position(i)).cross(v).z
        };
        (0..state.particle_count()).map(one).sum()
    };
    for solver in solvers() {
        let mut scene = drop(solver, 0.25);
        scene.settings.set("viscosity.model", "pairwise");
        scene.support_radius = None;
        let mut simulation = start(gpu, &scene);
        let before = spin(&state(gpu, &simulation));
        run_for(gpu, &mut simulation, 0.1);
        let change = spin(&state(gpu, &simulation)) / before - 1.0;
        assert!(change.abs() < 1e-4, "{solver}: {change:e}");
    }
}

/// A liquid in disorder on periodic axes, 20 × 40 spacings.
fn periodic(solver: &str, more: &str) -> Scene {
    let text = r#"
dimensions = 2
particle_radius = 0.005
gravity = [0.0, 0.0, 0.0]
time = { step = 0.001, fps = 1000.0 }
[wcsph]
sound_speed = 2.0
[domain]
min = [0.0, 0.0, 0.0]
max = [0.2, 0.4, 0.0]
periodic = [true, true, false]
[[material]]
name = "honey"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.2, 0.4, 0.0] }
jitter = 0.1
"#;
    let mut scene = parse(&format!("{more}\n{text}"));
    scene.solver = solver.into();
    scene
}

/// Müller's forces do not, which a scene that sets a liquid turning is told.
#[test]
fn rotation_that_viscosity_would_stop_is_warned_of() {
    let mut scene = drop("dfsph", 1.0);
    let about = |scene: &Scene| -> Vec<String> {
        let all = Registry::standard().warnings(scene);
        all.into_iter().filter(|warning| warning.contains("rotation")).collect()
    };
    scene.settings.set("viscosity.model", "muller");
    let expected = "fluid[0].angular_velocity: viscosity.model = \"muller\" slows rotation at free surfaces; \"pairwise\" \
                    keeps it";
    assert_eq!(about(&scene), [expected]);
    scene.settings.set("viscosity.model", "pairwise");
    assert_eq!(about(&scene), Vec::<String>::new());
}

/// A shear wave v = sin(ky) of 40 spacings on periodic axes, in a frame that moves at `drift` m/s, at steps of
/// `times` the explicit limit. Returns the viscosity that its decay shows, over that of the material.
fn wave(gpu: &Gpu, scene: Scene, times: f64, steps: u32, drift: f64) -> f64 {
    let mut scene = scene;
    let (dt, viscosity) = (0.001, times * limit(&scene) / 0.001);

    scene.materials[0].viscosity = Some(DENSITY * viscosity);
    let mut simulation = start(gpu, &scene);
    run_for(gpu, &mut simulation, dt);
    let k = TAU / 0.4;
    let mut before = state(gpu, &simulation);
    let phase = |state: &State, i: usize| k * state.world_position(i)[1];
    let speeds: Vec<[f32; 4]> = (0..before.particle_count())
        .map(|i| [(0.05 * phase(&before, i).sin() + drift) as f32, drift as f32, 0.0, 0.0])
        .collect();
    simulation.machine().write("velocity", bytemuck::cast_slice(&speeds)).expect("room");
    // Of the sine and the cosine: the wave goes with the fluid.
    let amplitude = |state: &State| -> f64 {
        let n = state.particle_count() as f64;
        let speed = |i: usize| f64::from(state.velocity()[i][0]);
        let mean = (0..state.particle_count()).map(speed).sum::<f64>() / n;
        let sum = |of: fn(f64) -> f64| -> f64 {
            (0..state.particle_count()).map(|i| (speed(i) - mean) * of(phase(state, i))).sum()
        };
        2.0 / n * sum(f64::sin).hypot(sum(f64::cos))
    };
    let start = 0.05;
    run_for(gpu, &mut simulation, f64::from(steps) * dt);
    before = state(gpu, &simulation);
    let factor = (amplitude(&before) / start).powf(1.0 / f64::from(steps));
    match scene.settings.get("viscosity.model") {
        // Backward Euler: a factor 1/(1 + ν k² Δt) a step.
        Some(Value::Text(model)) if model == "implicit" => {
            (1.0 / factor - 1.0) / (viscosity * k * k * dt)
        }
        _ => (1.0 - factor) / (viscosity * k * k * dt),
    }
}

/// Settings of implicit viscosity for waves.
const THICK: &str = "support_radius = 0.03\nviscosity = { model = \"implicit\", max_error = 0.01 }";

/// On the lattice the viscosity is that of the material to 1 %; disorder adds some.
#[test]
fn a_shear_wave_decays_as_explicit_viscosity_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (solver, model) in [("muller", "pairwise"), ("wcsph", "pairwise"), ("wcsph", "morris")] {
        let settings = format!("viscosity.model = \"{model}\"");
        let share = wave(gpu, periodic(solver, &settings), 0.5, 100, 0.0);
        println!("{solver}, {model}: {share}");
        assert!((share - 1.0).abs() < 0.03, "{solver}, {model}: {share}");
    }
}

#[test]
fn a_shear_wave_decays_as_the_viscosity_says() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        for (times, steps) in [(1.0, 100), (10.0, 20), (100.0, 4)] {
            let scene = || periodic(solver, THICK);
            let share = wave(gpu, scene(), times, steps, 0.0);
            println!("{solver}, {times} × the limit: {share}");
            // The lattice's own is 0.95.
            assert!((share - 0.95).abs() < 0.08, "{solver}, {times} × the limit: {share}");
            if times == 100.0 {
                // A stream has the errors of still water, since the residual is relative to the velocities' spread.
                let moving = wave(gpu, scene(), times, steps, 0.5);
                println!("{solver}, moving: {moving}");
                assert!((moving / share - 1.0).abs() < 0.01, "{solver}: {moving}, at rest {share}");
            }
        }
    }
}

/// A film 5 cm deep with ν = 10⁻³ m²/s on a floor without slip, driven along it by 0.16 m/s² for a second: gravity across the flow
/// does not matter to a liquid. With the papers' kernels particles under pressure settle into a lattice, which resists shear: the
/// film is a third too fast at the floor, and a channel flows as a plug.
#[test]
fn gravity_across_a_film_does_not_matter_with_wendland_s_kernel() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (depth, nu, drive, time) = (0.05, 1e-3, 0.16, 1.0);
    // Steady profile, less the waves of its start.
    let exact = |y: f64| -> f64 {
        let wave = |n: u32| {
            let k = f64::from(2 * n + 1) * PI / (2.0 * depth);
            2.0 * drive / (nu * depth * k.powi(3)) * (k * y).sin() * (-nu * k * k * time).exp()
        };
        drive / nu * (depth * y - 0.5 * y * y) - (0..50).map(wave).sum::<f64>()
    };
    let text = r#"
dimensions = 2
particle_radius = 0.0025
kernel = "wendland_c2"
viscosity.model = "pairwise"
gravity = [0.0, -9.81]
wcsph.sound_speed = 10.0
[domain]
min = [0.0, -0.01]
max = [0.1, 0.08]
periodic = [true, false, false]
[[material]]
name = "syrup"
viscosity = 1.0
[[fluid]]
shape.box = { min = [0.0, 0.0], max = [0.1, 0.05] }
[[boundary]]
shape.plane = { point = [0.0, 0.0], normal = [0.0, 1.0, 0.0] }
response.particles = { no_slip = true }
[[force]]
uniform = { acceleration = [0.16, 0.0, 0.0] }
"#;
    for solver in ["wcsph", "dfsph"] {
        let mut scene = parse(text);
        scene.solver = solver.into();
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, time);
        let state = state(gpu, &simulation);
        for y in [0.0125, 0.025, 0.0375] {
            let near = state.fluid().filter(|p| (p.position[1] - y).abs() < 0.004);
            let ratios: Vec<f64> =
                near.map(|p| f64::from(p.velocity[0]) / exact(p.position[1])).collect();
            let ratio = ratios.iter().sum::<f64>() / ratios.len() as f64;
            println!("{solver}, y = {y}: {ratio}");
            assert!((ratio - 1.0).abs() < 0.05, "{solver}, y = {y}: {ratio}");
        }
    }
}

/// What the method cannot do is refused in a sentence, and what it does badly is said.
#[test]
fn scenes_that_it_cannot_serve_are_refused() {
    let scene = |more: &str| {
        let text = "[[material]]\nname = \"honey\"\nviscosity = 10.0\n[[fluid]]\nshape.box = { min = [0.0, 0.0, \
                    0.0], max = [0.2, 0.2, 0.2] }\n";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("honey.toml");
        fs::write(&file, format!("{more}\n{text}")).expect("a file");
        load_scene(&file.to_string_lossy(), &LoadOptions::default()).map(|loaded| loaded.scene)
    };
    let message = |more: &str| scene(more).expect_err("it is refused").to_string();
    let twice = message("viscosity.model = [\"muller\", \"implicit\"]");
    assert!(twice.contains("honey.toml:1:") && twice.contains("act twice"), "{twice}");
    let none = message("viscosity = { model = \"implicit\", max_error = 0.0 }");
    assert!(none.contains("viscosity.max_error"), "{none}");
    let paste = |model: &str, key: &str| {
        message(&format!(
            "viscosity.model = \"{model}\"\n[[material]]\nname = \"paint\"\nmodel = \"paste\"\n{key}\n[[fluid]]\nmaterial = \"paint\"\n\
             shape.box = {{ min = [0.3, 0.0, 0.0], max = [0.5, 0.2, 0.2] }}"
        ))
    };
    let explicit = paste("muller", "viscosity = 10.0");
    assert!(explicit.contains("paste needs viscosity.model"), "{explicit}");
    assert!(paste("implicit", "").contains("must be the largest viscosity"));
    let sound = paste("implicit", "viscosity = 10.0\nsound_speed = 10.0");
    assert!(sound.contains("sound_speed: must be left out"), "{sound}");
    assert!(paste("implicit", "viscosity = 10.0\nexponent = 9.0").contains("exponent"));
    let narrow = scene("viscosity.model = \"implicit\"").expect("it runs");
    let warnings = Registry::standard().warnings(&narrow);
    assert!(
        warnings.iter().any(|warning| warning.contains("support_radius = 0.075")),
        "{warnings:?}"
    );
    let body = "viscosity.model = \"implicit\"\nsupport_radius = 0.075\n[[body]]\nshape.sphere = { center = [0.5, 0.5, \
                0.5], radius = 0.1 }\ndensity = 500.0";
    let about = |more: &str| {
        Registry::standard().warnings(&scene(&format!("{body}{more}")).expect("it runs"))
    };
    assert!(
        about("").iter().any(|warning| warning.contains("body[0].drag: the liquid slips")),
        "{:?}",
        about("")
    );
    assert!(about("\ndrag = 10.0").iter().all(|warning| !warning.contains("drag")));
}

/// A blob of 4³ particles in disorder, with random velocities, a step before the viscosity's first iteration.
fn blob() -> (World, usize) {
    let mut scene = drop("dfsph", 100.0);
    let half = 2.0 * scene.spacing();
    scene.fluids[0].shape = meniscus_model::scene::Shape::Box(meniscus_model::scene::Cuboid {
        min: [-half; 3],
        max: [half; 3],
    });
    let setup = Setup::new(&scene).expect("a sound scene");
    let mut replica = Replica::new(&setup).expect("the reference has all passes");
    replica.open_frame().expect("a frame");
    replica.step().expect("a step");
    replica.open_frame().expect("a frame");
    let Replica { mut world, interpreter, .. } = replica;
    let n = setup.position.len();
    for (i, v) in world.velocity.iter_mut().enumerate() {
        let random = |k: usize| ((12.9898 * (3 * i + k) as f64).sin() * 43_758.545_3).fract();
        *v = [random(0), random(1), random(2), v[3]];
    }
    let found = interpreter.up_to(&mut world, "step", "viscosity/apply", 0).expect("a step");
    assert!(found.is_some() && world.control.dt > 0.0, "the step has viscosity");
    (world, n)
}

/// K u, as the twin of `viscosity/apply` computes it.
fn apply(world: &mut World, u: &[f64]) -> Vec<f64> {
    for (slot, u) in u.chunks(3).enumerate() {
        world.floats_mut("viscosity_u")[4 * slot..4 * slot + 3].copy_from_slice(u);
    }
    run(world, "viscosity/apply");
    world.floats("viscosity_w").chunks(4).take(u.len() / 3).flat_map(|w| w[..3].to_vec()).collect()
}

/// L of A = L Lᵀ by rows, or none if A is not positive.
fn cholesky(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let mut l: Vec<Vec<f64>> = Vec::new();
    for (i, row) in a.iter().enumerate() {
        let mut new = vec![0.0; a.len()];
        for j in 0..i {
            let known: f64 = (0..j).map(|k| new[k] * l[j][k]).sum();
            new[j] = (row[j] - known) / l[j][j];
        }
        let square = row[i] - new[..i].iter().map(|x| x * x).sum::<f64>();
        if square <= 0.0 {
            return None;
        }
        new[i] = square.sqrt();
        l.push(new);
    }
    Some(l)
}

/// The matrix K is symmetric and at least the mass, has nothing to say of rigid motions, its iterations end in the
/// solution of the dense system, and no solution has more energy than the velocities that it begins with.
#[test]
fn the_system_is_that_of_pair_impulses() {
    let (mut world, n) = blob();
    let start = world.clone();
    let unit = |k: usize| (0..3 * n).map(|j| f64::from(u8::from(j == k))).collect::<Vec<_>>();
    let rows: Vec<Vec<f64>> = (0..3 * n).map(|k| apply(&mut world, &unit(k))).collect();
    let largest = (0..3 * n).map(|k| rows[k][k]).fold(0.0, f64::max);
    assert!(largest > 10.0, "a diagonal of {largest} is not that of a thick liquid");
    for (i, row) in rows.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert!((value - rows[j][i]).abs() < 1e-12 * largest, "K[{i}][{j}] is not K[{j}][{i}]");
        }
    }
    // K − m is positive semidefinite: an eigenvalue of K less than the mass would make energy.
    let shifted = |by: f64| {
        let mut rows = rows.clone();
        (0..3 * n).for_each(|k| rows[k][k] -= by);
        cholesky(&rows)
    };
    assert!(shifted(1.0 - 1e-9).is_some(), "K has an eigenvalue below the mass");
    assert!(shifted(1.0 + 1e-6).is_none(), "rigid motions have the mass as eigenvalue");
    let place = |s: usize| DVec3::from_slice(&start.sorted_position[s][..3]);
    let omega = DVec3::new(0.3, -1.2, 0.7);
    for rigid in [&(|_| omega) as &dyn Fn(usize) -> DVec3, &|s| omega.cross(place(s))] {
        let v: Vec<f64> = (0..n).flat_map(|s| rigid(s).to_array()).collect();
        let size = v.iter().map(|v| v.abs()).fold(0.0, f64::max);
        for (w, v) in apply(&mut world, &v).iter().zip(&v) {
            assert!(
                (w - v).abs() < 1e-12 * largest * size,
                "{w} for the momentum {v} of a rigid motion"
            );
        }
    }
    // b = v* here, of one mass.
    let (dt, gravity) = (f64::from(start.control.dt), start.params.world.gravity.as_dvec3());
    let predicted = |s: usize| {
        let [v, a] =
            [start.sorted_velocity[s], start.acceleration[s]].map(|v| DVec3::from_slice(&v[..3]));
        v + dt * (a + gravity)
    };
    let b: Vec<f64> = (0..n).flat_map(|s| predicted(s).to_array()).collect();
    let l = shifted(0.0).expect("K is positive");
    let mut exact = b.clone();
    for i in 0..3 * n {
        exact[i] = (exact[i] - (0..i).map(|k| l[i][k] * exact[k]).sum::<f64>()) / l[i][i];
    }
    for i in (0..3 * n).rev() {
        exact[i] = (exact[i] - (i + 1..3 * n).map(|k| l[k][i] * exact[k]).sum::<f64>()) / l[i][i];
    }
    let mut world = start;
    let energy = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>();
    for iteration in 0..150 {
        world.control.iteration = iteration;
        world.stage.loop_index = 1;
        for pass in ["viscosity/apply", "viscosity/total", "viscosity/step"] {
            run(&mut world, pass);
        }
        let lane = |name: &str, k: usize| world.floats(name)[4 * (k / 3) + k % 3];
        let v: Vec<f64> =
            (0..3 * n).map(|k| lane("viscosity_x", k) + lane("viscosity_r", k)).collect();
        assert!(
            iteration < 60 || energy(&v) <= energy(&b),
            "energy {} from {}",
            energy(&v),
            energy(&b)
        );
        if iteration == 149 {
            let wrong = v.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(
                wrong < 1e-6 * energy(&b).sqrt(),
                "the iterations end {wrong} m/s from the solution"
            );
        }
    }
}
