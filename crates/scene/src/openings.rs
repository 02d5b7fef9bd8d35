//! Open boundaries: faces across an axis through which the fluid comes and goes.

use glam::DVec3;
use meniscus_geometry::bounds::{planar, positive};
use meniscus_geometry::{Content, Cuboid, Side, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Boundary, Scene};

/// Most open boundaries of a scene.
pub const MAX_OPENINGS: usize = 16;

/// Share of a particle spacing by which a face may miss a wall that it is meant to lie on.
pub(crate) const SLACK: f64 = 0.51;

/// A way along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(clippy::exhaustive_enums, reason = "space has six ways")]
pub enum Way {
    /// Towards larger x.
    #[serde(rename = "+x")]
    Right,
    /// Towards smaller x.
    #[serde(rename = "-x")]
    Left,
    /// Towards larger y.
    #[serde(rename = "+y")]
    Up,
    /// Towards smaller y.
    #[serde(rename = "-y")]
    Down,
    /// Towards larger z.
    #[serde(rename = "+z")]
    Near,
    /// Towards smaller z.
    #[serde(rename = "-z")]
    Far,
}

impl Way {
    /// Number of the axis, and 1 or −1.
    #[must_use]
    pub fn along(self) -> (usize, f64) {
        match self {
            Self::Right => (0, 1.0),
            Self::Left => (0, -1.0),
            Self::Up => (1, 1.0),
            Self::Down => (1, -1.0),
            Self::Near => (2, 1.0),
            Self::Far => (2, -1.0),
        }
    }
}

/// Velocities across a face relative to their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::exhaustive_enums, reason = "the host does each")]
pub enum Profile {
    /// The same everywhere.
    #[default]
    Uniform,
    /// 6 s (1 − s), s from 0 to 1 across the face; in 3-D a product of two of them.
    Parabolic,
}

/// Inflow by time: rows of a CSV file, time in s, then velocity in m/s, volume per time, or rise in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowTable {
    /// Path of the file, relative to the scene's.
    pub file: String,
    /// What the second column is.
    #[serde(default)]
    pub of: FlowKind,
    /// Rows of the file, once it was read.
    #[serde(skip)]
    #[schemars(skip)]
    pub rows: Content<Vec<[f64; 2]>>,
}

/// What an inflow is given by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::exhaustive_enums, reason = "the host does each")]
pub enum FlowKind {
    /// Mean velocity in m/s.
    #[default]
    Velocity,
    /// Volume per time in m³/s (in 2-D m²/s).
    Rate,
    /// Rise in m of waves that come in, over the level.
    Rise,
}

/// What lets waves leave through a face with a level (Flather 1976): the pressure beyond is ρ c u above the hydrostatic one, where
/// waves of the celerity c leave with the velocity u.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Absorb {
    /// Velocity in m/s of the stream without waves, in through an inlet, out through an outlet.
    #[serde(default)]
    pub velocity: f64,
    /// Period in s of the waves, which gives their celerity; absent: that of long waves, √(g d).
    #[serde(default)]
    #[schemars(transform = positive)]
    pub period: Option<f64>,
}

/// A face through which fluid comes in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Inlet {
    /// Name in the log; `inlet_1`, `inlet_2`, … if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the material; the first one if absent.
    #[serde(default)]
    pub material: Option<String>,
    /// A whole side of the first box that is a container, in place of `min`, `max` and `direction`.
    #[serde(default)]
    pub side: Option<Way>,
    /// Lower corner of the face in m.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub min: Option<Vec3>,
    /// Upper corner in m, the same as the lower one along one axis.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub max: Option<Vec3>,
    /// Direction in which the fluid comes in.
    #[serde(default)]
    pub direction: Option<Way>,
    /// Mean velocity in m/s.
    #[serde(default)]
    pub velocity: Option<f64>,
    /// Volume per time in m³/s (in 2-D m²/s).
    #[serde(default)]
    pub rate: Option<f64>,
    /// Inflow by time.
    #[serde(default)]
    pub table: Option<FlowTable>,
    /// Velocities across the face.
    #[serde(default)]
    pub profile: Profile,
    /// Height of the water's surface in m, up to which the face is wet; all of it if absent.
    #[serde(default)]
    pub level: Option<f64>,
    /// Lets waves leave through a face with a level alone.
    #[serde(default)]
    pub absorb: Option<Absorb>,
}

