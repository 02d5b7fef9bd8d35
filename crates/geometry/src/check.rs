//! Checks of single values in a scene file, and the problems found.

use glam::DVec3;

use crate::Vec3;

/// Largest magnitude of a number, and inverse of the smallest positive one, so that results in
/// 32-bit floats on the GPU stay finite.
pub const LARGEST: f64 = 1e12;
/// Largest extent of a scene in support radii: at half of it from the centre, 32-bit positions
/// still resolve 256 steps per support radius.
pub const WIDEST: f64 = (1u32 << 16) as f64;

/// Kind of a problem, for programs that react to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A value that is missing, out of range, or does not go with another.
    #[default]
    Value,
    /// A name or key that nothing has: of a solver, a material.
    Unknown,
    /// A fluid or body where another is already.
    Overlap,
    /// A fluid, emitter or body outside a container or the domain, or in an obstacle.
    Place,
    /// More particles, cells or parts than are possible.
    TooMany,
    /// A time step or speed of sound that the flow outruns.
    Unstable,
}

/// A problem of a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Problem {
    /// Kind of the problem.
    pub kind: ProblemKind,
    /// Key with the problem, as in `fluid[0].shape.box.min`.
    pub path: String,
    /// What was found and what is expected: a sentence without a full stop.
    pub message: String,
}

impl Problem {
    /// A problem of the value of the key at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Value, path: path.into(), message: message.into() }
    }

    /// The problem as one of this kind.
    #[must_use]
    pub fn of(self, kind: ProblemKind) -> Self {
        Self { kind, ..self }
    }
}

/// Collector of problems. Its checks of single values return whether the value is valid.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "scenes make it")]
pub struct Check {
    /// Number of dimensions, 2 or 3.
    pub dimensions: u32,
    /// Particle spacing at rest, in m.
    pub spacing: f64,
    /// Support radius h of the kernel in m.
    pub support_radius: f64,
    /// Problems found.
    pub problems: Vec<Problem>,
}

impl Check {
    /// Adds a problem of the value of the key at `path`.
    pub fn report(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.report_as(ProblemKind::Value, path, message);
    }

    /// Adds a problem of this kind of the key at `path`.
    pub fn report_as(
        &mut self,
        kind: ProblemKind,
        path: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.problems.push(Problem::new(path, message).of(kind));
    }

    /// Whether no problem of the key at `path`, or of one below it, has been found yet.
    #[must_use]
    pub fn is_sound(&self, path: &str) -> bool {
        !self.problems.iter().any(|problem| problem.path.starts_with(path))
    }

    /// Checks that a list has at most `most` entries.
    pub fn at_most(&mut self, key: &str, found: usize, most: usize) {
        if found > most {
            let message = format!("at most {most} are possible, not {found}");
            self.report_as(ProblemKind::TooMany, format!("{key}[{most}]"), message);
        }
    }

    /// Checks for a number of at most [`LARGEST`].
    pub fn finite(&mut self, key: &str, value: f64) -> bool {
        let sound = value.abs() <= LARGEST;
        if !sound {
            self.report(key, format!("must be a finite number up to {LARGEST:e}, not {value:?}"));
        }
        sound
    }

    /// Checks for a finite number above 0.
    pub fn positive(&mut self, key: &str, value: f64) -> bool {
        if !self.finite(key, value) {
            return false;
        }
        let sound = value >= 1.0 / LARGEST;
        if !sound {
            self.report(key, format!("must be greater than 0, not {value:?}"));
        }
        sound
    }

    /// Checks for a finite number of at least 0.
    pub fn not_negative(&mut self, key: &str, value: f64) -> bool {
        self.within(key, value, 0.0, LARGEST)
    }

    /// Checks for a finite number from `low` to `high`.
    pub fn within(&mut self, key: &str, value: f64, low: f64, high: f64) -> bool {
        if !self.finite(key, value) {
            return false;
        }
        let sound = (low..=high).contains(&value);
        if !sound {
            let range = if high < LARGEST {
                format!("from {low} to {high}")
            } else {
                format!("{low} or more")
            };
            self.report(key, format!("must be {range}, not {value:?}"));
        }
        sound
    }

    /// Checks for a vector of finite numbers.
    pub fn vector(&mut self, key: &str, value: Vec3) -> bool {
        let bad = (0..3).find(|&axis| !self.finite(&format!("{key}[{axis}]"), value[axis]));
        bad.is_none()
    }

    /// Checks for a vector without z in 2-D.
    pub fn planar(&mut self, key: &str, value: Vec3) -> bool {
        if !self.vector(key, value) {
            return false;
        }
        let sound = self.dimensions != 2 || value[2] == 0.0;
        if !sound {
            self.report(format!("{key}[2]"), format!("must be 0 in 2-D, not {:?}", value[2]));
        }
        sound
    }

    /// Checks for a vector other than 0.
    pub fn direction(&mut self, key: &str, value: Vec3) -> bool {
        if !self.vector(key, value) {
            return false;
        }
        let sound = DVec3::from(value).length() >= 1.0 / LARGEST;
        if !sound {
            self.report(key, "must not be 0 in all components");
        }
        sound
    }

    /// Checks for a rotation axis, along z in 2-D.
    pub fn spin(&mut self, key: &str, axis: Vec3) {
        if self.direction(key, axis) && self.dimensions == 2 && (axis[0] != 0.0 || axis[1] != 0.0) {
            self.report(key, "must be along z in 2-D");
        }
    }

    /// Checks the lower and upper corner of a box.
    pub fn corners(&mut self, key: &str, min: Vec3, max: Vec3) -> bool {
        if !(self.vector(&format!("{key}.min"), min) & self.vector(&format!("{key}.max"), max)) {
            return false;
        }
        // Boxes of 2-D scenes may leave out z.
        let axes = if self.dimensions == 2 { 2 } else { 3 };
        let flat = (0..axes).find(|&axis| min[axis] >= max[axis]);
        if let Some(axis) = flat {
            let message = format!("must be below max: {} ≥ {}", min[axis], max[axis]);
            self.report(format!("{key}.min[{axis}]"), message);
        }
        flat.is_none()
    }

    /// Checks for two different points.
    pub fn segment(&mut self, key: &str, start: Vec3, end: Vec3) {
        let sound =
            self.planar(&format!("{key}.start"), start) & self.planar(&format!("{key}.end"), end);
        if sound && DVec3::from(start).distance(end.into()) < 1.0 / LARGEST {
            self.report(format!("{key}.end"), "must differ from start");
        }
    }
}
