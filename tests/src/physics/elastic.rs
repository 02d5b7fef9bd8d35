//! Elastic solids of the material point method: waves and vibrations.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use meniscus::Error;
use meniscus_model::{
    Scene,
    scene::{Boundary, Contact, Domain, Material},
};

use super::{COARSE, Case, Expected, POINTS, Plot, Trial, block};

/// E in Pa and ρ0 in kg/m² of bars and beams.
const STIFFNESS: f64 = 1e6;
const DENSITY: f64 = 1000.0;
/// Length of bars and beams in m, and thickness of beams.
const LENGTH: f64 = 1.0;
const THICKNESS: f64 = 0.2;
/// Period of such a beam by Timoshenko's theory with a shear coefficient of 5/6, over that of a slender one.
const TIMOSHENKO: f64 = 1.0258;
/// Largest speed at the start in m/s: strains of 10⁻³ and less.
const SPEED: f64 = 0.01;

pub(super) const BAR: Case = Case {
    name: "elastic_bar",
    title: "Elastic bar",
    about: "A bar of jelly with ν = 0 in 2-D, held at one end, 1 m long and 4 cells thick, E = 10⁶ Pa, ρ0 = 1000 \
            kg/m³, starts with the velocity of its first mode, 1 cm/s sin(π x/(2 L)). Measured is the mean period over \
            five, against 4 L √(ρ0/E) = 0.12649 s, and what the momentum loses from one extreme to the next.",
    solvers: POINTS,
    plots: &[Plot {
        name: "velocity",
        title: "Mean velocity along the bar",
        x: "time / period",
        y: "velocity / velocity at the start",
        scattered: false,
        expected: &[COSINE],
    }],
    run: bar,
    ..COARSE
};

pub(super) const IMPLICIT: Case = Case {
    name: "implicit_bar",
    title: "Elastic bar by implicit steps",
    about: "That bar with mpm.integration = \"implicit\" and steps of up to five explicit ones. Backward Euler makes \
            the period longer by (ω Δt)²/3 and loses 1 − (1 + (ω Δt)²)^(−T/(4 Δt)) from one extreme to the next. \
            Measured are the period, and by how much of itself that loss differs.",
    solvers: &["mls_mpm"],
    run: implicit_bar,
    ..COARSE
};

pub(super) const BEAM: Case = Case {
    name: "cantilever",
    title: "Cantilever",
    about: "A beam of that jelly, 1 m long and 0.2 m thick, held at one end, starts with the velocity of its first \
            mode of bending. Measured is the period against Timoshenko's beam, 1.0258 times the slender beam's of 0.9788 \
            s (β₁ L = 1.8751). Walls constrain the nodes within a cell, which makes beams half a cell shorter.",
    solvers: POINTS,
    plots: &[Plot {
        name: "velocity",
        title: "Mean velocity across the beam",
        x: "time / period of a slender beam",
        y: "velocity / velocity at the start",
        scattered: false,
        expected: &[Expected {
            label: "Timoshenko",
            points: || {
                (0..=240)
                    .map(|k| f64::from(k) / 100.0)
                    .map(|t| (t, (TAU * t / TIMOSHENKO).cos()))
                    .collect()
            },
            line: true,
        }],
    }],
    run: beam,
    ..COARSE
};

pub(super) const WAVE: Case = Case {
    name: "p_wave",
    title: "Compression wave in an elastic solid",
    about: "A standing wave in jelly with ν = 0.3, E = 10⁶ Pa, ρ0 = 1000 kg/m³ in 2-D, 1 cm/s sin(2π x/L). Measured \
            is its mean period over five against L/√((λ + 2μ)/ρ0), and what the wave loses from one extreme to the next.",
    solvers: POINTS,
    plots: &[Plot {
        name: "velocity",
        title: "Amplitude of a compression wave's velocity",
        x: "time / period",
        y: "velocity / velocity at the start",
        scattered: false,
        expected: &[COSINE],
    }],
    run: wave,
    ..COARSE
};

/// Five periods of a vibration without damping.
const COSINE: Expected = Expected {
    label: "theory",
    points: || (0..=500).map(|k| f64::from(k) / 100.0).map(|t| (t, (TAU * t).cos())).collect(),
    line: true,
};

