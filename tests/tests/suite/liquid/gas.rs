//! Gas around liquid, both incompressible, against formulas and benchmarks.

use std::f64::consts::TAU;

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, start, state},
};
use meniscus::{Gpu, Simulation, scene::Shape};

use super::tension::{cells, frame};

const DENSITY: f64 = 1000.0;

/// A polygon of liquid in gas, in 2-D.
struct Basin {
    /// Corners of the domain in m.
    low: [f64; 2],
    high: [f64; 2],
    /// Whether walls close it.
    closed: bool,
    /// Edge of the cells in m.
    edge: f64,
    corners: Vec<[f64; 2]>,
    /// Keys of the fluid.
    holes: &'static str,
    gravity: f64,
    gas: f64,
    /// Viscosity of the gas.
    thickness: f64,
    fps: f64,
    /// Keys of the material and more tables.
    more: String,
}

impl Basin {
    fn start(&self, gpu: &Gpu) -> Simulation {
        let corners: Vec<_> =
            self.corners.iter().map(|[x, y]| format!("[{x:?}, {y:?}, 0.0]")).collect();
        let ([left, bottom], [right, top]) = (self.low, self.high);
        let walls = match self.closed {
            true => format!(
                "[[boundary]]\nshape.box = {{ min = [{left:?}, {bottom:?}, 0.0], max = [{right:?}, {top:?}, 0.0] }}\n\
                 side = \"inside\"\ncontact = \"slip\"\n"
            ),
            false => String::new(),
        };
        let mut scene = parse(&format!(
            r#"
solver = "eulerian"
dimensions = 2
particle_radius = {radius:?}
gravity = [0.0, {gravity:?}, 0.0]
liquid = {{ surface = "levelset" }}
gas = {{ density = {gas:?}, viscosity = {thickness:?} }}
time = {{ fps = {fps:?} }}
domain = {{ min = [{left:?}, {bottom:?}, 0.0], max = [{right:?}, {top:?}, 0.0] }}
[[fluid]]
shape.polygon = {{ points = [{corners}] }}
{holes}
{walls}
[[material]]
name = "water"
rest_density = {DENSITY:?}
{more}
"#,
            radius = self.edge / 4.0,
            gravity = -self.gravity,
            gas = self.gas,
            thickness = self.thickness,
            holes = self.holes,
            fps = self.fps,
            corners = corners.join(", "),
            more = self.more,
        ));
        if let Shape::Polygon(polygon) = &mut scene.fluids[0].shape {
            polygon.fill_in(None);
        }
        start(gpu, &scene)
    }
}