/// A face through which fluid leaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Outlet {
    /// Name in the log; `outlet_1`, `outlet_2`, … if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// A whole side of the first box that is a container, in place of `min`, `max` and `direction`.
    #[serde(default)]
    pub side: Option<Way>,
    /// Lower corner of the face in m.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub min: Option<Vec3>,
    /// Upper corner in m, the same as the lower one along one axis.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub max: Option<Vec3>,
    /// Direction in which the fluid leaves.
    #[serde(default)]
    pub direction: Option<Way>,
    /// Height in m of the water's surface beyond the face: the pressure there is hydrostatic.
    #[serde(default)]
    pub level: Option<f64>,
    /// Pressure in Pa at the middle of the face.
    #[serde(default)]
    pub pressure: Option<f64>,
    /// Lets waves leave through a face with a level.
    #[serde(default)]
    pub absorb: Option<Absorb>,
}

/// What holds at a face.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "the host does each")]
pub enum Flow {
    /// Velocity of the fluid that comes in, in m/s, by time in s.
    Velocity(Vec<[f64; 2]>),
    /// Pressure in Pa at the middle of the face, hydrostatic from there.
    Pressure(f64),
    /// Hydrostatic pressure below a height in m.
    Level(f64),
    /// Hydrostatic pressure below the surface that the water itself has there.
    Free,
}

/// An inlet or outlet, with its place worked out.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "setups read it")]
pub struct Opening {
    /// Name in the log.
    pub name: String,
    /// Path of its table in the scene, as `inlet[0]`.
    pub path: String,
    /// Material of what comes in.
    pub material: Option<String>,
    /// Axis across the face.
    pub axis: usize,
    /// 1 if the fluid is on the side of larger coordinates, else −1.
    pub inward: f64,
    /// Lower corner of the face in m.
    pub min: DVec3,
    /// Upper corner in m.
    pub max: DVec3,
    /// What holds there.
    pub flow: Flow,
    /// Velocities across it.
    pub profile: Profile,
    /// Height in m up to which it is wet.
    pub level: Option<f64>,
    /// What lets waves leave.
    pub absorb: Option<Absorb>,
    /// Rise in m over the level, by time in s, of waves that come in.
    pub rise: Vec<[f64; 2]>,
}

/// What is wrong with a face that cannot absorb.
const ABSORB: &str =
    "needs a level, and neither velocity nor rate: waves leave by the pressure beyond";

/// Keys of the place of a face, of an inlet or outlet.
struct Face<'a> {
    path: String,
    name: &'a Option<String>,
    usual: String,
    side: Option<Way>,
    corners: [Option<Vec3>; 2],
    direction: Option<Way>,
    /// 1 of an inlet, −1 of an outlet: the sign of the fluid's way into the container.
    into: f64,
}

/// Corners of a box that holds the fluid, if a boundary is one that does not move.
pub(crate) fn container(boundary: &Boundary) -> Option<Cuboid> {
    let rests = boundary.motion.is_empty() && boundary.velocity == [0.0; 3];
    let [min, max] = boundary.shape.box_corners()?;
    (boundary.side == Side::Inside && rests).then_some(Cuboid { min, max })
}

