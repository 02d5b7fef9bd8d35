//! Fluid around a body at the start.
//!
//! A lattice without the sites inside a body and within half a spacing of it leaves a gap around the body, in which fluid has
//! 0.87 of its density. Pressure would act on the body only after the fluid had closed it, some 20 ms of free fall. So as many
//! sites give way as the body's volume holds, and those around it move apart or closer until their densities are
//! that of rest. Liquids on a grid need no such densities, but a gap is air to them, in which no pressure holds the body: there
//! sites with their middle outside of the body stay, at least half a spacing from it.

use std::collections::HashMap;

use glam::DVec3;
use meniscus_methods::Chosen;
use meniscus_scene::{Body, Fluid, Kernel, Scene};

use crate::{kernel, walls};

/// Depth of the fluid around a body that moves, in spacings.
const MOVED: f64 = 2.5;
/// Iterations, and the way of each, in squared spacings times the gradient of the compression.
const ITERATIONS: usize = 100;
const SHARE: f64 = 0.2;
/// What a body is smaller by at first, in spacings.
const SHRUNK: f64 = 0.15;
/// Largest mean compression of what moves, a little below 1: what is too dense pushes a body in the first step, while what is
/// not dense enough only lets it fall for longer.
const DENSEST: f64 = 0.995;
/// Most corrections of the number of sites.
const CORRECTIONS: usize = 3;
/// Farthest that a particle moves, in spacings.
const FARTHEST: f64 = 0.5;
/// Least compression of the whole lattice at a site for it to move: less is near the surface or a wall.
const WHOLE: f64 = 0.9;
/// Distance from a body's surface in spacings within which a site is on it, not outside, beyond rounding.
const TOUCHING: f64 = 0.01;
/// Least distance from the body's surface at the end, in spacings: what could not move so far gives way, too.
const CLEAR: f64 = 0.1;

/// The lattice's measures.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    kernel: Kernel,
    /// Support radius in m.
    support: f64,
    /// In m.
    spacing: f64,
    dimensions: u32,
}

/// Takes the sites of a fluid, each with its velocity, out of the scene's bodies. They fit closely around all on grids, and around
/// those that move freely under solvers whose pressures are iterated; places that are given are as they shall be.
pub(super) fn displace(
    sites: &mut Vec<([f64; 3], DVec3)>,
    fluid: &Fluid,
    scene: &Scene,
    chosen: &Chosen,
) {
    let spacing = scene.spacing();
    let given = fluid.shape.kind().key == "points";
    let fits = chosen.solver().is_limited() && !given;
    let yields = chosen.family().yields && !given;
    let lattice = Lattice {
        kernel: chosen.kernel(scene),
        support: chosen.support_radius(scene),
        spacing,
        dimensions: scene.dimensions,
    };
    for body in &scene.bodies {
        // A body may begin across a periodic end.
        let (low, high) = body.extent();
        to_period_around(sites, 0.5 * (low + high), scene);
        if fits && body.is_free() {
            fit(sites, body, lattice);
            continue;
        }
        if yields {
            sites
                .iter_mut()
                .for_each(|(place, _)| yield_to(body, place, spacing, scene.dimensions));
        }
        sites.retain(|(place, _)| body.depth_of(*place, scene.dimensions) < -0.499 * spacing);
    }
    if let (Some(domain), false) = (&scene.domain, scene.bodies.is_empty()) {
        let middle = 0.5 * (DVec3::from(domain.min) + DVec3::from(domain.max));
        to_period_around(sites, middle, scene);
    }
}

/// Moves sites by whole periods of the domain to where they are nearest to a place.
fn to_period_around(sites: &mut [([f64; 3], DVec3)], middle: DVec3, scene: &Scene) {
    sites.iter_mut().for_each(|(place, _)| *place = image_near(*place, middle, scene));
}

/// The image of a point that is nearest to a place, across the domain's periodic axes.
pub(super) fn image_near(mut point: [f64; 3], middle: DVec3, scene: &Scene) -> [f64; 3] {
    let Some(domain) = &scene.domain else { return point };
    for axis in (0..3).filter(|axis| domain.periodic[*axis]) {
        let period = domain.max[axis] - domain.min[axis];
        point[axis] -= period * ((point[axis] - middle[axis]) / period).round();
    }
    point
}

