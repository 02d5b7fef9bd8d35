//! Iterative loops: results must not depend on the number of recorded iterations, and scans and
//! folded dispatches must be correct at every size.

use conformance::{
    device::{Flavour, block_on, gpu},
    random::Random,
    scenes::{dam, start},
};
use meniscus::{
    Gpu, Shaders,
    methods::{
        arrays::{Row, SCAN_LEVELS},
        lists::sort::scan,
        passes::{Grain, Pass, REDUCE_BLOCK},
        plan::Plans,
        space::{CELLS, Counts, Extent, ONE, SCANNED, Space},
        stage::{Entry, run, stage},
        tables::Tables,
    },
    raw::{Extra, List, Machine, Phase, Recording, fold},
};
use meniscus_model::{
    Control, Params, Setup,
    params::{LoopParams, MAX_LOOPS},
};

/// A loop that halves the residual, and counts in its own buffer how often iterations, stages
/// before and stages after it run.
const HALVE: &str = "//!include common/control
//!write toy_count: array<u32>
//!write toy_residual: array<f32>
@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    toy_residual[0] *= 0.5;
    toy_count[0] += 1u;
}
";
const BEFORE: &str = "//!include common/control
//!write toy_count: array<u32>
//!write toy_residual: array<f32>
@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    toy_residual[0] = f32(1u << (4u * control.step));
    toy_count[1] += 1u;
}
";
const AFTER: &str = "//!include common/control
//!write toy_count: array<u32>
@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    toy_count[2] += 1u;
}
";

fn toy(gpu: &Gpu, params: &Params) -> Machine {
    let mut shaders = Shaders::standard();
    let array = |name, element, extent| Extra::Array(Row::new(name, element, extent));
    let mut extras =
        vec![array("toy_count", "u32", ONE.times(3)), array("toy_residual", "f32", ONE)];
    for (name, text) in [("toy/halve", HALVE), ("toy/before", BEFORE), ("toy/after", AFTER)] {
        shaders.insert(name, text);
        extras.push(Extra::Pass(Pass { name, extent: Some(ONE), grain: Grain::Single }));
    }
    let entries = vec![
        run("time/begin_step"),
        run("toy/before"),
        Entry::repeat("toy", "toy_residual", vec![stage("toy/halve")]),
        run("toy/after"),
        run("time/end_step"),
    ];
    let list = List { name: "step", phase: Phase::Step, entries };
    let machine = Machine::new(gpu, &shaders, &Counts::default(), &[list], &extras).unwrap();
    machine.write_params(params);
    machine.write("toy_count", &[0; 12]).unwrap();
    machine
}

/// Runs the toy for a frame of `steps` steps, with `recorded` iterations per step and `at_once`
/// steps per submission; returns Control, the counts, and the number of submissions.
fn run_toy(gpu: &Gpu, steps: u32, recorded: u32, at_once: u32) -> (Control, Vec<u32>, u32) {
    let mut params = Setup::new(&dam()).expect("a sound scene").params;
    params.time.fixed_step = 0.001;
    params.time.frame_duration = 0.001 * steps as f32;
    params.loops[0] = LoopParams {
        min_iterations: 2,
        max_iterations: 12,
        tolerance: 1.0,
        ..LoopParams::default()
    };
    let machine = toy(gpu, &params);
    machine.write_control(&Control { primed: 1, frame: 1, ..Control::start(8) });
    let mut first = 0;
    for submission in 1..200 {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        for _ in 0..at_once {
            let iterations = [recorded; MAX_LOOPS];
            let recording = Recording { iterations, flags: &[], first };
            machine.record("step", recording, &mut encoder, None).unwrap();
            first = 0;
        }
        gpu.queue().submit([encoder.finish()]);
        let (control, buffers) = block_on(gpu, machine.read(&["toy_count"])).unwrap();
        // Half of them leave out the stages before the loop that goes on.
        first = if submission % 2 == 0 { control.resume_lo } else { 0 };
        if control.frame_done == 1 {
            assert!(!control.stalled());
            return (control, bytemuck::pod_collect_to_vec(&buffers["toy_count"]), submission);
        }
    }
    panic!("{steps} steps with {recorded} recorded iterations never finish");
}

