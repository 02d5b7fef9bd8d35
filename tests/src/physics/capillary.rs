//! Surface tension, continued: densities at a flat surface, capillary waves, and drops at rest.

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use glam::{DQuat, DVec3};
use meniscus::{Error, Simulation};
use meniscus_model::{
    kernel,
    scene::{Cuboid, Domain, Kernel, Shape, Sphere},
};

use super::{
    COARSE, Case, Expected, Particle, Plot, Trial, block, quantile, rms,
    tension::{
        BOTH, DENSITY, HARD, PAPER, Parts, SIGMA, UNIT, USUAL, cube, diagonals_over_edges,
        radius_of, scene, set,
    },
};
use crate::device::block_on;

pub(super) const FLAT: Case = Case {
    name: "flat_surface",
    title: "Density at a flat surface",
    about: "Blocks of water at rest, 14 × 8 × 14 particles on a lattice, turned by 0, 15, 30 and 45 degrees against \
            the level set's nodes. Measured is ρ/(ρ₀ Ψ) − 1 with the fraction Ψ of the kernel that is full, near the \
            upper face (15 to 33 % without Ψ) and inside. Then particles move by up to 0.3 spacings, and Ψ is compared \
            with the part of the kernel below the face.",
    solvers: &["wcsph"],
    run: flat,
    ..COARSE
};

/// Part of the weight of a kernel with the support 1 below a plane that is x above its centre.
fn share_below(x: f64) -> f64 {
    const STEPS: u32 = 60;
    let middle = |k: u32, end: f64| (f64::from(k) + 0.5) / f64::from(STEPS) * end;
    let weight = |r: f64| kernel::density(Kernel::CubicSpline, 1.0, 3, r);
    let plane = |z: f64| -> f64 {
        let reach = (1.0 - z * z).sqrt();
        let sum: f64 =
            (0..STEPS).map(|k| middle(k, reach)).map(|s| TAU * s * weight(z.hypot(s))).sum();
        sum * reach / f64::from(STEPS)
    };
    let x = x.min(1.0);
    0.5 + (0..STEPS).map(|k| plane(middle(k, x))).sum::<f64>() * x / f64::from(STEPS)
}

/// Blocks that are turned by 0 to 45 degrees, on a lattice and displaced.
const BLOCKS: usize = 8;
/// Half the edges of a block in spacings.
const HALF: DVec3 = DVec3::new(7.0, 4.0, 7.0);

/// A particle of a block at rest.
struct Measured {
    /// Place of the particle in the block's own axes in spacings.
    place: DVec3,
    /// Whether its block is displaced.
    moved: bool,
    /// ρ/ρ0.
    ratio: f64,
    /// Ψ.
    fill: f64,
}

fn flat(trial: &mut Trial<'_>) -> Result<(), Error> {
    let names = [
        (2.5, "largest, h of 5 radii", "mean, h of 5 radii"),
        (3.0, "largest, h of 6 radii", "mean, h of 6 radii"),
    ];
    let (mut inside, mut shares) = (0.0_f64, Vec::new());
    for (across, largest, mean) in names {
        let offset = kernel::surface_offset(Kernel::CubicSpline, across, 1.0, 3) - 0.5;
        let mut wrong = Vec::new();
        for Measured { place, moved, ratio, fill } in evaluate(trial, across)? {
            let depth = HALF.y - place.y;
            if place.x.abs().max(place.z.abs()) > HALF.x - across || depth > HALF.y {
                continue;
            }
            let error = (ratio / fill - 1.0).abs();
            match (moved, depth < across) {
                (true, true) => shares.push(fill - share_below((depth + offset) / across)),
                (false, true) => wrong.push(error),
                (false, false) => inside = inside.max(error),
                (true, false) => {}
            }
        }
        let outcome = &mut trial.outcome;
        outcome.measure(largest, 100.0 * quantile(wrong.iter().copied(), 1.0));
        outcome.measure(mean, 100.0 * wrong.iter().sum::<f64>() / wrong.len() as f64);
    }
    let outcome = &mut trial.outcome;
    outcome.measure("inside", 100.0 * inside);
    outcome.measure("share, root mean square", 100.0 * rms(shares.iter().copied()));
    let worst = shares.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    outcome.measure("share, largest", 100.0 * worst);
    Ok(())
}

