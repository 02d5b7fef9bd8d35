//! The comparison of a stage on the GPU with the reference, element by element.
//!
//! There is one rule. Integers are equal. A float differs by at most [`TOLERANCE`] times the scale of its
//! rounding errors ([`crate::scale`]), and one that the reference does not touch has the same bits as
//! before; a subnormal number is 0, as on devices that do not have them. Arrivals in cells, which atomics number in any order, are the same numbers in each cell.

use std::fmt;

use meniscus::{
    methods::{
        space::{PARTICLES, SORTED},
        tables::Tables,
    },
    raw::Phase,
};
use meniscus_model::{Control, control::STRUCTS, params::KIND_REMOVED, shared::encode};
use meniscus_reference::Array;

use crate::{
    moment::Moment,
    scale::share,
    single::{Found, Side},
};

/// Largest error relative to the scale: about twice the largest one of software Vulkan in any stage of
/// the test scenes.
pub const TOLERANCE: f64 = 4e-6;

/// A difference between GPU and reference.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "its users read it")]
pub struct Difference {
    /// Label of the stage.
    pub stage: String,
    /// Array, or `control`.
    pub array: String,
    /// Element of the array; word of Control.
    pub element: usize,
    /// Lane of the element, or the field of Control.
    pub lane: String,
    /// Id of the particle, for arrays over particles.
    pub id: Option<u32>,
    /// The GPU's value.
    pub gpu: f64,
    /// The reference's value.
    pub reference: f64,
    /// The value before.
    pub before: f64,
    /// Largest difference allowed; 0 for integers and what must not be written.
    pub allowed: f64,
    /// Number of scalars of the array that differ.
    pub count: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, array, element, lane, id, gpu, reference, before, allowed, count } = self;
        write!(f, "stage {stage}: {array}[{element}]{lane}")?;
        if let Some(id) = id {
            write!(f, " (particle {id})")?;
        }
        write!(
            f,
            " is {gpu:e} on the GPU and {reference:e} in the reference ({before:e} before), at most \
             {allowed:.1e} apart is allowed; {count} scalars of the array differ"
        )
    }
}

