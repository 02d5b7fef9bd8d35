//! One pass on both sides from identical bits, and the verdict.

use std::{collections::BTreeMap, fmt::Write as _};

use meniscus::{
    Gpu,
    machine::{List, Machine, Phase, Recording},
    plan::{Part, Plans},
    shaders::Shaders,
    space::{
        BODY_LANES, BODY_PARTICLES, BUCKETS, FIELD_NODES, FIELD_ROWS, FREE_BODY_PARTICLES, SCANNED,
    },
    stage::{Entry, stage},
    tables::Tables,
};
use meniscus_model::{
    Control,
    params::{KERNEL_CUBIC_SPLINE, KERNEL_WENDLAND_C2},
    scene::Kernel,
    shared::encode,
};
use meniscus_reference::{Values, World, run};

use crate::{
    device::block_on,
    rows::{BRANCH_CEILING, CEILING, Match, Row},
};

/// What a pass is changed into, to see whether the comparison notices.
pub type Sabotage<'a> = &'a dyn Fn(&str) -> String;

/// The world's names of buffers, and the table's: generic passes are tried on some of the buffers
/// that they are there for.
fn renames(pass: &str) -> &'static [(&'static str, &'static str)] {
    match pass {
        "reduce/clear" => &[("values", "cell_count")],
        "reduce/sum" => &[("values", "cell_count"), ("totals", "totals_1")],
        "reduce/scan" => {
            &[("values", "cell_count"), ("offsets", "offsets_1"), ("scanned", "cell_start")]
        }
        "loop/residual" | "loop/test" => &[("residual", "pressure_residual")],
        "sph/warm" | "sph/keep" => &[("warm", "warm_pressure")],
        "surface/smooth" => &[("taubin_factor", "taubin_shrink")],
        _ => &[],
    }
}

