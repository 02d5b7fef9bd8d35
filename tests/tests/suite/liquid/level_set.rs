//! The level set of `eulerian`: bodies that given flows turn and draw out, and water that sloshes.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use meniscus::{Gpu, Shaders, Simulation, State};
use meniscus_formats::scene_with_methods;
use meniscus_methods::{
    Axis, Key, Method, Number, Registry, Scope, Solver,
    liquid::{self, eulerian},
    lists::{
        sort::sort,
        step::{begin, end},
    },
    passes,
    space::{BUSY_CELLS, PARTICLES},
    stage::{Entry, run},
};
use meniscus_model::{check, scene::Value};

/// Field of a stream function on the faces of the unit square, and the level set at the start.
const FIELD: &str = r"
//!include common/control
//!include common/hat
//!include common/busy
//!write face level_set

const PI = 3.14159265;

// In the unit square. A turn in a second, or an eddy that turns back after half of its period (LeVeque 1996).
fn stream(x: vec2<f32>) -> f32 {
    if (params.methods.given.period == 0.0) { return -PI * dot(x - 0.5, x - 0.5); }
    let s = sin(PI * x);
    let time = control.time_in_frame + f32(max(control.frame, 1u) - 1u) * params.time.frame_duration;
    return s.x * s.x * s.y * s.y * cos(PI * (time + 0.5 * control.dt) / params.methods.given.period) / PI;
}

// Velocities of a deformation in the unit cube that turns back after half of its period (LeVeque 1996), at the middles of a
// cell's lower faces.
fn deformation(low: vec3<f32>, edge: f32) -> vec3<f32> {
    let time = control.time_in_frame + f32(max(control.frame, 1u) - 1u) * params.time.frame_duration;
    let now = cos(PI * (time + 0.5 * control.dt) / params.methods.given.period);
    let middle = low + 0.5 * edge;
    let s = sin(2.0 * PI * middle);
    let own = sin(PI * low);
    return now * own * own * vec3<f32>(2.0 * s.y * s.z, -s.x * s.z, -s.x * s.y);
}

// A disc, slotted from below if it turns (Zalesak 1979), in m.
fn shape(x: vec2<f32>) -> f32 {
    let disc = length(x - vec2<f32>(0.5, 0.75)) - 0.15;
    if (params.methods.given.period > 0.0) { return disc; }
    let slot = max(abs(x.x - 0.5) - 0.025, x.y - 0.85);
    return max(disc, -slot);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let edge = params.grid.cell;
    if (axes() == 3u) {
        let center = cell_center(cell) + 0.5;
        face[c] = vec4<f32>(deformation(center - 0.5 * edge, edge), 7.0);
        let ball = length(center - 0.35) - 0.15;
        if (level_set[c] == 0.0) { level_set[c] = clamp(ball / edge, -4.0, 4.0) + 1e-6; }
        return;
    }
    let x = cell_center(cell).xy + 0.5;
    let low = stream(x - 0.5 * edge);
    let right = stream(x + 0.5 * edge * vec2<f32>(1.0, -1.0));
    let up = stream(x + 0.5 * edge * vec2<f32>(-1.0, 1.0));
    face[c] = vec4<f32>((up - low) / edge, (low - right) / edge, 0.0, 3.0);
    if (level_set[c] == 0.0) { level_set[c] = clamp(shape(x) / edge, -4.0, 4.0) + 1e-6; }
}
";

