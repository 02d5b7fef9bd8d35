//! Checks of single values that a scene file holds, and what they find.

use glam::DVec3;

use crate::Vec3;

/// Numbers larger than this, or positive ones below its inverse, are refused: what the GPU makes of
/// the others in 32-bit floats stays finite.
pub const LARGEST: f64 = 1e12;
/// Support radii across which everything must fit: at half of it from the centre, 32-bit positions
/// are still 256 steps to a support radius apart.
pub const WIDEST: f64 = (1u32 << 16) as f64;

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Problem {
    /// The key at fault, as in `fluid[0].shape.box.min`.
    pub path: String,
    /// What was found and what is expected, as a sentence without a full stop.
    pub message: String,
}

impl Problem {
    /// A problem of the key at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

/// The problems found so far. Its checks of single values return whether all is well.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "scenes make it")]
pub struct Check {
    /// 2 or 3.
    pub dimensions: u32,
    /// Distance of neighbouring particles at rest, in m.
    pub spacing: f64,
    /// Kernel support radius h in m.
    pub support_radius: f64,
    /// What was found.
    pub problems: Vec<Problem>,
}

impl Check {
    /// Adds a problem of the key at `path`.
    pub fn report(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem::new(path, message));
    }

    /// At most `most` entries of a list.
    pub fn at_most(&mut self, key: &str, found: usize, most: usize) {
        if found > most {
            let message = format!("at most {most} are possible, not {found}");
            self.report(format!("{key}[{most}]"), message);
        }
    }

    /// A number of at most [`LARGEST`].
    pub fn finite(&mut self, key: &str, value: f64) -> bool {
        let sound = value.abs() <= LARGEST;
        if !sound {
            self.report(key, format!("must be a finite number up to {LARGEST:e}, not {value:?}"));
        }
        sound
    }

    /// A finite number above 0.
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

    /// A finite number of 0 or more.
    pub fn not_negative(&mut self, key: &str, value: f64) -> bool {
        self.within(key, value, 0.0, LARGEST)
    }

    /// A finite number from `low` to `high`.
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

    /// A vector of finite numbers.
    pub fn vector(&mut self, key: &str, value: Vec3) -> bool {
        let bad = (0..3).find(|&axis| !self.finite(&format!("{key}[{axis}]"), value[axis]));
        bad.is_none()
    }

    /// A vector that has no z in 2-D.
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

    /// A vector other than 0.
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

    /// An axis of turns, along z in 2-D.
    pub fn spin(&mut self, key: &str, axis: Vec3) {
        if self.direction(key, axis) && self.dimensions == 2 && (axis[0] != 0.0 || axis[1] != 0.0) {
            self.report(key, "must be along z in 2-D");
        }
    }

    /// Lower and upper corner of a box.
    pub fn corners(&mut self, key: &str, min: Vec3, max: Vec3) -> bool {
        if !(self.vector(&format!("{key}.min"), min) & self.vector(&format!("{key}.max"), max)) {
            return false;
        }
        // A flat scene may leave z out of its boxes.
        let axes = if self.dimensions == 2 { 2 } else { 3 };
        let flat = (0..axes).find(|&axis| min[axis] >= max[axis]);
        if let Some(axis) = flat {
            let message = format!("must be below max: {} ≥ {}", min[axis], max[axis]);
            self.report(format!("{key}.min[{axis}]"), message);
        }
        flat.is_none()
    }

    /// Two points apart from each other.
    pub fn segment(&mut self, key: &str, start: Vec3, end: Vec3) {
        let sound =
            self.planar(&format!("{key}.start"), start) & self.planar(&format!("{key}.end"), end);
        if sound && DVec3::from(start).distance(end.into()) < 1.0 / LARGEST {
            self.report(format!("{key}.end"), "must differ from start");
        }
    }
}
