//! Slump of a cylinder of paste under its own weight (Pashias, Boger, Summers, Glenister 1996).

use meniscus::Error;
use meniscus_model::scene::{Cylinder, Domain, Fluid, Material, Response, Shape};

use super::{COARSE, Case, Expected, Plot, Trial, Water};

/// Height and width of the cylinder in m.
const HEIGHT: f64 = 0.1;
/// Consistency in Pa s: flow ends within a second, too slow to go on by its momentum.
const CONSISTENCY: f64 = 20.0;
/// Largest viscosity in Pa s: what has come to rest sinks by a fiftieth a second.
const MOST: f64 = 1e4;
/// Time in s after which it rests.
const TIME: f64 = 1.0;

/// Yield stresses over ρ g H.
const YIELDS: [(&str, f64); 3] = [
    ("height, a yield stress of 0.1 ρ g H", 0.1),
    ("height, a yield stress of 0.2 ρ g H", 0.2),
    ("height, a yield stress of 0.3 ρ g H", 0.3),
];

pub(super) const CASE: Case = Case {
    name: "paste_slump",
    title: "Slump of a cylinder of paste",
    about: "A cylinder of Bingham's paste, 0.1 m high and as wide, of 20 Pa·s (at most 10,000), sinks on a sticky \
            floor. It rests where each slice bears the weight above: the slump is 1 − 2 t (1 − ln 2 t) of the height, \
            with the yield stress t in ρ g H (Pashias et al. 1996, within 10 % in experiments). Measured is the mean \
            height of the highest fiftieth of the particles and half a spacing, after 1 s, over that at the start. \
            `dfsph` has viscosity.model = \"implicit\" and a support of 3 spacings.",
    solvers: &["dfsph"],
    plots: &[Plot {
        name: "height",
        title: "Height of a cylinder of paste after its slump",
        x: "yield stress / (ρ g H)",
        y: "height / H",
        scattered: true,
        expected: &[Expected { label: "Pashias 1996", points: theory, line: true }],
    }],
    run,
    ..COARSE
};

/// Slump over the height at the start, by the yield stress over ρ g H.
fn slump(yields: f64) -> f64 {
    let share = (2.0 * yields).min(1.0);
    1.0 - share * (1.0 - share.ln())
}

fn theory() -> Vec<(f64, f64)> {
    let place = |k: i32| 0.02 + 0.01 * f64::from(k);
    (0..=48).map(place).map(|t| (t, 1.0 - slump(t))).collect()
}

/// Mean height in m of the highest fiftieth of the particles and half a spacing.
fn height(water: &Water<'_>, spacing: f64) -> Result<f64, Error> {
    let mut places: Vec<_> = water.state()?.iter().map(|p| p.position.y).collect();
    places.sort_by(f64::total_cmp);
    let top = &places[places.len() - (places.len() / 50).max(1)..];
    Ok(top.iter().sum::<f64>() / top.len() as f64 + 0.5 * spacing)
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (across, resolution) = trial.pick((10.0, "H/10"), (16.0, "H/16"));
    let spacing = HEIGHT / across;
    let mut found = Vec::new();
    for (number, (name, yields)) in YIELDS.into_iter().enumerate() {
        let mut scene = trial.scene(spacing);
        scene.dimensions = 3;
        scene.support_radius = Some(3.0 * spacing);
        scene.settings.set("viscosity.model", "implicit");
        let material = Material::new("paste").with_model("paste");
        let stress = yields * material.rest_density * -scene.gravity[1] * HEIGHT;
        let material = material.with("consistency", CONSISTENCY).with("yield_stress", stress);
        scene.materials = vec![Material { viscosity: Some(MOST), ..material }];
        scene.domain = Some(Domain {
            min: [-2.0 * HEIGHT, 0.0, -2.0 * HEIGHT],
            max: [2.0 * HEIGHT, 1.5 * HEIGHT, 2.0 * HEIGHT],
            periodic: [false; 3],
        });
        let (start, end) = ([0.0; 3], [0.0, HEIGHT, 0.0]);
        scene.fluids =
            vec![Fluid::new(Shape::Cylinder(Cylinder { start, end, radius: 0.5 * HEIGHT }))];
        let mut floor = trial.plane([0.0; 2], [0.0, 1.0]);
        floor.response = Some(Response::Particles { friction: 0.0, no_slip: true });
        scene.boundaries = vec![floor];
        scene.time.fps = 1.0 / TIME;
        let progress = trial.progress;
        let mut paste = trial.start(&scene, resolution)?;
        let before = height(&paste, spacing)?;
        paste.next_frame()?;
        progress((number + 1) as f64 / YIELDS.len() as f64);
        let share = height(&paste, spacing)? / before;
        let due = 1.0 - slump(yields);
        trial.outcome.measure(name, 100.0 * (share / due - 1.0).abs());
        found.push((yields, share));
    }
    trial.outcome.curve("height", found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_whose_slices_bear_its_weight_does_not_slump() {
        assert!(slump(0.5).abs() < 1e-12 && slump(0.7).abs() < 1e-12);
        // 1 − 0.4 (1 + ln 2.5)
        assert!((slump(0.2) - 0.233_483_7).abs() < 1e-6, "{}", slump(0.2));
        assert!(slump(1e-9) > 0.999_999);
    }
}
