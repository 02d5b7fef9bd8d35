//! Water, jelly and sand of the material point method: a column at rest, slopes, and transfers.

use std::f64::consts::TAU;

use glam::{DMat2, DVec2, DVec3};
use meniscus::Error;
use meniscus_model::{
    State,
    scene::{Contact, Domain, Material, Response},
};

use super::{COARSE, Case, Expected, POINTS, Plot, Trial, block, slope};
use crate::device::block_on;

const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;

pub(super) const COLUMN: Case = Case {
    name: "hydrostatic_points",
    title: "Hydrostatic column by MPM",
    about: "Water 0.5 m deep in 2-D, 0.125 m wide with periodic sides, with a speed of sound of 20 m/s and no \
            viscosity. It starts uncompressed and rings, so pressures are means over ten periods 4 d/c, from the tenth \
            on. The line through those in the middle half of the depth gives the slope and the depth at which the \
            pressure is 0.",
    solvers: POINTS,
    plots: &[Plot {
        name: "pressure",
        title: "Mean pressure in water at rest (layers of half a cell)",
        x: "depth / m",
        y: "pressure / (ρ0 g d)",
        scattered: true,
        expected: &[Expected {
            label: "hydrostatic",
            points: || vec![(0.0, 0.0), (DEPTH, 1.0)],
            line: true,
        }],
    }],
    run: column,
    ..COARSE
};

pub(super) const BLOCK: Case = Case {
    name: "block_on_slope",
    title: "Block on a slope",
    about: "A block of stiff jelly with ν = 0, 16 × 4 cells, on a slope of 30° in 2-D, which starts with the stress \
            of its weight. With μ = 0.3 it must slide with g (sin θ − μ cos θ) = 2.3563 m/s², by its velocities at 0.1 \
            and 0.5 s. With μ = 0.7 and 0.6 > tan θ = 0.577 it must stay, by its velocity at 0.5 s over that without \
            friction.",
    solvers: POINTS,
    plots: &[Plot {
        name: "velocity",
        title: "Velocity of a block down a slope, μ = 0.3, 0.7, 0.6 (dashes)",
        x: "time / s",
        y: "velocity / (m/s)",
        scattered: false,
        expected: &[Expected {
            label: "theory, μ = 0.3",
            points: || vec![(0.0, 0.0), (SLIDE, sliding(0.3) * SLIDE)],
            line: true,
        }],
    }],
    everyday: &["mls_mpm"],
    run: slide,
    ..COARSE
};

pub(super) const LAYER: Case = Case {
    name: "sand_slope",
    title: "Layer of sand on a slope",
    about: "A layer of sand with a friction angle φ = 30° in 2-D on a sticky bed, 16 cells deep and periodic along \
            the slope. It starts with the stress of a layer at rest, p = σ_n (1 + tan² θ). At 28° it must rest: mean \
            velocity of its upper half after 1 s, over that of free fall along the slope. At 33° it must flow. Sand that \
            shears without a change of volume has a friction of sin φ = 0.5 along the bed, not tan φ (Davis 1968): \
            measured by the acceleration from a third of that time on. So what already flows comes to rest below 26.6° \
            only.",
    solvers: POINTS,
    plots: &[Plot {
        name: "velocity",
        title: "Velocity of sand down slopes of 28 (dashes) and 33 degrees",
        x: "time / s",
        y: "velocity / (m/s)",
        scattered: false,
        expected: &[Expected {
            label: "theory, 33°",
            points: || {
                let (sin, cos) = 33.0f64.to_radians().sin_cos();
                vec![(0.0, 0.0), (1.0, G * (sin - 0.5 * cos))]
            },
            line: true,
        }],
    }],
    everyday: &["mls_mpm"],
    run: sand,
    ..COARSE
};

pub(super) const TRANSFERS: Case = Case {
    name: "transfers_points",
    title: "Transfers of MPM",
    about: "Ten transfers of a shear wave 16 cells long from particles to nodes and back, in 2-D, without forces and \
            motion. Transfers of mean velocities would damp it by a viscosity of Δx²/4 per transfer, a factor of (sin \
            x/x)⁶, x = k Δx/2. Measured is its decay with the gradients of MLS-MPM, in percent of that.",
    solvers: POINTS,
    plots: &[Plot {
        name: "amplitude",
        title: "Amplitude of a shear wave",
        x: "transfers",
        y: "share of the start",
        scattered: false,
        expected: &[Expected {
            label: "without gradients",
            points: || (0..=TIMES).map(|n| (f64::from(n), plain().powi(n as i32))).collect(),
            line: true,
        }],
    }],
    run: transfers,
    ..COARSE
};

