//! An eddy in a full box.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus::Error;

use super::{COARSE, Case, LIQUIDS, Plot, Trial, block};

/// Edge of the box in m, and largest speed in m/s.
const EDGE: f64 = 1.0;
const SPEED: f64 = 1.0;

pub(super) const CASE: Case = Case {
    name: "eddy",
    title: "Eddy in a full box",
    about: "Taylor and Green's eddy, u = U sin(π x/L) cos(π y/L), v = −U cos(π x/L) sin(π y/L), in a full box of 2-D \
            without viscosity, in steps of half a cell at the speed U. Measured is the kinetic energy after L/U, of that \
            at the start, against a prototype's in f64. With FLIP, APIC and PolyPIC most is lost by the splitting of \
            advection and pressure.",
    solvers: LIQUIDS,
    plots: &[Plot {
        name: "energy",
        title: "Kinetic energy of an eddy",
        x: "time U/L",
        y: "energy / energy at the start",
        scattered: false,
        expected: &[],
    }],
    everyday: &["pic", "polypic", "eulerian"],
    run,
    ..COARSE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let cells = trial.pick(16.0, 32.0);
    let mut scene = trial.scene(EDGE / cells / 2.0);
    scene.gravity = [0.0; 3];
    scene.time.fps = 8.0;
    scene.time.max_step = 1.0;
    scene.time.cfl = 0.5;
    scene.settings.set("liquid.max_error", 0.01);
    scene.fluids = vec![block([0.0; 2], [EDGE; 2])];
    scene.fluids[0].jitter = 0.25;
    scene.boundaries = vec![trial.tank([0.0; 2], [EDGE; 2])];
    let velocity = |x: DVec3| {
        let [x, y] = [x.x, x.y].map(|x| PI * x / EDGE);
        SPEED * DVec3::new(x.sin() * y.cos(), -x.cos() * y.sin(), 0.0)
    };
    let progress = trial.progress;
    let resolution = trial.pick("L/16", "L/32");
    let mut water = trial.start_moving(&scene, resolution, velocity)?;
    let start = water.report()?.kinetic_energy;
    let mut energies = vec![(0.0, 1.0)];
    for frame in 1..=8 {
        water.next_frame()?;
        progress(f64::from(frame) / 8.0);
        energies.push((water.time(), water.report()?.kinetic_energy / start));
    }
    let kept = 100.0 * energies[8].1;
    // Of 32 cells.
    let expected: f64 = match trial.solver {
        "pic" => 62.4,
        "flip" => 91.4,
        "eulerian" => 78.6,
        _ => 93.1,
    };
    let outcome = &mut trial.outcome;
    outcome.measure("energy lost", 100.0 - kept);
    if trial.run == super::Settings::Fine {
        outcome.measure("difference from a prototype in f64", (kept - expected).abs());
    }
    outcome.curve("energy", energies);
    Ok(())
}
