//! Drops that oscillate under surface tension, in several modes.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use meniscus::Error;
use meniscus_model::scene::{Shape, Sphere};

use super::{
    COARSE, Case, Expected, Plot, Trial,
    tension::{BOTH, DENSITY, HARD, PAPER, Parts, SIGMA, UNIT, USUAL, radius_of, scene, set},
};
use crate::device::block_on;

pub(super) const OSCILLATION: Case = Case {
    name: "oscillating_drop",
    title: "Period of a drop in 2-D",
    about: "A disc of water with a radius of 5 mm in 2-D, stretched by a tenth by the velocity (A x, −A y). Measured \
            is half a period, until it is round again, against 2π √(ρ R³/(6 σ)) (Rayleigh 1879). Rows: with \
            `density_correction`; all of the tension by cohesion (`cohesion_share` = 1); a support of 4 radii, the \
            default; the other tensions.",
    solvers: BOTH,
    plots: &[SHAPE],
    run: oscillation,
    ..COARSE
};

const SHAPE: Plot = Plot {
    name: "shape",
    title: "Stretch of an oscillating drop",
    x: "time / period",
    y: "(x² − y²)/r², of means",
    scattered: false,
    expected: &[Expected { label: "inviscid, small", points: small, line: true }],
};

pub(super) const OSCILLATION_3D: Case = Case {
    name: "oscillating_ball",
    title: "Period of a drop in 3-D",
    about: "The same with a ball: the period against 2π √(ρ R³/(8 σ)) (Rayleigh 1879), and the decay from the first \
            to the third peak against ρ R²/(5 μ) (Lamb, §355).",
    plots: &[Plot {
        expected: &[Expected { label: "linear theory", points: damped, line: true }],
        ..SHAPE
    }],
    run: oscillation_3d,
    everyday: &["dfsph"],
    ..OSCILLATION
};

pub(super) const RESOLUTIONS: Case = Case {
    name: "drop_resolutions",
    title: "Tension does not depend on the particle radius",
    about: "The oscillating drop with 8, 16 and 24 spacings to the radius: the largest of the three periods, \
            relative to Rayleigh's, over the smallest.",
    solvers: &["wcsph", "pcisph", "iisph", "dfsph"],
    coarse: false,
    run: resolutions,
    ..COARSE
};

pub(super) const MODES: Case = Case {
    name: "drop_modes",
    title: "Higher modes of a drop",
    about: "The oscillating disc with 24 spacings to the radius, with n = 2, 3 and 4 lobes, by the velocity A (Re \
            zⁿ⁻¹, −Im zⁿ⁻¹), z = x + iy. Half a period lies between the first two moments at which Σ Re zⁿ is 0, against \
            π √(ρ R³/(n (n² − 1) σ)). The tension's constants hold for two lobes.",
    solvers: BOTH,
    coarse: false,
    run: modes,
    ..COARSE
};

/// Half a period of a small oscillation without viscosity.
fn small() -> Vec<(f64, f64)> {
    (0..=100).map(|k| f64::from(k) / 100.0).map(|t| (t, 0.2 * (TAU * t).sin())).collect()
}

/// A period and a half that decays in three, of a ball: the means of x² and y² are thirds of that of r².
fn damped() -> Vec<(f64, f64)> {
    let times = (0..=150).map(|k| f64::from(k) / 100.0);
    times.map(|t| (t, 0.4 / 3.0 * (-t / 3.0).exp() * (TAU * t).sin())).collect()
}

fn oscillation(trial: &mut Trial<'_>) -> Result<(), Error> {
    let usual = Drop { across: trial.pick(12.0, 16.0), ..Drop::DISC };
    let drops = [
        ("period", usual),
        ("period, corrected", Drop { corrected: true, ..usual }),
        ("period, all by cohesion", Drop { share: 1.0, ..usual }),
        ("period, h of 4 radii", Drop { radii: 4.0, ..usual }),
        ("period, by the colour field", Drop { model: "color_field", ..usual }),
        ("period, unit normals", Drop { parts: UNIT, ..usual }),
        ("period, hard weights", Drop { parts: HARD, ..usual }),
        ("period, unit and hard", Drop { parts: PAPER, ..usual }),
    ];
    for (what, drop) in &drops[..trial.pick(1, drops.len())] {
        let period = swing(trial, *drop)?.period;
        trial.outcome.measure(what, 100.0 * (period - 1.0).abs());
    }
    trial.outcome.resolution = format!("R/{}", usual.across);
    Ok(())
}