/// Moves a site outside of a body to where it is half a spacing from it, if it is nearer.
fn yield_to(body: &Body, place: &mut [f64; 3], spacing: f64, dimensions: u32) {
    let depth = |p: DVec3| body.depth_of(p.to_array(), dimensions);
    let middle = DVec3::from(*place);
    let near = depth(middle) + 0.5 * spacing;
    if near <= 0.0 || near > (0.5 - TOUCHING) * spacing {
        return;
    }
    let step = 1e-4 * spacing;
    let slope = DVec3::AXES.map(|way| depth(middle + step * way) - depth(middle - step * way));
    *place = (middle - near * DVec3::from(slope).normalize_or_zero()).to_array();
}

/// Fits sites of fluid, each with its velocity, around a body.
fn fit(sites: &mut Vec<([f64; 3], DVec3)>, body: &Body, lattice: Lattice) {
    let Lattice { support, spacing, dimensions, .. } = lattice;
    let reach = MOVED * spacing + support;
    let (low, high) = body.extent();
    let flat = |p: DVec3| if dimensions == 2 { p.with_z(0.0) } else { p };
    let (low, high) = (flat(low) - reach, flat(high) + reach);
    let within = |p: &[f64; 3]| {
        let p = flat(DVec3::from(*p));
        p.cmpge(low).all() && p.cmple(high).all()
    };
    let depth = |p: DVec3| body.depth_of(p.to_array(), dimensions);
    let near: Vec<(usize, DVec3, f64)> = sites
        .iter()
        .enumerate()
        .filter(|(_, (place, _))| within(place))
        .map(|(k, (place, _))| (k, DVec3::from(*place), depth(DVec3::from(*place))))
        .filter(|(.., depth)| *depth > -reach)
        .collect();

    // Sites that give way, in all: at first for a body that is smaller by SHRUNK all round, then for what is too dense.
    let depth_within = |p: DVec3| depth(p) - SHRUNK * spacing;
    let share = |(_, place, there): &(usize, DVec3, f64)| {
        share_inside(*place, there - SHRUNK * spacing, &depth_within, lattice)
    };
    let mut gone = near.iter().map(share).sum::<f64>().round() as usize;
    let mut deepest = near;
    deepest.sort_by(|a, b| b.2.total_cmp(&a.2));
    let all: Vec<DVec3> = deepest.iter().map(|(_, place, _)| *place).collect();
    let whole = Sums::new(&all, lattice);
    let layer = body.layer(spacing, dimensions);
    let volumes = walls::volumes(&layer, lattice.kernel, support, spacing, dimensions);
    let layer: Vec<DVec3> = layer.into_iter().map(DVec3::from).collect();
    let may_move: Vec<bool> = deepest
        .iter()
        .map(|(_, place, depth)| {
            *depth > -MOVED * spacing && whole.compression(*place, &all) > WHOLE
        })
        .collect();
    let mut places = Vec::new();
    for _ in 0..=CORRECTIONS {
        places = all[gone..].to_vec();
        let moves: Vec<usize> = (0..places.len()).filter(|i| may_move[gone + i]).collect();
        let mean = relax(&mut places, &moves, (&layer, &volumes), lattice);
        let surplus = ((mean - DENSEST) * moves.len() as f64).round();
        if surplus < 1.0 {
            break;
        }
        gone += (surplus as usize).min(places.len());
    }
    let gone = deepest.len() - places.len();
    let mut stays = vec![true; sites.len()];
    for ((k, ..), place) in deepest[gone..].iter().zip(&places) {
        sites[*k].0 = place.to_array();
        stays[*k] = depth(*place) < -CLEAR * spacing;
    }
    deepest[..gone].iter().for_each(|(k, ..)| stays[*k] = false);
    let mut stays = stays.into_iter();
    sites.retain(|_| stays.next().unwrap_or(true));
}