fn evaluate(trial: &mut Trial<'_>, across: f64) -> Result<Vec<Measured>, Error> {
    const SPACING: f64 = 0.01;
    // Blocks are far enough from each other.
    const APART: f64 = 24.0;
    let along = BLOCKS as f64;
    let half = SPACING * DVec3::new(HALF.x, HALF.y, along * HALF.z);
    let shape = Shape::Box(Cuboid { min: (-half).to_array(), max: half.to_array() });
    let mut scene = scene(trial, SPACING, 3, shape);
    scene.support_radius = Some(across * SPACING);
    scene.kernel = Some(Kernel::CubicSpline);
    scene.fluids[0].jitter = 0.0;
    let room = 0.5 * SPACING * DVec3::new(APART, APART, along * APART);
    let (min, max) = ((-room).to_array(), room.to_array());
    scene.domain = Some(Domain { min, max, periodic: [false; 3] });
    scene.settings.set("tension.density_correction", true);
    // Quantities are those of a step.
    scene.time.step = Some(1e-7);
    let mut state = block_on(trial.gpu, trial.start(&scene, "edge/14")?.simulation.read())?;
    let mut random = fastrand::Rng::with_seed(7);
    let block = |z: f64| ((z + along * HALF.z) / (2.0 * HALF.z)).floor();
    let middle = |number: f64, apart: f64| DVec3::Z * apart * (number + 0.5 - 0.5 * along);
    let turned = |number: f64| DQuat::from_rotation_z((number / 2.0).floor() * FRAC_PI_4 / 3.0);
    let start: Vec<_> = (0..state.particle_count())
        .map(|i| DVec3::from(state.world_position(i)) / SPACING)
        .map(|x| (block(x.z), x - middle(block(x.z), 2.0 * HALF.z)))
        .collect();
    let numbers: Vec<_> = state.identity().iter().map(|who| who[0] as usize).collect();
    let mut blocks = vec![0.0; numbers.len()];
    let words = state.arrays.get_mut("position").expect("particles have places");
    for (i, (number, place)) in start.into_iter().enumerate() {
        let depth = (HALF - place.abs()).min_element();
        let random = DVec3::from([(); 3].map(|()| 0.6 * (random.f64() - 0.5)));
        let away = if number % 2.0 > 0.0 && depth > 1.0 { random } else { DVec3::ZERO };
        let place = SPACING * (turned(number) * (place + away) + middle(number, APART));
        words[4 * i..4 * i + 3].copy_from_slice(&place.as_vec3().to_array().map(f32::to_bits));
        blocks[numbers[i]] = number;
    }
    let mut simulation = block_on(trial.gpu, Simulation::resume(trial.gpu, &scene, &state))?;
    block_on(trial.gpu, simulation.step(1))?;
    let state = block_on(trial.gpu, simulation.read())?;
    let (_, arrays) = block_on(trial.gpu, simulation.machine().read(&["tension_fill"]))?;
    let fill: Vec<f32> = bytemuck::pod_collect_to_vec(&arrays["tension_fill"]);
    Ok((0..state.particle_count())
        .map(|i| {
            let number = blocks[state.identity()[i][0] as usize];
            let place = DVec3::from(state.world_position(i)) / SPACING - middle(number, APART);
            Measured {
                place: turned(number).inverse() * place,
                moved: number % 2.0 > 0.0,
                ratio: f64::from(state.density(i)) / DENSITY,
                fill: f64::from(fill[2 * i]),
            }
        })
        .collect())
}

pub(super) const WAVE: Case = Case {
    name: "capillary_wave",
    title: "Gravity-capillary wave",
    about: "Water 8.65 mm deep and 17.3 mm long with periodic ends, in 2-D, starts with the velocities of a standing \
            wave with an amplitude of λ/50. The height is the first Fourier coefficient of the particles' positions; its \
            period is compared with ω² = (g k + σ k³/ρ) tanh(k d).",
    solvers: BOTH,
    plots: &[Plot {
        name: "height",
        title: "Height of the capillary wave",
        x: "time / period",
        y: "height / initial amplitude",
        scattered: false,
        expected: &[Expected {
            label: "linear theory",
            points: || {
                (0..=110).map(|k| f64::from(k) / 100.0).map(|t| (t, (TAU * t).sin())).collect()
            },
            line: true,
        }],
    }],
    everyday: &["dfsph"],
    run: wave,
    ..COARSE
};

