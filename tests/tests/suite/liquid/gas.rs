//! Gas around liquid, both incompressible, against formulas and benchmarks.

use std::f64::consts::TAU;

use conformance::{
    device::{Flavour, gpu},
    scenes::{parse, start, state},
};
use meniscus::{Gpu, Simulation, scene::Shape};

use super::tension::{cells, frame, pressure};

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
    /// No liquid in the open.
    const EMPTY: Self = Self {
        low: [0.0; 2],
        high: [1.0; 2],
        closed: false,
        edge: 1.0,
        corners: Vec::new(),
        holes: "",
        gravity: 0.0,
        gas: 1.2,
        thickness: 0.0,
        fps: 60.0,
        more: String::new(),
    };

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
fn circle([x, y]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: u32| {
        let angle = TAU * f64::from(k) / 720.0;
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    (0..720).map(corner).collect()
}

/// Largest velocity in m/s of both phases.
fn largest(gpu: &Gpu, simulation: &Simulation) -> f64 {
    let state = state(gpu, simulation);
    let of = |name: &str| {
        let speeds = state.arrays[name].chunks_exact(4).map(|face| {
            let [x, y] = [face[0], face[1]].map(|bits| f64::from(f32::from_bits(bits)));
            x.hypot(y)
        });
        speeds.fold(0.0, f64::max)
    };
    of("face_carried").max(of("gas_carried"))
}

/// Laplace's pressure σ/R, and what moves at rest, of both phases.
#[test]
fn a_disc_in_gas_rests() {
    const SIGMA: f64 = 0.0728;
    const RADIUS: f64 = 0.004;
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let unit = (SIGMA / (DENSITY * RADIUS)).sqrt();
    let period = TAU * (DENSITY * RADIUS.powi(3) / (SIGMA * 6.0)).sqrt();
    let edge = RADIUS / 12.0;
    for ratio in [10.0, 833.0] {
        let mut simulation = Basin {
            low: [-2.0 * RADIUS; 2],
            high: [2.0 * RADIUS; 2],
            edge,
            corners: circle([0.1 * edge, -0.2 * edge], RADIUS),
            gas: DENSITY / ratio,
            fps: 60.0 / period,
            more: format!("surface_tension = {SIGMA:?}"),
            ..Basin::EMPTY
        }
        .start(gpu);
        while simulation.time() < period {
            let _ = frame(gpu, &mut simulation);
        }
        let speed = largest(gpu, &simulation) / unit;
        let inside = pressure(&state(gpu, &simulation)) * RADIUS / SIGMA;
        println!("a disc in gas, 1 : {ratio}: {inside:.4} σ/R, {speed:.1e} √(σ/ρR)");
        assert!((inside - 1.0).abs() < 0.01, "{inside} σ/R");
        assert!(speed < 2e-3, "{speed} √(σ/ρR)");
    }
}

/// A falling disc pushes gas aside: with their ratio of densities `q` it falls by (1 − q)/(1 + q) of g in the open (Lamb 1932), and
/// by a little less between walls.
#[test]
fn a_drop_falls_through_gas() {
    const RADIUS: f64 = 0.1;
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = Basin {
        high: [0.6, 0.8],
        closed: true,
        edge: RADIUS / 10.0,
        corners: circle([0.3, 0.5], RADIUS),
        gravity: 9.81,
        gas: DENSITY / 833.0,
        fps: 100.0,
        ..Basin::EMPTY
    }
    .start(gpu);
    while simulation.time() < 0.14 {
        let _ = frame(gpu, &mut simulation);
    }
    let state = state(gpu, &simulation);
    let sum: f64 = state.velocity().iter().map(|v| f64::from(v[1])).sum();
    let fall = -sum / state.particle_count() as f64 / (9.81 * simulation.time());
    println!("a drop in gas falls by {fall:.4} of g");
    assert!(fall > 0.995 && fall < 0.9976, "{fall} of g");
}

/// Corners of a layer from height 0 in a basin of a width, below y + a cos(kx), or above it up to a height.
fn layer(width: f64, y: f64, [a, k]: [f64; 2], above: Option<f64>) -> Vec<[f64; 2]> {
    let end = above.unwrap_or(0.0);
    let x = |n: u32| width * f64::from(n) / 200.0;
    let wave = (0..=200).map(|n| [x(n), y + a * (k * x(n)).cos()]);
    let mut corners: Vec<_> = wave.collect();
    corners.extend([[width, end], [0.0, end]]);
    corners
}

/// Twice the mean of h cos(kx) over columns of liquid of the height h in a closed basin.
fn amplitude(gpu: &Gpu, simulation: &Simulation, width: f64, k: f64) -> f64 {
    let edge = f64::from(simulation.setup().params.grid.cell);
    let inside = |cell: &&[f64; 3]| cell[1] > 0.0 && cell[1] < width && cell[2] > 0.0;
    let cells = cells(gpu, simulation);
    let all = cells.iter().filter(inside).map(|[share, x, _]| share * (k * x).cos());
    2.0 * all.sum::<f64>() * edge * edge / width
}

/// Heavy liquid above lighter gas sinks into it by cosh(√(A g k) t) (Taylor 1950), A = ½.
#[test]
fn heavy_liquid_sinks_into_gas() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let k = TAU;
    let mut simulation = Basin {
        high: [1.0, 2.0],
        closed: true,
        edge: 1.0 / 48.0,
        corners: layer(1.0, 1.0, [0.01, k], Some(2.0)),
        gravity: 1.0,
        gas: DENSITY / 3.0,
        fps: 20.0,
        ..Basin::EMPTY
    }
    .start(gpu);
    let first = amplitude(gpu, &simulation, 1.0, k);
    while simulation.time() < 1.2 {
        let _ = frame(gpu, &mut simulation);
    }
    let grown = amplitude(gpu, &simulation, 1.0, k) / first;
    let rate = grown.acosh() / simulation.time() / (0.5 * k).sqrt();
    println!("a wave of heavy liquid above gas grows {grown:.2} times, {rate:.3} of √(A g k)");
    assert!((rate - 1.0).abs() < 0.07, "{rate} of √(A g k)");
}