static GIVEN: Method = Method {
    source: "Zalesak 1979; LeVeque 1996",
    help: "a level set in a given flow",
    keys: &[&[
        Key::number("period", [0.0, 100.0], 0.0, "Period of the eddy; 0 is a turn.").unit("s"),
        Key::number("markers", [0.0, 1.0], 1.0, "1 with markers."),
    ]],
    numbers: &[Number::new("period", "period in s", |context| context.number("liquid.period"))],
    arrays: &[eulerian::LEVEL_ARRAYS],
    passes: &[
        &[passes::each("given/field", BUSY_CELLS), passes::each("liquid/update", PARTICLES)],
        eulerian::LEVEL_PASSES,
    ],
    shaders: &[("given/field", FIELD)],
    solver: Some(Solver { family: &liquid::FAMILY, stages, step_share: 1.0, sph: None }),
    ..Method::new("given", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = begin(scope);
    list.extend(sort(scope));
    list.extend(["grid/all", "grid/solid", "given/field", "liquid/update", "liquid/move"].map(run));
    let settings = scope.chosen.settings();
    let bare = settings.get("liquid.markers").and_then(Value::number) == Some(0.0);
    list.extend(eulerian::carried(!bare).into_iter().map(Entry::from));
    list.extend(end(scope));
    list
}

/// The level set of a state, with the number of its cells along x, and their edge.
fn level_set(state: &State) -> Vec<f32> {
    state.arrays["level_set"].iter().map(|bits| f32::from_bits(*bits)).collect()
}

/// Area in cells where a level set in 2-D, linear between the centres of cells, is negative within a box of cells.
fn area(level: &[f32], width: usize, [low, high]: [[f64; 2]; 2]) -> f64 {
    const PARTS: usize = 8;
    let at = |x: f64, y: f64| {
        let (s, t) = (x - 0.5, y - 0.5);
        let (i, j) = (s.floor(), t.floor());
        let (u, v) = (s - i, t - j);
        let value =
            |di: usize, dj: usize| f64::from(level[i as usize + di + width * (j as usize + dj)]);
        (value(0, 0) * (1.0 - u) + value(1, 0) * u) * (1.0 - v)
            + (value(0, 1) * (1.0 - u) + value(1, 1) * u) * v
    };
    let along = |axis: usize| {
        let count = ((high[axis] - low[axis]) * PARTS as f64).round() as usize;
        (0..count).map(move |k| low[axis] + (k as f64 + 0.5) / PARTS as f64)
    };
    // The share of a part by the distance of its middle.
    let share = |d: f64| (0.5 - d * PARTS as f64).clamp(0.0, 1.0);
    let sum: f64 = along(1).map(|y| along(0).map(|x| share(at(x, y))).sum::<f64>()).sum();
    sum / (PARTS * PARTS) as f64
}

/// Areas, of that at the start, after so many seconds in a given flow of so many cells along the unit square, and of what
/// differs from the start.
fn given(gpu: &Gpu, cells: u32, period: f64, steps: f64, until: f64, markers: u32) -> [f64; 2] {
    let state = state_after(gpu, 2, cells, period, (steps, until), markers);
    let width = cells as usize + 2;
    let all = [[1.0; 2], [f64::from(cells) + 1.0; 2]];
    let after = level_set(&state);
    assert_eq!(after.len(), width * width);
    let middle = |k: usize| (k as f64 - 0.5) / f64::from(cells);
    let first = |c: usize| shape(middle(c % width), middle(c / width), period) * f64::from(cells);
    let before: Vec<f32> = (0..width * width).map(|c| first(c).clamp(-4.0, 4.0) as f32).collect();
    // Negative where one is liquid and the other is not.
    let differs = before.iter().zip(&after).map(|(a, b)| {
        let least = a.abs().min(b.abs());
        if (*a < 0.0) == (*b < 0.0) { least } else { -least }
    });
    let whole = area(&before, width, all);
    [area(&after, width, all) / whole, area(&differs.collect::<Vec<_>>(), width, all) / whole]
}

/// Volumes, of that at the start, of a ball after a deformation in 3-D and back, and of what differs from the start.
fn deformed(gpu: &Gpu, cells: u32, period: f64, steps: f64, markers: u32) -> [f64; 2] {
    let state = state_after(gpu, 3, cells, period, (steps, period), markers);
    let width = cells as usize + 2;
    let after = level_set(&state);
    assert_eq!(after.len(), width.pow(3));
    let middle = |k: usize| (k as f64 - 0.5) / f64::from(cells) - 0.35;
    let first = |c: usize| {
        let [x, y, z] = [c % width, c / width % width, c / (width * width)].map(middle);
        ((x * x + y * y + z * z).sqrt() - 0.15) * f64::from(cells)
    };
    let before: Vec<f32> = (0..width.pow(3)).map(|c| first(c).clamp(-4.0, 4.0) as f32).collect();
    // Of a cell, by the distance of its middle.
    let share = |d: &f32| (0.5 - f64::from(*d)).clamp(0.0, 1.0);
    let whole: f64 = before.iter().map(share).sum();
    let moved = before.iter().zip(&after).map(|(a, b)| (share(a) - share(b)).abs());
    [after.iter().map(share).sum::<f64>() / whole, moved.sum::<f64>() / whole]
}

/// State after `until` s of so many steps a second in a given flow, in 2-D or 3-D.
fn state_after(
    gpu: &Gpu,
    dimensions: u32,
    cells: u32,
    period: f64,
    (steps, until): (f64, f64),
    markers: u32,
) -> State {
    let edge = 1.0 / f64::from(cells);
    let text = format!(
        r#"
solver = "given"
dimensions = {dimensions}
particle_radius = {radius}
gravity = [0.0, 0.0, 0.0]
time = {{ step = {step}, fps = {fps} }}
domain = {{ min = [0.0, 0.0, 0.0], max = [1.0, 1.0, {deep}] }}
liquid = {{ period = {period:?}, markers = {markers}.0 }}
material = [{{ name = "water" }}]
[[fluid]]
shape.box = {{ min = [0.5, 0.5, 0.0], max = [{end}, {end}, {thick}] }}
"#,
        radius = edge / 4.0,
        step = 1.0 / steps,
        fps = 1.0 / until,
        end = 0.5 + 2.0 * edge,
        deep = if dimensions == 3 { 1.0 } else { 0.0 },
        thick = if dimensions == 3 { 2.0 * edge } else { 0.0 },
    );
    let registry = Registry::standard().with(&GIVEN);
    let scene = scene_with_methods("given.toml", &text, &registry).expect("a scene");
    assert_eq!(check::problems_with(&scene, &registry), []);
    let shaders = Shaders::standard();
    let simulation = Simulation::with_methods(gpu, &scene, &shaders, &registry);
    let mut simulation = block_on(gpu, simulation).expect("a simulation");
    block_on(gpu, simulation.run_until(until)).unwrap_or_else(|error| panic!("{error}"));
    state(gpu, &simulation)
}

/// The shape at the start in m, as in the shader.
fn shape(x: f64, y: f64, period: f64) -> f64 {
    let disc = (x - 0.5).hypot(y - 0.75) - 0.15;
    let slot = ((x - 0.5).abs() - 0.025).max(y - 0.85);
    if period > 0.0 { disc } else { disc.max(-slot) }
}

#[test]
fn zalesaks_disc_keeps_its_area() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let [area, moved] = given(gpu, 100, 0.0, 314.0, 1.0, 1);
    println!("Zalesak's disc after a turn: area {area:.4}, {moved:.4} elsewhere");
    assert!((area - 1.0).abs() < 0.01, "{area}");
    assert!(moved < 0.02, "{moved}");
}

