//! Air that walls heat.

use std::f64::consts::PI;

use meniscus::Error;
use meniscus_model::{
    State,
    params::Params,
    scene::{Boundary, Contact, Domain, Plane, Scene, Shape},
};

use super::{COARSE, Case, Expected, Plot, Trial, slope};
use crate::device::block_on;

/// Side of the cavity in m, thermal diffusivity κ in m²/s, gravity in m/s², β in 1/K.
const SIDE: f64 = 1.0;
const KAPPA: f64 = 0.01;
const GRAVITY: f64 = 9.81;
const BETA: f64 = 1.0 / 293.0;

pub(super) const CAVITY: Case = Case {
    name: "convection",
    title: "Convection in a square cavity",
    about: "Air in a square between a hot and a cold wall, at a Rayleigh number of 1,000 and a Prandtl number of \
            0.71, until it is steady, with 65 cells along each side. Measured are the largest velocities on the lines \
            through the middle, 3.649 along the walls' normal and 3.697 along the walls (units of κ/H), and the mean \
            flux of heat, 1.118 of that by conduction alone (de Vahl Davis 1983).",
    solvers: &["stable_fluids"],
    plots: &[Plot {
        name: "profile",
        title: "Convection in a square cavity: velocity along the walls at half their height",
        x: "x / H",
        y: "velocity H / κ",
        scattered: false,
        expected: &[Expected {
            label: "de Vahl Davis",
            points: || vec![(0.178, 3.697)],
            line: false,
        }],
    }],
    run: cavity,
    ..COARSE
};

pub(super) const ONSET: Case = Case {
    name: "convection_onset",
    title: "Onset of convection",
    about: "Air between a hot floor and a cold ceiling with free slip, at a Prandtl number of 1, with tiny rolls √2 \
            of the height wide. At a Rayleigh number of 800 they grow at 1.5255 κ/H², at 500 they decay at 1.8945 κ/H² \
            (Chandrasekhar 1961, chapter II).",
    solvers: &["stable_fluids"],
    run: onset,
    ..COARSE
};

/// Scene of a box of air, with κ, ν = Pr κ, and walls; without smoke.
fn air(trial: &Trial<'_>, size: [f64; 2], cell: f64, prandtl: f64) -> Scene {
    let mut scene = trial.scene(cell);
    scene.gravity = [0.0, -GRAVITY, 0.0];
    scene.materials.clear();
    scene.support_radius = None;
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [size[0], size[1], 0.0], periodic: [false; 3] });
    for (key, value) in [
        ("smoke.cell", cell),
        ("smoke.viscosity", prandtl * KAPPA),
        ("smoke.thermal_diffusivity", KAPPA),
        ("smoke.max_error", 0.01),
        ("smoke.max_diffusion_error", 0.01),
    ] {
        scene.settings.set(key, value);
    }
    scene
}

fn wall(point: [f64; 2], normal: [f64; 2], contact: Contact, temperature: Option<f64>) -> Boundary {
    let [point, normal] = [point, normal].map(|v| [v[0], v[1], 0.0]);
    let plane = Shape::Plane(Plane { point, normal });
    Boundary { contact: Some(contact), temperature, ..Boundary::container(plane) }
}

/// Temperature between walls in K at a Rayleigh number, the height 1 m.
fn difference(rayleigh: f64, prandtl: f64) -> f64 {
    rayleigh * prandtl * KAPPA * KAPPA / (GRAVITY * BETA)
}

