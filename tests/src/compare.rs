//! One pass on both sides from identical bits, and the verdict.

use std::{collections::BTreeMap, fmt::Write as _};

use meniscus::Gpu;
use meniscus_model::Control;
use meniscus_reference::{World, run};

use crate::{
    rows::{BRANCH_CEILING, CEILING, Match, Row},
    scale::{Scale, scales},
    single::{self, Change, Data, contents},
};

/// Change of a pass's text, which the comparison should detect.
pub type Sabotage<'a> = &'a dyn Fn(&str) -> String;

/// Largest error of each float buffer that a pass wrote, relative to its scale.
pub type Seen = Vec<(&'static str, f64)>;

/// Runs a row's pass on the GPU and in the reference, both from `world`, and compares everything.
///
/// # Errors
/// Every difference, with the worst element of each buffer and both values.
pub fn check(
    gpu: &Gpu,
    row: &Row,
    world: &World,
    sabotage: Option<Sabotage<'_>>,
) -> Result<Seen, String> {
    // For a walk that sums terms, change the last term.
    let term = row.pass.rsplit_once('+').map(|(_, term)| format!("terms/{term}"));
    let file = term.as_deref().unwrap_or(row.pass);
    let change = sabotage.map(|change| (file, change(source(file))));
    Expected::of(row, world).compare(gpu, change.as_slice())
}

/// Embedded text of a shader file.
///
/// # Panics
/// If there is no such file.
#[must_use]
pub fn source(file: &str) -> &'static str {
    let found = meniscus_wgsl::files().iter().find(|(name, _)| *name == file);
    found.unwrap_or_else(|| panic!("no shader file is named {file}")).1
}

/// Result of a pass of the reference for a world.
#[derive(Debug)]
pub struct Expected<'a> {
    row: &'a Row,
    world: World,
    control: Control,
    before: BTreeMap<String, Data>,
    after: BTreeMap<String, Data>,
    scales: BTreeMap<String, Scale>,
    /// Number of elements that the pass changes, in each of these buffers.
    changed: BTreeMap<String, usize>,
    /// Cell of each live particle, if arrivals are compared.
    cells: Vec<usize>,
    /// Factor on tolerances in this world.
    slack: f64,
}

/// Factor on tolerances where all particles are neighbours: they are for sums of some thirty terms, and the
/// rounding of a thousand nearly equal terms adds up (1.1e-5 in density, where the ordinary bound is 1e-6).
const CROWDED: f64 = 20.0;

/// Factor on tolerances in a world.
fn slack(world: &World) -> f64 {
    let live = world.control.particle_count as usize;
    let h = f64::from(world.params.kernel.support_radius);
    let near = |place: &&[f64; 4]| (0..3).all(|axis| place[axis].abs() < 0.5 * h);
    let crowd = world.position[..live].iter().filter(near).count();
    if crowd > 500 { CROWDED } else { 1.0 }
}

impl<'a> Expected<'a> {
    /// Runs the pass's twin.
    #[must_use]
    pub fn of(row: &'a Row, world: &World) -> Self {
        let before = contents(&mut world.clone());
        let mut done = world.clone();
        run(&mut done, row.pass);
        let control = done.control;
        let after = contents(&mut done);
        let close = |(_, how): &&(&str, Match)| matches!(how, Match::Close(_) | Match::Anew(_));
        let names: Vec<_> = row.writes.iter().filter(close).map(|(name, _)| *name).collect();
        let mut scales = scales(row.pass, world, &names, &before, &after);
        let changed = scales
            .iter()
            .map(|(name, scale)| (name.clone(), scale.elements(after[name].width())))
            .collect();
        for (name, how) in row.writes {
            if let (Match::Anew(_), Some(scale)) = (how, scales.get_mut(*name)) {
                scale.touched.fill(true);
                // A distance is a difference from the band, also where the one known before is the least.
                let band = f64::from(world.distance_field.band);
                scale.scale.iter_mut().for_each(|scale| *scale = scale.max(band));
            }
        }
        let by_cell = row.writes.iter().any(|(_, how)| *how == Match::ByCell);
        let cells = if by_cell { cells_of(world) } else { Vec::new() };
        let world = world.clone();
        let slack = slack(&world);
        Self { row, world, control, before, after, scales, changed, cells, slack }
    }

