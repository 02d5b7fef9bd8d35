//! Flow of pastes in a channel, steady (Herschel, Bulkley 1926; Papanastasiou 1987).

use glam::DVec3;
use meniscus::Error;
use meniscus_model::scene::{Contact, Domain, Force, Material, Response};

use super::{COARSE, Case, Expected, Plot, Trial, block};

/// Half the width of the channel in m, and the gradient of pressure in Pa/m.
const HALF: f64 = 0.1;
const GRADIENT: f64 = 1000.0;
/// Largest viscosity in Pa s.
const MOST: f64 = 40.0;
/// Time in s of the flow.
const TIME: f64 = 0.5;

/// K in Pa sⁿ, n, and the yield stress in Pa of each paste; each flows at about half a metre a second.
const PASTES: [(&str, [f64; 3]); 4] = [
    ("error of the speed, n = 0.5", [25.8, 0.5, 0.0]),
    ("error of the speed, n = 1.5", [21.0, 1.5, 0.0]),
    ("error of the speed, Bingham", [2.5, 1.0, 50.0]),
    ("error of the speed, n = 0.7 with a yield stress", [6.0, 0.7, 30.0]),
];

pub(super) const CASE: Case = Case {
    name: "paste_channel",
    title: "Pastes in a channel",
    about: "Four pastes in a channel 0.2 m wide in 2-D, periodic along its length, under 1000 Pa/m between sticky \
            walls: with exponents of 0.5 and 1.5, Bingham's with half of the width as a plug, and one with both \
            (Herschel, Bulkley 1926); η is at most 40 Pa·s. They start with the steady profile of their regularised law, \
            G y = η(γ̇) γ̇, and have to keep it. The error after 0.5 s is the largest difference of a layer half a cell \
            thick from the profile, relative to its largest speed. `dfsph` has viscosity.model = \"implicit\" and a \
            support of 3 spacings, `mls_mpm` mpm.integration = \"implicit\"; `classic_mpm` is left out, since its blend \
            adds viscosity in steps this short.",
    solvers: &["mls_mpm", "dfsph"],
    plots: &[Plot {
        name: "profile",
        title: "Speeds of four pastes across a channel",
        x: "distance from the middle / half width",
        y: "speed / (m/s)",
        scattered: false,
        expected: &[
            Expected { label: "Papanastasiou 1987", points: || profile(0), line: true },
            Expected { label: "", points: || profile(1), line: true },
            Expected { label: "", points: || profile(2), line: true },
            Expected { label: "", points: || profile(3), line: true },
        ],
    }],
    run,
    ..COARSE
};

/// Shear stress in Pa of a paste at a rate of shear in 1/s.
fn stress([consistency, exponent, yields]: [f64; 3], rate: f64) -> f64 {
    let plastic = if yields > 0.0 { -yields * (-MOST / yields * rate).exp_m1() } else { 0.0 };
    (consistency * rate.powf(exponent) + plastic).min(MOST * rate)
}

/// Rate of shear in 1/s at a shear stress in Pa, by bisection.
fn rate(paste: [f64; 3], wanted: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e4);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if stress(paste, middle) < wanted { low = middle } else { high = middle }
    }
    low
}

/// Speed in m/s at a distance from the middle in m: the integral of the rate from there to the wall.
fn speed(paste: [f64; 3], y: f64) -> f64 {
    let (steps, from) = (200, y.abs().min(HALF));
    let width = (HALF - from) / f64::from(steps);
    let at = |k: i32| rate(paste, GRADIENT * (from + (f64::from(k) + 0.5) * width));
    (0..steps).map(at).sum::<f64>() * width
}