/// Thin sheets that a level set alone loses or thickens are markers' to keep.
#[test]
fn an_eddy_draws_a_disc_out_and_back() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let [[area, moved], [alone, moved_alone]] =
        [1, 0].map(|markers| given(gpu, 64, 4.0, 64.0, 4.0, markers));
    println!("a disc in an eddy and back: area {area:.4}, {moved:.4} elsewhere");
    println!("without markers: area {alone:.4}, {moved_alone:.4} elsewhere");
    assert!((area - 1.0).abs() < 0.02, "{area}");
    assert!(moved < 0.04 && moved < 0.5 * moved_alone, "{moved} {moved_alone}");
}

/// Enright's test in 3-D, far coarser and shorter: the ball becomes a sheet thinner than a cell.
#[test]
fn a_deformation_draws_a_ball_out_and_back() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (cells, period) = (24, 2.0);
    let [[volume, moved], [alone, moved_alone]] =
        [1, 0].map(|markers| deformed(gpu, cells, period, 64.0, markers));
    println!("a ball in a deformation and back: volume {volume:.4}, {moved:.4} elsewhere");
    println!("without markers: volume {alone:.4}, {moved_alone:.4} elsewhere");
    // A tenth of a cell of the radius of 3.6.
    assert!((volume - 1.0).abs() < 3.0 * 0.1 / 3.6, "{volume}");
    assert!(moved < 0.3 && moved < 0.7 * moved_alone, "{moved} {moved_alone}");
}

#[test]
fn water_that_sloshes_keeps_its_area() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
solver = "eulerian"
dimensions = 2
particle_radius = 0.015
[liquid]
surface = "levelset"
[time]
fps = 5.0
max_step = 0.02
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 0.42, 0.0] }
[[fluid]]
shape.box = { min = [0.6, 0.0, 0.0], max = [1.2, 0.18, 0.0] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.2, 0.9, 0.0] }
"#,
    );
    let mut simulation = start(gpu, &scene);
    let size = simulation.setup().params.grid.size;
    let cell = f64::from(simulation.setup().params.grid.cell);
    let origin = simulation.setup().params.grid.origin.as_dvec3() + simulation.setup().center;
    // Of the tank, in cells.
    let low = [-origin.x / cell, -origin.y / cell];
    let all = [low, [low[0] + 1.2 / cell, low[1] + 0.9 / cell]];
    let due = 1.2 * 0.3 / (cell * cell);
    let (mut worst, mut least, mut most) = (0.0_f64, f64::MAX, f64::MIN);
    for second in 1..=10 {
        block_on(gpu, simulation.run_until(f64::from(second))).unwrap();
        let level = level_set(&state(gpu, &simulation));
        let area = area(&level, size.x as usize, all) / due;
        println!("{second} s: area {area:.4}");
        worst = worst.max((area - 1.0).abs());
        // Height of the surface at the left wall, in cells above the floor.
        let column = (low[0] + 0.5) as usize;
        let wet = (0..size.y as usize).filter(|y| level[column + size.x as usize * y] < 0.0);
        let height = wet.count() as f64;
        (least, most) = (least.min(height), most.max(height));
    }
    assert!(worst < 0.02, "{worst}");
    assert!(most > least, "it does not slosh: {least} cells");
}

#[test]
fn what_a_level_set_does_not_know_is_refused() {
    let scene = |more: &str| {
        parse(&format!(
            r#"
solver = "eulerian"
particle_radius = 0.05
liquid = {{ surface = "levelset" }}
{more}
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }}
"#
        ))
    };
    let problem = |more: &str| check::problems(&scene(more)).first().map(ToString::to_string);
    assert_eq!(problem(""), None);
    let found = problem("time = { cfl = 2.0 }").unwrap_or_default();
    assert!(found.contains("time.cfl: must be at most 1 with liquid.surface"), "{found}");
    let drain = "[[drain]]\nshape.sphere = { center = [0.1, 0.1, 0.1], radius = 0.1 }";
    let found = problem(drain).unwrap_or_default();
    assert!(found.contains("drain[0]: must be left out with liquid.surface"), "{found}");
}