impl Face<'_> {
    /// Axis, way into the container, and corners.
    fn place(&self, scene: &Scene) -> Result<(usize, f64, DVec3, DVec3), (String, String)> {
        let fail = |key: &str, message: &str| (format!("{}{key}", self.path), message.to_owned());
        if let Some(side) = self.side {
            if self.corners != [None; 2] || self.direction.is_some() {
                return Err(fail(
                    ".side",
                    "must be given without min, max and direction, which it stands for",
                ));
            }
            let Some(cuboid) = scene.boundaries.iter().find_map(container) else {
                let message = "needs a container: a [[boundary]] with shape.box that does not move; or give min, max \
                               and direction";
                return Err(fail(".side", message));
            };
            let (axis, sign) = side.along();
            let (mut min, mut max) = (DVec3::from(cuboid.min), DVec3::from(cuboid.max));
            let plane = if sign > 0.0 { max[axis] } else { min[axis] };
            (min[axis], max[axis]) = (plane, plane);
            return Ok((axis, -sign, min, max));
        }
        let [Some(min), Some(max)] = self.corners else {
            return Err(fail(
                "",
                "needs a side = \"-x\" of the container, or min, max and direction",
            ));
        };
        let Some(direction) = self.direction else {
            let message =
                "needs a direction, as \"+x\": the way in which the fluid flows through it";
            return Err(fail("", message));
        };
        let (axis, sign) = direction.along();
        let spanned = (0..scene.dimensions as usize).all(|a| a == axis || min[a] < max[a]);
        if axis >= scene.dimensions as usize || min[axis] != max[axis] || !spanned {
            let message =
                "must be a rectangle across `direction`: along it min = max, else min < max";
            return Err(fail(".min", message));
        }
        Ok((axis, self.into * sign, min.into(), max.into()))
    }
}

impl Scene {
    /// Direction against gravity, if it is along an axis: the axis, and 1 or −1.
    #[must_use]
    pub fn upward(&self) -> Option<(usize, f64)> {
        let mut along = (0..3).filter(|axis| self.gravity[*axis] != 0.0);
        let axis = along.next().filter(|_| along.next().is_none())?;
        Some((axis, -self.gravity[axis].signum()))
    }

