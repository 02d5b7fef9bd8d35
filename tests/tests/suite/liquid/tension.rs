//! Surface tension on a grid, against formulas.

use std::f64::consts::{PI, TAU};

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use meniscus::{FrameReport, Gpu, Simulation, State, scene::Shape};
use meniscus_model::check;

const SIGMA: f64 = 0.0728;
const DENSITY: f64 = 1000.0;
const RADIUS: f64 = 0.004;

/// Speed of tension, √(σ/(ρR)).
fn unit() -> f64 {
    (SIGMA / (DENSITY * RADIUS)).sqrt()
}

/// A drop about the origin without gravity, in 2-D, of the form r = R (1 + a cos n(θ − θ₀)).
#[derive(Clone, Copy)]
struct Disc {
    solver: &'static str,
    /// Cells of the radius.
    cells: f64,
    /// n, or 0 of a disc at rest.
    mode: i32,
    /// a.
    share: f64,
    /// θ₀.
    angle: f64,
    sigma: f64,
    /// Velocity in m/s.
    velocity: [f64; 2],
}

impl Disc {
    /// By the level set of `eulerian`.
    fn new(cells: f64, mode: i32) -> Self {
        let share = if mode > 0 { 0.05 } else { 0.0 };
        Self {
            solver: "eulerian",
            cells,
            mode,
            share,
            angle: 0.0,
            sigma: SIGMA,
            velocity: [0.0; 2],
        }
    }

    /// Period in s, 2π √(ρR³/(σ n(n² − 1))) (Rayleigh 1879); of a disc at rest that of n = 2.
    fn period(&self) -> f64 {
        let n = f64::from(self.mode.max(2));
        TAU * (DENSITY * RADIUS.powi(3) / (self.sigma * n * (n * n - 1.0))).sqrt()
    }

    fn start(&self, gpu: &Gpu) -> Simulation {
        let corner = |k: u32| {
            let angle = TAU * f64::from(k) / 720.0;
            let r =
                RADIUS * (1.0 + self.share * (f64::from(self.mode) * (angle - self.angle)).cos());
            [r * angle.cos(), r * angle.sin()]
        };
        let way = self.velocity.map(|v| v * 0.35 * self.period());
        let scene = Basin {
            solver: self.solver,
            edge: RADIUS / self.cells,
            low: [-1.4 * RADIUS; 2],
            high: way.map(|way| 1.4 * RADIUS + way),
            corners: (0..720).map(corner).collect(),
            fps: 60.0 / self.period(),
            more: format!(
                "velocity = [{:?}, {:?}, 0.0]\n[[material]]\nname = \"water\"\nsurface_tension = {}",
                self.velocity[0], self.velocity[1], self.sigma
            ),
        };
        scene.start(gpu)
    }

    /// Time in periods at which the mode is 0 for the first time, times 4.
    fn quarter(&self, gpu: &Gpu) -> f64 {
        let mut simulation = self.start(gpu);
        let mut last: Option<[f64; 2]> = None;
        while simulation.time() < 0.35 * self.period() {
            let _ = frame(gpu, &mut simulation);
            let now = self.moment(&cells(gpu, &simulation));
            if let Some([time, before]) = last.filter(|[_, before]| before * now < 0.0) {
                let zero = time + before / (before - now) * (simulation.time() - time);
                return 4.0 * zero / self.period();
            }
            last = Some([simulation.time(), now]);
        }
        panic!("no zero of mode {} in {last:?}", self.mode)
    }

    /// Mean of (r/R)ⁿ cos n(θ − θ₀) over the drop, about its middle.
    fn moment(&self, cells: &[[f64; 3]]) -> f64 {
        let area: f64 = cells.iter().map(|[share, ..]| share).sum();
        let middle =
            [1, 2].map(|axis| cells.iter().map(|cell| cell[0] * cell[axis]).sum::<f64>() / area);
        let of = |[share, x, y]: &[f64; 3]| {
            let (x, y) = (x - middle[0], y - middle[1]);
            let angle = f64::from(self.mode) * (y.atan2(x) - self.angle);
            share * (x.hypot(y) / RADIUS).powi(self.mode) * angle.cos()
        };
        cells.iter().map(of).sum::<f64>() / area
    }
}