#[test]
fn a_loop_gives_the_same_with_1_2_13_and_100_recorded_iterations() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // Step s starts at a residual of 16^s and ends at 1: 4 s halvings, at least 2 and at most 12.
    let expected: u32 = [2, 4, 8, 12, 12].iter().sum();
    let (reference, counts, _) = run_toy(gpu, 5, 100, 5);
    assert_eq!(counts, [expected, 5, 5], "iterations, stages before, stages after");
    assert_eq!((reference.step, reference.iterations_in_frame), (5, expected));
    // 16^4 halved 12 times leaves 16; the others end at 1 or, in step 0, at ¼.
    let report = reference.loops[0];
    assert_eq!((report.iterations, report.exhausted), (expected, 1));
    assert_eq!((report.residual_sum, report.residual_max), (0.25 + 1.0 + 1.0 + 1.0 + 16.0, 16.0));
    for recorded in [1, 2, 13, 100] {
        for at_once in [1, 3, 40] {
            let (control, counts, _) = run_toy(gpu, 5, recorded, at_once);
            assert_eq!(control, reference, "{recorded} recorded, {at_once} steps at once");
            assert_eq!(counts, [expected, 5, 5], "{recorded} recorded, {at_once} steps at once");
        }
    }
    // With too few recorded iterations the step stalls and continues in the next recording.
    assert!(run_toy(gpu, 5, 1, 1).2 > 30, "one iteration per submission needs one submission each");
}

/// Numbers that a test scans.
const NUMBERS: Extent = Space::new("numbers").all();

/// Prefix sums of `values` by the passes, through as many levels as they need.
fn scan_on(gpu: &Gpu, values: &[u32]) -> Vec<u32> {
    let elements = values.len() as u32;
    let cells = elements.div_ceil(2);
    let counts = Counts::default().with(CELLS.space, cells).with(NUMBERS.space, elements);
    let entries = vec![scan("cell_count", "cell_start", NUMBERS)];
    let list = List { name: "scan", phase: Phase::Step, entries };
    let machine = Machine::new(gpu, &Shaders::standard(), &counts, &[list], &[]).unwrap();
    machine.write_params(&Setup::new(&dam()).expect("a sound scene").params);
    machine.write_control(&Control::start(0));
    machine.write("cell_count", bytemuck::cast_slice(values)).unwrap();
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    machine.record("scan", Recording::default(), &mut encoder, None).unwrap();
    gpu.queue().submit([encoder.finish()]);
    let (_, mut buffers) = block_on(gpu, machine.read(&["cell_start"])).unwrap();
    bytemuck::pod_collect_to_vec(&buffers.remove("cell_start").unwrap())
}