/// The share of a site's cell that is inside the body, by four points along each axis.
fn share_inside(place: DVec3, there: f64, depth: &impl Fn(DVec3) -> f64, lattice: Lattice) -> f64 {
    const POINTS: usize = 4;
    let Lattice { spacing, dimensions, .. } = lattice;
    let farthest = 0.5 * f64::from(dimensions).sqrt() * spacing;
    if there.abs() > farthest {
        return if there > 0.0 { 1.0 } else { 0.0 };
    }
    let way = |k: usize| ((k as f64 + 0.5) / POINTS as f64 - 0.5) * spacing;
    let layers = if dimensions == 2 { 1 } else { POINTS };
    let mut inside = 0;
    for k in 0..POINTS * POINTS * layers {
        let z = if dimensions == 2 { 0.0 } else { way(k / (POINTS * POINTS)) };
        let point = place + DVec3::new(way(k % POINTS), way(k / POINTS % POINTS), z);
        inside += usize::from(depth(point) > 0.0);
    }
    inside as f64 / (POINTS * POINTS * layers) as f64
}

/// Moves some of the places to where an even pressure would push them, between the others and a body's layer of particles:
/// against Σ V ∇W, until that is nearly 0 (Colagrossi, Bouscasse, Antuono, Marrone 2012). Returns their mean compression.
fn relax(places: &mut [DVec3], moves: &[usize], body: (&[DVec3], &[f64]), lattice: Lattice) -> f64 {
    let Lattice { spacing, .. } = lattice;
    let start = places.to_vec();
    let (layer, volumes) = body;
    let of_body = Sums::new(layer, lattice);
    for _ in 0..ITERATIONS {
        let fluid = Sums::new(places, lattice);
        let mut change = vec![DVec3::ZERO; moves.len()];
        for (change, &i) in change.iter_mut().zip(moves) {
            fluid.each(places[i], places, |_, _, gradient| *change -= gradient);
            of_body.each(places[i], layer, |b, _, gradient| {
                *change -= volumes[b] / fluid.volume * gradient;
            });
            *change *= SHARE * spacing * spacing;
        }
        for (change, &i) in change.into_iter().zip(moves) {
            let moved = places[i] + change - start[i];
            places[i] = start[i] + moved.clamp_length_max(FARTHEST * spacing);
        }
    }
    let fluid = Sums::new(places, lattice);
    let compression = |&i: &usize| {
        let mut s = fluid.compression(places[i], places);
        of_body.each(places[i], layer, |b, w, _| s += volumes[b] / fluid.volume * w);
        s
    };
    moves.iter().map(compression).sum::<f64>() / moves.len().max(1) as f64
}

/// Sums over points within the support radius.
struct Sums {
    cells: HashMap<[i64; 3], Vec<usize>>,
    lattice: Lattice,
    /// Of a site, in m³ (m² in 2-D).
    volume: f64,
    /// V over the rest lattice's sum of V W.
    per_sum: f64,
}

impl Sums {
    fn new(points: &[DVec3], lattice: Lattice) -> Self {
        let Lattice { kernel, support, spacing, dimensions } = lattice;
        let mut cells: HashMap<_, Vec<usize>> = HashMap::new();
        for (k, point) in points.iter().enumerate() {
            cells.entry(Self::cell(*point, support)).or_default().push(k);
        }
        let volume = spacing.powi(dimensions as i32);
        let per_sum = volume / kernel::lattice_sum(kernel, support, spacing, dimensions);
        Self { cells, lattice, volume, per_sum }
    }

    fn cell(point: DVec3, support: f64) -> [i64; 3] {
        (point / support).to_array().map(|x| x.floor() as i64)
    }

    /// Each point within the support radius of a place: its number, V W over the rest lattice's sum of that, and the gradient of that.
    fn each(&self, place: DVec3, points: &[DVec3], mut call: impl FnMut(usize, f64, DVec3)) {
        let Lattice { kernel, support, dimensions, .. } = self.lattice;
        let [x, y, z] = Self::cell(place, support);
        for k in 0..27 {
            let cell = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
            for &j in self.cells.get(&cell).into_iter().flatten() {
                let offset = place - points[j];
                let r = offset.length();
                if r < support {
                    let w = kernel::density(kernel, support, dimensions, r);
                    let slope = kernel::pressure_slope(kernel, support, dimensions, r);
                    let direction = offset.normalize_or_zero();
                    call(j, self.per_sum * w, self.per_sum * slope * direction);
                }
            }
        }
    }

    fn compression(&self, place: DVec3, points: &[DVec3]) -> f64 {
        let mut s = 0.0;
        self.each(place, points, |_, w, _| s += w);
        s
    }
}