fn profile(number: usize) -> Vec<(f64, f64)> {
    let place = |k: i32| f64::from(k) / 50.0;
    (0..=50).map(place).map(|y| (y, speed(PASTES[number].1, y * HALF))).collect()
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (cells, resolution) = trial.pick((8.0, "H/16"), (16.0, "H/32"));
    let edge = HALF / cells;
    let points = trial.solver == "mls_mpm";
    let length = if points { 4.0 } else { 6.0 } * edge;
    for (number, (name, paste)) in PASTES.into_iter().enumerate() {
        let mut scene = trial.scene(edge / 2.0);
        scene.gravity = [0.0; 3];
        let [consistency, exponent, yields] = paste;
        let material = Material::new("paste").with_model("paste");
        let material = material
            .with("consistency", consistency)
            .with("exponent", exponent)
            .with("yield_stress", yields);
        let material = if points { material.with("sound_speed", 10.0) } else { material };
        scene.materials = vec![Material { viscosity: Some(MOST), ..material }];
        scene.domain = Some(Domain {
            min: [0.0, -HALF, 0.0],
            max: [length, HALF, 0.0],
            periodic: [true, false, false],
        });
        scene.fluids = vec![block([0.0, -HALF], [length, HALF])];
        scene.boundaries = [(-HALF, 1.0), (HALF, -1.0)]
            .map(|(y, up)| {
                let mut wall = trial.plane([0.0, y], [0.0, up]);
                if points {
                    wall.contact = Some(Contact::Sticky);
                } else {
                    wall.response = Some(Response::Particles { friction: 0.0, no_slip: true });
                }
                wall
            })
            .into();
        let acceleration = [GRADIENT / scene.materials[0].rest_density, 0.0, 0.0];
        scene.forces = vec![Force::Uniform { acceleration }];
        scene.time.fps = 1.0 / TIME;
        if points {
            // Steps as long as they may be: each damps a little.
            scene.time.cfl = 1.0;
            scene.settings.set("mpm.integration", "implicit");
        } else {
            scene.settings.set("viscosity.model", "implicit");
            scene.support_radius = Some(1.5 * edge);
        }
        let progress = trial.progress;
        let mut water = trial.start_moving(&scene, resolution, |x| speed(paste, x.y) * DVec3::X)?;
        water.next_frame()?;
        progress((number + 1) as f64 / PASTES.len() as f64);
        // By layers half a cell thick.
        let mut layers = vec![[0.0; 3]; (4.0 * cells) as usize];
        for p in water.state()? {
            let layer = ((p.position.y + HALF) / (0.5 * edge)).clamp(0.0, 4.0 * cells - 1.0);
            let sum = &mut layers[layer as usize];
            *sum = [sum[0] + 1.0, sum[1] + p.position.y, sum[2] + p.velocity.x];
        }
        let profile: Vec<_> = layers
            .iter()
            .filter(|sum| sum[0] > 0.0)
            .map(|[count, y, v]| (y / count, v / count))
            .collect();
        let wrong = profile.iter().map(|(y, v)| (v - speed(paste, *y)).abs());
        let worst = wrong.fold(0.0, f64::max) / speed(paste, 0.0);
        trial.outcome.measure(name, 100.0 * worst);
        let mut curve: Vec<_> = profile.iter().map(|(y, v)| (y.abs() / HALF, *v)).collect();
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        trial.outcome.curve("profile", curve);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_those_without_regularisation_where_it_does_not_act() {
        // u = n/(n+1) (G/K)^(1/n) [(H − y_p)^(1+1/n) − max(|y| − y_p, 0)^(1+1/n)]
        for (_, paste) in PASTES {
            let [consistency, n, yields] = paste;
            let plug = yields / GRADIENT;
            let power = |x: f64| x.max(0.0).powf(1.0 + 1.0 / n);
            let ideal = |y: f64| {
                let factor = n / (n + 1.0) * (GRADIENT / consistency).powf(1.0 / n);
                factor * (power(HALF - plug) - power(y - plug))
            };
            for y in [0.0, 0.5 * HALF, 0.8 * HALF] {
                let error = (speed(paste, y) - ideal(y)).abs() / ideal(0.0);
                println!("{paste:?} {y}: {} {} {error}", speed(paste, y), ideal(y));
                assert!(error < 0.13, "{paste:?} at {y}: {} and {}", speed(paste, y), ideal(y));
            }
        }
    }
}
