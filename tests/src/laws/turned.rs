//! What is measured turns with the scene, and grows with it.

use glam::{DMat3, DVec3};
use toml::{Table, Value};

use super::{
    Finding, Trial,
    trial::{PLACES, Run, numbers},
};

/// Vectors of a scene, beside places.
const VECTORS: [&str; 7] =
    ["velocity", "gravity", "acceleration", "normal", "amplitude", "position", "up"];

/// Vectors along axes of rotation, which a mirror turns round.
const AXES: [&str; 2] = ["axis", "angular_velocity"];

/// Largest change, relative: sums in another order and rounding, which grow while fluid moves.
const BOUND: f64 = 0.01;

/// Largest change of what is at rest on a grid, whose cells are the same ones.
const ON_GRID: f64 = 1e-3;

pub(super) fn check(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let quarter = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let mut findings = Vec::new();
    for (how, by) in [("a quarter turn", quarter), ("a mirror", mirror)] {
        let other = trial.run(|keys| {
            keys.entry("gravity").or_insert_with(|| vec![0.0, -9.81, 0.0].into());
            turn(keys, by);
        });
        findings.extend(compare(how, &base, &other, |x| by * x, 1.0, 1.0));
    }
    findings
}

/// Turns all vectors of a scene.
fn turn(keys: &mut Table, by: DMat3) {
    let pseudo = by.determinant() * by;
    // A box has its lower corner first.
    let corners = ["min", "max"].map(|key| keys.get(key).and_then(numbers));
    for (key, value) in keys.iter_mut() {
        let matrix = if AXES.contains(&key.as_str()) { pseudo } else { by };
        let own = [&PLACES[..], &VECTORS, &AXES].concat();
        match value {
            Value::Table(table) => turn(table, by),
            Value::Array(array) => {
                let is_vector = own.contains(&key.as_str());
                match array.iter().map(number).collect::<Option<Vec<_>>>() {
                    Some(x) if is_vector && x.len() > 1 => *array = turned(&x, matrix),
                    Some(_) => {}
                    None => {
                        for value in array.iter_mut() {
                            match value {
                                Value::Table(table) => turn(table, by),
                                other => {
                                    if let Some(x) = numbers(other).filter(|_| is_vector) {
                                        *other = turned(&x, matrix).into();
                                    }
                                }
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    if let [Some(a), Some(b)] = corners {
        let [a, b] = [a, b].map(|x| by * vector(&x));
        keys.insert("min".into(), a.min(b).to_array().to_vec().into());
        keys.insert("max".into(), a.max(b).to_array().to_vec().into());
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|x| x as f64))
}

fn vector(x: &[f64]) -> DVec3 {
    DVec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0))
}

fn turned(x: &[f64], by: DMat3) -> Vec<Value> {
    (by * vector(x)).to_array().map(Value::Float).to_vec()
}

/// Speed of what is at rest, relative to that of a fall by the scene's length.
const LITTLE: f64 = 0.02;

/// Factor on lengths; times have its root, which keeps Froude's number.
const SCALE: f64 = 10.0;

/// Numbers that are lengths, speeds, rates in 1/s and kinematic viscosities (of a density that stays).
const LENGTHS: [&str; 6] =
    ["particle_radius", "radius", "support_radius", "cell", "width", "height"];
const TIMES: [&str; 6] = ["until", "max_step", "step", "period", "settle", "average"];

pub(super) fn scale(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let other = trial.run(|keys| {
        let time = keys.entry("time").or_insert_with(|| Table::new().into());
        let time = time.as_table_mut().expect("a table");
        time.entry("max_step").or_insert(Value::Float(0.005));
        time.entry("fps").or_insert(Value::Float(60.0));
        grow(keys);
    });
    let speed = SCALE.sqrt();
    // Weights grow with the volume, impulses with the time as well.
    let volume = SCALE.powi(base.scene.dimensions as i32);
    compare("ten times as large", &base, &other, |x| SCALE * x, speed, volume * speed)
}

/// Multiplies what has a length or a time.
fn grow(keys: &mut Table) {
    for (key, value) in keys.iter_mut() {
        let length = [&PLACES[..], &LENGTHS, &["amplitude"]].concat().contains(&key.as_str());
        let factor = match key.as_str() {
            _ if length => SCALE,
            "velocity" | "sound_speed" => SCALE.sqrt(),
            "fps" | "speed" | "angular_velocity" => SCALE.sqrt().recip(),
            "viscosity" => SCALE.powf(1.5),
            key if TIMES.contains(&key) => SCALE.sqrt(),
            _ => 1.0,
        };
        match value {
            Value::Table(table) => grow(table),
            Value::Array(array) => array.iter_mut().for_each(|value| match value {
                Value::Table(table) => grow(table),
                other => multiply(other, factor),
            }),
            other => multiply(other, factor),
        }
    }
}

fn multiply(value: &mut Value, by: f64) {
    match value {
        Value::Array(array) => array.iter_mut().for_each(|value| multiply(value, by)),
        other => {
            if let Some(x) = number(other).filter(|_| by != 1.0) {
                *other = Value::Float(by * x);
            }
        }
    }
}

/// Differences of two runs, of which the second has places `to(x)`, speeds and impulses times these.
fn compare(
    how: &str,
    a: &Run,
    b: &Run,
    to: impl Fn(DVec3) -> DVec3,
    speed: f64,
    impulse: f64,
) -> Vec<Finding> {
    let still = a.is_on_grid() && a.end().report.max_speed < LITTLE * a.speed();
    let bound = if still { ON_GRID } else { BOUND };
    let (one, two) = (a.end(), b.end());
    let unit = b.length();
    let mut findings = Vec::new();
    let mut add = |what: String, error: f64, scale: f64| {
        findings.push(Finding::new(format!("{how}, {what}"), error / scale, bound));
    };
    if one.report.mass > 0.0 {
        let [from, at] = [one, two].map(|end| DVec3::from(end.report.center_of_mass));
        add("centre of mass".into(), (at - to(from)).length(), unit);
        // One particle's speed says nothing where fluid splashes.
        let energy = |run: &Run| run.end().report.kinetic_energy / run.end().report.mass;
        let change = (energy(b) - speed * speed * energy(a)).abs();
        add("kinetic energy".into(), change, 0.5 * b.speed().powi(2));
    }
    for (x, y) in one.bodies.iter().zip(&two.bodies) {
        let [from, at] = [x, y].map(|body| DVec3::from(body.position));
        add(format!("place of {}", x.name), (at - to(from)).length(), unit);
    }
    let sum = |run: &Run, k: usize| run.frames.iter().map(|f| f.impulses[k].1).sum::<DVec3>();
    let straight = |v: DVec3| to(v) - to(DVec3::ZERO);
    for (k, (name, _)) in one.impulses.iter().enumerate() {
        let size = straight(DVec3::X).length();
        let due = straight(sum(a, k)) / size * impulse;
        add(format!("impulse on {name}"), (sum(b, k) - due).length(), b.impulse());
    }
    if one.temperature > 0.0 {
        add("temperature".into(), (two.temperature - one.temperature).abs(), one.temperature);
    }
    findings
}