/// Depth of the column in m.
const DEPTH: f64 = 0.5;

fn column(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (cells, resolution) = trial.pick((16.0, "d/32"), (32.0, "d/64"));
    let edge = DEPTH / cells;
    let mut scene = trial.scene(edge / 2.0);
    let sound = 20.0;
    scene.materials[0].keys.insert("sound_speed".into(), sound.into());
    scene.materials[0].viscosity = Some(0.0);
    let width = DEPTH / 4.0;
    scene.fluids = vec![block([0.0; 2], [width, DEPTH])];
    scene.fluids[0].jitter = 0.1;
    scene.domain = Some(Domain {
        min: [0.0; 3],
        max: [width, 1.5 * DEPTH, 0.0],
        periodic: [true, false, false],
    });
    scene.boundaries = vec![trial.plane([0.0; 2], [0.0, 1.0])];
    let period = 4.0 * DEPTH / sound;
    let each = 16;
    scene.time.fps = f64::from(each) / period;
    let progress = trial.progress;
    let mut water = trial.start(&scene, resolution)?;
    let frames = 20 * each;
    // Of each particle, which keep their order of depth only nearly: by layers half a cell thick.
    let layer = edge / 2.0;
    let mut layers = vec![[0.0; 3]; (1.2 * DEPTH / layer) as usize];
    let mut points = Vec::new();
    for frame in 1..=frames {
        water.next_frame()?;
        progress(f64::from(frame) / f64::from(frames));
        if frame <= frames / 2 {
            continue;
        }
        for p in water.state()? {
            let number = ((p.position.y / layer) as usize).min(layers.len() - 1);
            let sum = &mut layers[number];
            *sum = [sum[0] + 1.0, sum[1] + p.position.y, sum[2] + p.pressure];
        }
    }
    let weight = DENSITY * G;
    for [count, y, p] in layers.into_iter().filter(|sum| sum[0] > 0.0) {
        points.push((DEPTH - y / count, p / count / weight));
    }
    let inner: Vec<_> = points
        .iter()
        .copied()
        .filter(|(depth, _)| (0.25 * DEPTH..0.75 * DEPTH).contains(depth))
        .collect();
    let found = slope(&inner);
    let n = inner.len() as f64;
    let [x, y] = inner.iter().fold([0.0; 2], |[a, b], (x, y)| [a + x / n, b + y / n]);
    let zero = x - y / found;
    let outcome = &mut trial.outcome;
    outcome.measure("error of dp/dd", 100.0 * (found - 1.0).abs());
    outcome.measure("depth without pressure, of d", 100.0 * (zero / DEPTH).abs());
    outcome.curve("pressure", points.into_iter().map(|(d, p)| (d, p / DEPTH)).collect());
    Ok(())
}

/// E of the block in Pa.
const STIFF: f64 = 2.5e5;
/// Time in s of the block's run, and the slope in degrees.
const SLIDE: f64 = 0.5;
const INCLINE: f64 = 30.0;

/// Acceleration in m/s² of a block with friction.
fn sliding(friction: f64) -> f64 {
    let (sin, cos) = INCLINE.to_radians().sin_cos();
    G * (sin - friction * cos).max(0.0)
}

/// Gives a particle F − 1 and τ in Pa.
fn set_strained(state: &mut State, i: usize, f: DMat2, tau: DMat2) {
    let mut set = |name: &str, lane: usize, value: f64| {
        let words = state.arrays.get_mut(name).expect("material points have it");
        words[lane] = (value as f32).to_bits();
    };
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        set("deformation", 12 * i + 4 * row + column, f.col(column)[row]);
    }
    set("stress", 8 * i, tau.x_axis.x);
    set("stress", 8 * i + 1, tau.y_axis.y);
    set("stress", 8 * i + 6, tau.x_axis.y);
}