fn oscillation_3d(trial: &mut Trial<'_>) -> Result<(), Error> {
    let balls = [
        (USUAL, false, "period", "decay"),
        (USUAL, true, "period, corrected", "decay, corrected"),
        (UNIT, false, "period, unit normals", "decay, unit normals"),
        (HARD, false, "period, hard weights", "decay, hard weights"),
        (PAPER, false, "period, unit and hard", "decay, unit and hard"),
    ];
    let across = trial.pick(6.0, 12.0);
    for (parts, corrected, time, fall) in balls.into_iter().take(trial.pick(1, balls.len())) {
        let ball = Drop { dimensions: 3, across, corrected, parts, ..Drop::DISC };
        let Swing { period, decay } = swing(trial, ball)?;
        println!("{time}: {period:.3}, {fall}: {decay:.3}");
        trial.outcome.measure(time, 100.0 * (period - 1.0).abs());
        trial.outcome.measure(fall, 100.0 * (decay - 1.0).abs());
    }
    trial.outcome.resolution = format!("R/{across}");
    Ok(())
}

fn modes(trial: &mut Trial<'_>) -> Result<(), Error> {
    let usual = Drop { across: 24.0, ..Drop::DISC };
    for (mode, corrected, what) in [
        (2, false, "two lobes"),
        (3, false, "three lobes"),
        (4, false, "four lobes"),
        (3, true, "three lobes, corrected"),
        (4, true, "four lobes, corrected"),
    ] {
        let period = swing(trial, Drop { mode, corrected, ..usual })?.period;
        println!("{what}: {period:.3}");
        trial.outcome.measure(what, 100.0 * (period - 1.0).abs());
    }
    trial.outcome.resolution = "R/24".into();
    Ok(())
}

fn resolutions(trial: &mut Trial<'_>) -> Result<(), Error> {
    for (corrected, what) in
        [(false, "largest over smallest period"), (true, "largest over smallest, corrected")]
    {
        let mut periods = Vec::new();
        for across in [8.0, 16.0, 24.0] {
            periods.push(swing(trial, Drop { across, corrected, ..Drop::DISC })?.period);
        }
        println!("periods {periods:.3?}");
        let largest = periods.iter().copied().fold(0.0, f64::max);
        let smallest = periods.iter().copied().fold(f64::INFINITY, f64::min);
        trial.outcome.measure(what, largest / smallest);
    }
    trial.outcome.resolution = "R/8, R/16, R/24".into();
    Ok(())
}

/// A drop that oscillates.
#[derive(Clone, Copy)]
struct Drop {
    dimensions: u32,
    /// Lobes of a disc, n.
    mode: i32,
    /// Spacings to its radius.
    across: f64,
    model: &'static str,
    /// `tension.density_correction`.
    corrected: bool,
    /// `tension.cohesion_share`.
    share: f64,
    /// Support in particle radii.
    radii: f64,
    /// `tension.normals` and `tension.weights`.
    parts: Parts,
}

impl Drop {
    const DISC: Self = Self {
        dimensions: 2,
        mode: 2,
        across: 16.0,
        model: "near_surface",
        corrected: false,
        share: 0.35,
        radii: 5.0,
        parts: USUAL,
    };
}

/// How a drop oscillates.
struct Swing {
    /// Period of the drop over Rayleigh's; infinite if it does not come back.
    period: f64,
    /// Time in which it decays by a factor of e, over Lamb's; only of balls.
    decay: f64,
}

/// Real and imaginary part of (x + iy)ⁿ.
fn power(x: DVec3, n: i32) -> DVec2 {
    let (length, angle) = (x.truncate().length().powi(n), f64::from(n) * x.y.atan2(x.x));
    length * DVec2::new(angle.cos(), angle.sin())
}