fn wave(trial: &mut Trial<'_>) -> Result<(), Error> {
    let waves = [
        (USUAL, false, "period"),
        (USUAL, true, "period, corrected"),
        (UNIT, false, "period, unit normals"),
        (HARD, false, "period, hard weights"),
        (PAPER, false, "period, unit and hard"),
    ];
    for (parts, corrected, what) in waves.into_iter().take(trial.pick(1, waves.len())) {
        period(trial, parts, corrected, what)?;
    }
    Ok(())
}

fn period(
    trial: &mut Trial<'_>,
    parts: Parts,
    corrected: bool,
    what: &'static str,
) -> Result<(), Error> {
    const LENGTH: f64 = 0.0173;
    const DEPTH: f64 = 0.5 * LENGTH;
    const GRAVITY: f64 = 9.81;
    let across = trial.pick(40.0, 80.0);
    let spacing = LENGTH / across;
    let k = TAU / LENGTH;
    let stiff = GRAVITY * k + SIGMA * k.powi(3) / DENSITY;
    let omega = (stiff * (k * DEPTH).tanh()).sqrt();
    let (period, amplitude) = (TAU / omega, LENGTH / 50.0);
    let shape = Shape::Box(Cuboid { min: [0.0; 3], max: [LENGTH, DEPTH, 0.0] });
    let mut scene = scene(trial, spacing, 2, shape);
    set(&mut scene, parts, corrected);
    scene.gravity = [0.0, -GRAVITY, 0.0];
    scene.materials[0].viscosity = Some(1e-3);
    let max = [LENGTH, 1.5 * DEPTH, 0.0];
    scene.domain = Some(Domain { min: [0.0; 3], max, periodic: [true, false, false] });
    scene.boundaries = vec![trial.plane([0.0; 2], [0.0, 1.0])];
    scene.time.fps = 1000.0;
    // Layers at the surface come closer at first.
    let mut thick = scene.clone();
    thick.materials[0].viscosity = Some(0.1);
    let mut settled = trial.start(&thick, &format!("λ/{across}"))?;
    while settled.time() < 0.5 * period {
        settled.next_frame()?;
    }
    let state = block_on(settled.gpu, settled.simulation.read())?;
    let speed = amplitude * omega / (k * DEPTH).sinh();
    let mut water = trial.go_on(&scene, state, |x| {
        let (sin, cos) = (k * x.x).sin_cos();
        speed * DVec3::new(-(k * x.y).cosh() * sin, (k * x.y).sinh() * cos, 0.0)
    })?;
    let begin = water.time();
    let mut heights: Vec<(f64, f64)> = Vec::new();
    let mut zeros = Vec::new();
    let progress = trial.progress;
    while zeros.len() < 2 && water.time() - begin < 2.0 * period {
        water.next_frame()?;
        let state = water.state()?;
        let sum: f64 = state.iter().map(|p| (k * p.position.x).cos()).sum();
        let height = 2.0 / LENGTH * spacing * spacing * sum / amplitude;
        let now = (water.time() - begin) / period;
        if let Some((t, last)) = heights.last().copied().filter(|(_, last)| last * height <= 0.0) {
            zeros.push(t + (now - t) * last / (last - height));
        }
        heights.push((now, height));
        progress(now);
    }
    let found = if zeros.len() == 2 { 2.0 * (zeros[1] - zeros[0]) } else { f64::NAN };
    println!("{what}: {found:.3}");
    trial.outcome.measure(what, 100.0 * (found - 1.0).abs());
    if corrected {
        trial.outcome.dashed_curve("height", heights);
    } else if parts == USUAL {
        trial.outcome.curve("height", heights);
    }
    Ok(())
}