/// Corners of a circle.
fn circle(x: f64, y: f64, radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: u32| {
        let angle = TAU * f64::from(k) / 720.0;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    (0..720).map(corner).collect()
}

/// Largest velocity in m/s of both phases.
fn largest(gpu: &Gpu, simulation: &Simulation) -> [f64; 2] {
    let state = state(gpu, simulation);
    let of = |name: &str| {
        let speeds = state.arrays[name].chunks_exact(4).map(|face| {
            let [x, y] = [face[0], face[1]].map(|bits| f64::from(f32::from_bits(bits)));
            x.hypot(y)
        });
        speeds.fold(0.0, f64::max)
    };
    [of("face_carried"), of("gas_carried")]
}

#[test]
fn a_disc_in_gas_rests() {
    const SIGMA: f64 = 0.0728;
    const RADIUS: f64 = 0.004;
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let unit = (SIGMA / (DENSITY * RADIUS)).sqrt();
    let period = TAU * (DENSITY * RADIUS.powi(3) / (SIGMA * 6.0)).sqrt();
    for ratio in [10.0, 833.0] {
        let edge = RADIUS / 12.0;
        let basin = Basin {
            low: [-2.0 * RADIUS; 2],
            high: [2.0 * RADIUS; 2],
            closed: false,
            edge,
            corners: circle(0.1 * edge, -0.2 * edge, RADIUS),
            gravity: 0.0,
            gas: DENSITY / ratio,
            thickness: 0.0,
            holes: "",
            fps: 60.0 / period,
            more: format!("surface_tension = {SIGMA:?}"),
        };
        let mut simulation = basin.start(gpu);
        let now = std::time::Instant::now();
        while simulation.time() < 0.3 * period {
            let report = frame(gpu, &mut simulation);
            let [liquid, gas] = largest(gpu, &simulation).map(|u| u / unit);
            println!(
                "{:.3} T: {liquid:.1e} {gas:.1e}, {}",
                simulation.time() / period,
                report.control.iterations_in_frame
            );
        }
        let inside = super::tension::pressure(&state(gpu, &simulation)) * RADIUS / SIGMA;
        println!("in gas, 1 : {ratio}: {inside:.4} σ/R, {:?}", now.elapsed());
    }
}

#[test]
fn a_drop_falls_through_gas() {
    const RADIUS: f64 = 0.1;
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for ratio in [10.0, 100.0, 833.0] {
        let basin = Basin {
            low: [0.0; 2],
            high: [0.6, 0.8],
            closed: true,
            edge: RADIUS / 10.0,
            corners: circle(0.3, 0.5, RADIUS),
            gravity: 9.81,
            gas: DENSITY / ratio,
            thickness: 0.0,
            holes: "",
            fps: 100.0,
            more: String::new(),
        };
        let mut simulation = basin.start(gpu);
        let _ = frame(gpu, &mut simulation);
        while simulation.time() < 0.14 {
            let report = frame(gpu, &mut simulation);
            let [liquid, gas] = largest(gpu, &simulation);
            let t = simulation.time();
            let state = state(gpu, &simulation);
            let sum: f64 = state.velocity().iter().map(|v| f64::from(v[1])).sum();
            let fallen = -sum / state.particle_count() as f64 / (9.81 * t);
            println!(
                "1 : {ratio}: falls at {fallen:.4} g t in {t} s; {liquid:.2} {gas:.2} {} {}",
                report.steps, report.control.iterations_in_frame
            );
        }
    }
}

/// Height, area and velocity of rise of a bubble in a basin between these corners, by what the liquid leaves.
fn bubble(gpu: &Gpu, simulation: &Simulation, [low, high]: [[f64; 2]; 2]) -> [f64; 3] {
    let grid = &simulation.setup().params.grid;
    let (edge, width) = (f64::from(grid.cell), grid.size.x as usize);
    let state = state(gpu, simulation);
    let of = |name: &str, k: usize| f64::from(f32::from_bits(state.arrays[name][k]));
    // Velocity through the lower face of a cell.
    let speed = |c: usize| {
        let is_gas = [c, c - width].iter().all(|c| of("level_set", *c) >= 0.0);
        of(if is_gas { "gas_carried" } else { "face_carried" }, 4 * c + 1)
    };
    let inside = |cell: &[f64; 3]| {
        cell[1] > low[0] && cell[1] < high[0] && cell[2] > low[1] && cell[2] < high[1]
    };
    let (mut area, mut height, mut rise) = (0.0, 0.0, 0.0);
    for (c, cell) in cells(gpu, simulation).iter().enumerate().filter(|(_, cell)| inside(cell)) {
        let share = 1.0 - cell[0];
        area += share;
        height += share * cell[2];
        rise += share * 0.5 * (speed(c) + speed(c + width));
    }
    [height / area, area * edge * edge, rise / area]
}

/// The bubbles of Hysing et al. 2009, A: ratios of 10; B: of 1000 and 100.
#[test]
fn bubbles_rise_as_in_the_benchmark() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let cells: f64 = std::env::var("CELLS").map_or(64.0, |text| text.parse().unwrap());
    let cases = [(100.0, 1.0, 24.5, 0.2417, 1.081), (1.0, 0.1, 1.96, 0.2502, 1.13)];
    for (gas, viscosity, tension, due, end) in cases {
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]];
        let plane = |point: [f64; 2], normal: [f64; 2], contact: &str| {
            format!(
                "[[boundary]]\nshape.plane = {{ point = [{:?}, {:?}, 0.0], normal = [{:?}, {:?}, 0.0] }}\ncontact = \"{contact}\"\n",
                point[0], point[1], normal[0], normal[1]
            )
        };
        let walls = [
            plane([0.0; 2], [0.0, 1.0], "sticky"),
            plane([0.0, 2.0], [0.0, -1.0], "sticky"),
            plane([0.0; 2], [1.0, 0.0], "slip"),
            plane([1.0, 0.0], [-1.0, 0.0], "slip"),
        ];
        let basin = Basin {
            low: [0.0; 2],
            high: [1.0, 2.0],
            closed: false,
            edge: 1.0 / cells,
            corners,
            gravity: 0.98,
            gas,
            thickness: viscosity,
            holes: "holes = [{ sphere = { center = [0.5, 0.5, 0.0], radius = 0.25 } }]",
            fps: 50.0,
            more: format!("viscosity = 10.0\nsurface_tension = {tension:?}\n{}", walls.concat()),
        };
        let mut simulation = basin.start(gpu);
        let now = std::time::Instant::now();
        let mut last = bubble(gpu, &simulation, [[0.0; 2], [1.0, 2.0]]);
        let (first, mut most, mut steps) = (last[1], [0.0, 0.0], 0);
        while simulation.time() < 3.0 - 1e-6 {
            let report = frame(gpu, &mut simulation);
            steps += report.control.steps_in_frame;
            let now = bubble(gpu, &simulation, [[0.0; 2], [1.0, 2.0]]);
            let rise = now[2];
            if rise > most[0] {
                most = [rise, simulation.time()];
            }
            last = now;
            if std::env::var_os("SHOW").is_some() {
                println!(
                    "{:.2} {:.4} {rise:.4} {:.4} {}",
                    simulation.time(),
                    now[0],
                    now[1] / first,
                    report.control.iterations_in_frame
                );
            }
        }
        println!(
            "1 : {}: rises at {:.4} ({due}) at {:.2}, to {:.4} ({end}), area {:.4}; {steps} steps, {:?}",
            1000.0 / gas,
            most[0],
            most[1],
            last[0],
            last[1] / first,
            now.elapsed()
        );
    }
}