    /// All inlets, then all outlets, with their places worked out.
    ///
    /// # Errors
    /// The first problem of each that has one: path of the key and message.
    pub fn openings(&self) -> Result<Vec<Opening>, Vec<(String, String)>> {
        let (mut all, mut problems) = (Vec::new(), Vec::new());
        let results = (0..self.inlets.len())
            .map(|i| self.inlet(i))
            .chain((0..self.outlets.len()).map(|i| self.outlet(i)));
        for result in results {
            match result {
                Ok(opening) => all.push(opening),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(all) } else { Err(problems) }
    }

    fn opening(&self, face: &Face<'_>, flow: Flow) -> Result<Opening, (String, String)> {
        let (axis, inward, min, max) = face.place(self)?;
        Ok(Opening {
            name: face.name.clone().unwrap_or_else(|| face.usual.clone()),
            path: face.path.clone(),
            material: None,
            axis,
            inward,
            min,
            max,
            flow,
            profile: Profile::Uniform,
            level: None,
            absorb: None,
            rise: Vec::new(),
        })
    }

    fn inlet(&self, i: usize) -> Result<Opening, (String, String)> {
        let inlet = &self.inlets[i];
        let face = Face {
            path: format!("inlet[{i}]"),
            name: &inlet.name,
            usual: format!("inlet_{}", i + 1),
            side: inlet.side,
            corners: [inlet.min, inlet.max],
            direction: inlet.direction,
            into: 1.0,
        };
        let fail = |key: &str, message: &str| Err((format!("inlet[{i}]{key}"), message.to_owned()));
        let given = [inlet.velocity.is_some(), inlet.rate.is_some(), inlet.table.is_some()];
        let given = given.iter().filter(|given| **given).count();
        if given > 1 {
            return fail("", "must have one of velocity, rate and table, not several");
        }
        let own = self.opening(&face, Flow::Free)?;
        let mut opening = Opening { level: inlet.level, absorb: inlet.absorb, ..own };
        let wet = opening.wet_area(self);
        let steady = |value: f64| Ok(vec![[0.0, value]]);
        let by_rate = |rate: f64| rate / wet.max(1e-30);
        let rows = match (inlet.velocity, inlet.rate, &inlet.table) {
            (Some(velocity), ..) => steady(velocity),
            (_, Some(rate), _) => steady(by_rate(rate)),
            (.., Some(table)) => {
                let rows = table.rows.get().map(|rows| rows.to_vec()).unwrap_or_default();
                match table.of {
                    FlowKind::Velocity => Ok(rows),
                    FlowKind::Rate => {
                        Ok(rows.into_iter().map(|[time, rate]| [time, by_rate(rate)]).collect())
                    }
                    FlowKind::Rise => {
                        opening.rise = rows;
                        Err(())
                    }
                }
            }
            _ => Err(()),
        };
        if !opening.rise.is_empty() && (inlet.level.is_none() || inlet.absorb.is_none()) {
            return fail(".table", "of \"rise\" needs a level and absorb = {}");
        }
        if opening.absorb.is_some() && (rows.is_ok() || inlet.level.is_none()) {
            return fail(".absorb", ABSORB);
        }
        let flow = match (rows, inlet.level) {
            (Ok(rows), _) => Flow::Velocity(rows),
            (Err(()), Some(level)) => Flow::Level(level),
            (Err(()), None) => {
                return fail(
                    "",
                    "needs a velocity, a rate, a table of one of them by time, or a level alone",
                );
            }
        };
        if inlet.profile == Profile::Parabolic && inlet.level.is_some() {
            return fail(
                ".profile",
                "must be left out beside a level: parabolic is for full ducts",
            );
        }
        let (material, profile) = (inlet.material.clone(), inlet.profile);
        Ok(Opening { material, flow, profile, ..opening })
    }

    fn outlet(&self, i: usize) -> Result<Opening, (String, String)> {
        let outlet = &self.outlets[i];
        let face = Face {
            path: format!("outlet[{i}]"),
            name: &outlet.name,
            usual: format!("outlet_{}", i + 1),
            side: outlet.side,
            corners: [outlet.min, outlet.max],
            direction: outlet.direction,
            into: -1.0,
        };
        let flow = match (outlet.level, outlet.pressure) {
            (Some(_), Some(_)) => {
                let message = "must have a level or a pressure, not both".to_owned();
                return Err((face.path, message));
            }
            (Some(level), None) => Flow::Level(level),
            (None, Some(pressure)) => Flow::Pressure(pressure),
            (None, None) => Flow::Free,
        };
        if outlet.absorb.is_some() && outlet.level.is_none() {
            return Err((format!("outlet[{i}].absorb"), ABSORB.to_owned()));
        }
        let opening = self.opening(&face, flow)?;
        Ok(Opening { level: outlet.level, absorb: outlet.absorb, ..opening })
    }

    /// The scene with room behind its open boundaries: containers of boxes go on behind faces on their sides, `depth` m
    /// at least.
    #[must_use]
    pub fn with_room(&self, depth: f64) -> Self {
        let mut scene = self.clone();
        let Ok(openings) = self.openings() else { return scene };
        for opening in &openings {
            for boundary in &mut scene.boundaries {
                let Some(mut cuboid) = container(boundary) else { continue };
                if !opening.is_across(&cuboid, self.spacing(), self.dimensions) {
                    continue;
                }
                let plane = opening.min[opening.axis];
                let side = if opening.inward > 0.0 { &mut cuboid.min } else { &mut cuboid.max };
                let behind = opening.inward * (plane - side[opening.axis]);
                if behind < depth && behind > -SLACK * self.spacing() {
                    side[opening.axis] = plane - opening.inward * depth;
                    boundary.shape = cuboid.into();
                }
            }
        }
        scene
    }
}

/// Wave number k in 1/m of waves of a period in s in water of a depth in m: ω² = g k tanh(k d).
#[must_use]
pub fn wave_number(period: f64, depth: f64, g: f64) -> f64 {
    // Newton's method for y = k d of y tanh y = ω² d/g; from the larger of both limits it converges from one side.
    let deep = (std::f64::consts::TAU / period).powi(2) * depth / g;
    let mut y = deep.max(deep.sqrt());
    for _ in 0..50 {
        let tanh = y.tanh();
        y -= (y * tanh - deep) / (tanh + y * (1.0 - tanh * tanh));
    }
    y / depth
}

impl Opening {
    /// Direction into the fluid.
    #[must_use]
    pub fn way_in(&self) -> DVec3 {
        self.inward * DVec3::AXES[self.axis]
    }

    /// Whether it is an inlet.
    #[must_use]
    pub fn is_inlet(&self) -> bool {
        self.path.starts_with("inlet")
    }

