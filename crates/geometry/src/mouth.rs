//! Mouths of emitters.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use crate::bounds::positive;
use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Vec3, lattice::SLACK};

/// Density above that of fluid at rest that a jet may have, relative to it: that of a square lattice of lines.
const MOST_EXCESS: f64 = 1e-3;
/// Golden ratio less 1: turns by its multiples are spread evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Mouth of an emitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Mouth {
    /// A rectangle, in m.
    Rectangle {
        /// Width in m.
        #[schemars(transform = positive)]
        width: f64,
        /// Height in m (ignored in 2-D).
        height: f64,
    },
    /// A circle, in m.
    Circle {
        /// Radius in m.
        #[schemars(transform = positive)]
        radius: f64,
    },
    /// A square lattice of particles, cut to a circle.
    Disc {
        /// Number of particles across it.
        #[schemars(range(min = 1))]
        across: u32,
    },
}

impl Mouth {
    /// World coordinates in m of one layer of particles, `spacing` m apart, in an emitter's mouth:
    /// in the plane through `center` perpendicular to `direction` (of any length), or on a line in
    /// 2-D.
    ///
    /// The width of a rectangle is horizontal (along x for a vertical direction). Memory is
    /// allocated for all particles: check [`count`](Self::count) first.
    #[must_use]
    pub fn layer(
        &self,
        center: Vec3,
        direction: Vec3,
        up: Option<Vec3>,
        spacing: f64,
        dimensions: u32,
    ) -> Vec<Vec3> {
        let center = DVec3::from(center);
        let Some(normal) = DVec3::from(direction).try_normalize() else { return Vec::new() };
        let up = up.map_or(DVec3::Y, DVec3::from);
        let across = if dimensions == 2 { normal.cross(DVec3::Z) } else { normal.cross(up) };
        // Nearly vertical: take x as horizontal, made perpendicular to the direction.
        let fallback = (DVec3::X - normal * normal.x).normalize_or_zero();
        let across = if across.length() > 1e-6 { across.normalize() } else { fallback };
        let along = across.cross(normal);
        let places = self.places(spacing, dimensions).into_iter();
        places.map(|[u, v]| (center + across * u + along * v).to_array()).collect()
    }

    /// Places (across, along) in m about the centre. Each has an equal share of a rectangle's or circle's area, and
    /// the outermost are about half a share inside the rim.
    fn places(&self, spacing: f64, dimensions: u32) -> Vec<[f64; 2]> {
        match *self {
            Self::Circle { radius } if dimensions == 3 => {
                loosened(rings(radius, spacing), spacing, self.gap(spacing, 3))
            }
            Self::Circle { radius } => row(2.0 * radius, self.count(spacing, 2)).collect(),
            Self::Rectangle { width, height } => {
                let [across, along] = sides(width, height, spacing, dimensions);
                let places = |[v, _]: [f64; 2]| row(width, across).map(move |[u, _]| [u, v]);
                let rows = row(if dimensions == 2 { 0.0 } else { height }, along);
                let all = rows.flat_map(places).collect();
                if dimensions == 2 { all } else { loosened(all, spacing, self.gap(spacing, 3)) }
            }
            Self::Disc { across } => {
                let (across, width) = (f64::from(across), f64::from(across) * spacing);
                let (along, height) = if dimensions == 2 { (1.0, 0.0) } else { (across, width) };
                let places = |[v, _]: [f64; 2]| row(width, across).map(move |[u, _]| [u, v]);
                let held = |[u, v]: &[f64; 2]| u.hypot(*v) <= (0.5 * across + SLACK) * spacing;
                row(height, along).flat_map(places).filter(held).collect()
            }
        }
    }

    /// Distance in m from its centre within which its particles are, `spacing` m apart.
    #[must_use]
    pub fn radius(&self, spacing: f64) -> f64 {
        match *self {
            Self::Rectangle { width, height } => 0.5 * width.hypot(height),
            Self::Circle { radius } => radius,
            Self::Disc { across } => 0.5 * f64::from(across) * spacing,
        }
    }

