//! Values of a scene's probes, from a state that was read back.
//!
//! Values between particles are means by the cubic spline, A(x) = Σ V A W / Σ V W, and the share of a place that the
//! fluid fills is Σ V W, ½ at a flat surface, with rest volumes V. Of what flows through a section a place counts in full from ¾
//! on, and not at all below ¼: particles leave gaps, and walls have none beside them.
//!
//! Pressures are means over twice the support, since they alternate from layer to layer beside walls, of those that the particles
//! have at the place by the water's weight, p + ρ g·(x − `x_j`) (Adami, Hu, Adams 2012, 27): also at a floor, where all are above it.

mod averages;

use std::collections::HashMap;

use glam::{DVec3, I64Vec3};
use meniscus_methods::{Family, Space, kernel};
use meniscus_scene::{Kernel, Probe, ProbeAxis, Scene};

use crate::params::{KIND_FLUID, Params};
use crate::{Setup, State};
pub use averages::Averages;
use averages::{counts_nothing, mean};

/// Share of fluid at its surface.
const SURFACE: f64 = 0.5;
/// Steps per particle spacing along a gauge.
const STEPS: f64 = 4.0;

/// Name of a value, as `gauge_1` or `p.pressure`, and its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Name of the probe, with that of the value if it has several.
    pub name: String,
    /// Unit; empty for pure numbers.
    pub unit: &'static str,
}

impl Column {
    /// A column of this name and unit.
    #[must_use]
    pub fn new(name: impl Into<String>, unit: &'static str) -> Self {
        Self { name: name.into(), unit }
    }
}

/// Columns of all probes of a scene, in order.
#[must_use]
pub fn columns(scene: &Scene, family: &Family) -> Vec<Column> {
    let parts: &[(&str, &str)] = match family.has_particles {
        false => &[("density", ""), ("temperature", "K")],
        true => &[
            ("pressure", "Pa"),
            ("density", if scene.dimensions == 2 { "kg/m²" } else { "kg/m³" }),
        ],
    };
    let axes = [("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s")];
    let flow = if scene.dimensions == 2 { "m²/s" } else { "m³/s" };
    let of = |probe: &Probe| {
        let name = probe.name();
        match probe {
            Probe::Point { .. } => parts
                .iter()
                .chain(&axes[..scene.dimensions as usize])
                .map(|&(part, unit)| Column { name: format!("{name}.{part}"), unit })
                .collect(),
            Probe::Section { .. } => vec![Column { name: name.to_owned(), unit: flow }],
            _ => vec![Column { name: name.to_owned(), unit: "m" }],
        }
    };
    scene.probes.iter().flat_map(of).collect()
}

/// Values of all probes, in the order of [`columns`]; NaN where there is no fluid.
#[must_use]
pub fn values(scene: &Scene, setup: &Setup, state: &State) -> Vec<f64> {
    let place = match setup.chosen.family().has_particles {
        false => Medium::Air(Air { setup, state }),
        true => Medium::Water(Water::new(scene, setup, state)),
    };
    scene.probes.iter().flat_map(|probe| place.values(scene, probe)).collect()
}

/// What is at a point.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Share that the fluid fills.
    fill: f64,
    velocity: DVec3,
    /// The first values of a point's columns.
    first: [f64; 2],
}

enum Medium<'a> {
    Air(Air<'a>),
    Water(Water),
}

