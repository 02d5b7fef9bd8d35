//! Sheets that draw back from their free edges.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus::Error;
use meniscus_model::scene::{Cuboid, Shape};

use super::{
    COARSE, Case, Expected, Plot, Trial, slope,
    tension::{BOTH, DENSITY, SIGMA, USUAL, scene, set},
};
use crate::device::block_on;

/// Time in e/U from which the edge's speed is measured, and the end.
const WINDOW: (f64, f64) = (2.0, 5.0);

/// Frames in e/U.
const FRAMES: f64 = 20.0;

pub(super) const CASE: Case = Case {
    name: "tension_sheet",
    title: "A sheet draws back",
    about: "Sheets in 2-D without gravity, e = 6 and 10 spacings of 0.1 mm thick, 20 e long, of 0.01 Pa s, draw back \
            from their edges. Two surfaces pull each half with 2σ, so that edges approach U = √(2σ/(ρ e)) (Taylor 1959, \
            Culick 1960). A round rim of the area V e² has V²/2 − V^(3/2)/(3√π) = t²/2 + c at the time t e/U, and its \
            edge is V − 2 √(V/π) thicknesses from where the sheet ended. Measured are the edges' mean speed from t = 2 \
            to 5 against that, and the mean pull until 5. Sheets first settle with 0.2 Pa s.",
    solvers: BOTH,
    coarse: false,
    plots: &[
        Plot { name: "six", title: "Edge of a sheet of six spacings", ..EDGE },
        Plot { name: "ten", title: "Edge of a sheet of ten spacings", ..EDGE },
    ],
    run,
    ..COARSE
};

const EDGE: Plot = Plot {
    name: "",
    title: "",
    x: "time / (e/U)",
    y: "way of the edge / e",
    scattered: false,
    expected: &[
        Expected {
            label: "Taylor and Culick",
            points: || vec![(0.0, 0.0), (WINDOW.1, WINDOW.1)],
            line: true,
        },
        Expected { label: "with a round rim", points: rim, line: true },
    ],
};

/// Way of the edge of a sheet with a round rim, in e, over time in e/U.
fn rim() -> Vec<(f64, f64)> {
    let count = (WINDOW.1 * FRAMES) as u32;
    (0..=count).map(|k| f64::from(k) / FRAMES).map(|t| (t, with_rim(t))).collect()
}

/// Way of the edge after t e/U, in e. The rim that has not moved is a disc of the sheet's end, V − 2 √(V/π) = 0.
fn with_rim(t: f64) -> f64 {
    let impulse = |v: f64| 0.5 * v * v - v.powf(1.5) / (3.0 * PI.sqrt());
    let wanted = 0.5 * t * t + impulse(4.0 / PI);
    let (mut low, mut high) = (4.0 / PI, 4.0 / PI + 2.0 * t);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if impulse(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    low - 2.0 * (low / PI).sqrt()
}

/// Mean speed from the first time of [`WINDOW`] on, in U.
fn speed(way: &[(f64, f64)]) -> f64 {
    slope(&way[(WINDOW.0 * FRAMES) as usize..])
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let sheets = [
        ("six", 6.0, false, "speed, 6 spacings", "pull, 6 spacings"),
        ("six", 6.0, true, "speed, 6 spacings, corrected", "pull, 6 spacings, corrected"),
        ("ten", 10.0, false, "speed, 10 spacings", "pull, 10 spacings"),
        ("ten", 10.0, true, "speed, 10 spacings, corrected", "pull, 10 spacings, corrected"),
    ];
    let expected = speed(&rim());
    for (number, (plot, across, corrected, fast, strong)) in sheets.into_iter().enumerate() {
        let Retreat { way, pull } = retreat(trial, across, corrected, number)?;
        let found = speed(&way);
        println!("{fast}: {found:.3} for {expected:.3}, pull {pull:.3}");
        trial.outcome.measure(fast, 100.0 * (found / expected - 1.0).abs());
        trial.outcome.measure(strong, 100.0 * (pull - 1.0).abs());
        if corrected {
            trial.outcome.dashed_curve(plot, way);
        } else {
            trial.outcome.curve(plot, way);
        }
    }
    trial.outcome.resolution = "e/6, e/10".into();
    Ok(())
}

/// How a sheet draws back.
struct Retreat {
    /// Mean way of its edges in e, over time in e/U.
    way: Vec<(f64, f64)>,
    /// Mean pull on half the sheet, in 2σ.
    pull: f64,
}

/// A sheet `across` spacings thick, the case's sheet of this number.
fn retreat(
    trial: &mut Trial<'_>,
    across: f64,
    corrected: bool,
    number: usize,
) -> Result<Retreat, Error> {
    const SPACING: f64 = 1e-4;
    let thick = across * SPACING;
    let unit = thick / (2.0 * SIGMA / (DENSITY * thick)).sqrt();
    let max = [10.0 * thick, 0.5 * thick, 0.0];
    let shape = Shape::Box(Cuboid { min: max.map(|x| -x), max });
    let mut scene = scene(trial, SPACING, 2, shape);
    set(&mut scene, USUAL, corrected);
    scene.materials[0].viscosity = Some(0.01);
    scene.time.fps = FRAMES / unit;
    let mut syrup = scene.clone();
    syrup.materials[0].viscosity = Some(0.2);
    let progress = trial.progress;
    let mut settled = trial.start(&syrup, "")?;
    while settled.time() < unit - 1e-9 {
        settled.next_frame()?;
    }
    let state = block_on(settled.gpu, settled.simulation.read())?;
    let mut sheet = trial.go_on(&scene, state, |_| DVec3::ZERO)?;
    let mut ends = Vec::new();
    let mut inward = 0.0;
    for frame in 0..=(WINDOW.1 * FRAMES) as u32 {
        if frame > 0 {
            sheet.next_frame()?;
        }
        let state = sheet.state()?;
        let (first, last) = state.iter().fold((f64::MAX, f64::MIN), |(first, last), p| {
            (first.min(p.position.x), last.max(p.position.x))
        });
        let now = f64::from(frame) / FRAMES;
        ends.push((now, 0.5 * (last - first) / thick));
        inward = state.iter().map(|p| -p.velocity.x * p.position.x.signum()).sum();
        progress((number as f64 + now / WINDOW.1) / 4.0);
    }
    let momentum = 0.5 * DENSITY * SPACING * SPACING * inward;
    let start = ends[0].1;
    Ok(Retreat {
        way: ends.into_iter().map(|(now, half)| (now, start - half)).collect(),
        pull: momentum / (2.0 * SIGMA * WINDOW.1 * unit),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_starts_at_rest_and_ends_at_culick_s_speed() {
        assert!(with_rim(0.0).abs() < 1e-9);
        assert!(with_rim(0.01) < 1e-3);
        // The first terms of a series for large V.
        let late = with_rim(1001.0) - with_rim(1000.0);
        assert!((late - (1.0 - 5.0 / (6.0 * (1000.0 * PI).sqrt()))).abs() < 1e-3, "{late}");
    }
}