    /// Upper bound on the number of particles that [`layer`](Self::layer) makes; 0 exactly if there
    /// are none.
    #[must_use]
    pub fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        match *self {
            Self::Rectangle { width, height } => {
                sides(width, height, spacing, dimensions).iter().product()
            }
            Self::Circle { radius } if dimensions == 3 => {
                (PI * radius * radius / (spacing * spacing)).round()
            }
            Self::Circle { radius } => (2.0 * radius / spacing).round(),
            Self::Disc { across } => f64::from(across).powi(dimensions as i32 - 1),
        }
    }

    /// Area in m² (in 2-D, width in m) through which fluid leaves; a disc's is that of its particles.
    #[must_use]
    pub fn area(&self, spacing: f64, dimensions: u32) -> f64 {
        match *self {
            Self::Rectangle { width, .. } if dimensions == 2 => width,
            Self::Rectangle { width, height } => width * height,
            Self::Circle { radius } if dimensions == 2 => 2.0 * radius,
            Self::Circle { radius } => PI * radius * radius,
            Self::Disc { .. } => {
                let particles = self.places(spacing, dimensions).len() as f64;
                particles * spacing.powi(dimensions as i32 - 1)
            }
        }
    }

    /// Distance in m between layers with which the volume of the particles is that of the fluid that leaves: about
    /// `spacing`.
    #[must_use]
    pub fn gap(&self, spacing: f64, dimensions: u32) -> f64 {
        if let Self::Disc { .. } = self {
            return spacing;
        }
        self.count(spacing, dimensions) * spacing.powi(dimensions as i32)
            / self.area(spacing, dimensions)
    }
}

/// Numbers of particles across and along a rectangle.
fn sides(width: f64, height: f64, spacing: f64, dimensions: u32) -> [f64; 2] {
    let along = if dimensions == 2 { 1.0 } else { (height / spacing).round() };
    [(width / spacing).round(), along]
}

/// Places [u, 0] of this number of equal shares of a width, about its middle.
fn row(width: f64, count: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..count as u64).map(move |i| [(i as f64 - 0.5 * (count - 1.0)) * (width / count), 0.0])
}

/// Shares of the distance between layers by which the places of a mouth are ahead of it: those beside each other differ, so
/// that a jet that gravity stretches is a jet rather than a stack of discs.
pub fn ahead() -> impl Iterator<Item = f64> {
    (0..).map(|k| (GOLDEN * f64::from(k)).fract())
}

/// Places in concentric rings about a spacing wide, in each as many as its area holds.
fn rings(radius: f64, spacing: f64) -> Vec<[f64; 2]> {
    let total = (PI * radius * radius / (spacing * spacing)).round();
    let rings = (radius / spacing).round().max(1.0);
    let within = |ring: f64| (total * (ring / rings).powi(2)).round();
    let mut places = Vec::new();
    for ring in 0..rings as u64 {
        let [inside, outside] = [within(ring as f64), within(ring as f64 + 1.0)];
        let count = outside - inside;
        // The centre of mass of each one's share, a sector between two radii.
        let [a, b] = [inside, outside].map(|count| radius * (count / total).sqrt());
        let half = PI / count;
        let mean = 2.0 / 3.0 * (b.powi(3) - a.powi(3)) / (b * b - a * a);
        let distance = if count > 1.0 { mean * half.sin() / half } else { a };
        // Rings are turned against each other, else a line of particles would run from the middle to the rim.
        for i in 0..count as u64 {
            let turn = TAU * (i as f64 / count + GOLDEN * ring as f64);
            places.push([distance * turn.cos(), distance * turn.sin()]);
        }
    }
    places
}

/// Places widened until their jet is nowhere denser than fluid at rest: pressure would burst it.
fn loosened(places: Vec<[f64; 2]>, spacing: f64, gap: f64) -> Vec<[f64; 2]> {
    let widened = |factor: f64| places.iter().map(|place| place.map(|x| factor * x)).collect();
    let factors = (0..40).map(|step| 1.0 + 0.01 * f64::from(step));
    let is_loose = |places: &Vec<_>| densest(places, spacing, gap) <= 1.0 + MOST_EXCESS;
    factors.map(widened).find(is_loose).unwrap_or(places)
}