/// Two layers of 1000 and 800 slosh with ω² = g k (ρ − ρ')/(ρ coth kh + ρ' coth kh') (Lamb 1932).
#[test]
fn two_layers_slosh_in_their_period() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let k = 0.5 * TAU;
    let mut simulation = Basin {
        high: [1.0, 1.0],
        closed: true,
        edge: 1.0 / 48.0,
        corners: layer(1.0, 0.5, [0.02, k], None),
        gravity: 9.81,
        gas: 800.0,
        fps: 50.0,
        ..Basin::EMPTY
    }
    .start(gpu);
    let due = TAU / (9.81 * k * 200.0 * (0.5 * k).tanh() / 1800.0).sqrt();
    let mut last = [0.0, 0.02];
    let found = loop {
        let _ = frame(gpu, &mut simulation);
        let now = [simulation.time(), amplitude(gpu, &simulation, 1.0, k)];
        if now[1] < 0.0 {
            break 4.0 * (last[0] + last[1] / (last[1] - now[1]) * (now[0] - last[0]));
        }
        assert!(now[0] < due, "{now:?}");
        last = now;
    };
    println!("two layers slosh in {:.4} of their period", found / due);
    assert!((found / due - 1.0).abs() < 0.02, "{found} s in place of {due}");
}

/// A column of liquid falls past air in a closed box: energy of motion and height never grows, and both keep their volume.
#[test]
fn liquid_and_gas_change_places() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = Basin {
        high: [1.0, 1.0],
        closed: true,
        edge: 1.0 / 48.0,
        corners: vec![[0.0, 0.0], [0.4, 0.0], [0.4, 0.6], [0.0, 0.6]],
        gravity: 9.81,
        gas: DENSITY / 833.0,
        fps: 50.0,
        ..Basin::EMPTY
    }
    .start(gpu);
    let volume = |simulation: &Simulation| {
        let inside =
            |cell: &&[f64; 3]| cell[1] > 0.0 && cell[1] < 1.0 && cell[2] > 0.0 && cell[2] < 1.0;
        cells(gpu, simulation).iter().filter(inside).map(|[share, ..]| share).sum::<f64>()
    };
    let _ = frame(gpu, &mut simulation);
    let (first, mut least, mut rise, mut most) = (volume(&simulation), f64::INFINITY, 0.0, 0.0);
    let mut start = None;
    while simulation.time() < 2.0 {
        let energy = energy(gpu, &simulation);
        let start = *start.get_or_insert(energy);
        least = energy.min(least);
        rise = f64::max(rise, (energy - least) / start);
        most = f64::max(most, (volume(&simulation) / first - 1.0).abs());
        let _ = frame(gpu, &mut simulation);
    }
    println!("liquid past air: energy rises by {rise:.4} of the first, volume by {most:.4}");
    assert!(rise < 0.01, "energy rises by {rise}");
    assert!(most < 0.02, "volume changes by {most}");
}