fn slide(trial: &mut Trial<'_>) -> Result<(), Error> {
    let edge = trial.pick(0.02, 0.01);
    let [length, height] = [16.0 * edge, 4.0 * edge];
    let resolution = trial.pick("Δx 2 cm", "Δx 1 cm");
    let frictions: &[f64] = trial.pick(&[0.3, 0.7], &[0.3, 0.7, 0.6]);
    let mut lines = Vec::new();
    for &friction in frictions {
        let mut scene = trial.scene(edge / 2.0);
        let (sin, cos) = INCLINE.to_radians().sin_cos();
        scene.gravity = [G * sin, -G * cos, 0.0];
        let jelly = Material::new("jelly").with_model("jelly");
        scene.materials = vec![jelly.with("youngs_modulus", STIFF).with("poisson_ratio", 0.0)];
        scene.fluids = vec![block([0.0; 2], [length, height])];
        scene.domain = Some(Domain {
            min: [-length, 0.0, 0.0],
            max: [2.0 * length + 1.0, 2.0 * height, 0.0],
            periodic: [false; 3],
        });
        let mut floor = trial.plane([0.0; 2], [0.0, 1.0]);
        floor.response = Some(Response::Reflect { restitution: 0.0, friction });
        scene.boundaries = vec![floor];
        scene.time.fps = 100.0;
        let progress = trial.progress;
        let started = trial.start(&scene, resolution)?.simulation;
        let mut state = block_on(trial.gpu, started.read())?;
        for i in 0..state.particle_count() {
            // The weight of the jelly above compresses it, with ν = 0.
            let strain = -DENSITY * G * cos * (height - state.world_position(i)[1]) / STIFF;
            let f = DMat2::from_diagonal(DVec2::new(0.0, strain));
            set_strained(&mut state, i, f, f * STIFF * (1.0 + strain));
        }
        let mut jelly = trial.go_on(&scene, state, |_| DVec3::ZERO)?;
        let mut line = vec![(0.0, 0.0)];
        for frame in 1..=(100.0 * SLIDE) as u32 {
            jelly.next_frame()?;
            let particles = jelly.state()?;
            let sum: f64 = particles.iter().map(|p| p.velocity.x).sum();
            line.push((jelly.time(), sum / particles.len() as f64));
            let share = f64::from(frame) / 100.0 / SLIDE;
            progress((lines.len() as f64 + share) / frictions.len() as f64);
        }
        lines.push(line);
    }
    let slides = &lines[0];
    let last = slides.len() - 1;
    let found = (slides[last].1 - slides[10].1) / (slides[last].0 - slides[10].0);
    let error = 100.0 * (found / sliding(0.3) - 1.0).abs();
    let creeps = |line: &[(f64, f64)]| 100.0 * line[last].1.abs() / (sliding(0.0) * SLIDE);
    let outcome = &mut trial.outcome;
    outcome.measure("error of the acceleration, μ = 0.3", error);
    outcome.measure("velocity with μ = 0.7", creeps(&lines[1]));
    if let Some(line) = lines.get(2) {
        outcome.measure("velocity with μ = 0.6", creeps(line));
    }
    for (number, line) in lines.into_iter().enumerate() {
        if number == 2 {
            outcome.dashed_curve("velocity", line);
        } else {
            outcome.curve("velocity", line);
        }
    }
    Ok(())
}

/// E in Pa and ν of the sand.
const SAND_STIFF: f64 = 3.5e5;
const SAND_POISSON: f64 = 0.3;

