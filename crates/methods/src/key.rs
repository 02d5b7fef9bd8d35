//! Keys of methods: the values that a scene can set, their bounds and their meaning.

use meniscus_scene::Value;

use crate::Context;

/// A key of a method, in the table of the method (`[wcsph]`) or of its axis (`[viscosity]`).
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name in scene files.
    pub name: &'static str,
    /// Type and bounds.
    pub kind: KeyKind,
    /// SI unit; empty for pure numbers.
    pub unit: &'static str,
    /// Description, as a sentence.
    pub help: &'static str,
    /// Key of the same method that must not be larger.
    pub at_least: Option<&'static str>,
    /// Whether it acts only when a simulation starts.
    pub at_start: bool,
}

/// Type of a key, its bounds and its default.
#[derive(Clone, Copy, Debug)]
pub enum KeyKind {
    /// Number from `low` to `high`.
    Number {
        /// Least value; for [`Key::POSITIVE`], 0 is too small.
        low: f64,
        /// Largest value.
        high: f64,
        /// Default.
        default: Default,
    },
    /// Whole number of at least `low`.
    Integer {
        /// Least value.
        low: i64,
        /// Default.
        default: i64,
    },
    /// `true` or `false`.
    Flag {
        /// Default.
        default: bool,
    },
    /// So many numbers from `low` to `high`; absent by default.
    Numbers {
        /// How many.
        count: usize,
        /// Least value of each.
        low: f64,
        /// Largest value of each.
        high: f64,
    },
    /// One of these names, each with its meaning; the first is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

/// Default of a number.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// Always the same.
    Is(f64),
    /// Depends on the scene, with a description.
    By(fn(&Context<'_>) -> f64, &'static str),
}

impl Key {
    /// Marker of numbers that must be positive.
    pub const POSITIVE: f64 = 1e-12;
    /// Largest number in a scene.
    pub const LARGEST: f64 = 1e12;

    /// Key of any kind.
    #[must_use]
    pub const fn new(name: &'static str, kind: KeyKind, help: &'static str) -> Self {
        Self { name, kind, unit: "", help, at_least: None, at_start: false }
    }

    /// Number from `low` to `high`, with a constant default.
    #[must_use]
    pub const fn number(
        name: &'static str,
        [low, high]: [f64; 2],
        default: f64,
        help: &'static str,
    ) -> Self {
        Self::new(name, KeyKind::Number { low, high, default: Default::Is(default) }, help)
    }

    /// Positive number whose default depends on the scene.
    #[must_use]
    pub const fn derived(
        name: &'static str,
        unit: &'static str,
        default: fn(&Context<'_>) -> f64,
        means: &'static str,
        help: &'static str,
    ) -> Self {
        let default = Default::By(default, means);
        let kind = KeyKind::Number { low: Self::POSITIVE, high: Self::LARGEST, default };
        Self::new(name, kind, help).unit(unit)
    }

    /// Whole number of at least `low`.
    #[must_use]
    pub const fn integer(name: &'static str, low: i64, default: i64, help: &'static str) -> Self {
        Self::new(name, KeyKind::Integer { low, default }, help)
    }

    /// Flag that is off by default.
    #[must_use]
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self::new(name, KeyKind::Flag { default: false }, help)
    }

    /// One of some names; the first is the default.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        choices: &'static [(&'static str, &'static str)],
        help: &'static str,
    ) -> Self {
        Self::new(name, KeyKind::Choice(choices), help)
    }

    /// So many numbers from `low` to `high`, absent by default.
    #[must_use]
    pub const fn numbers(
        name: &'static str,
        count: usize,
        [low, high]: [f64; 2],
        help: &'static str,
    ) -> Self {
        Self::new(name, KeyKind::Numbers { count, low, high }, help)
    }

    /// Key with a unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Key that acts only when a simulation starts: room for particles, the size of cells.
    #[must_use]
    pub const fn at_start(self) -> Self {
        Self { at_start: true, ..self }
    }

    /// Key of a derived number that may be 0.
    #[must_use]
    pub const fn or_zero(self) -> Self {
        let kind = match self.kind {
            KeyKind::Number { high, default, .. } => KeyKind::Number { low: 0.0, high, default },
            other => other,
        };
        Self { kind, ..self }
    }

    /// Key whose value must be at least that of another key of the method.
    #[must_use]
    pub const fn at_least(self, other: &'static str) -> Self {
        Self { at_least: Some(other), ..self }
    }

    /// Default, if it is constant.
    #[must_use]
    pub fn constant(&self) -> Option<Value> {
        match self.kind {
            KeyKind::Number { default: Default::Is(value), .. } => Some(Value::Number(value)),
            KeyKind::Number { default: Default::By(..), .. } | KeyKind::Numbers { .. } => None,
            KeyKind::Integer { default, .. } => Some(Value::Integer(default)),
            KeyKind::Flag { default } => Some(Value::Flag(default)),
            KeyKind::Choice(choices) => choices.first().map(|(name, _)| (*name).into()),
        }
    }

    /// Problem of a value, as a sentence without a full stop.
    #[must_use]
    pub fn problem(&self, value: &Value) -> Option<String> {
        match (self.kind, value) {
            (KeyKind::Number { low, high, .. }, value) => match value.number() {
                Some(number) => out_of_range(number, low, high),
                None => Some(format!("must be a number, not {}", described(value))),
            },
            (KeyKind::Integer { low, .. }, Value::Integer(number)) => {
                let sound = (low..=i64::from(u32::MAX)).contains(number);
                (!sound).then(|| format!("must be {low} or more, not {number}"))
            }
            (KeyKind::Integer { .. }, value) => {
                Some(format!("must be a whole number, not {}", described(value)))
            }
            (KeyKind::Flag { .. }, Value::Flag(_)) => None,
            (KeyKind::Flag { .. }, value) => {
                Some(format!("must be true or false, not {}", described(value)))
            }
            (KeyKind::Numbers { count, low, high }, Value::Numbers(numbers)) => {
                let wrong = numbers.iter().find_map(|number| out_of_range(*number, low, high));
                let short = numbers.len() != count;
                wrong.or_else(|| {
                    short.then(|| format!("must be {count} numbers, not {}", numbers.len()))
                })
            }
            (KeyKind::Numbers { count, .. }, value) => {
                Some(format!("must be a list of {count} numbers, not {}", described(value)))
            }
            (KeyKind::Choice(choices), Value::Text(name)) => {
                let known: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                let sound = known.contains(&name.as_str());
                (!sound).then(|| crate::names::unknown("value", name, &known))
            }
            (KeyKind::Choice(_), value) => {
                Some(format!("must be a name, not {}", described(value)))
            }
        }
    }
}

fn out_of_range(number: f64, low: f64, high: f64) -> Option<String> {
    let largest = Key::LARGEST;
    if number.is_nan() || number.abs() > largest {
        return Some(format!("must be a finite number up to {largest:e}, not {number:?}"));
    }
    if (low..=high).contains(&number) {
        return None;
    }
    Some(match (low == Key::POSITIVE, high < largest) {
        (true, false) => format!("must be greater than 0, not {number:?}"),
        (_, true) => format!("must be from {low} to {high}, not {number:?}"),
        (false, false) => format!("must be {low} or more, not {number:?}"),
    })
}

fn described(value: &Value) -> String {
    match value {
        Value::Flag(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => format!("{value:?}"),
        Value::Text(value) => format!("{value:?}"),
        Value::Texts(_) => "a list of names".into(),
        Value::Numbers(_) => "a list of numbers".into(),
        Value::Other(kind) => (*kind).into(),
    }
}