/// Oscillation of a drop.
fn swing(trial: &mut Trial<'_>, drop: Drop) -> Result<Swing, Error> {
    const RADIUS: f64 = 0.005;
    const STRETCH: f64 = 0.1;
    let Drop { dimensions, mode, across, corrected, .. } = drop;
    let spacing = RADIUS / across;
    // Centres are half a spacing inside.
    let shape = Shape::Sphere(Sphere { center: [0.0; 3], radius: RADIUS + 0.5 * spacing });
    let mut scene = scene(trial, spacing, dimensions, shape);
    scene.support_radius = Some(0.5 * drop.radii * spacing);
    scene.settings.set("tension.model", drop.model);
    if drop.model == "near_surface" {
        set(&mut scene, drop.parts, corrected);
        scene.settings.set("tension.cohesion_share", drop.share);
    }
    // n (n² − 1) of a disc, n (n − 1) (n + 2) of a ball with n = 2; and the factors of the viscous decay.
    let n = f64::from(mode);
    let (stiff, damped, zeros) = match dimensions {
        2 => (n * (n * n - 1.0), 2.0 * n * (n - 1.0), 2),
        _ => (8.0, 5.0, 3),
    };
    let period = |radius: f64| TAU * (DENSITY * radius.powi(3) / (stiff * SIGMA)).sqrt();
    let usual = period(RADIUS);
    let viscosity = DENSITY * RADIUS * RADIUS / (damped * 3.0 * usual);
    scene.materials[0].viscosity = Some(viscosity);
    scene.time.fps = 500.0;
    let rate = 2.0 / n * STRETCH * TAU / usual * RADIUS.powi(2 - mode);
    let resolution = "";
    let progress = trial.progress;
    // Sums over the lattice are not those of the settled drop, which is denser at its surface.
    let mut thick = scene.clone();
    thick.materials[0].viscosity = Some(20.0 * viscosity);
    let mut settled = trial.start(&thick, resolution)?;
    while settled.time() < 0.5 * usual {
        settled.next_frame()?;
    }
    let radius = radius_of(settled.state()?.len(), spacing, dimensions);
    let state = block_on(settled.gpu, settled.simulation.read())?;
    let flow = |x: DVec3| rate * power(x, mode - 1).extend(0.0) * DVec3::new(1.0, -1.0, 0.0);
    let mut water = trial.go_on(&scene, state, flow)?;
    let (begin, period) = (water.time(), period(radius));
    let (mut shape, mut round) = (Vec::new(), Vec::new());
    while round.len() < zeros && water.time() - begin < 2.0 * period {
        water.next_frame()?;
        let state = water.state()?;
        let center = state.iter().map(|p| p.position).sum::<DVec3>() / state.len() as f64;
        let sum = |f: &dyn Fn(DVec3) -> f64| -> f64 {
            state.iter().map(|p| f(p.position - center)).sum()
        };
        let stretch = sum(&|x| power(x, mode).x) / sum(&|x| x.length().powi(mode));
        let now = ((water.time() - begin) / period, stretch);
        if let Some((t, last)) = shape.last().copied().filter(|(_, last)| last * stretch <= 0.0) {
            round.push(t + (now.0 - t) * last / (last - stretch));
        }
        shape.push(now);
        progress(now.0);
    }
    let peak = |from: f64, to: f64| {
        let within = shape.iter().filter(|(t, _)| (from..to).contains(t));
        within.map(|(_, stretch)| stretch.abs()).fold(0.0, f64::max)
    };
    let swing = match round[..] {
        [first, second] => Swing { period: 2.0 * (second - first), decay: f64::NAN },
        [first, second, third] => {
            // From a quarter to five quarters of a period.
            let lost = (peak(0.0, first) / peak(second, third)).ln();
            let lamb = DENSITY * radius * radius / (damped * viscosity);
            Swing { period: third - first, decay: period / lost / lamb }
        }
        _ => Swing { period: f64::INFINITY, decay: f64::INFINITY },
    };
    // Curves of the others would hide these.
    let usual = Drop { across, dimensions, corrected, ..Drop::DISC };
    if (drop.model, drop.parts, mode) == (usual.model, usual.parts, usual.mode)
        && (drop.share, drop.radii) == (usual.share, usual.radii)
    {
        if corrected {
            trial.outcome.dashed_curve("shape", shape);
        } else {
            trial.outcome.curve("shape", shape);
        }
    }
    Ok(swing)
}
