//! The energy that liquids on a grid keep in a dam break.

use meniscus::Error;

use super::{COARSE, Case, LIQUIDS, Plot, Trial, block};

/// Time in s at which the energies are compared: the water has run up the far wall, and not fallen back yet, after which all of
/// them lose most in its impact.
const COMPARED: f64 = 1.2;
/// End of the run in s.
const END: f64 = 2.0;

pub(super) const CASE: Case = Case {
    name: "dam_energy",
    title: "Energy of a dam break on grids",
    about: "A column of 0.5 × 0.75 m falls in a tank 2 m wide in 2-D, Δx 25 mm (scenes dam_pic, dam_eulerian, \
            dam_flip, dam_apic and dam_polypic). Measured is the kinetic and potential energy that is lost after 1.2 s, \
            of that at the start. PIC smooths the field most, semi-Lagrangian advection less; FLIP by the fraction 1 − β \
            of its blend; APIC and PolyPIC keep the field's gradients. So each must lose less than \
            the one before it, whose loss on record is the tolerance.",
    solvers: LIQUIDS,
    coarse: false,
    plots: &[Plot {
        name: "energy",
        title: "Energy of a dam break",
        x: "time / s",
        y: "energy / energy at the start",
        scattered: false,
        expected: &[],
    }],
    run,
    ..COARSE
};

/// Name, blend β, and what is measured.
type Variant = (&'static str, f64, &'static str);

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let variants: &[Variant] = match trial.solver {
        "flip" => &[
            ("FLIP 0.97", 0.97, "energy lost"),
            ("FLIP 0.99", 0.99, "energy lost, blend 0.99"),
            ("FLIP 1", 1.0, "energy lost, blend 1"),
        ],
        _ => &[("", 0.0, "energy lost")],
    };
    for (number, (label, blend, what)) in variants.iter().enumerate() {
        let mut scene = trial.scene(0.0125);
        scene.time.fps = 50.0;
        scene.settings.set("liquid.blend", *blend);
        scene.fluids = vec![block([0.0; 2], [0.5, 0.75])];
        scene.fluids[0].jitter = 0.25;
        scene.boundaries = vec![trial.tank([0.0; 2], [2.0, 1.25])];
        let progress = trial.progress;
        let done = number as f64;
        let mut water = trial.start(&scene, "a/40")?;
        let mut energies = Vec::new();
        while water.time() < END - 1e-6 {
            let report = water.report()?;
            energies.push((water.time(), report.kinetic_energy + report.potential_energy));
            progress((done + water.time() / END) / variants.len() as f64);
            water.next_frame()?;
        }
        let start = energies[0].1;
        energies.iter_mut().for_each(|(_, energy)| *energy /= start);
        let at = energies.iter().find(|(time, _)| *time > COMPARED - 1e-6);
        let lost = 100.0 * (1.0 - at.map_or(f64::NAN, |(_, energy)| *energy));
        let outcome = &mut trial.outcome;
        outcome.measure(what, lost);
        outcome.labelled_curve("energy", label, energies);
    }
    Ok(())
}