impl Medium<'_> {
    fn at(&self, x: DVec3) -> Sample {
        match self {
            Self::Air(air) => air.at(x),
            Self::Water(water) => water.at(x),
        }
    }

    /// How much of what moves at a point is fluid.
    fn wet(&self, x: DVec3) -> f64 {
        match self {
            Self::Air(_) => 1.0,
            Self::Water(water) => (2.0 * water.fill(x) - SURFACE).clamp(0.0, 1.0),
        }
    }

    fn values(&self, scene: &Scene, probe: &Probe) -> Vec<f64> {
        match probe {
            Probe::Point { at, size, .. } => {
                let all = self.over(scene, (*at).into(), (*size).into());
                mean(
                    all.map(|values| (1.0, values)),
                    &counts_nothing(probe, scene, self.is_water()),
                )
            }
            Probe::Section { min, max, .. } => vec![self.flow(scene, *min, *max)],
            Probe::Gauge { at, .. } => vec![match self {
                Self::Water(water) => water.height((*at).into()),
                Self::Air(_) => f64::NAN,
            }],
            Probe::Front { axis, .. } => vec![match self {
                Self::Water(water) => water.front(*axis),
                Self::Air(_) => f64::NAN,
            }],
        }
    }

    fn is_water(&self) -> bool {
        matches!(self, Self::Water(_))
    }

    /// Values of a point's columns at the places of a box about it.
    fn over(&self, scene: &Scene, at: DVec3, size: DVec3) -> impl Iterator<Item = Vec<f64>> {
        let (places, _) = lattice(scene, at - 0.5 * size, at + 0.5 * size);
        places.map(|x| {
            let Sample { velocity, first, .. } = self.at(x);
            let v = velocity.to_array();
            first.iter().chain(&v[..scene.dimensions as usize]).copied().collect()
        })
    }

    /// Flow through a rectangle, by the midpoints of a lattice of at most a spacing.
    fn flow(&self, scene: &Scene, min: [f64; 3], max: [f64; 3]) -> f64 {
        let Some(across) = Probe::across(min, max, scene.dimensions) else { return f64::NAN };
        let (places, area) = lattice(scene, min.into(), max.into());
        let mut flow = 0.0;
        for x in places {
            let (sample, wet) = (self.at(x), self.wet(x));
            if sample.fill > 0.0 {
                flow += area * wet * sample.velocity[across];
            }
        }
        flow
    }
}

/// Midpoints of the parts, at most a spacing wide, into which a box of any number of dimensions is divided, and the size of a part.
fn lattice(scene: &Scene, min: DVec3, max: DVec3) -> (impl Iterator<Item = DVec3> + use<>, f64) {
    let sides: [f64; 3] =
        std::array::from_fn(
            |axis| {
                if axis < scene.dimensions as usize { (max - min)[axis] } else { 0.0 }
            },
        );
    let counts = sides.map(|side| ((side / scene.spacing()).ceil() as u32).max(1));
    let wide = |axis: &usize| sides[*axis] > 0.0;
    let part = (0..3).filter(wide).map(|axis| sides[axis] / f64::from(counts[axis])).product();
    let share = move |axis: usize, k: u32| (f64::from(k) + 0.5) / f64::from(counts[axis]);
    let rows = (0..counts[2]).flat_map(move |k| (0..counts[1]).map(move |j| (k, j)));
    let places = rows.flat_map(move |(k, j)| (0..counts[0]).map(move |i| [i, j, k]));
    let of = move |[i, j, k]: [u32; 3]| {
        min + DVec3::new(share(0, i), share(1, j), share(2, k)) * (max - min)
    };
    (places.map(of), part)
}

/// Smoke on its cells.
struct Air<'a> {
    setup: &'a Setup,
    state: &'a State,
}

impl Air<'_> {
    fn at(&self, x: DVec3) -> Sample {
        let params = &self.setup.params;
        let local = x - self.setup.center;
        let smoke = |lane| {
            let weights = self.weights(params, local, DVec3::splat(0.5));
            // Before the first step no cell is known to be one of air.
            let of_air = weights.map(|(c, weight)| (c, weight * self.value("face", 4 * c + 3)));
            let known: f64 = of_air.iter().map(|(_, weight)| weight).sum();
            match known > 0.0 {
                true => self.mean("smoke", lane, of_air.map(|(c, weight)| (c, weight / known))),
                false => self.mean("smoke", lane, weights),
            }
        };
        let speed = |axis: usize| {
            let shift = DVec3::splat(0.5) - 0.5 * DVec3::AXES[axis];
            self.mean("face", axis, self.weights(params, local, shift))
        };
        let axes = params.world.dimensions as usize;
        let velocity = std::array::from_fn(|axis| if axis < axes { speed(axis) } else { 0.0 });
        Sample { fill: 1.0, velocity: velocity.into(), first: [smoke(0), smoke(1)] }
    }

    /// Float of an array, NaN without it.
    fn value(&self, name: &str, word: usize) -> f64 {
        self.state.arrays.get(name).map_or(f64::NAN, |words| f64::from(f32::from_bits(words[word])))
    }

    /// Mean of a lane of an array.
    fn mean(&self, name: &str, lane: usize, weights: [(usize, f64); 8]) -> f64 {
        let used = weights.into_iter().filter(|(_, weight)| *weight != 0.0);
        used.map(|(c, weight)| weight * self.value(name, 4 * c + lane)).sum()
    }

    /// Cells around a place, with the weights of their values, which lie at `shift` in them, in linear interpolation.
    fn weights(&self, params: &Params, x: DVec3, shift: DVec3) -> [(usize, f64); 8] {
        let grid = &params.grid;
        let s = (x - grid.origin.as_dvec3()) * grid.inverse_cell.as_dvec3() - shift;
        let (base, size) = (s.floor(), grid.size.as_i64vec3());
        std::array::from_fn(|k| {
            let corner = I64Vec3::new(k as i64 & 1, k as i64 >> 1 & 1, k as i64 >> 2);
            let mut cell = base.as_i64vec3() + corner;
            let mut weight = 1.0;
            for axis in 0..3 {
                let part = s[axis] - base[axis];
                weight *= match (axis < params.world.dimensions as usize, corner[axis]) {
                    (true, 1) => part,
                    (true, _) => 1.0 - part,
                    (false, upper) => (1 - upper) as f64,
                };
                cell[axis] = match grid.period[axis] > 0.0 {
                    true => cell[axis].rem_euclid(size[axis]),
                    false => cell[axis].clamp(0, size[axis] - 1),
                };
            }
            ((cell.x + size.x * (cell.y + size.y * cell.z)) as usize, weight)
        })
    }
}