#[test]
fn scans_are_right_at_every_level() {
    let mut random = Random::new(5);
    // One level up to a block, two up to a block of blocks, three beyond; the folded device has 17 workgroups
    // per row, so at most 17² blocks.
    let (one, two) = (REDUCE_BLOCK, REDUCE_BLOCK.pow(2));
    let short = [1, 2, 255, 256, 257, one - 1, one, one + 1, 4 * one, 66_000, 289 * one];
    let long = [two - 1, two, two + 1];
    for flavour in [Flavour::Default, Flavour::PlainFolded] {
        let Some(gpu) = gpu(flavour) else { return };
        let long = if flavour == Flavour::Default { &long[..] } else { &[] };
        for n in short.iter().chain(long) {
            // Uneven values, so that a permutation of blocks or lanes is noticed.
            let values: Vec<u32> = (0..*n).map(|_| random.bits() % 7).collect();
            let mut sum = 0;
            let expected: Vec<u32> = values
                .iter()
                .map(|v| {
                    sum += v;
                    sum - v
                })
                .collect();
            let found = scan_on(gpu, &values);
            let wrong = (0..expected.len()).find(|i| found[*i] != expected[*i]);
            assert_eq!(wrong, None, "{flavour:?}: {n} elements");
        }
    }
    let levels = [one, one + 1, two + 1].map(|n| {
        let entries = vec![scan("cell_count", "cell_start", NUMBERS)];
        let list = List { name: "scan", phase: Phase::Step, entries };
        let counts = Counts::default().with(NUMBERS.space, n);
        let plans = Plans::new(&[list], &counts, &Tables::default()).unwrap();
        assert_eq!(plans.counts.get(SCANNED), Ok(n));
        plans.stages().count()
    });
    assert_eq!(levels, [1, 3, 5], "levels");
    let blocks = u32::MAX.div_ceil(REDUCE_BLOCK.pow(SCAN_LEVELS));
    assert!(blocks <= REDUCE_BLOCK, "the levels of totals reach every index");
}

#[test]
fn dispatches_fold_and_64_million_particles_are_addressable() {
    for limit in [7_u32, 65_535] {
        for workgroups in [1_u64, 6, 7, 8, 13, 14, 15, 48, 49, 65_535, 65_536, 1_000_000] {
            let fits = workgroups <= u64::from(limit) * u64::from(limit);
            match fold(workgroups, limit) {
                Ok([x, y]) => {
                    assert!(fits && x <= limit && y <= limit);
                    assert!(u64::from(x) * u64::from(y) >= workgroups);
                    assert!(u64::from(x) * u64::from(y - 1) < workgroups, "no empty row");
                }
                Err(error) => {
                    assert!(!fits, "{workgroups} of {limit}: {error}");
                    assert!(error.to_string().contains(&workgroups.to_string()), "{error}");
                }
            }
        }
    }
    // 64 Mi particles in workgroups of 64: the largest element index, with padding, fits in a u32.
    let [x, y] = fold(64 * 1024 * 1024 / 64, 65_535).unwrap();
    let last = u64::from(x) * 64 * u64::from(y);
    assert!(last < u64::from(u32::MAX), "{last}");
    // The size in bytes of a vec4 buffer exceeds 32 bits only beyond 268 M particles.
    assert!(64 * 1024 * 1024 * 16_u64 <= u64::from(u32::MAX));
}

/// The residuals are those of the last step, whatever was recorded; the last one ends the loop.
#[test]
fn the_residual_after_each_iteration_is_reported() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["dfsph", "flip"] {
        let scene = dam().with_solver(solver);
        let reports = [1, 64].map(|at_once| {
            let mut simulation = start(gpu, &scene);
            assert!(block_on(gpu, simulation.report()).unwrap().residuals.len() < 5);
            simulation.set_steps_per_submission(at_once);
            block_on(gpu, simulation.run_until(0.1)).unwrap();
            let limits = simulation.setup().params.loops;
            let report = block_on(gpu, simulation.report()).unwrap();
            for (residuals, limits) in report.residuals.iter().zip(&limits) {
                assert!(residuals.len() as u32 >= limits.min_iterations, "{solver}: {residuals:?}");
                let (last, before) = residuals.split_last().expect("at least one iteration");
                assert!(*last <= f64::from(limits.tolerance), "{solver}: {residuals:?}");
                let least = (limits.min_iterations as usize).saturating_sub(1);
                let goes_on =
                    |residual: &f64| *residual > f64::from(limits.tolerance) || limits.fall > 0.0;
                assert!(before.iter().skip(least).all(goes_on), "{solver}: {residuals:?}");
            }
            let last = report.control.residual;
            assert!(report.residuals.iter().any(|one| one.last() == Some(&f64::from(last))));
            report.residuals
        });
        assert!(reports[0] == reports[1] && !reports[0].is_empty(), "{solver}: {reports:?}");
    }
}