/// Why a comparison ended.
#[derive(Debug)]
#[allow(clippy::exhaustive_enums, reason = "tests match on it")]
pub enum Stop {
    /// A difference.
    Differs(Box<Difference>),
    /// The GPU or the reference could not do a stage.
    Failed(meniscus::Error),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs(difference) => difference.fmt(f),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl<E: Into<meniscus::Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Runs a stage on the GPU and compares everything that it binds. Returns the largest error of a float
/// relative to its scale, at most [`TOLERANCE`]; without `MENISCUS_ERRORS` an upper bound, relative to the float itself
/// where that suffices.
///
/// # Errors
/// The first difference, or a stage that the GPU cannot do.
pub fn check(side: &Side, moment: &Moment) -> Result<f64, Stop> {
    let found = side.run(moment, &moment.world.control)?;
    if let Some(difference) = control_difference(moment, &found.control) {
        return Err(Stop::Differs(Box::new(difference)));
    }
    compare(moment, &found).map_err(Stop::Differs)
}

/// Runs a stage on the GPU in circumstances in which it is not active: after a failure, in the other phase
/// of a frame, and before and after the stages that are to be run.
///
/// # Errors
/// The first array that it writes nevertheless, or a stage that the GPU cannot do.
pub fn check_idle(side: &Side, moment: &Moment) -> Result<(), Stop> {
    let number = moment.placed.number;
    let idle: [&dyn Fn(&mut Control); 4] = [
        &|control| control.failure = 1,
        &|control| control.resume_hi = number,
        &|control| control.resume_lo = number + 1,
        &|control| control.frame_done = 1 - control.frame_done,
    ];
    // Lists between frames are active in both phases.
    let used = if moment.placed.phase == Phase::Any { 3 } else { 4 };
    for change in &idle[..used] {
        let mut control = moment.world.control;
        change(&mut control);
        let found = side.run(moment, &control)?;
        let written = found.arrays.iter().find_map(|(name, bits)| {
            let before = moment.before[name.as_str()].bits();
            let at = (0..before.len()).find(|at| bits.get(*at) != Some(&before[*at]))?;
            Some((name.clone(), at / moment.before[name.as_str()].width()))
        });
        let control = (found.control != control).then(|| ("control".to_owned(), 0));
        if let Some((array, element)) = written.or(control) {
            let stage = format!("{}, which is not active", moment.placed.stage.label());
            return Err(Stop::Differs(Box::new(Difference {
                stage,
                array,
                element,
                lane: String::new(),
                id: None,
                gpu: f64::NAN,
                reference: f64::NAN,
                before: f64::NAN,
                allowed: 0.0,
                count: 1,
            })));
        }
    }
    Ok(())
}

/// Compares all arrays.
fn compare(moment: &Moment, found: &Found) -> Result<f64, Box<Difference>> {
    let mut most: f64 = 0.0;
    for (name, bits) in &found.arrays {
        let name = name.as_str();
        // Equal stretches leave their axes open; the reference takes its own tangents where they are used (implicit/strain).
        if name == "tangent" {
            continue;
        }
        let (old, array) = (&moment.before[name], &moment.after[name]);
        let (bits, array) = match name {
            "arrival" => (by_cell(bits, moment), &arrivals(array, moment)),
            _ => (bits.clone(), array),
        };
        let error = compare_array(moment, name, old, array, &bits)?;
        most = most.max(error);
    }
    Ok(most)
}

fn compare_array(
    moment: &Moment,
    name: &str,
    old: &Array,
    array: &Array,
    found: &[u32],
) -> Result<f64, Box<Difference>> {
    let (old, new, width) = (old.bits(), array.bits(), array.width());
    let same = |at: &usize| match found.get(*at) {
        // Each byte of these is a rounded number.
        Some(bits) if name == "levelset_empty" => {
            let bytes = bits.to_le_bytes().into_iter().zip(new[*at].to_le_bytes());
            bytes.into_iter().all(|(a, b)| a.abs_diff(b) <= 1)
        }
        bits => bits == Some(&new[*at]),
    };
    let differ: Vec<usize> = (0..new.len()).filter(|at| !same(at)).collect();
    if differ.is_empty() {
        return Ok(0.0);
    }
    let difference = |at: usize, allowed: f64, count: usize| {
        let value = |bits: Option<u32>| match array {
            Array::Words { .. } => bits.map_or(f64::NAN, f64::from),
            Array::Floats { .. } => bits.map_or(f64::NAN, |bits| f32::from_bits(bits).into()),
        };
        Box::new(Difference {
            stage: moment.placed.stage.label(),
            array: name.to_owned(),
            element: at / width,
            lane: if width > 1 { format!("[{}]", at % width) } else { String::new() },
            id: particle(moment, name, at / width),
            gpu: value(found.get(at).copied()),
            reference: match array {
                Array::Words { data, .. } => data[at].into(),
                Array::Floats { data, .. } => data[at],
            },
            before: value(old.get(at).copied()),
            allowed,
            count,
        })
    };
    let Array::Floats { data, .. } = array else {
        return Err(difference(differ[0], 0.0, differ.len()));
    };
    let mut simple = data.clone();
    share(name, width, &mut simple);
    let error = |at: usize| {
        let gpu: f64 = found.get(at).map_or(f64::NAN, |bits| f32::from_bits(*bits).into());
        // A position at one end of a period is also at the other.
        let period = match name {
            "position" | "sorted_position" if at % width < 3 => {
                f64::from(moment.world.params.grid.period[at % width])
            }
            _ => 0.0,
        };
        let apart = gpu - data[at];
        let error = apart.abs().min((apart.abs() - period).abs());
        // −0 and 0 are the same number, and so is what is too small for a normal one.
        if error < f64::from(f32::MIN_POSITIVE) || gpu == f64::from(data[at] as f32) {
            0.0
        } else if error.is_nan() {
            f64::INFINITY
        } else {
            error
        }
    };
    // Most elements meet the tolerance relative to their own size, for which the condition is not needed; where the
    // largest errors are asked for, it is.
    let measured = std::env::var_os("MENISCUS_ERRORS").is_some();
    let plain =
        |at: &usize| !measured && error(*at) <= TOLERANCE * simple[*at] && new[*at] != old[*at];
    let mut most =
        differ.iter().filter(|at| plain(at)).map(|at| error(*at) / simple[*at]).fold(0.0, f64::max);
    let doubtful: Vec<usize> =
        differ.into_iter().filter(|at| !plain(at) && error(*at) > 0.0).collect();
    if doubtful.is_empty() {
        return Ok(most);
    }
    let scale = &moment.scales()[name];
    let allowed = |at: usize| if scale.touched[at] { TOLERANCE * scale.scale[at] } else { 0.0 };
    let wrong: Vec<usize> =
        doubtful.iter().copied().filter(|at| error(*at) > allowed(*at)).collect();
    if let Some(at) = wrong
        .iter()
        .copied()
        .max_by(|a, b| (error(*a) / scale.scale[*a]).total_cmp(&(error(*b) / scale.scale[*b])))
    {
        return Err(difference(at, allowed(at), wrong.len()));
    }
    for at in doubtful {
        most = most.max(error(at) / scale.scale[at]);
    }
    Ok(most)
}

/// Arrivals with those of each cell in ascending order.
fn by_cell(arrivals: &[u32], moment: &Moment) -> Vec<u32> {
    let world = &moment.world;
    let live = world.control.particle_count as usize;
    let smoothed = moment.placed.stage.array("position") == "smoothed_position";
    let position = if smoothed { &world.smoothed_position } else { &world.position };
    let cell = |i: usize| {
        let (place, grid) = (position[i], &world.params.grid);
        let key = |axis: usize| {
            let x = (place[axis] as f32 - grid.origin[axis]) * grid.inverse_cell[axis];
            (x.floor() as i64).rem_euclid(i64::from(grid.size[axis].max(1)))
        };
        let kind = world.identity[i][1] & 255;
        // All removed particles are in one bucket.
        if kind == KIND_REMOVED { (kind, 0, 0, 0) } else { (kind, key(2), key(1), key(0)) }
    };
    let mut ordered = arrivals.to_vec();
    let mut places: Vec<usize> = (0..live.min(arrivals.len())).collect();
    places.sort_by_key(|i| (cell(*i), *i));
    let mut values = places.clone();
    values.sort_by_key(|i| (cell(*i), arrivals[*i]));
    for (to, from) in places.into_iter().zip(values) {
        ordered[to] = arrivals[from];
    }
    ordered
}

fn arrivals(array: &Array, moment: &Moment) -> Array {
    match array {
        Array::Words { width, data } => Array::Words { width: *width, data: by_cell(data, moment) },
        Array::Floats { .. } => array.clone(),
    }
}

/// Id of the particle to which an element of an array belongs.
fn particle(moment: &Moment, name: &str, element: usize) -> Option<u32> {
    let row = Tables::with(&moment.extras).array(name).ok()?;
    let world = &moment.world;
    let unsorted = ["position", "velocity", "identity", "arrival"].contains(&name)
        || name.starts_with("warm_");
    let identity = if unsorted { &world.identity } else { &world.sorted_identity };
    let live = element < world.control.particle_count as usize;
    let known = [PARTICLES, SORTED].contains(&row.extent) && live;
    known.then(|| identity.get(element).map(|who| who[0])).flatten()
}

/// Difference of a word of Control: integers and bits must be equal, floats within a relative
/// [`TOLERANCE`].
fn control_difference(moment: &Moment, found: &Control) -> Option<Difference> {
    let words =
        |control: &Control| -> Vec<u32> { bytemuck::pod_collect_to_vec(&encode(&[*control])) };
    let [before, expected, found] = [&moment.world.control, &moment.control, found].map(words);
    // The bits of integers below 2²³ are subnormal floats, no two of which are within a tolerance.
    let same = |(a, b): (&u32, &u32)| {
        let [a, b] = [a, b].map(|bits| f64::from(f32::from_bits(*bits)));
        a.to_bits() == b.to_bits() || (a - b).abs() <= TOLERANCE * b.abs()
    };
    let differ: Vec<_> =
        (0..expected.len()).filter(|i| !same((&found[*i], &expected[*i]))).collect();
    let at = *differ.first()?;
    let control = STRUCTS.iter().find(|known| known.name == "Control")?;
    let field = control.offsets.iter().rposition(|offset| *offset <= 4 * at as u64);
    let name = field.map_or("?", |field| control.fields[field].name);
    let float = |bits: u32| {
        let value = f64::from(f32::from_bits(bits));
        if value.abs() < 1e-30 { f64::from(bits) } else { value }
    };
    Some(Difference {
        stage: moment.placed.stage.label(),
        array: "control".into(),
        element: at,
        lane: format!(".{name}"),
        id: None,
        gpu: float(found[at]),
        reference: float(expected[at]),
        before: float(before[at]),
        allowed: 0.0,
        count: differ.len(),
    })
}