/// Energy of both phases in J/m above that of liquid spread over the floor.
fn energy(gpu: &Gpu, simulation: &Simulation) -> f64 {
    let params = &simulation.setup().params;
    let state = state(gpu, simulation);
    let of = |name: &str, k: usize| f64::from(f32::from_bits(state.arrays[name][k]));
    let width = params.grid.size.x as usize;
    let edge = f64::from(params.grid.cell);
    let lightness = 833.0;
    let mut sum = 0.0;
    for (c, cell) in cells(gpu, simulation).iter().enumerate() {
        if cell[1] < 0.0 || cell[1] > 1.0 || cell[2] < 0.0 || cell[2] > 1.0 {
            continue;
        }
        sum += 9.81 * cell[0] * cell[2];
        for (axis, b) in [c - 1, c - width].into_iter().enumerate() {
            let levels = [c, b].map(|c| of("level_set", c));
            let share = match levels {
                [a, b] if a < 0.0 && b < 0.0 => 1.0,
                [a, b] if a >= 0.0 && b >= 0.0 => 0.0,
                [a, b] => a.min(b).abs() / (a.abs() + b.abs()),
            };
            let name = if share > 0.0 { "face_carried" } else { "gas_carried" };
            sum += 0.5 * (share + (1.0 - share) / lightness) * of(name, 4 * c + axis).powi(2);
        }
    }
    DENSITY * edge * edge * sum
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

/// The bubbles of Hysing et al. 2009: ratios of 10, and of 1000 and 100.
#[test]
fn bubbles_rise_as_in_the_benchmark() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    let cells = if full { 48.0 } else { 32.0 };
    // Density, viscosity and tension; largest velocity, and what it may be off; height at the end.
    let cases = [
        ([100.0, 1.0, 24.5], [0.2417, 0.03], [1.081, 1.081]),
        ([1.0, 0.1, 1.96], [0.2502, 0.05], [1.125, 1.138]),
    ];
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
    for ([gas, thickness, tension], [due, off], [lowest, highest]) in
        &cases[..1 + usize::from(full)]
    {
        let mut simulation = Basin {
            high: [1.0, 2.0],
            edge: 1.0 / cells,
            corners: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]],
            holes: "holes = [{ sphere = { center = [0.5, 0.5, 0.0], radius = 0.25 } }]",
            gravity: 0.98,
            gas: *gas,
            thickness: *thickness,
            fps: 25.0,
            more: format!("viscosity = 10.0\nsurface_tension = {tension:?}\n{}", walls.concat()),
            ..Basin::EMPTY
        }
        .start(gpu);
        let corners = [[0.0; 2], [1.0, 2.0]];
        let [_, first, _] = bubble(gpu, &simulation, corners);
        let mut most: f64 = 0.0;
        while simulation.time() < 3.0 - 1e-6 {
            let _ = frame(gpu, &mut simulation);
            let [.., rise] = bubble(gpu, &simulation, corners);
            most = most.max(rise);
        }
        let [height, area, _] = bubble(gpu, &simulation, corners);
        let kept = area / first;
        println!(
            "a bubble of {gas} kg/m³ rises at {most:.4} m/s, to {height:.4} m, with {kept:.4} of its area"
        );
        assert!((most / due - 1.0).abs() < *off, "{most} m/s in place of {due}");
        let least = if *gas > 10.0 { 0.01 } else { 0.02 };
        assert!(height > lowest * (1.0 - least) && height < highest * (1.0 + least), "{height} m");
        assert!((kept - 1.0).abs() < 0.02, "{kept} of the area");
    }
}