/// Particles by cells of an edge h.
struct Water {
    h: f64,
    /// Radius in h over which the share that the fluid fills is a mean: on grids, which keep the volume of cells and let particles
    /// gather, wider.
    wide: f64,
    spacing: f64,
    dimensions: u32,
    cells: HashMap<[i64; 3], Vec<Drop>>,
    up: DVec3,
    gravity: DVec3,
    /// Least and greatest coordinates of the particles.
    ends: [DVec3; 2],
}

/// A particle of fluid.
#[derive(Clone, Copy, Debug)]
struct Drop {
    place: DVec3,
    velocity: DVec3,
    pressure: f64,
    mass: f64,
    volume: f64,
}

impl Water {
    fn new(scene: &Scene, setup: &Setup, state: &State) -> Self {
        let h = setup.chosen.support_radius(scene);
        let volume = scene.spacing().powi(scene.dimensions as i32);
        let mut cells: HashMap<_, Vec<Drop>> = HashMap::new();
        let mut ends = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        // In the order of ids, so that sums are the same to the bit in whatever order the state has the particles.
        let is_fluid = |i: &usize| state.identity()[*i][1] & 0xff == KIND_FLUID;
        let mut fluid: Vec<_> = (0..state.particle_count()).filter(is_fluid).collect();
        fluid.sort_unstable_by_key(|i| state.identity()[*i][0]);
        for i in fluid {
            let [_, kind] = state.identity()[i];
            let place = DVec3::from(state.world_position(i));
            let material = setup.params.materials[(kind >> 8 & 0xff) as usize];
            let drop = Drop {
                place,
                velocity: DVec3::from_slice(&state.velocity()[i].map(f64::from)),
                pressure: f64::from(state.pressure(i)),
                mass: volume * f64::from(material.rest_density),
                volume,
            };
            ends = [ends[0].min(place), ends[1].max(place)];
            cells.entry(Self::cell(h, place)).or_default().push(drop);
        }
        let gravity = DVec3::from(scene.gravity);
        let up = -gravity.normalize_or_zero();
        let wide = match setup.chosen.family().space {
            Space::Torus => 1.0,
            Space::Box => 1.5,
        };
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        Self { h, wide, spacing, dimensions, cells, up, gravity, ends }
    }

    fn cell(h: f64, x: DVec3) -> [i64; 3] {
        (x / h).floor().as_i64vec3().to_array()
    }