fn sand(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (cells, resolution) = trial.pick((8.0, "depth/16"), (16.0, "depth/32"));
    let depth = 0.2;
    let edge = depth / cells;
    let width = 8.0 * edge;
    let end = trial.pick(0.6, 1.0);
    let angles = [28.0f64, 33.0];
    let mut lines = Vec::new();
    for angle in angles {
        let mut scene = trial.scene(edge / 2.0);
        let (sin, cos) = angle.to_radians().sin_cos();
        scene.gravity = [G * sin, -G * cos, 0.0];
        scene.materials = vec![Material {
            rest_density: 1600.0,
            ..Material::new("sand")
                .with_model("sand")
                .with("youngs_modulus", SAND_STIFF)
                .with("poisson_ratio", SAND_POISSON)
                .with("friction_angle", 30.0)
        }];
        scene.fluids = vec![block([0.0; 2], [width, depth])];
        scene.fluids[0].jitter = 0.1;
        scene.domain = Some(Domain {
            min: [0.0; 3],
            max: [width, 1.5 * depth, 0.0],
            periodic: [true, false, false],
        });
        let mut bed = trial.plane([0.0; 2], [0.0, 1.0]);
        bed.contact = Some(Contact::Sticky);
        scene.boundaries = vec![bed];
        scene.time.fps = 20.0;
        let progress = trial.progress;
        let started = trial.start(&scene, resolution)?.simulation;
        let mut state = block_on(trial.gpu, started.read())?;
        let shear = SAND_STIFF / (2.0 * (1.0 + SAND_POISSON));
        let lambda = 2.0 * shear * SAND_POISSON / (1.0 - 2.0 * SAND_POISSON);
        // Of all stresses with the bed's, that farthest from failure: its circle touches the line through the origin.
        let t = angle.min(28.0).to_radians().tan();
        for i in 0..state.particle_count() {
            let weight = 1600.0 * G * cos * (depth - state.world_position(i)[1]);
            let xx = -(1.0 + 2.0 * t * t) * weight;
            let tau = DMat2::from_cols_array(&[xx, t * weight, t * weight, -weight]);
            let trace = (xx - weight) / (2.0 * (shear + lambda));
            let strain = (tau - DMat2::IDENTITY * lambda * trace) * (0.5 / shear);
            // e^ε − 1.
            set_strained(&mut state, i, strain + strain * strain * 0.5, tau);
        }
        let mut sand = trial.go_on(&scene, state, |_| DVec3::ZERO)?;
        let mut line = vec![(0.0, 0.0)];
        let frames = (20.0 * end) as u32;
        for frame in 1..=frames {
            sand.next_frame()?;
            let particles = sand.state()?;
            let upper: Vec<_> = particles.iter().filter(|p| p.position.y > 0.5 * depth).collect();
            let sum: f64 = upper.iter().map(|p| p.velocity.x).sum();
            line.push((sand.time(), sum / upper.len() as f64));
            let share = f64::from(frame) / f64::from(frames);
            progress((lines.len() as f64 + share) / angles.len() as f64);
        }
        lines.push(line);
    }
    let [rests, flows] = [&lines[0], &lines[1]];
    let (time, speed) = rests[rests.len() - 1];
    let creeps = speed.abs() / (G * angles[0].to_radians().sin() * time);
    let [(t, v), (u, w)] = [flows[flows.len() / 3], flows[flows.len() - 1]];
    let (sin, cos) = angles[1].to_radians().sin_cos();
    let friction = (sin - (w - v) / (u - t) / G) / cos;
    let outcome = &mut trial.outcome;
    outcome.measure("velocity at 28°", 100.0 * creeps);
    outcome.measure("error of the friction at 33°", 100.0 * (friction / 0.5 - 1.0).abs());
    outcome.dashed_curve("velocity", lines.swap_remove(0));
    outcome.curve("velocity", lines.swap_remove(0));
    Ok(())
}

/// Transfers, and length of the wave in cells.
const TIMES: u32 = 10;
const WAVE: f64 = 16.0;

/// What a transfer without gradients leaves of the wave.
fn plain() -> f64 {
    let x = TAU / WAVE / 2.0;
    (x.sin() / x).powi(6)
}

fn transfers(trial: &mut Trial<'_>) -> Result<(), Error> {
    let edge = 0.05;
    let mut scene = trial.scene(edge / 2.0);
    scene.gravity = [0.0; 3];
    // Steps that move nothing and have no forces.
    scene.time.step = Some(1e-9);
    scene.time.min_step = 1e-9;
    scene.time.fps = 1e5;
    let [width, height] = [16.0 * edge, WAVE * edge];
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [width, height, 0.0], periodic: [true, true, false] });
    scene.fluids = vec![block([0.0; 2], [width, height])];
    scene.fluids[0].jitter = 0.5;
    let k = TAU / height;
    let mut points = trial.start_moving(&scene, "λ/32", |x| (k * x.y).sin() * DVec3::X)?;
    let mut line = Vec::new();
    for times in 0..=TIMES {
        let sum: f64 =
            points.state()?.iter().map(|p| p.velocity.x * (k * p.position.y).sin()).sum();
        line.push((f64::from(times), sum));
        points.steps(1)?;
    }
    let start = line[0].1;
    let line: Vec<_> = line.into_iter().map(|(n, sum)| (n, sum / start)).collect();
    let decay = -line[TIMES as usize].1.ln() / f64::from(TIMES);
    let outcome = &mut trial.outcome;
    outcome.measure("decay of a shear wave", 100.0 * decay.abs() / -plain().ln());
    outcome.curve("amplitude", line);
    Ok(())
}
