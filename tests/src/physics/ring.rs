//! A ring of smoke's vortex.

use std::f64::consts::PI;

use meniscus::Error;
use meniscus_model::{
    State,
    params::Params,
    scene::{Domain, Vortex},
};

use super::{COARSE, Case, Expected, Plot, Trial, slope};
use crate::device::block_on;

/// Radius R in m, core δ in m, circulation Γ in m²/s.
const RADIUS: f64 = 1.0;
const CORE: f64 = 0.2;
const CIRCULATION: f64 = 1.0;

pub(super) const CASE: Case = Case {
    name: "vortex_ring",
    title: "A vortex ring moves",
    about: "A vortex ring of radius R = 1 m and circulation Γ = 1 m²/s, with vorticity Γ/(πδ²) exp(−r²/δ²) across \
            its core, δ = R/5, with reflection and MacCormack's correction, cells of δ/4. Measured is the speed of the \
            middle of the squared vorticity over 2 R/(Γ/R), against Γ/(4πR) (ln(8R/δ) − 0.558) (Saffman 1970), which \
            leaves out terms of (δ/R)² and the walls.",
    solvers: &["stable_fluids"],
    coarse: false,
    plots: &[Plot {
        name: "way",
        title: "Way of a vortex ring",
        x: "time Γ/R²",
        y: "way / R",
        scattered: false,
        expected: &[Expected {
            label: "Saffman 1970",
            points: || vec![(0.0, 0.0), (2.0, 2.0 * speed())],
            line: true,
        }],
    }],
    run,
    ..COARSE
};

/// Speed of the ring in m/s (Saffman 1970).
fn speed() -> f64 {
    CIRCULATION / (4.0 * PI * RADIUS) * ((8.0 * RADIUS / CORE).ln() - 0.558)
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let mut scene = trial.scene(CORE / 4.0);
    scene.dimensions = 3;
    scene.gravity = [0.0; 3];
    scene.materials.clear();
    scene.support_radius = None;
    scene.domain =
        Some(Domain { min: [-1.5, -2.5, -2.5], max: [1.5, 2.5, 2.5], periodic: [false; 3] });
    scene.settings.set("smoke.cell", CORE / 4.0);
    scene.settings.set("smoke.splitting", "reflect");
    scene.settings.set("smoke.correct", "maccormack");
    scene.time.fps = 4.0;
    scene.time.max_step = 1.0;
    scene.vortices = vec![Vortex::Ring {
        center: [-0.25, 0.0, 0.0],
        axis: [1.0, 0.0, 0.0],
        radius: RADIUS,
        core: CORE,
        circulation: CIRCULATION,
    }];
    let progress = trial.progress;
    let mut air = trial.start(&scene, "δ/4")?;
    let mut way = Vec::new();
    for frame in 1..=8 {
        air.next_frame()?;
        progress(f64::from(frame) / 8.0);
        let state = block_on(air.gpu, air.simulation.read())?;
        way.push((air.time(), middle(&state, &air.simulation.setup().params) + 0.25));
    }
    let off = 100.0 * (slope(&way) / speed() - 1.0).abs();
    trial.outcome.measure("error of the speed", off);
    trial.outcome.curve("way", way);
    Ok(())
}

/// Where, along x in m from the domain's centre, the mean of the squared vorticity across x lies, away from the walls.
fn middle(state: &State, params: &Params) -> f64 {
    let grid = &params.grid;
    let [nx, ny, nz] = grid.size.to_array().map(|n| n as usize);
    let edge = f64::from(grid.cell);
    let (faces, _) = state.arrays["face"].as_chunks::<4>();
    let u = |c: usize, axis: usize| f64::from(f32::from_bits(faces[c][axis]));
    let margin = (0.5 * RADIUS / edge) as usize;
    let (mut sum, mut moment) = (0.0, 0.0);
    for z in margin..nz - margin {
        for y in margin..ny - margin {
            for x in margin..nx - margin {
                let c = x + nx * (y + ny * z);
                let about_z = u(c, 1) - u(c - 1, 1) - (u(c, 0) - u(c - nx, 0));
                let about_y = u(c, 0) - u(c - nx * ny, 0) - (u(c, 2) - u(c - 1, 2));
                let square = about_y * about_y + about_z * about_z;
                sum += square;
                moment += square * (f64::from(grid.origin.x) + edge * x as f64);
            }
        }
    }
    moment / sum
}