/// A polygon of liquid in an open domain.
struct Basin {
    solver: &'static str,
    edge: f64,
    low: [f64; 2],
    high: [f64; 2],
    corners: Vec<[f64; 2]>,
    fps: f64,
    /// More of the scene: keys of the fluid, then tables.
    more: String,
}

impl Basin {
    fn start(&self, gpu: &Gpu) -> Simulation {
        let corners: Vec<_> =
            self.corners.iter().map(|[x, y]| format!("[{x}, {y}, 0.0]")).collect();
        let ([left, low], [right, high]) = (self.low, self.high);
        let level_set = match self.solver {
            "eulerian" => "liquid = { surface = \"levelset\" }",
            _ => "",
        };
        let mut scene = parse(&format!(
            r#"
solver = "{solver}"
dimensions = 2
particle_radius = {radius}
gravity = [0.0, 0.0, 0.0]
{level_set}
time = {{ fps = {fps} }}
domain = {{ min = [{left}, {low}, 0.0], max = [{right}, {high}, 0.0] }}
[[fluid]]
shape.polygon = {{ points = [{corners}] }}
{more}
"#,
            solver = self.solver,
            radius = self.edge / 4.0,
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

pub(super) fn frame(gpu: &Gpu, simulation: &mut Simulation) -> FrameReport {
    block_on(gpu, simulation.next_frame()).unwrap_or_else(|error| panic!("{error}"));
    block_on(gpu, simulation.report()).expect("a report")
}

/// Share of liquid, x and y in m of each cell in 2-D.
pub(super) fn cells(gpu: &Gpu, simulation: &Simulation) -> Vec<[f64; 3]> {
    let grid = &simulation.setup().params.grid;
    let (width, edge) = (grid.size.x as usize, f64::from(grid.cell));
    let origin = grid.origin.as_dvec3() + simulation.setup().center;
    let level = state(gpu, simulation).arrays["level_set"].clone();
    let of = |(c, bits): (usize, &u32)| {
        // 0 where there is none.
        let share = match f64::from(f32::from_bits(*bits)) {
            0.0 => 0.0,
            level => (0.5 - level).clamp(0.0, 1.0),
        };
        let place = [c % width, c / width].map(|k| (k as f64 + 0.5) * edge);
        [share, origin.x + place[0], origin.y + place[1]]
    };
    level.iter().enumerate().map(of).collect()
}

/// Area in cells where the level set, linear between the centres of cells, is negative.
fn area(gpu: &Gpu, simulation: &Simulation) -> f64 {
    const PARTS: usize = 8;
    let size = simulation.setup().params.grid.size.as_usizevec3();
    let state = state(gpu, simulation);
    let level =
        |x: usize, y: usize| f64::from(f32::from_bits(state.arrays["level_set"][x + size.x * y]));
    let part = |k: usize| (k as f64 + 0.5) / PARTS as f64;
    let mut sum = 0.0;
    for (x, y) in (0..size.y - 1).flat_map(|y| (0..size.x - 1).map(move |x| (x, y))) {
        for (u, v) in (0..PARTS * PARTS).map(|k| (part(k % PARTS), part(k / PARTS))) {
            let low = level(x, y) * (1.0 - u) + level(x + 1, y) * u;
            let high = level(x, y + 1) * (1.0 - u) + level(x + 1, y + 1) * u;
            let d = low * (1.0 - v) + high * v;
            // The share of a part by the distance of its middle.
            sum += (0.5 - d * PARTS as f64).clamp(0.0, 1.0);
        }
    }
    sum / (PARTS * PARTS) as f64
}

/// Mean pressure in Pa of the particles nearer to the origin than half of the radius.
pub(super) fn pressure(state: &State) -> f64 {
    let near = |i: &usize| {
        let [x, y, _] = state.world_position(*i);
        x.hypot(y) < 0.5 * RADIUS
    };
    let inside: Vec<f64> = (0..state.particle_count())
        .filter(near)
        .map(|i| f64::from(state.velocity()[i][3]))
        .collect();
    inside.iter().sum::<f64>() / inside.len() as f64
}

/// Laplace's pressure σ/R, and what moves at rest: each error of the curvature is a current, and where waves of a few cells grow, it
/// is a hundred times as fast after two periods of the second mode.
#[test]
fn a_disc_rests() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let disc = Disc::new(12.0, 0);
    let mut simulation = disc.start(gpu);
    while simulation.time() < 2.0 * disc.period() {
        let _ = frame(gpu, &mut simulation);
    }
    let speed = frame(gpu, &mut simulation).max_speed / unit();
    let pressure = pressure(&state(gpu, &simulation)) * RADIUS / SIGMA;
    println!("a disc at rest: {pressure:.4} σ/R, {speed:.1e} √(σ/ρR)");
    assert!((pressure - 1.0).abs() < 0.01, "{pressure} σ/R");
    assert!(speed < 1e-3, "{speed} √(σ/ρR)");
}

/// The first quarter of the periods of modes.
#[test]
fn discs_swing_in_their_periods() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (mode, bound) in [(2, 0.03), (3, 0.05), (4, 0.07)] {
        let period = Disc::new(16.0, mode).quarter(gpu);
        println!("mode {mode}: {period:.4} of its period");
        assert!((period - 1.0).abs() < bound, "mode {mode}: {period} of its period");
    }
}

/// Particles say where the surface is: their noise must not drive currents in a drop at rest.
#[test]
fn a_disc_of_particles_rests() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let disc = Disc { solver: "flip", ..Disc::new(12.0, 0) };
    let mut simulation = disc.start(gpu);
    while simulation.time() < 2.0 * disc.period() {
        let _ = frame(gpu, &mut simulation);
    }
    let speed = frame(gpu, &mut simulation).max_speed / unit();
    let pressure = pressure(&state(gpu, &simulation)) * RADIUS / SIGMA;
    println!("a disc of particles at rest: {pressure:.4} σ/R, {speed:.1e} √(σ/ρR)");
    assert!((pressure - 1.0).abs() < 0.01, "{pressure} σ/R");
    assert!(speed < 2e-2, "{speed} √(σ/ρR)");
}

/// The first quarter of the periods of modes, which the blur of the surface lengthens.
#[test]
fn discs_of_particles_swing_in_their_periods() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (solver, mode, bound) in [("flip", 2, 0.05), ("apic", 3, 0.08), ("flip", 4, 0.1)] {
        let period = Disc { solver, ..Disc::new(16.0, mode) }.quarter(gpu);
        println!("{solver}, mode {mode}: {period:.4} of its period");
        assert!((period - 1.0).abs() < bound, "{solver}, mode {mode}: {period} of its period");
    }
}