    /// Visits the particles within `h` of a place, with V W of a kernel of that support.
    fn around(&self, x: DVec3, h: f64, mut visit: impl FnMut(&Drop, f64)) {
        let [i, j, k] = Self::cell(self.h, x);
        let reach = (h / self.h).ceil() as i64;
        for dz in -reach..=reach {
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    for drop in self.cells.get(&[i + dx, j + dy, k + dz]).into_iter().flatten() {
                        let r = drop.place.distance(x);
                        let w = kernel::density(Kernel::CubicSpline, h, self.dimensions, r);
                        visit(drop, drop.volume * w);
                    }
                }
            }
        }
    }

    /// Σ V W of a kernel of support `h`.
    fn share(&self, x: DVec3, h: f64) -> f64 {
        let mut share = 0.0;
        self.around(x, h, |_, weight| share += weight);
        share
    }

    /// Σ V W of the wider kernel.
    fn fill(&self, x: DVec3) -> f64 {
        self.share(x, self.wide * self.h)
    }

    /// Pressure in Pa at a place that has fluid within h. The weight of the water adds and takes at most what it bears: fluid in
    /// free flight has no pressure anywhere.
    fn pressure(&self, x: DVec3) -> f64 {
        let (mut share, mut borne, mut weight) = (0.0, 0.0, 0.0);
        self.around(x, 2.0 * self.h, |drop, w| {
            share += w;
            borne += w * drop.pressure;
            weight += w * drop.mass / drop.volume * self.gravity.dot(x - drop.place);
        });
        (borne + weight.clamp(-borne.abs(), borne.abs())) / share
    }

    fn at(&self, x: DVec3) -> Sample {
        let (mut fill, mut density, mut flow) = (0.0, 0.0, DVec3::ZERO);
        self.around(x, self.h, |drop, w| {
            fill += w;
            density += w * drop.mass / drop.volume;
            flow += w * drop.velocity;
        });
        if fill == 0.0 {
            let nothing = f64::NAN;
            return Sample { fill, velocity: DVec3::splat(nothing), first: [nothing; 2] };
        }
        Sample { fill, velocity: flow / fill, first: [self.pressure(x), density] }
    }

    /// Height above a point of the highest surface over it, where half of the greatest share below it is filled: near a
    /// wall particles surround a place on one side only. 0 where there is none.
    fn height(&self, foot: DVec3) -> f64 {
        if self.cells.is_empty() {
            return 0.0;
        }
        let top = (self.up * self.ends[0]).max(self.up * self.ends[1]).element_sum() + self.h;
        let step = self.spacing / STEPS;
        let count = ((top - self.up.dot(foot)) / step).ceil().max(0.0) as u64;
        let fill = |k: u64| self.share(foot + k as f64 * step * self.up, self.h);
        let fills: Vec<_> = (0..=count).map(fill).collect();
        let surface = SURFACE * fills.iter().copied().fold(0.0, f64::max).min(1.0);
        let Some(k) = fills.iter().rposition(|fill| *fill >= surface && *fill > 0.0) else {
            return 0.0;
        };
        let above = fills.get(k + 1).copied().unwrap_or(0.0);
        let part = if fills[k] > above { (fills[k] - surface) / (fills[k] - above) } else { 0.0 };
        (k as f64 + part) * step
    }

    fn front(&self, axis: ProbeAxis) -> f64 {
        let farthest = match axis {
            ProbeAxis::X => self.ends[1].x,
            ProbeAxis::Y => self.ends[1].y,
            ProbeAxis::Z => self.ends[1].z,
        };
        if self.cells.is_empty() { f64::NAN } else { farthest + 0.5 * self.spacing }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use meniscus_scene::{Fluid, Material};

    use super::*;
    use crate::Control;

    /// Water of 0.4 m by 0.3 m in height by 0.4 m that turns about z.
    fn scene(probes: Vec<Probe>) -> Scene {
        let block = Fluid::block([0.0; 3], [0.4, 0.3, 0.4]);
        let mut scene = Scene::new(0.0125).with_material(Material::new("water")).with_fluid(block);
        scene.fluids[0].velocity = [1.0, 0.5, 0.0];
        scene.probes = probes;
        scene
    }

    fn values_of(probes: Vec<Probe>) -> Vec<f64> {
        values_in_order(probes, |_| ())
    }

    /// Values of a state that has the particles in another order.
    fn values_in_order(probes: Vec<Probe>, arrange: impl Fn(&mut Vec<usize>)) -> Vec<f64> {
        let scene = scene(probes);
        let setup = Setup::new(&scene).expect("a sound scene");
        let mut order: Vec<_> = (0..setup.position.len()).collect();
        arrange(&mut order);
        // Its pressure is its weight's.
        let mut velocity = setup.velocity.clone();
        for (v, x) in velocity.iter_mut().zip(&setup.position) {
            v[3] = 1000.0 * 9.81 * (0.3 - (x[1] + setup.center.y as f32));
        }
        let words = |rows: &[[f32; 4]]| {
            let rows = order.iter().map(|i| rows[*i]);
            rows.flatten().map(|x| x.to_bits()).collect()
        };
        let identity: Vec<_> = order.iter().map(|i| setup.identity[*i]).collect();
        let arrays = BTreeMap::from([
            ("position".to_owned(), words(&setup.position)),
            ("velocity".to_owned(), words(&velocity)),
            ("identity".to_owned(), identity.concat()),
        ]);
        let count = setup.position.len() as u32;
        let center = setup.center.to_array();
        let control = Control::start(count);
        let state = State {
            control,
            frame_duration: setup.frame_duration,
            center,
            gravity: Vec::new(),
            steered: BTreeMap::new(),
            arrays,
        };
        values(&scene, &setup, &state)
    }

    /// A resumed run has its particles in another order than one that went on.
    #[test]
    fn the_order_of_the_particles_changes_no_bit() {
        let probes = || {
            let (name, at) = ("p".to_owned(), [0.203, 0.107, 0.211]);
            let (min, max) = ([0.2, 0.0, 0.0], [0.2, 0.3, 0.4]);
            vec![
                Probe::Point { name, at, size: [0.05; 3], average: 0.0 },
                Probe::Section { name: "s".to_owned(), min, max, average: 0.0 },
                Probe::Gauge { name: "g".to_owned(), at: [0.21, 0.0, 0.2], average: 0.0 },
            ]
        };
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        let due = bits(values_of(probes()));
        assert_eq!(bits(values_in_order(probes(), |order| order.reverse())), due);
        assert_eq!(bits(values_in_order(probes(), |order| order.rotate_left(1000))), due);
    }

    #[test]
    fn a_block_of_water_is_as_high_as_far_and_as_fast_as_it_is() {
        let name = || "p".to_owned();
        let middle = [0.2, 0.1, 0.2];
        let point = |at| Probe::Point { name: name(), at, size: [0.0; 3], average: 0.0 };
        let found = values_of(vec![point(middle)]);
        assert!((found[1] / 1000.0 - 1.0).abs() < 0.01, "density {}", found[1]);
        assert!((found[2] - 1.0).abs() < 1e-6 && (found[3] - 0.5).abs() < 1e-6, "{found:?}");
        for x in [0.2, 0.0] {
            let gauge = Probe::Gauge { name: name(), at: [x, 0.0, 0.2], average: 0.0 };
            let height = values_of(vec![gauge])[0];
            assert!((height - 0.3).abs() < 0.1 * 0.025, "{height} m at {x}");
        }
        let (min, max) = ([0.2, 0.0, 0.0], [0.2, 0.3, 0.4]);
        let flow = values_of(vec![Probe::Section { name: name(), min, max, average: 0.0 }])[0];
        assert!((flow / (0.3 * 0.4) - 1.0).abs() < 0.1, "{flow} m³/s");
        let front = values_of(vec![Probe::Front { name: name(), axis: ProbeAxis::X }])[0];
        assert!((front - 0.4).abs() < 1e-6, "{front} m");
        // Half of it is beside the block.
        let area =
            Probe::Point { name: name(), at: [0.4, 0.1, 0.2], size: [0.4, 0.0, 0.1], average: 0.0 };
        let found = values_of(vec![area]);
        assert!((found[2] - 1.0).abs() < 1e-6, "{found:?}");
        // At rest a place has the pressure of its depth, on the floor and in corners, and none above the surface.
        for at in
            [middle, [0.2, 0.0, 0.2], [0.0, 0.1, 0.2], [0.0; 3], [0.2, 0.3, 0.2], [0.2, 0.32, 0.2]]
        {
            let (found, due) = (values_of(vec![point(at)])[0], 9810.0 * (0.3 - at[1]).max(0.0));
            assert!((found - due).abs() < 1e-5 * 9810.0 * 0.3, "{found} of {due} Pa at {at:?}");
        }
        let dry = values_of(vec![
            Probe::Gauge { name: name(), at: [2.0, 0.0, 0.2], average: 0.0 },
            Probe::Point {
                name: "q".to_owned(),
                at: [2.0, 0.0, 0.2],
                size: [0.0; 3],
                average: 0.0,
            },
        ]);
        assert!(dry[0] == 0.0 && dry[1..].iter().all(|value| value.is_nan()), "{dry:?}");
    }
}