/// A scene of one jelly without gravity.
fn jelly(trial: &Trial<'_>, edge: f64, poisson_ratio: f64, max: [f64; 2]) -> Scene {
    let mut scene = trial.scene(edge / 2.0);
    scene.gravity = [0.0; 3];
    scene.materials = vec![Material {
        rest_density: DENSITY,
        ..Material::new("jelly")
            .with_model("jelly")
            .with("youngs_modulus", STIFFNESS)
            .with("poisson_ratio", poisson_ratio)
    }];
    scene.fluids = vec![block([0.0; 2], max)];
    scene
}

/// What a vibration does: its mean period, the largest share lost from one extreme to the next, and the line of its
/// sums over those at the start, by time over `scale`.
struct Vibration {
    period: f64,
    lost: f64,
    line: Vec<(f64, f64)>,
}

/// A scene with a velocity at the start, for `periods` of about `period`, 40 frames in each: sums over the velocity that
/// it starts with.
fn vibrate(
    trial: &mut Trial<'_>,
    mut scene: Scene,
    resolution: &str,
    [period, periods]: [f64; 2],
    velocity: impl Fn(DVec3) -> DVec3,
) -> Result<Vibration, Error> {
    scene.time.fps = 40.0 / period;
    scene.time.max_step = 1.0 / scene.time.fps;
    let progress = trial.progress;
    let mut water = trial.start_moving(&scene, resolution, &velocity)?;
    // The part in the mode that it starts with, by the places at rest: strains are small.
    let mut line: Vec<(f64, f64)> = Vec::new();
    // A little more than the last zero.
    let frames = (40.0 * (periods - 0.1)) as u32;
    for frame in 0..=frames {
        let part: f64 = water.state()?.iter().map(|p| p.velocity.dot(velocity(p.position))).sum();
        line.push((water.time(), part));
        if frame < frames {
            water.next_frame()?;
        }
        progress(f64::from(frame) / f64::from(frames));
    }
    let start = line[0].1;
    let zeros: Vec<f64> = line
        .windows(2)
        .filter(|pair| pair[0].1 * pair[1].1 <= 0.0)
        .map(|pair| {
            let [(t, a), (u, b)] = [pair[0], pair[1]];
            t + (u - t) * a / (a - b)
        })
        .collect();
    let (first, last) = (zeros[0], zeros[zeros.len() - 1]);
    let found = 2.0 * (last - first) / (zeros.len() - 1) as f64;
    // Amplitudes by least squares of a sine and a cosine over the first and the last whole period.
    let amplitude = |from: f64| {
        let mut sums = [0.0; 5];
        for (t, y) in line.iter().filter(|(t, _)| (from..from + found).contains(t)) {
            let (sin, cos) = (TAU * t / found).sin_cos();
            let new = [sin * sin, sin * cos, cos * cos, sin * y, cos * y];
            sums.iter_mut().zip(new).for_each(|(sum, new)| *sum += new);
        }
        let [ss, sc, cc, sy, cy] = sums;
        let determinant = ss * cc - sc * sc;
        ((sy * cc - cy * sc) / determinant).hypot((cy * ss - sy * sc) / determinant)
    };
    let ways = 2.0 * ((last - found) / found);
    let lost = 1.0 - (amplitude(last - found) / amplitude(0.0)).powf(1.0 / ways);
    let line = line.into_iter().map(|(t, y)| (t / period, y / start)).collect();
    Ok(Vibration { period: found, lost, line })
}

fn sticky(wall: Boundary) -> Boundary {
    Boundary { contact: Some(Contact::Sticky), ..wall }
}

/// The bar in its first mode, with `more` done to its scene: its vibration, its period in theory, and the scene's frames per
/// second.
fn swing(trial: &mut Trial<'_>, more: impl Fn(&mut Scene)) -> Result<(Vibration, f64), Error> {
    let (cells, resolution) = trial.pick((16.0, "L/32"), (32.0, "L/64"));
    let edge = LENGTH / cells;
    let half = 2.0 * edge;
    let mut scene = jelly(trial, edge, 0.0, [LENGTH, half]);
    scene.fluids = vec![block([0.0, -half], [LENGTH, half])];
    scene.domain = Some(Domain {
        min: [0.0, -2.0 * half, 0.0],
        max: [LENGTH + 2.0 * edge, 2.0 * half, 0.0],
        periodic: [false; 3],
    });
    scene.boundaries = vec![sticky(trial.plane([0.0; 2], [1.0, 0.0]))];
    more(&mut scene);
    let period = 4.0 * LENGTH * (DENSITY / STIFFNESS).sqrt();
    let mode = |x: DVec3| SPEED * (0.5 * PI * x.x / LENGTH).sin() * DVec3::X;
    Ok((vibrate(trial, scene, resolution, [period, 5.0], mode)?, period))
}