/// Contact angle in degrees of a drop of half a disc on a plate, by the height of its cap: h = r (1 − cos θ) of a segment with the area
/// r² (θ − sin θ cos θ).
fn angle_on_a_plate(gpu: &Gpu, due: f64) -> f64 {
    let edge = RADIUS / 12.0;
    let of = |k: u32| {
        let angle = PI * f64::from(k) / 360.0;
        [RADIUS * angle.cos(), RADIUS * angle.sin()]
    };
    let wide = if due < 60.0 { 4.0 } else { 2.5 };
    let drop = Basin {
        solver: "flip",
        edge,
        low: [-wide * RADIUS, -2.0 * edge],
        high: [wide * RADIUS, 1.8 * RADIUS],
        corners: (0..=360).map(of).collect(),
        fps: 10.0,
        more: format!(
            "[[material]]\nname = \"water\"\nsurface_tension = {SIGMA}\nviscosity = 0.1\n[[boundary]]\n\
             shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}\ncontact_angle = {due}"
        ),
    };
    let mut simulation = drop.start(gpu);
    while simulation.time() < 0.35 {
        let _ = frame(gpu, &mut simulation);
    }
    let cells = cells(gpu, &simulation);
    let middle = cells.iter().filter(|[_, x, y]| x.abs() < edge && *y > 0.0);
    let height = middle.map(|[share, ..]| share * edge).sum::<f64>() / 2.0;
    let cap = |angle: f64| {
        let area = PI * RADIUS * RADIUS / 2.0;
        (area / (angle - angle.sin() * angle.cos())).sqrt() * (1.0 - angle.cos())
    };
    let (mut low, mut high) = (0.01, PI);
    for _ in 0..40 {
        let angle = 0.5 * (low + high);
        (low, high) = if cap(angle) < height { (angle, high) } else { (low, angle) };
    }
    low.to_degrees()
}

