//! Probes: what a run measures beside its log.

use meniscus_geometry::bounds::planar;
use meniscus_geometry::{Check, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Scene;

/// Something that a run measures at a place, with a name of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Probe {
    /// Pressure, density and velocity of the fluid at a point; of smoke its density, temperature and velocity.
    Point {
        /// Name of its columns.
        name: String,
        /// The point in m.
        #[schemars(transform = planar)]
        at: Vec3,
        /// Sides in m of a box, flat for an area, about the point over which its values are means. Places without fluid have no
        /// pressure.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[schemars(inner(range(min = 0.0)))]
        size: Vec3,
        /// Time in s over which its values are means; 0: those of the moment.
        #[serde(default, skip_serializing_if = "is_nothing")]
        #[schemars(range(min = 0.0))]
        average: f64,
    },
    /// Height of the water above a point, against gravity.
    Gauge {
        /// Name of its column.
        name: String,
        /// The point in m, as on the floor.
        #[schemars(transform = planar)]
        at: Vec3,
        /// Time in s over which its values are means; 0: those of the moment.
        #[serde(default, skip_serializing_if = "is_nothing")]
        #[schemars(range(min = 0.0))]
        average: f64,
    },
    /// Volume that flows through a rectangle across an axis in a second, positive along the axis.
    Section {
        /// Name of its column.
        name: String,
        /// Lower corner in m.
        min: Vec3,
        /// Upper corner in m, the same as the lower one along one axis.
        max: Vec3,
        /// Time in s over which its values are means; 0: those of the moment.
        #[serde(default, skip_serializing_if = "is_nothing")]
        #[schemars(range(min = 0.0))]
        average: f64,
    },
    /// How far the fluid has come along an axis.
    Front {
        /// Name of its column.
        name: String,
        /// x, y or z.
        axis: ProbeAxis,
    },
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::exhaustive_enums, reason = "space has three axes")]
pub enum ProbeAxis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

fn is_zero(vector: &Vec3) -> bool {
    *vector == Vec3::default()
}

impl Probe {
    /// Name of the probe.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Point { name, .. }
            | Self::Gauge { name, .. }
            | Self::Section { name, .. }
            | Self::Front { name, .. } => name,
        }
    }

    /// Time in s over which its values are means.
    #[must_use]
    pub fn average(&self) -> f64 {
        match self {
            Self::Point { average, .. }
            | Self::Gauge { average, .. }
            | Self::Section { average, .. } => *average,
            Self::Front { .. } => 0.0,
        }
    }

    /// Axis across a section: the one along which its corners are the same.
    #[must_use]
    pub fn across(min: Vec3, max: Vec3, dimensions: u32) -> Option<usize> {
        let mut same = (0..dimensions as usize).filter(|axis| min[*axis] == max[*axis]);
        same.next().filter(|_| same.next().is_none())
    }
}

/// Reports problems of the scene's probes.
pub(crate) fn check(check: &mut Check, scene: &Scene) {
    for (i, probe) in scene.probes.iter().enumerate() {
        let key = |name: &str| format!("probe[{i}].{name}");
        let name = probe.name();
        if name.is_empty() {
            check.report(key("name"), "must not be empty");
        }
        if scene.probes[..i].iter().any(|other| other.name() == name) {
            check.report(key("name"), format!("{name:?} is the name of an earlier probe"));
        }
        match probe {
            Probe::Point { .. } => {}
            Probe::Gauge { .. } => {
                if scene.gravity == [0.0; 3] {
                    check.report(key("gauge"), "has no height without gravity");
                }
            }
            Probe::Section { min, max, .. } => {
                let sound = check.is_sound(&key("section"));
                let across = Probe::across(*min, *max, scene.dimensions);
                let is_spanned = (0..scene.dimensions as usize)
                    .all(|axis| Some(axis) == across || min[axis] < max[axis]);
                if sound && (across.is_none() || !is_spanned) {
                    let message =
                        "must be a rectangle across an axis: along it min = max, else min < max";
                    check.report(key("section"), message);
                }
            }
            Probe::Front { axis, .. } => {
                if scene.dimensions == 2 && *axis == ProbeAxis::Z {
                    check.report(key("front.axis"), "must be x or y in 2-D");
                }
            }
        }
    }
}
