//! The equation of pressure alone, with fields that a test sets.

use std::f64::consts::PI;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::parse,
};
use meniscus::{Gpu, Scene, Shaders, Simulation};
use meniscus_model::methods::{Method, Registry, Scope, Solver, liquid::pic, stage::Entry};

/// Steps of "pic" whose cover and field stay as a test sets them, and whose particles rest.
static PRESSURE_ALONE: Method = Method {
    solver: Some(Solver { stages: pressure_alone, ..pic::METHOD.solver.unwrap() }),
    ..pic::METHOD
};

fn pressure_alone(scope: &Scope) -> Vec<Entry> {
    let all = (pic::METHOD.solver.expect("a solver").stages)(scope);
    let left_out = ["liquid/gather", "grid/extrapolate", "liquid/update", "liquid/move"];
    let stays = |entry: &Entry| !matches!(entry, Entry::Run(stage) if left_out.contains(&stage.pass.as_str()));
    all.into_iter().filter(stays).collect()
}

/// A step of the scene with a cover and a field of faces by cells; returns P in m²/s of each.
fn solved(
    gpu: &Gpu,
    scene: &Scene,
    cover: impl Fn([usize; 3]) -> f64,
    face: impl Fn([usize; 3]) -> [f64; 3],
) -> impl Fn([usize; 3]) -> f64 {
    let (registry, shaders) = (Registry::standard().with(&PRESSURE_ALONE), Shaders::standard());
    let made = block_on(gpu, Simulation::with_methods(gpu, scene, &shaders, &registry));
    let mut simulation = made.unwrap_or_else(|error| panic!("{error}"));
    let size = simulation.setup().params.grid.size.to_array().map(|count| count as usize);
    let all = 0..size[0] * size[1] * size[2];
    let cell = move |c: usize| [c % size[0], c / size[0] % size[1], c / (size[0] * size[1])];
    let covers: Vec<f32> = all.clone().map(|c| cover(cell(c)) as f32).collect();
    let faces: Vec<[f32; 4]> = all
        .map(|c| {
            let [u, v, w] = face(cell(c)).map(|u| u as f32);
            [u, v, w, 0.0]
        })
        .collect();
    simulation.machine().write("cover", bytemuck::cast_slice(&covers)).expect("room");
    simulation.machine().write("face", bytemuck::cast_slice(&faces)).expect("room");
    block_on(gpu, simulation.step(1)).unwrap_or_else(|error| panic!("{error}"));
    let read = block_on(gpu, simulation.machine().read(&["solution"]));
    let (_, arrays) = read.unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<[f32; 2]> = bytemuck::pod_collect_to_vec(&arrays["solution"]);
    move |[x, y, z]| f64::from(found[x + size[0] * (y + size[1] * z)][0])
}

/// The pressure of a column is linear up to a surface at any height between cells, where it is 0.
#[test]
fn a_column_s_pressure_ends_at_its_surface() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    const EDGE: f64 = 0.05;
    const DT: f64 = 0.002;
    let scene = parse(
        r#"
solver = "pic"
dimensions = 2
particle_radius = 0.0125
liquid = { volume = "none", max_error = 1e-5 }
time = { step = 0.002, fps = 50.0 }
[domain]
min = [0.0, 0.0, 0.0]
max = [0.2, 0.8, 0.0]
periodic = [true, false, false]
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.2, 0.4, 0.0] }
[[boundary]]
shape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }
"#,
    );
    // The ring below the floor is cell 0; the column's last cell is 8.
    for part in [0.06, 0.25, 0.5, 0.75, 1.0] {
        let cover = |[_, y, _]: [usize; 3]| match y {
            0..8 => 1.0,
            // Shares of their hats, for a surface at this part of the way from the last middle of liquid to the next one.
            8 => 1.0 - 0.5 * (1.0_f64 - part).powi(2),
            9 => 0.5 * part.powi(2),
            _ => 0.0,
        };
        let pressure = solved(gpu, &scene, cover, |_| [0.0; 3]);
        let surface = (7.5 + part) * EDGE;
        let error = |y: usize| {
            let expected = 9.81 * DT * (surface - (y as f64 - 0.5) * EDGE);
            (pressure([1, y, 0]) - expected).abs() / (9.81 * DT)
        };
        let worst = (1..=8).map(error).fold(0.0, f64::max);
        println!("surface at {part}: off by {worst:.1e} m of water");
        assert!(worst < 1.6e-6, "surface at {part}: off by {worst:e} m of water");
    }
}

/// In a closed box the gradient of a product of cosines is taken back by that product as pressure.
#[test]
fn a_closed_box_s_pressure_is_that_of_its_waves() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    const CELLS: usize = 8;
    let scene = parse(
        r#"
solver = "pic"
particle_radius = 0.0125
gravity = [0.0, 0.0, 0.0]
liquid = { volume = "none", max_error = 1e-4 }
time = { step = 0.002, fps = 50.0 }
[domain]
min = [0.0, 0.0, 0.0]
max = [0.4, 0.4, 0.4]
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.4] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.4] }
side = "inside"
"#,
    );
    for waves in [[1, 0, 0], [1, 2, 3], [7, 4, 1]] {
        // Without the ring, whose cells are closed.
        let wave = |cell: [usize; 3]| -> f64 {
            let along = |axis: usize| {
                let place = cell[axis] as f64 - 0.5;
                (PI * f64::from(waves[axis]) * place / CELLS as f64).cos()
            };
            (0..3).map(along).product()
        };
        let face = |cell: [usize; 3]| {
            [0, 1, 2].map(|axis| {
                let mut below = cell;
                below[axis] = below[axis].saturating_sub(1);
                (wave(cell) - wave(below)) / 0.05
            })
        };
        let pressure = solved(gpu, &scene, |_| 1.0, face);
        let cell = |c: usize| [c % CELLS, c / CELLS % CELLS, c / (CELLS * CELLS)].map(|k| k + 1);
        let all = (0..CELLS * CELLS * CELLS).map(cell);
        let worst = all.map(|cell| (pressure(cell) - wave(cell)).abs()).fold(0.0, f64::max);
        println!("{waves:?}: off by {worst:.1e} of 1");
        assert!(worst < 1e-6, "{waves:?}: off by {worst:e} of 1");
    }
}