fn bar(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (found, period) = swing(trial, |_| ())?;
    let outcome = &mut trial.outcome;
    outcome.measure("period", 100.0 * (found.period / period - 1.0).abs());
    outcome.measure("lost in half a period", 100.0 * found.lost);
    outcome.curve("velocity", found.line);
    Ok(())
}

fn implicit_bar(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (found, period) = swing(trial, |scene| {
        scene.settings.set("mpm.integration", "implicit");
        scene.settings.set("mpm.longest_step", 5.0);
        scene.settings.set("mpm.max_velocity_error", 0.1);
    })?;
    // Steps of 2.5 cells of sound, in frames of a fortieth of the period.
    let cells = trial.pick(16.0, 32.0);
    let frame = period / 40.0;
    let longest = 2.5 * LENGTH / cells * (DENSITY / STIFFNESS).sqrt();
    let step = frame / (frame / longest).ceil();
    let turn = TAU / period * step;
    let lost = 1.0 - (1.0 + turn * turn).powf(-period / (4.0 * step));
    let outcome = &mut trial.outcome;
    outcome.measure("period", 100.0 * (found.period / period - 1.0).abs());
    outcome.measure("loss against theory", 100.0 * (found.lost / lost - 1.0).abs());
    Ok(())
}

fn beam(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (cells, resolution) = trial.pick((4.0, "thickness/8"), (8.0, "thickness/16"));
    let edge = THICKNESS / cells;
    let half = THICKNESS / 2.0;
    let mut scene = jelly(trial, edge, 0.0, [LENGTH, half]);
    scene.fluids = vec![block([0.0, -half], [LENGTH, half])];
    scene.domain = Some(Domain {
        min: [0.0, -2.0 * THICKNESS, 0.0],
        max: [LENGTH + THICKNESS, 2.0 * THICKNESS, 0.0],
        periodic: [false; 3],
    });
    scene.boundaries = vec![sticky(trial.plane([0.0; 2], [1.0, 0.0]))];
    let beta = 1.8751 / LENGTH;
    let slender =
        TAU / (beta * beta) * (12.0 * DENSITY / (STIFFNESS * THICKNESS * THICKNESS)).sqrt();
    let mode = |x: DVec3| {
        let at = beta * x.x;
        let end = beta * LENGTH;
        let ratio = (end.cosh() + end.cos()) / (end.sinh() + end.sin());
        let bend = at.cosh() - at.cos() - ratio * (at.sinh() - at.sin());
        0.5 * SPEED * bend * DVec3::Y
    };
    let found = vibrate(trial, scene, resolution, [slender, 2.5], mode)?;
    let ratio = found.period / slender;
    let outcome = &mut trial.outcome;
    outcome.measure("period", 100.0 * (ratio / TIMOSHENKO - 1.0).abs());
    outcome.measure("lost in half a period", 100.0 * found.lost);
    outcome.curve("velocity", found.line);
    Ok(())
}

fn wave(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (cells, resolution) = trial.pick((32.0, "L/64"), (64.0, "L/128"));
    let edge = LENGTH / cells;
    let height = 8.0 * edge;
    let poisson_ratio = 0.3;
    let mut scene = jelly(trial, edge, poisson_ratio, [LENGTH, height]);
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [LENGTH, height, 0.0], periodic: [true, false, false] });
    let slip = |wall: Boundary| Boundary { contact: Some(Contact::Slip), ..wall };
    scene.boundaries = vec![
        slip(trial.plane([0.0; 2], [0.0, 1.0])),
        slip(trial.plane([0.0, height], [0.0, -1.0])),
    ];
    let shear = STIFFNESS / (2.0 * (1.0 + poisson_ratio));
    let lambda = STIFFNESS * poisson_ratio / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio));
    let period = LENGTH / ((lambda + 2.0 * shear) / DENSITY).sqrt();
    let mode = |x: DVec3| SPEED * (TAU * x.x / LENGTH).sin() * DVec3::X;
    let found = vibrate(trial, scene, resolution, [period, 5.0], mode)?;
    let outcome = &mut trial.outcome;
    outcome.measure("period", 100.0 * (found.period / period - 1.0).abs());
    outcome.measure("lost in half a period", 100.0 * found.lost);
    outcome.curve("velocity", found.line);
    Ok(())
}