/// Runs a row's pass on the GPU and on the reference, both from `world`, and compares everything.
///
/// # Errors
/// Every difference, with the worst element of each buffer and both values.
pub fn check(
    gpu: &Gpu,
    row: &Row,
    world: &World,
    sabotage: Option<Sabotage<'_>>,
) -> Result<(), String> {
    let before = floats_and_words(&mut world.clone());
    let mut after = world.clone();
    run(&mut after, row.pass);
    let (gpu_control, gpu_after) = run_on_gpu(gpu, row, world, sabotage)?;

    let mut problems = String::new();
    if row.control {
        compare_control(&after.control, &gpu_control, &mut problems);
    } else if gpu_control != world.control {
        let _ =
            writeln!(problems, "Control was written:\n{gpu_control:?}\nfrom\n{:?}", world.control);
    }
    let cells = cells_of(world);
    let after = floats_and_words(&mut after);
    for (name, expected) in &after {
        let Some(found) = gpu_after.get(name) else { continue };
        let mut judge = |expected: &Data, found: &[u32], how| {
            compare(name, expected, found, how, row.branches, &cells, &mut problems);
        };
        match row.writes.iter().find(|(written, _)| written == name) {
            None => compare_bits(name, &before[name], found, &mut problems),
            Some((_, Match::Direction(tolerance, lengths))) => {
                let [expected, found] = [&expected.bits(), found]
                    .map(|directions| vectors(directions, &after[*lengths].bits()));
                judge(&expected, &found.bits(), Match::Close(*tolerance));
            }
            Some((_, how)) => judge(expected, found, *how),
        }
    }
    for (name, _) in row.writes {
        if !gpu_after.contains_key(*name) {
            let _ = writeln!(problems, "{name} is not bound by the pass");
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{}:\n{problems}", row.pass)) }
}

/// Runs a row's pass on the GPU from a world in which it is not active.
///
/// # Errors
/// Every buffer that it wrote all the same.
pub fn check_idle(gpu: &Gpu, row: &Row, world: &World) -> Result<(), String> {
    let (control, buffers) = run_on_gpu(gpu, row, world, None)?;
    let mut problems = String::new();
    if control != world.control {
        let _ = writeln!(problems, "Control was written: {control:?}");
    }
    for (name, before) in floats_and_words(&mut world.clone()) {
        if let Some(found) = buffers.get(&name) {
            compare_bits(&name, &before, found, &mut problems);
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{}, idle:\n{problems}", row.pass)) }
}

/// A buffer's scalars, and how many make an element.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    Floats(usize, Vec<f64>),
    Words(usize, Vec<u32>),
}

impl Data {
    fn bits(&self) -> Vec<u32> {
        match self {
            Self::Floats(_, data) => data.iter().map(|value| (*value as f32).to_bits()).collect(),
            Self::Words(_, data) => data.clone(),
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Floats(width, _) | Self::Words(width, _) => *width,
        }
    }
}

fn floats_and_words(world: &mut World) -> BTreeMap<String, Data> {
    let mut all = BTreeMap::new();
    for name in World::BUFFERS {
        let data = match world.buffer(name) {
            Some(Values::Floats { width, data }) => Data::Floats(width, data.to_vec()),
            Some(Values::Words { width, data }) => Data::Words(width, data.to_vec()),
            None => panic!("{name} is listed but unknown"),
        };
        all.insert((*name).to_owned(), data);
    }
    let control: Vec<u32> = bytemuck::pod_collect_to_vec(&encode(&[world.surface_control]));
    all.insert("surface_control".to_owned(), Data::Words(control.len(), control));
    all
}

fn run_on_gpu(
    gpu: &Gpu,
    row: &Row,
    world: &World,
    sabotage: Option<Sabotage<'_>>,
) -> Result<(Control, BTreeMap<String, Vec<u32>>), String> {
    let kernel = match world.params.kernel.kind {
        KERNEL_CUBIC_SPLINE => Kernel::CubicSpline,
        KERNEL_WENDLAND_C2 => Kernel::WendlandC2,
        _ => Kernel::Muller,
    };
    let mut shaders = Shaders::embedded().with_kernel(kernel);
    if let Some(change) = sabotage {
        // Of a walk that sums terms, the last term.
        let term = row.pass.rsplit_once('+').map(|(_, term)| format!("terms/{term}"));
        let file = term.unwrap_or_else(|| row.pass.to_owned());
        let source = meniscus_wgsl_file(&file);
        shaders.insert(file, change(&source));
    }
    let reduce = row.pass.starts_with("reduce/");
    let mut run = stage(row.pass);
    let renames = renames(row.pass);
    run = renames.iter().fold(run, |stage, (variable, buffer)| stage.with(variable, buffer));
    let phase = if row.frame_end { Phase::FrameEnd } else { Phase::Step };
    if reduce {
        run = run.over(BUCKETS);
    }
    let list = List { name: "pass", phase, entries: vec![Entry::Run(run)] };
    let problem = |error: &dyn std::fmt::Display| error.to_string();
    let mut plans =
        Plans::new(&[list], &world.counts(), &Tables::default()).map_err(|e| problem(&e))?;
    plans.counts.set(SCANNED.space, world.values.len() as u32);
    for part in plans.lists.values_mut().flatten() {
        let Part::Stage(placed) = part else { continue };
        placed.loop_index = world.stage.loop_index;
        placed.loop_first = world.stage.loop_first;
        let own = [BODY_PARTICLES, FREE_BODY_PARTICLES, BODY_LANES, FIELD_NODES, FIELD_ROWS];
        if reduce || own.contains(&placed.extent) {
            placed.elements = world.stage.element_count;
        }
    }
    let machine = Machine::of_plans(gpu, &shaders, &plans, &[], None).map_err(|e| problem(&e))?;
    let write = |name: &str, bytes: &[u8]| machine.write(name, bytes).map_err(|e| problem(&e));
    let table_name = |name: &str| -> String {
        let renamed = renames.iter().find(|(world, _)| *world == name);
        renamed.map_or(name, |(_, table)| *table).to_owned()
    };
    let mut names = Vec::new();
    for (name, data) in floats_and_words(&mut world.clone()) {
        let own = !reduce || renames.iter().any(|(world, _)| *world == name);
        if own && machine.buffer(&table_name(&name)).is_some() {
            write(&table_name(&name), bytemuck::cast_slice(&data.bits()))?;
            names.push(name);
        }
    }
    write("colliders", &encode(&world.colliders))?;
    write("drains", &encode(&world.drains))?;
    write("emitters", &encode(&world.emitters))?;
    write("distance_field", &encode(&[world.distance_field]))?;
    write("field_boxes", &encode(&world.field_boxes))?;
    write("field_triangles", &encode(&world.field_triangles))?;
    machine.write_params(&world.params);
    machine.write_control(&world.control);
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    machine.record("pass", Recording::default(), &mut encoder, None).map_err(|e| problem(&e))?;
    gpu.queue().submit([encoder.finish()]);
    let tables: Vec<_> = names.iter().map(|name| table_name(name)).collect();
    let wanted: Vec<_> = tables.iter().map(String::as_str).collect();
    let (control, mut bytes) =
        block_on(gpu, machine.read(&wanted)).map_err(|error| error.to_string())?;
    let words = |bytes: Vec<u8>| bytemuck::pod_collect_to_vec(&bytes);
    let found = names.into_iter().zip(&tables).map(|(name, table)| {
        let data = bytes.remove(table).unwrap_or_default();
        (name, words(data))
    });
    let found = found.collect();
    gpu.check().map_err(|error| error.to_string())?;
    Ok((control, found))
}

fn meniscus_wgsl_file(pass: &str) -> String {
    let files = meniscus_wgsl::FILES;
    files
        .iter()
        .find(|(name, _)| *name == pass)
        .map_or_else(String::new, |(_, text)| (*text).into())
}

/// Directions times lengths, which are the w lanes of `lengths`; the w lanes of `directions` stay.
fn vectors(directions: &[u32], lengths: &[u32]) -> Data {
    let float = |bits: u32| f64::from(f32::from_bits(bits));
    let elements = directions.as_chunks::<4>().0.iter().zip(lengths.as_chunks::<4>().0);
    let vector = |([x, y, z, w], [.., length]): (&[u32; 4], &[u32; 4])| {
        let [x, y, z] = [x, y, z].map(|component| float(*component) * float(*length));
        [x, y, z, float(*w)]
    };
    Data::Floats(4, elements.flat_map(vector).collect())
}

fn compare_bits(name: &str, before: &Data, found: &[u32], problems: &mut String) {
    let expected = before.bits();
    if let Some(at) = (0..expected.len()).find(|i| found.get(*i) != Some(&expected[*i])) {
        let element = at / before.width();
        let _ = writeln!(
            problems,
            "{name} must not be written: element {element} was {:#x}, is {:#x?}",
            expected[at],
            found.get(at)
        );
    }
}

#[allow(clippy::too_many_arguments, reason = "one verdict needs all of it")]
fn compare(
    name: &str,
    expected: &Data,
    found: &[u32],
    how: Match,
    branches: f64,
    cells: &[usize],
    problems: &mut String,
) {
    match (how, expected) {
        (Match::ByCell, Data::Words(1, expected)) => {
            // Per cell, the arrivals are the same numbers in some order.
            let sorted = |values: &[u32]| {
                let mut pairs: Vec<_> = cells.iter().copied().zip(values.iter().copied()).collect();
                pairs.sort_unstable();
                pairs
            };
            if sorted(expected) != sorted(found) {
                let _ = writeln!(problems, "{name}: arrivals differ as multisets");
            }
            if found.get(cells.len()..) != expected.get(cells.len()..) {
                let _ = writeln!(problems, "{name}: written beyond the live particles");
            }
        }
        (Match::Exact, data) => {
            let width = data.width();
            let expected = data.bits();
            // −0 and 0 are the same number.
            let same = |a: u32, b: u32| {
                a == b
                    || (matches!(data, Data::Floats(..)) && f32::from_bits(a) == f32::from_bits(b))
            };
            let wrong: Vec<_> = (0..expected.len())
                .filter(|i| !found.get(*i).is_some_and(|f| same(*f, expected[*i])))
                .collect();
            if wrong.len() as f64 > allowed(branches, expected.len() / width) {
                let at = wrong[0];
                let _ = writeln!(
                    problems,
                    "{name}: {} of {} scalars differ, first element {}: GPU {:#x?}, reference {:#x}",
                    wrong.len(),
                    expected.len(),
                    at / width,
                    found.get(at),
                    expected[at],
                );
            }
        }
        (Match::Close(tolerance), Data::Floats(width, expected)) => {
            assert!(
                tolerance <= CEILING && branches <= BRANCH_CEILING,
                "{name}: beyond the ceiling"
            );
            compare_floats(name, *width, expected, found, tolerance, branches, problems);
        }
        other => panic!("{name} cannot be compared by {other:?}"),
    }
}

fn allowed(branches: f64, elements: usize) -> f64 {
    branches * elements as f64
}

fn compare_floats(
    name: &str,
    width: usize,
    expected: &[f64],
    found: &[u32],
    tolerance: f64,
    branches: f64,
    problems: &mut String,
) {
    // x, y and z share a scale; w is another quantity.
    let scale_of = |w: bool| {
        let values =
            expected.iter().enumerate().filter(|(i, v)| (i % width == 3) == w && v.abs() < 1e30);
        values.map(|(_, value)| value.abs()).fold(0.0, f64::max)
    };
    let scales = [scale_of(false), scale_of(true)];
    let mut wrong = 0;
    let mut worst: Option<(f64, usize)> = None;
    for (element, values) in expected.chunks(width).enumerate() {
        let mut bad = false;
        for (k, value) in values.iter().enumerate() {
            let at = element * width + k;
            let gpu = found.get(at).map_or(f64::NAN, |bits| f64::from(f32::from_bits(*bits)));
            let scale = scales[usize::from(k == 3)];
            let error = (gpu - value).abs();
            // Far-away sentinels (empty bounds) must be equal in f32.
            let fine = error <= tolerance * scale || gpu as f32 == *value as f32;
            if !fine {
                bad = true;
                let measure =
                    if error.is_nan() { f64::INFINITY } else { error / scale.max(1e-300) };
                if worst.is_none_or(|(most, _)| measure > most) {
                    worst = Some((measure, at));
                }
            }
        }
        wrong += usize::from(bad);
    }
    if let Some((measure, at)) =
        worst.filter(|_| wrong as f64 > allowed(branches, expected.len() / width))
    {
        let _ = writeln!(
            problems,
            "{name}: {wrong} of {} elements differ by more than {tolerance:.0e} of the scale; worst element {} component {}: GPU {:e}, reference {:e} ({measure:.1e} of the scale)",
            expected.len() / width,
            at / width,
            at % width,
            f32::from_bits(found.get(at).copied().unwrap_or_default()),
            expected[at],
        );
    }
}

fn compare_control(expected: &Control, found: &Control, problems: &mut String) {
    let close = |a: f32, b: f32| (a - b).abs() <= 1e-6 * b.abs() || a == b;
    let mut rounded = *found;
    // Floats within rounding are taken as equal; integers must be exact.
    let sums = rounded.loops.iter_mut().map(|report| &mut report.residual_sum);
    let sums = sums.zip(expected.loops.iter().map(|report| report.residual_sum));
    for (slot, value) in sums.chain([
        (&mut rounded.time_in_frame, expected.time_in_frame),
        (&mut rounded.dt, expected.dt),
        (&mut rounded.longest_dt, expected.longest_dt),
        (&mut rounded.residual, expected.residual),
    ]) {
        if close(*slot, value) {
            *slot = value;
        }
    }
    if close(found.max_speed(), expected.max_speed()) {
        rounded.max_speed_bits = expected.max_speed_bits;
    }
    if close(found.max_acceleration(), expected.max_acceleration()) {
        rounded.max_acceleration_bits = expected.max_acceleration_bits;
    }
    if rounded != *expected {
        let _ = writeln!(problems, "Control differs:\nGPU       {found:?}\nreference {expected:?}");
    }
}

/// The cell of each live particle, by the twin of the counting pass.
fn cells_of(world: &World) -> Vec<usize> {
    let mut cells = Vec::new();
    let mut alone = world.clone();
    let live = world.control.particle_count as usize;
    for i in 0..live {
        // One particle at a time: whichever cell it is counted in is its own.
        alone.cell_count.iter_mut().for_each(|count| *count = 0);
        alone.control.particle_count = 1;
        alone.position[0] = world.position[i];
        alone.identity[0] = world.identity[i];
        run(&mut alone, "sort/count");
        cells.push(alone.cell_count.iter().position(|count| *count == 1).unwrap_or(0));
    }
    cells
}