/// Largest density of a long jet of layers a gap apart, relative to a cubic lattice's, by the cubic spline with a support of two
/// spacings.
fn densest(places: &[[f64; 2]], spacing: f64, gap: f64) -> f64 {
    let spline = |r: f64| match r / spacing {
        q if q < 1.0 => 1.0 - 1.5 * q * q + 0.75 * q.powi(3),
        q if q < 2.0 => 0.25 * (2.0 - q).powi(3),
        _ => 0.0,
    };
    let cell = |x: f64| (x / (2.0 * spacing)).floor() as i64;
    let mut cells = BTreeMap::<_, Vec<_>>::new();
    for (&[u, v], share) in places.iter().zip(ahead()) {
        cells.entry([cell(u), cell(v)]).or_default().push([u, v, share * gap]);
    }
    let layers = (2.0 * spacing / gap).ceil() + 1.0;
    let density = |[u, v, w]: [f64; 3]| {
        let around = (-1..=1).flat_map(|du| (-1..=1).map(move |dv| [du, dv]));
        let beside = around.filter_map(|[du, dv]| cells.get(&[cell(u) + du, cell(v) + dv]));
        let column = |other: &[f64; 3]| {
            let across = (other[0] - u).hypot(other[1] - v);
            let along = |layer: i64| other[2] - w + layer as f64 * gap;
            let all = -(layers as i64)..=layers as i64;
            all.map(|layer| spline(across.hypot(along(layer)))).sum::<f64>()
        };
        beside.flatten().map(column).sum::<f64>() / PI
    };
    cells.values().flatten().map(|place| density(*place)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: f64 = 0.05;

    #[test]
    fn emitter_layers_lie_in_their_plane() {
        let mouth = Mouth::Rectangle { width: 0.2, height: 0.1 };
        for direction in [[0.0, -2.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.2, 0.9]] {
            let layer = mouth.layer([1.0, 2.0, 3.0], direction, None, S, 3);
            assert_eq!(layer.len(), 8);
            assert_eq!(mouth.count(S, 3), 8.0);
            let (d, c) = (DVec3::from(direction), DVec3::new(1.0, 2.0, 3.0));
            assert!(layer.iter().all(|&p| (DVec3::from(p) - c).dot(d).abs() < 1e-12));
        }
        let line = mouth.layer([0.0; 3], [0.0, -1.0, 0.0], None, S, 2);
        assert_eq!(line.len(), 4);
        assert!(line.iter().all(|p| p[1] == 0.0 && p[2] == 0.0));
        assert!(mouth.layer([0.0; 3], [0.0; 3], None, S, 3).is_empty());
    }

    #[test]
    fn a_mouth_delivers_its_area_times_the_velocity() {
        for radius in [0.026, 0.05, 0.08, 0.125, 0.5] {
            let circle = Mouth::Circle { radius };
            let layer = circle.layer([0.0; 3], [0.0, -1.0, 0.0], None, S, 3);
            let volume = layer.len() as f64 * S.powi(3);
            let flown = PI * radius * radius * circle.gap(S, 3);
            assert!((volume / flown - 1.0).abs() < 1e-12);
            assert!((0.6..1.5).contains(&(circle.gap(S, 3) / S)), "{radius}");
            let apart = |a: &Vec3, b: &Vec3| DVec3::from(*a).distance(DVec3::from(*b));
            for (i, a) in layer.iter().enumerate() {
                assert!(apart(a, &[0.0; 3]) < radius - 0.2 * S || layer.len() < 4, "{radius}");
                assert!(layer[..i].iter().all(|b| apart(a, b) > 0.6 * S), "{radius}");
            }
        }
        let slit = Mouth::Rectangle { width: 0.23, height: 0.06 };
        assert_eq!(slit.count(S, 3), 5.0);
        assert!((slit.gap(S, 3) - 5.0 * S.powi(3) / (0.23 * 0.06)).abs() < 1e-15);
        assert_eq!(Mouth::Disc { across: 3 }.gap(S, 3), S);
        assert!((Mouth::Disc { across: 3 }.area(S, 3) - 9.0 * S * S).abs() < 1e-15);
    }

    #[test]
    fn no_jet_is_denser_than_fluid_at_rest() {
        for tenths in 5..80 {
            let radius = 0.1 * f64::from(tenths) * S;
            let slit = Mouth::Rectangle { width: 2.0 * radius, height: radius };
            for mouth in [Mouth::Circle { radius }, slit] {
                let (places, gap) = (mouth.places(S, 3), mouth.gap(S, 3));
                let found = densest(&places, S, gap);
                assert!(found <= 1.0 + MOST_EXCESS, "{mouth:?}: {found}");
                let most = places.iter().map(|[u, v]| u.hypot(*v)).fold(0.0, f64::max);
                assert!(most < mouth.radius(S), "{mouth:?} reaches {most}");
            }
        }
    }
}