fn cavity(trial: &mut Trial<'_>) -> Result<(), Error> {
    const PRANDTL: f64 = 0.71;
    let cells = trial.pick(33, 65);
    let cell = SIDE / f64::from(cells);
    let hot = difference(1e3, PRANDTL) / 2.0;
    let mut scene = air(trial, [SIDE, SIDE], cell, PRANDTL);
    let sticky = Contact::Sticky;
    scene.boundaries = vec![
        wall([0.0, 0.0], [1.0, 0.0], sticky, Some(hot)),
        wall([SIDE, 0.0], [-1.0, 0.0], sticky, Some(-hot)),
        wall([0.0, 0.0], [0.0, 1.0], sticky, None),
        wall([0.0, SIDE], [0.0, -1.0], sticky, None),
    ];
    scene.time.fps = 0.1;
    scene.time.max_step = trial.pick(0.4, 0.1);
    let progress = trial.progress;
    let mut run = trial.start(&scene, &format!("H/{cells}"))?;
    for frame in 1..=8 {
        run.next_frame()?;
        progress(f64::from(frame) / 8.0);
    }
    let params = run.simulation.setup().params;
    let fields = Fields::of(&block_on(run.gpu, run.simulation.read())?, &params);
    let inner = 1..=cells;
    let middle = cells / 2 + 1;
    let along_walls: Vec<_> = inner.clone().map(|x| fields.velocity(x, middle, 1)).collect();
    let across: Vec<_> = inner.clone().map(|y| fields.velocity(middle, y, 0)).collect();
    let most = |all: &[f64]| all.iter().copied().fold(0.0, f64::max) * SIDE / KAPPA;
    let flux = |y: i32| 2.0 * (hot - fields.temperature(1, y)) / cell;
    let mean = inner.clone().map(flux).sum::<f64>() / f64::from(cells);
    let found = [most(&across), most(&along_walls), mean * SIDE / (2.0 * hot)];
    let names = ["error of the velocity across", "error of that along", "error of the heat"];
    for ((name, found), expected) in names.into_iter().zip(found).zip([3.649, 3.697, 1.118]) {
        trial.outcome.measure(name, 100.0 * (found / expected - 1.0).abs());
    }
    let place = |x: i32| (f64::from(x) - 0.5) * cell / SIDE;
    let profile = inner.zip(&along_walls).map(|(x, v)| (place(x), v * SIDE / KAPPA));
    trial.outcome.curve("profile", profile.collect());
    Ok(())
}

fn onset(trial: &mut Trial<'_>) -> Result<(), Error> {
    let height = trial.pick(16, 48);
    let width = (f64::from(height) * 2.0 * 2f64.sqrt()).round() as i32;
    let cell = 1.0 / f64::from(height);
    for (rayleigh, rate, what) in [
        (800.0, 1.5255, "error of the growth at Ra = 800"),
        (500.0, -1.8945, "error of the decay at Ra = 500"),
    ] {
        let hot = difference(rayleigh, 1.0) / 2.0;
        let long = f64::from(width) * cell;
        let mut scene = air(trial, [long, 1.0], cell, 1.0);
        if let Some(domain) = &mut scene.domain {
            domain.periodic[0] = true;
        }
        scene.boundaries = vec![
            wall([0.0, 0.0], [0.0, 1.0], Contact::Slip, Some(hot)),
            wall([0.0, 1.0], [0.0, -1.0], Contact::Slip, Some(-hot)),
        ];
        scene.time.fps = 0.5;
        scene.time.max_step = trial.pick(0.1, 0.05);
        let mut run = trial.start(&scene, &format!("H/{height}"))?;
        let params = run.simulation.setup().params;
        // Cells in the order of the sort, of which the first and last row are beyond the walls.
        let temperature = |c: u32| {
            let (x, y) = (c % params.grid.size.x, c / params.grid.size.x);
            let y = (f64::from(y) - 0.5) * cell;
            let roll = (2.0 * PI * (f64::from(x) + 0.5) * cell / long).cos() * (PI * y).sin();
            [0.0, (hot * (1.0 - 2.0 * y + 0.05 * roll)) as f32, 0.0, 0.0]
        };
        let field: Vec<_> = (0..params.grid.cell_count).map(temperature).collect();
        let written = run.simulation.machine().write("smoke", bytemuck::cast_slice(&field));
        written.expect("an array of all cells");
        let mut speeds = Vec::new();
        for _ in 0..20 {
            run.next_frame()?;
            let fields = Fields::of(&block_on(run.gpu, run.simulation.read())?, &params);
            let speed = fields.velocity(0, height / 2 + 1, 1).abs();
            speeds.push((run.time() * KAPPA, speed.ln()));
        }
        let found = slope(&speeds[8..]);
        trial.outcome.measure(what, (found - rate).abs());
    }
    Ok(())
}

/// Velocities at faces and temperatures of a state in 2-D.
struct Fields {
    face: Vec<[f32; 4]>,
    smoke: Vec<[f32; 4]>,
    row: i32,
}

impl Fields {
    fn of(state: &State, params: &Params) -> Self {
        let of = |name: &str| {
            let (elements, _) = state.arrays[name].as_chunks::<4>();
            elements.iter().map(|element| element.map(f32::from_bits)).collect()
        };
        Self { face: of("face"), smoke: of("smoke"), row: params.grid.size.x as i32 }
    }

    /// Velocity in m/s in the middle of a cell.
    fn velocity(&self, x: i32, y: i32, axis: usize) -> f64 {
        let below = (x + self.row * y) as usize;
        let above = below + [1, self.row as usize][axis];
        f64::from(0.5 * (self.face[below][axis] + self.face[above][axis]))
    }

    /// Temperature in K in the middle of a cell.
    fn temperature(&self, x: i32, y: i32) -> f64 {
        f64::from(self.smoke[(x + self.row * y) as usize][1])
    }
}