pub(super) const REST: Case = Case {
    name: "disc_at_rest",
    title: "A disc at rest",
    about: "A disc of 16 spacings in radius with a Laplace number 2 ρ σ R/μ² of 120, after 10 √(ρ R³/σ). Clumping: \
            how much closer than a spacing the closest fiftieth of the particles near the surface are. Currents: the \
            largest speed in percent of σ/μ.",
    solvers: BOTH,
    coarse: false,
    run: rest,
    ..COARSE
};

fn rest(trial: &mut Trial<'_>) -> Result<(), Error> {
    const SPACING: f64 = 2e-4;
    let names =
        [(false, "clumping", "currents"), (true, "clumping, corrected", "currents, corrected")];
    for (number, (corrected, clumping, currents)) in names.into_iter().enumerate() {
        let shape = Shape::Sphere(Sphere { center: [0.0; 3], radius: 16.5 * SPACING });
        let mut scene = scene(trial, SPACING, 2, shape);
        let radius = 16.0 * SPACING;
        let viscosity = (2.0 * DENSITY * SIGMA * radius / 120.0).sqrt();
        scene.materials[0].viscosity = Some(viscosity);
        scene.settings.set("tension.density_correction", corrected);
        let end = 10.0 * (DENSITY * radius.powi(3) / SIGMA).sqrt();
        scene.time.fps = 20.0 / end;
        let progress = trial.progress;
        let mut drop = trial.start(&scene, "R/16")?;
        for frame in 0..20 {
            drop.next_frame()?;
            progress((number as f64 + f64::from(frame) / 20.0) / 2.0);
        }
        let state = drop.state()?;
        let radius = radius_of(state.len(), SPACING, 2);
        let center = state.iter().map(|p| p.position).sum::<DVec3>() / state.len() as f64;
        let nearest = |p: &Particle| {
            let others = state.iter().map(|q| q.position.distance(p.position));
            others.filter(|distance| *distance > 0.0).fold(f64::INFINITY, f64::min)
        };
        let outer = state.iter().filter(|p| p.position.distance(center) > radius - 2.0 * SPACING);
        let closest = quantile(outer.map(nearest), 0.02) / SPACING;
        let fastest = state.iter().map(|p| p.velocity.length()).fold(0.0, f64::max);
        let outcome = &mut trial.outcome;
        outcome.measure(clumping, 100.0 * (1.0 - closest));
        outcome.measure(currents, 100.0 * fastest * viscosity / SIGMA);
    }
    Ok(())
}

pub(super) const SQUARE: Case = Case {
    name: "square_drop",
    title: "A square becomes a disc",
    about: "A square of 60 spacings, 0.6 m, with ρ = 1 kg/m³, σ = 1 N/m and μ = 0.2 Pa s (Adami et al. 2010), after \
            1 s: the radius of a disc with the same second moment, against 0.6/√π m; the mean pressure inside, against \
            σ/R; the least over the largest of the moments.",
    solvers: &["wcsph"],
    run: square,
    ..COARSE
};

fn square(trial: &mut Trial<'_>) -> Result<(), Error> {
    const EDGE: f64 = 0.6;
    let across = trial.pick(24.0, 60.0);
    let frames = trial.pick(120, 200);
    let spacing = EDGE / across;
    let names = [
        (false, "pressure", "radius", "out of round"),
        (true, "pressure, corrected", "radius, corrected", "out of round, corrected"),
    ];
    let radius = EDGE / PI.sqrt();
    for (number, (corrected, pressure, size, round)) in
        names.into_iter().take(trial.pick(1, 2)).enumerate()
    {
        let mut scene = scene(trial, spacing, 2, cube(EDGE));
        scene.settings.set("tension.density_correction", corrected);
        let water = &mut scene.materials[0];
        (water.rest_density, water.surface_tension, water.viscosity) = (1.0, 1.0, Some(0.2));
        scene.time.fps = 200.0;
        let progress = trial.progress;
        let mut drop = trial.start(&scene, &format!("edge/{across}"))?;
        let (mut sum, mut count) = (0.0, 0.0);
        for frame in 0..frames {
            drop.next_frame()?;
            progress((number as f64 + f64::from(frame) / f64::from(frames)) / 2.0);
            if 4 * frame >= 3 * frames {
                for particle in drop.state()? {
                    if particle.position.length() < radius - 5.0 * spacing {
                        sum += particle.pressure;
                        count += 1.0;
                    }
                }
            }
        }
        let state = drop.state()?;
        let count_of_all = state.len() as f64;
        let center = state.iter().map(|p| p.position).sum::<DVec3>() / count_of_all;
        let moment = |f: &dyn Fn(DVec3) -> f64| {
            state.iter().map(|p| f(p.position - center)).sum::<f64>() / count_of_all
        };
        let (xx, yy, xy) = (moment(&|x| x.x * x.x), moment(&|x| x.y * x.y), moment(&|x| x.x * x.y));
        let (mean, half) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
        let outcome = &mut trial.outcome;
        println!("mean pressure {:.4} Pa, expected {:.4}", sum / count, 1.0 / radius);
        outcome.measure(pressure, 100.0 * (sum / count * radius - 1.0).abs());
        // ∫ r² over a disc is R²/2 of its area.
        let found = (4.0 * mean).sqrt();
        outcome.measure(size, 100.0 * (found / radius - 1.0).abs());
        outcome.measure(round, 100.0 * (1.0 - (mean - half) / (mean + half)));
    }
    Ok(())
}

