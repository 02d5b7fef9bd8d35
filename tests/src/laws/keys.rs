//! A scene displaced, turned and scaled, by its keys.

use glam::{DMat3, DVec3};
use toml::{Table, Value};

/// Keys of places.
const PLACES: [&str; 12] = [
    "min",
    "max",
    "center",
    "point",
    "points",
    "start",
    "end",
    "at",
    "translation",
    "ends",
    "fairlead",
    "anchor",
];

/// Keys of other vectors.
const VECTORS: [&str; 7] =
    ["velocity", "gravity", "acceleration", "normal", "amplitude", "position", "up"];

/// Keys of axes of rotation, which a mirror turns round.
const AXES: [&str; 2] = ["axis", "angular_velocity"];

/// Keys of lengths and of times that are single numbers.
const LENGTHS: [&str; 6] =
    ["particle_radius", "radius", "support_radius", "cell", "width", "height"];
const TIMES: [&str; 6] = ["until", "max_step", "step", "period", "settle", "average"];

/// Moves all places by as many m, with the domain or without.
pub(super) fn displace(keys: &mut Table, by: DVec3, with_domain: bool) {
    let domain = keys.get("domain").filter(|_| !with_domain).cloned();
    each_table(keys, &|table| {
        replace(table, &|key, x| {
            let is_place = x.len() > 1 && PLACES.contains(&key);
            is_place.then(|| x.iter().zip(by.to_array()).map(|(x, by)| x + by).collect())
        });
    });
    if let Some(domain) = domain {
        keys.insert("domain".into(), domain);
    }
}

/// Turns or mirrors all vectors.
pub(super) fn turn(keys: &mut Table, by: DMat3) {
    keys.entry("gravity").or_insert_with(|| vec![0.0, -9.81, 0.0].into());
    each_table(keys, &|table| {
        replace(table, &|key, x| {
            let is_axis = AXES.contains(&key);
            let is_vector = is_axis || PLACES.contains(&key) || VECTORS.contains(&key);
            let matrix = if is_axis { by.determinant() * by } else { by };
            let vector = || DVec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0));
            (is_vector && x.len() > 1).then(|| (matrix * vector()).to_array().to_vec())
        });
        // A box has its lower corner first.
        if let [Some(a), Some(b)] = ["min", "max"].map(|key| table.get(key).and_then(numbers)) {
            let corner = |of: fn(f64, f64) -> f64| -> Value {
                a.iter().zip(&b).map(|(a, b)| of(*a, *b)).collect::<Vec<_>>().into()
            };
            table.insert("min".into(), corner(f64::min));
            table.insert("max".into(), corner(f64::max));
        }
    });
}

/// Multiplies lengths by a factor and times by its root, which keeps Froude's number, and viscosities so that Reynolds' number stays.
pub(super) fn scale(keys: &mut Table, by: f64) {
    let time = keys.entry("time").or_insert_with(|| Table::new().into());
    let time = time.as_table_mut().expect("a table");
    time.entry("max_step").or_insert(Value::Float(0.005));
    time.entry("fps").or_insert(Value::Float(60.0));
    each_table(keys, &|table| {
        replace(table, &|key, x| {
            let is_vector = x.len() > 1;
            let power = match key {
                "amplitude" => 1.0,
                _ if is_vector && PLACES.contains(&key) || LENGTHS.contains(&key) => 1.0,
                "velocity" | "sound_speed" => 0.5,
                "fps" | "speed" | "angular_velocity" => -0.5,
                "viscosity" => 1.5,
                _ if !is_vector && TIMES.contains(&key) => 0.5,
                _ => return None,
            };
            Some(x.iter().map(|x| x * by.powf(power)).collect())
        });
    });
}

/// The numbers of an array that has only these.
pub(super) fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(number).collect()
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|x| x as f64))
}

/// Changes a table and all within it.
fn each_table(keys: &mut Table, change: &dyn Fn(&mut Table)) {
    fn within(value: &mut Value, change: &dyn Fn(&mut Table)) {
        match value {
            Value::Table(table) => each_table(table, change),
            Value::Array(array) => array.iter_mut().for_each(|value| within(value, change)),
            _ => {}
        }
    }
    change(keys);
    keys.iter_mut().for_each(|(_, value)| within(value, change));
}

/// Numbers in place of those of a key, if there are any.
type Other<'a> = &'a dyn Fn(&str, &[f64]) -> Option<Vec<f64>>;

/// Replaces the numbers and arrays of numbers of a table.
fn replace(table: &mut Table, by: Other<'_>) {
    fn replaced(key: &str, value: &mut Value, by: Other<'_>) {
        if let Some(x) = number(value) {
            if let Some(new) = by(key, &[x]) {
                *value = Value::Float(new[0]);
            }
        } else if let Some(x) = numbers(value) {
            if let Some(new) = by(key, &x) {
                *value = new.into();
            }
        } else if let Value::Array(array) = value {
            array.iter_mut().for_each(|value| replaced(key, value, by));
        }
    }
    table.iter_mut().for_each(|(key, value)| replaced(key, value, by));
}