#[test]
fn drops_on_plates_have_their_contact_angles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let all = [120.0, 30.0, 60.0, 90.0];
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    for due in if full { &all[..] } else { &all[..1] } {
        let found = angle_on_a_plate(gpu, *due);
        println!("a contact angle of {due}°: {found:.1}°");
        assert!((found - due).abs() < 4.0, "{found}° in place of {due}°");
    }
}

/// A block on a plate comes to rest as half a disc, wherever the lines of the grid are.
#[test]
fn a_drop_on_a_plate_rests() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for part in [0.0, 0.3, 0.75] {
        let edge = RADIUS / 8.0;
        let drop = Basin {
            solver: "flip",
            edge,
            low: [-2.0 * RADIUS, -(2.0 + part) * edge],
            high: [2.0 * RADIUS, 1.8 * RADIUS],
            corners: vec![[-RADIUS, 0.0], [RADIUS, 0.0], [RADIUS, RADIUS], [-RADIUS, RADIUS]],
            fps: 20.0,
            more: format!(
                "[[material]]\nname = \"water\"\nsurface_tension = {SIGMA}\nviscosity = 0.1\n[[boundary]]\n\
                 shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}"
            ),
        };
        let mut simulation = drop.start(gpu);
        let first = state(gpu, &simulation).control.particle_count;
        let mut report = frame(gpu, &mut simulation);
        while simulation.time() < 0.3 {
            report = frame(gpu, &mut simulation);
        }
        let speed = report.max_speed / unit();
        println!("a drop on a plate {part} cells beyond a line: {speed:.1e} √(σ/ρR)");
        assert_eq!(report.control.particle_count, first, "particles of {first}");
        // In the last, cells whose middle is in the wall have a share of their own, and its noise.
        assert!(part > 0.5 || speed < 2e-2, "{speed} √(σ/ρR)");
    }
}

/// What a period does not depend on: motion of all, the grid's direction; and σ, by its root.
#[test]
fn a_swinging_disc_may_move_and_turn() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["eulerian", "flip"] {
        let disc = Disc { solver, ..Disc::new(12.0, 2) };
        let due = disc.quarter(gpu);
        let other = [
            ("in motion", 0.01, Disc { velocity: [0.7 * unit(), 0.3 * unit()], ..disc }),
            ("turned by 30°", 0.02, Disc { angle: PI / 6.0, ..disc }),
            ("with twice the tension", 0.01, Disc { sigma: 2.0 * SIGMA, ..disc }),
        ];
        for (how, bound, other) in other {
            let period = other.quarter(gpu) / due;
            println!("{solver}, a disc {how}: {period:.4} of the period");
            assert!((period - 1.0).abs() < bound, "{solver}, {how}: {period} of the period");
        }
    }
}