pub(super) const COLOR: Case = Case {
    name: "color_field_cube",
    title: "A cube under the colour field's tension",
    about: "The scene zero_g_cube with the colour field's tension, and a cube of 24 cm with 12 spacings, σ = 1 N/m \
            and μ = 10 Pa s: the extent along the diagonals over that along the edges after 4 μ R/σ, and its change \
            since 3 μ R/σ. A ball at rest has 1 and 0.",
    solvers: &["muller"],
    coarse: false,
    plots: &[Plot {
        name: "extent",
        title: "A cube under the colour field's tension",
        x: "time / (μ R/σ)",
        y: "diagonals / edges",
        scattered: false,
        expected: &[Expected {
            label: "ball",
            points: || vec![(0.0, 1.0), (4.0, 1.0)],
            line: true,
        }],
    }],
    run: color,
    ..COARSE
};

fn color(trial: &mut Trial<'_>) -> Result<(), Error> {
    // Edge in m, spacings along it, σ, μ, support in radii.
    let cubes = [
        ((0.02, 16.0, SIGMA, 2.0, 4.0), "out of round, h of 4 radii", "last change, h of 4 radii"),
        ((0.02, 16.0, SIGMA, 2.0, 5.0), "out of round, h of 5 radii", "last change, h of 5 radii"),
        ((0.24, 12.0, 1.0, 10.0, 4.0), "out of round, 24 cm", "last change, 24 cm"),
    ];
    for (number, ((edge, across, sigma, viscosity, radii), round, change)) in
        cubes.into_iter().enumerate()
    {
        let mut scene = trial.scene(edge / across);
        scene.dimensions = 3;
        scene.gravity = [0.0; 3];
        scene.support_radius = Some(radii * scene.particle_radius);
        scene.fluids = vec![block([0.0; 2], [1.0; 2])];
        scene.fluids[0].shape = cube(edge);
        scene.materials[0].viscosity = Some(viscosity);
        scene.materials[0].surface_tension = sigma;
        scene.settings.set("tension.model", "color_field");
        Trial::sound_speed(&mut scene, 10.0);
        let time = viscosity * edge * (0.75 / PI).cbrt() / sigma;
        scene.time.fps = 10.0 / time;
        let progress = trial.progress;
        let mut water = trial.start(&scene, "")?;
        let mut ratios = vec![(0.0, diagonals_over_edges(&water.state()?))];
        for frame in 1..=40 {
            water.next_frame()?;
            ratios.push((0.1 * f64::from(frame), diagonals_over_edges(&water.state()?)));
            progress((number as f64 + f64::from(frame) / 40.0) / 3.0);
        }
        let (third, last) = (ratios[30].1, ratios[40].1);
        trial.outcome.measure(round, 100.0 * (last - 1.0).abs());
        trial.outcome.measure(change, 100.0 * (last - third).abs());
        match number {
            0 => trial.outcome.curve("extent", ratios),
            1 => trial.outcome.dashed_curve("extent", ratios),
            _ => {}
        }
    }
    trial.outcome.resolution = "edge/16; edge/12".into();
    Ok(())
}