    /// Whether the reference writes to a buffer of floats in this world.
    #[must_use]
    pub fn writes(&self, buffer: &str) -> bool {
        self.scales.get(buffer).is_some_and(|scale| scale.touched.contains(&true))
    }

    /// Runs the pass on the GPU, with some shader files replaced, and compares everything.
    ///
    /// # Errors
    /// Every difference, with the worst element of each buffer and both values.
    pub fn compare(&self, gpu: &Gpu, changes: &[Change<'_>]) -> Result<Seen, String> {
        let row = self.row;
        let (control, found) = single::run(gpu, row, &self.world, changes)?;
        let mut problems = String::new();
        if row.control {
            compare_control(&self.control, &control, &mut problems);
        } else if control != self.world.control {
            let was = self.world.control;
            let _ = writeln!(problems, "Control was written:\n{control:?}\nfrom\n{was:?}");
        }
        for (name, before) in &self.before {
            if let Some(found) = found.get(name).filter(|_| !row.writes.iter().any(|w| w.0 == name))
            {
                compare_bits(name, before, found, &mut problems);
            }
        }
        let mut seen = Seen::new();
        for (name, how) in row.writes {
            match found.get(*name) {
                Some(found) => seen.extend(self.judge(name, *how, found, &mut problems)),
                None => {
                    let _ = writeln!(problems, "{name} is not bound by the pass");
                }
            }
        }
        if problems.is_empty() { Ok(seen) } else { Err(format!("{}:\n{problems}", row.pass)) }
    }

    fn judge(
        &self,
        name: &'static str,
        how: Match,
        found: &[u32],
        problems: &mut String,
    ) -> Option<(&'static str, f64)> {
        match (how, &self.after[name]) {
            (Match::ByCell, Data::Words(1, expected)) => {
                compare_arrivals(name, expected, found, &self.cells, problems);
                None
            }
            (Match::Exact, expected) => {
                compare_exactly(name, expected, found, self.row.branches, problems);
                None
            }
            (Match::Close(tolerance) | Match::Anew(tolerance), Data::Floats(width, expected)) => {
                let branches = self.row.branches;
                assert!(
                    tolerance <= CEILING && branches <= BRANCH_CEILING,
                    "{name}: beyond the ceiling"
                );
                let floats = Floats {
                    name,
                    width: *width,
                    before: &self.before[name].bits(),
                    expected,
                    scale: &self.scales[name],
                    changed: self.changed[name],
                };
                let seen = floats.compare(found, self.slack * tolerance, branches, problems);
                Some((name, seen / self.slack))
            }
            other => panic!("{name} cannot be compared by {other:?}"),
        }
    }
}

/// Runs a row's pass on the GPU, with some shader files replaced, in worlds in which it is not active: after a
/// failure, in the other phase of a frame, and before and after the stages that are to be run.
///
/// # Errors
/// Every buffer that it wrote nevertheless.
pub fn check_idle(
    gpu: &Gpu,
    row: &Row,
    world: &World,
    changes: &[Change<'_>],
) -> Result<(), String> {
    let number = world.stage.number;
    let idle: [&dyn Fn(&mut Control); 4] = [
        &|control| control.failure = 1,
        &|control| control.frame_done = 1 - control.frame_done,
        &|control| control.resume_hi = number,
        &|control| control.resume_lo = number + 1,
    ];
    let mut problems = String::new();
    for change in idle {
        let mut world = world.clone();
        change(&mut world.control);
        let (control, buffers) = single::run(gpu, row, &world, changes)?;
        if control != world.control {
            let _ = writeln!(problems, "Control was written: {control:?}");
        }
        for (name, before) in contents(&mut world.clone()) {
            if let Some(found) = buffers.get(&name) {
                compare_bits(&name, &before, found, &mut problems);
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("{}, idle:\n{problems}", row.pass)) }
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

/// Checks that the arrivals of each cell are the same numbers in some order.
fn compare_arrivals(
    name: &str,
    expected: &[u32],
    found: &[u32],
    cells: &[usize],
    problems: &mut String,
) {
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

fn compare_exactly(
    name: &str,
    expected: &Data,
    found: &[u32],
    branches: f64,
    problems: &mut String,
) {
    let width = expected.width();
    let floats = matches!(expected, Data::Floats(..));
    let expected = expected.bits();
    let wrong: Vec<_> = (0..expected.len())
        .filter(|i| !found.get(*i).is_some_and(|found| same(*found, expected[*i], floats)))
        .collect();
    if wrong.len() > allowed(branches, expected.len() / width) {
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

/// −0 and 0 are the same number.
fn same(a: u32, b: u32, floats: bool) -> bool {
    a == b || (floats && f32::from_bits(a) == f32::from_bits(b))
}

fn allowed(branches: f64, elements: usize) -> usize {
    (branches * elements as f64) as usize
}

/// A buffer of floats that the pass writes.
struct Floats<'a> {
    name: &'a str,
    width: usize,
    before: &'a [u32],
    expected: &'a [f64],
    scale: &'a Scale,
    /// Number of elements that the pass changes.
    changed: usize,
}

impl Floats<'_> {
    /// Largest error relative to the scale, without the elements that may take the other side of a
    /// branch.
    fn compare(&self, found: &[u32], tolerance: f64, branches: f64, problems: &mut String) -> f64 {
        // Worst scalar of each element that the pass touches.
        let mut errors: Vec<(f64, usize)> = Vec::new();
        for first in (0..self.expected.len()).step_by(self.width) {
            let mut worst = None;
            for at in first..first + self.width {
                match self.error(found, at) {
                    Some(error) if worst.is_none_or(|(most, _)| error > most) => {
                        worst = Some((error, at));
                    }
                    // Not to be written. The other side of a branch may move it by rounding.
                    None if !found.get(at).is_some_and(|new| same(*new, self.before[at], true)) => {
                        let error = match branches > 0.0 {
                            true => self.distance(found, at),
                            false => f64::INFINITY,
                        };
                        if worst.is_none_or(|(most, _)| error > most) {
                            worst = Some((error, at));
                        }
                    }
                    _ => {}
                }
            }
            errors.extend(worst);
        }
        errors.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let Some((worst, at)) = errors.get(allowed(branches, self.changed)).copied() else {
            return 0.0;
        };
        if worst > tolerance {
            let wrong = errors.iter().filter(|(error, _)| *error > tolerance).count();
            let how = format!(
                "{wrong} of {} elements are off by more than {tolerance:.1e}, this by {worst:.1e} of {:.3e}",
                errors.len(),
                self.scale.scale[at]
            );
            self.report(found, at, &how, problems);
        }
        worst
    }

    /// Error of a scalar relative to its scale; `None` if the pass does not touch it.
    fn error(&self, found: &[u32], at: usize) -> Option<f64> {
        if !self.scale.touched[at] {
            return None;
        }
        Some(self.distance(found, at))
    }

    /// Difference from the reference relative to the scale.
    fn distance(&self, found: &[u32], at: usize) -> f64 {
        let expected = self.expected[at];
        let gpu = found.get(at).map_or(f32::NAN, |bits| f32::from_bits(*bits));
        // Far-away sentinels (empty bounds) and 0 must be equal in f32.
        if gpu == expected as f32 {
            return 0.0;
        }
        let error = (f64::from(gpu) - expected).abs() / self.scale.scale[at];
        if error.is_nan() { f64::INFINITY } else { error }
    }

    fn report(&self, found: &[u32], at: usize, how: &str, problems: &mut String) {
        let gpu = found.get(at).map(|bits| f32::from_bits(*bits));
        let _ = writeln!(
            problems,
            "{}: element {} component {}: {how}: GPU {gpu:?}, reference {:?}, before {:?}",
            self.name,
            at / self.width,
            at % self.width,
            self.expected[at],
            f32::from_bits(self.before[at]),
        );
    }
}

fn compare_control(expected: &Control, found: &Control, problems: &mut String) {
    let close = |a: f32, b: f32| (a - b).abs() <= 1e-6 * b.abs() || a == b;
    let mut rounded = *found;
    // Floats within rounding count as equal; integers must be exact.
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

/// Cell of each live particle, by the twin of the counting pass.
fn cells_of(world: &World) -> Vec<usize> {
    let mut cells = Vec::new();
    let mut alone = world.clone();
    let live = world.control.particle_count as usize;
    for i in 0..live {
        // One particle at a time: the cell with a count is its own.
        alone.cell_count.iter_mut().for_each(|count| *count = 0);
        alone.control.particle_count = 1;
        alone.position[0] = world.position[i];
        alone.identity[0] = world.identity[i];
        run(&mut alone, "sort/count");
        cells.push(alone.cell_count.iter().position(|count| *count == 1).unwrap_or(0));
    }
    cells
}