/// A square becomes a disc, and swings through it: energy is that of its outline, and the area stays.
#[test]
fn a_square_becomes_a_disc() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let disc = Disc::new(12.0, 4);
    let half = RADIUS * PI.sqrt() / 2.0;
    let square = Basin {
        solver: disc.solver,
        edge: RADIUS / disc.cells,
        low: [-1.4 * RADIUS; 2],
        high: [1.4 * RADIUS; 2],
        corners: vec![[-half, -half], [half, -half], [half, half], [-half, half]],
        fps: 60.0 / disc.period(),
        more: format!("[[material]]\nname = \"water\"\nsurface_tension = {SIGMA}"),
    };
    let mut simulation = square.start(gpu);
    // The outline's, less that of a disc.
    let available = SIGMA * (8.0 * half - TAU * RADIUS);
    let _ = frame(gpu, &mut simulation);
    let first = area(gpu, &simulation);
    let mut most = 0.0_f64;
    while simulation.time() < 1.5 * disc.period() {
        most = most.max(frame(gpu, &mut simulation).kinetic_energy / available);
    }
    let kept = area(gpu, &simulation) / first;
    println!("a square: {most:.3} of the energy moves, {kept:.4} of the area at the end");
    assert!(most > 0.5 && most < 1.0, "{most} of the energy");
    assert!((kept - 1.0).abs() < 0.005, "{kept} of the area");
}

/// A capillary wave of 32 cells above water as deep, ω² = σk³/ρ tanh kh (Lamb 1932), for three periods.
#[test]
fn capillary_waves_keep_their_period() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (edge, wave) = (0.001, 0.032);
    let k = TAU / wave;
    let omega = (SIGMA * k.powi(3) / DENSITY * (k * wave).tanh()).sqrt();
    let mut simulation = start(
        gpu,
        &parse(&format!(
            r#"
solver = "eulerian"
dimensions = 2
particle_radius = {radius}
gravity = [0.0, 0.0, 0.0]
liquid = {{ surface = "levelset" }}
time = {{ fps = {fps} }}
domain = {{ min = [0.0, -0.002, 0.0], max = [{wave}, 0.04, 0.0], periodic = [true, false, false] }}
[[material]]
name = "water"
surface_tension = {SIGMA}
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [{wave}, {wave}, 0.0] }}
[[boundary]]
shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}
"#,
            radius = edge / 4.0,
            fps = 40.0 * omega / TAU,
        )),
    );
    // A cosine of a hundredth of the wave.
    let mut waves = state(gpu, &simulation);
    let levels = cells(gpu, &simulation).into_iter().map(|[_, x, y]| {
        let level = (y - wave - 0.01 * wave * (k * x).cos()) / edge;
        (level.clamp(-4.0, 4.0) as f32).to_bits()
    });
    waves.arrays.insert("level_set".into(), levels.collect());
    // Markers are those of the flat surface.
    waves.arrays.get_mut("level_markers").expect("markers").fill(0);
    block_on(gpu, simulation.restore(&waves)).expect("a state of this scene");
    let (mut zeros, mut last) = (Vec::new(), None::<[f64; 2]>);
    while simulation.time() < 3.1 * TAU / omega {
        let _ = frame(gpu, &mut simulation);
        let cells = cells(gpu, &simulation);
        let now: f64 = cells.iter().map(|[share, x, _]| share * (k * x).cos()).sum();
        if let Some([time, before]) = last.filter(|[_, before]| before * now < 0.0) {
            zeros.push(time + before / (before - now) * (simulation.time() - time));
        }
        last = Some([simulation.time(), now]);
    }
    let phases: Vec<_> = zeros.iter().map(|time| time * omega / TAU).collect();
    println!("a capillary wave is 0 at {phases:.4?} periods");
    let period = 2.0 * (phases[5] - phases[0]) / 5.0;
    assert!((period - 1.0).abs() < 0.03, "{period} of the period");
}

#[test]
fn two_tensions_are_refused() {
    let problem = |solver: &str, other: &str| {
        let scene = parse(&format!(
            r#"
solver = "{solver}"
particle_radius = 0.05
[[material]]
name = "water"
surface_tension = 0.07
[[material]]
name = "oil"
surface_tension = {other}
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }}
"#
        ));
        check::problems(&scene).first().map(ToString::to_string).unwrap_or_default()
    };
    for solver in ["eulerian", "flip"] {
        assert_eq!(problem(solver, "0.07"), "");
        let found = problem(solver, "0.03");
        assert!(
            found.contains("material[1].surface_tension: must be that of the first"),
            "{found}"
        );
    }
}