    /// Depth in m of the water below its level.
    #[must_use]
    pub fn depth(&self, scene: &Scene) -> Option<f64> {
        let ((up, sign), level) = (scene.upward()?, self.level?);
        Some(level - (sign * self.min[up]).min(sign * self.max[up]))
    }

    /// Celerity in m/s and wave number in 1/m of the waves that leave, of ω² = g k tanh(k d); that of long waves is 0.
    #[must_use]
    pub fn waves(&self, scene: &Scene) -> Option<[f64; 2]> {
        let (depth, (up, _)) = (self.depth(scene)?, scene.upward()?);
        let g = scene.gravity[up].abs();
        Some(match self.absorb?.period {
            None => [(g * depth).sqrt(), 0.0],
            Some(period) => {
                let number = wave_number(period, depth, g);
                [std::f64::consts::TAU / (period * number), number]
            }
        })
    }

    /// Corners of the face in m, as far as it is wet: where waves pass, all of it may be.
    #[must_use]
    pub fn wet(&self, scene: &Scene) -> [DVec3; 2] {
        let (mut low, mut high) = (self.min, self.max);
        let level = self.level.filter(|_| self.absorb.is_none());
        if let (Some(level), Some((up, sign))) = (level, scene.upward()) {
            if sign > 0.0 {
                high[up] = high[up].min(level).max(low[up]);
            } else {
                low[up] = low[up].max(-level).min(high[up]);
            }
        }
        [low, high]
    }

    /// Area in m² (in 2-D, length in m) of the face, as far as it is wet.
    fn wet_area(&self, scene: &Scene) -> f64 {
        let axes = (0..scene.dimensions as usize).filter(|axis| *axis != self.axis);
        let [low, high] = self.wet(scene);
        axes.map(|axis| high[axis] - low[axis]).product()
    }

    /// Whether the face lies within the sides of a box, or on them.
    pub(crate) fn is_across(&self, cuboid: &Cuboid, spacing: f64, dimensions: u32) -> bool {
        let axes = (0..dimensions as usize).filter(|axis| *axis != self.axis);
        let slack = SLACK * spacing;
        axes.into_iter().all(|axis| {
            self.min[axis] >= cuboid.min[axis] - slack && self.max[axis] <= cuboid.max[axis] + slack
        })
    }
}

#[cfg(test)]
mod tests {
    use meniscus_geometry::Vec3;

    use super::*;

    fn channel() -> Scene {
        Scene::new(0.05).with_boundary(Boundary::tank([0.0; 3], [2.0, 1.0, 0.5]))
    }

    #[test]
    fn a_side_is_a_face_of_the_container() {
        let mut scene = channel();
        scene.inlets =
            vec![Inlet { side: Some(Way::Left), velocity: Some(0.5), ..Inlet::default() }];
        scene.outlets = vec![Outlet { side: Some(Way::Right), ..Outlet::default() }];
        let [inlet, outlet] = &scene.openings().expect("both are sound")[..] else { panic!("two") };
        assert_eq!((inlet.axis, inlet.inward, inlet.min.x, inlet.max.y), (0, 1.0, 0.0, 1.0));
        assert_eq!((outlet.axis, outlet.inward, outlet.min.x), (0, -1.0, 2.0));
        assert_eq!(inlet.flow, Flow::Velocity(vec![[0.0, 0.5]]));
        let room = scene.with_room(0.3).boundaries[0].shape.box_corners();
        assert_eq!(room, Some([[-0.3, 0.0, 0.0], [2.3, 1.0, 0.5]]));
    }

    #[test]
    fn a_rate_is_that_of_the_wet_part() {
        let mut scene = channel();
        let corners: [Vec3; 2] = [[0.0; 3], [0.0, 1.0, 0.5]];
        scene.inlets = vec![Inlet {
            min: Some(corners[0]),
            max: Some(corners[1]),
            direction: Some(Way::Right),
            rate: Some(0.1),
            level: Some(0.4),
            ..Inlet::default()
        }];
        let openings = scene.openings().expect("sound");
        assert_eq!(openings[0].flow, Flow::Velocity(vec![[0.0, 0.5]]));
        scene.inlets[0].velocity = Some(1.0);
        assert!(scene.openings().is_err());
    }
}
