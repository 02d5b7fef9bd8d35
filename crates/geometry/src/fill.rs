//! Particles that fill a region to its volume: a closed mesh, a shape with a curved surface, or a box whose sides are not
//! whole spacings.
//!
//! Sites of a lattice that keep half a spacing from a curved surface fill less than the volume: by 15 % in a ball ten
//! spacings across. So the deepest sites are taken, as many as the volume holds; those nearer to the surface than half a
//! spacing are pushed in, and particles move until each has the density of the lattice: position based fluids (Macklin,
//! Müller 2013, 11–14) with a cubic spline that reaches two spacings. Beyond the surface there is a wall (Akinci et al. 2012):
//! then water that stands at walls starts neither compressed nor apart, and its free surface is as a lattice's. Boxes of
//! whole spacings keep their lattice.

use glam::{DVec3, IVec3};
use rayon::prelude::*;

use crate::{
    Side, Vec3,
    form::Form,
    lattice::{Lattice, least_depth, signed_noise},
};

/// Reach of the kernel in spacings.
const REACH: f64 = 2.0;
/// Depth, in spacings, to which particles give way.
const LOOSE: f64 = 3.0;
/// Most iterations, and the error of density at which they end.
const ITERATIONS: usize = 100;
const SLIGHT: f64 = 0.015;
/// Iterations with the same neighbours, which are looked for within this many times the reach.
const RENEWED: usize = 8;
const MARGIN: f64 = 1.15;
/// Distance in units of the reach below which two particles push each other away, whatever the density.
const CLOSE: f64 = 0.35;
/// Sites along an axis from which a row with one more hardly is denser than the next: by 1/LARGE, half of which shows.
const LARGE: f64 = 40.0;
/// Share of the correction by which a particle moves.
const RELAXATION: f64 = 0.6;
/// Share of the last move that a particle goes on with.
const MOMENTUM: f64 = 0.9;
/// Iterations before there is any, in which crowds come apart, and the longest move in spacings.
const FIRST: usize = 8;
const LONGEST: f64 = 0.1;
/// Largest lack of density that draws particles together: where the region is too thin for them, there stay none.
const THIN: f64 = 0.05;
/// Particles that find no place this deep, relative to the depth asked for, are left out: parts of the mesh are thinner
/// than a spacing.
const LEAST: f64 = 0.8;

/// A region to fill.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a> {
    /// Sites within it, at least half a spacing below its surface; those around them are tried, too.
    pub(crate) sites: Lattice,
    /// Volume in m³, or area in m² in 2-D.
    pub(crate) volume: f64,
    pub(crate) dimensions: u32,
    /// Depth of a point below the surface in m, negative outside.
    pub(crate) depth: &'a dyn Fn(DVec3) -> f64,
    /// Unit vector from the surface's nearest point into the region, and the depth in m.
    pub(crate) inward: &'a dyn Fn(DVec3) -> (DVec3, f64),
    /// Particles of a wall around it, half a spacing beyond the surface.
    pub(crate) layer: &'a dyn Fn() -> Vec<Vec3>,
}

/// Number of particles that fill a volume. Half a particle counts as one, also where rounding makes it a little less.
pub(crate) fn count(volume: f64, spacing: f64, dimensions: u32) -> f64 {
    (volume / spacing.powi(dimensions as i32) * (1.0 + 1e-6)).round()
}

/// Steps of a spacing to which the numbers of shapes are rounded.
const STEPS: f64 = 4096.0;
/// Steps, and most vertices of meshes with those above: of more, some always lie between two steps, where rounding moves them by
/// more than their last digits do.
const FINE: f64 = 16_777_216.0;
const FEW: usize = 64;

/// A vector in spacings, rounded: shapes are packed about their own centres in such numbers, so that neither their place nor the
/// last digits of their numbers change the packing, in which rounding would grow.
pub(crate) fn in_spacings(vector: DVec3, spacing: f64) -> DVec3 {
    (vector / spacing * STEPS).round() / STEPS
}

/// A vertex in spacings, rounded, of a mesh with as many of them.
pub(crate) fn vertex_in_spacings(vertex: DVec3, spacing: f64, count: usize) -> DVec3 {
    let steps = if count <= FEW { STEPS } else { FINE };
    (vertex / spacing * steps).round() / steps
}

/// Particles that fill a shape about a centre: `own` is the shape about the origin in spacings, `sites` a lattice within it.
pub(crate) fn shape<F: Form>(
    shape: &F,
    center: DVec3,
    own: &F,
    sites: Lattice,
    spacing: f64,
    dimensions: u32,
) -> Vec<Vec3> {
    let volume = shape.bulk(dimensions).map_or(0.0, |bulk| bulk.volume);
    let volume = volume / spacing.powi(dimensions as i32);
    let center = if dimensions == 2 { center.with_z(0.0) } else { center };
    let placed = |p: Vec3| (center + spacing * DVec3::from(p)).to_array();
    let fill = |region: &Region<'_>| fill(&Region { volume, ..*region });
    with_region(own, sites, dimensions, fill).into_iter().map(placed).collect()
}

/// Particles of a shape, moved to where their density is the lattice's, at least `depth` m below the surface. Of more
/// than [`LARGE`] along a row the differences are small, and they stay.
pub(crate) fn even_out<F: Form>(
    shape: &F,
    places: Vec<DVec3>,
    lattice: Lattice,
    dimensions: u32,
    depth: f64,
) -> Vec<DVec3> {
    let site = |(number, place)| {
        let depth = shape.depth(place, dimensions);
        Site { number: number as u64, chance: 0, place, depth }
    };
    let mut sites: Vec<_> = places.into_iter().enumerate().map(site).collect();
    if lattice.counts.iter().all(|count| *count < LARGE) {
        let relax = |region: &Region<'_>| relax(&mut sites, region, depth, f64::INFINITY);
        with_region(shape, lattice, dimensions, relax);
    }
    sites.into_iter().map(|site| site.place).collect()
}

/// Calls a function with the region of a shape.
fn with_region<F: Form, T>(
    shape: &F,
    sites: Lattice,
    dimensions: u32,
    call: impl FnOnce(&Region<'_>) -> T,
) -> T {
    let volume = shape.bulk(dimensions).map_or(0.0, |bulk| bulk.volume);
    let depth = |point| shape.depth(point, dimensions);
    let inward = |point: DVec3| {
        let step = 1e-4 * sites.spacing;
        let slope = DVec3::AXES.map(|axis| depth(point + step * axis) - depth(point - step * axis));
        (DVec3::from(slope).normalize_or_zero(), depth(point))
    };
    let layer = || {
        let nowhere = [DVec3::NEG_INFINITY, DVec3::INFINITY];
        shape.layer(Side::Inside, 0.5 * sites.spacing, sites.spacing, dimensions, nowhere)
    };
    call(&Region { sites, volume, dimensions, depth: &depth, inward: &inward, layer: &layer })
}

/// World coordinates in m of particles at least about half a spacing below the surface, or none if no site is as deep.
pub(crate) fn fill(region: &Region<'_>) -> Vec<Vec3> {
    let spacing = region.sites.spacing;
    let depth = least_depth(spacing);
    let mut sites = sites(region);
    let deep = sites.iter().filter(|site| site.depth >= depth).count();
    if deep == 0 {
        return Vec::new();
    }
    // Among sites about as deep, which there are many of where a face is along the lattice, chance decides.
    let order =
        |site: &Site| ((-site.depth / spacing * 64.0).round() as i64, site.chance, site.number);
    sites.sort_unstable_by_key(order);
    sites.truncate(deep.max(count(region.volume, spacing, region.dimensions) as usize));
    sites.sort_unstable_by_key(|site| site.number);
    if sites.iter().any(|site| site.depth < depth) {
        relax(&mut sites, region, depth, LOOSE * spacing);
        sites.retain(|site| (region.depth)(site.place) >= LEAST * depth);
    }
    sites.into_iter().map(|site| site.place.to_array()).collect()
}

/// A particle, first on a site of a lattice.
#[derive(Clone, Copy, Debug)]
struct Site {
    number: u64,
    chance: u64,
    place: DVec3,
    /// Depth below the surface in m; a lower bound while particles move.
    depth: f64,
}

/// Sites up to half a spacing outside of the region.
fn sites(region: &Region<'_>) -> Vec<Site> {
    let spacing = region.sites.spacing;
    let site = |(number, place): (usize, DVec3)| {
        let number = number as u64;
        let chance = signed_noise(0, number, 0).to_bits();
        Site { number, chance, place, depth: (region.depth)(place) }
    };
    let all = region.sites.grown(region.dimensions).places().enumerate().map(site);
    all.filter(|site| site.depth >= -0.5 * spacing).collect()
}

/// Moves particles below the depth, and to where their density is the lattice's, with walls on all sides.
fn relax(sites: &mut [Site], region: &Region<'_>, depth: f64, loose: f64) {
    let spacing = region.sites.spacing;
    let reach = REACH * spacing;
    let within = |depth: f64| sites.iter().map(|site| site.depth < depth).collect::<Vec<_>>();
    // Those that stay count what comes near.
    let (is_loose, counts) = (within(loose), within(loose + reach));
    let rest = rest_density(region.dimensions);
    let walls = walls((region.layer)(), reach, region.dimensions);
    let (mut near, mut behind) = (Vec::new(), Vec::new());
    let mut before = vec![DVec3::ZERO; sites.len()];
    for iteration in 0..ITERATIONS {
        let momentum = if iteration < FIRST { 0.0 } else { MOMENTUM };
        if iteration % RENEWED == 0 {
            let places: Vec<_> = sites.iter().map(|site| site.place).collect();
            near = neighbours(&places, &counts, &places, MARGIN * reach);
            behind = neighbours(&places, &counts, &walls.0, MARGIN * reach);
        }
        let pair = |place: DVec3, other: DVec3| {
            let apart = (place - other) / reach;
            let squared = apart.length_squared();
            (1e-18..1.0).contains(&squared).then(|| {
                let r = squared.sqrt();
                let (value, slope) = kernel(r);
                (value, slope / r * apart, (CLOSE / r - 1.0).max(0.0) * apart)
            })
        };
        let pairs = |i: usize| {
            let (sites, place) = (&*sites, sites[i].place);
            near[i].iter().filter(move |j| **j != i as u32).filter_map(move |j| {
                pair(place, sites[*j as usize].place)
                    .map(|(value, slope, push)| (*j, value, slope, push))
            })
        };
        let of_walls = |i: usize| {
            let (walls, place) = (&walls, sites[i].place);
            behind[i].iter().filter_map(move |k| {
                let (place_of, weight) = (walls.0[*k as usize], walls.1[*k as usize]);
                pair(place, place_of).map(|(value, slope, _)| (weight * value, weight * slope))
            })
        };
        let (lambda, errors): (Vec<_>, Vec<_>) = (0..sites.len())
            .into_par_iter()
            .map(|i| {
                if !counts[i] {
                    return (0.0, 0.0);
                }
                let (mut density, mut own, mut squares) = (1.0, DVec3::ZERO, 0.0);
                let fluid = pairs(i).map(|(_, value, slope, _)| (value, slope));
                for (value, slope) in fluid.chain(of_walls(i)) {
                    density += value;
                    own += slope;
                    squares += slope.length_squared();
                }
                let excess = (density / rest - 1.0).max(-THIN);
                let error = if is_loose[i] { excess.abs() } else { 0.0 };
                (-excess * rest / (own.length_squared() + squares).max(1e-9), error)
            })
            .unzip();
        let worst = errors.into_iter().fold(0.0, f64::max);
        if worst < SLIGHT && sites.iter().all(|site| site.depth >= LEAST * depth) {
            break;
        }
        let moves: Vec<_> = (0..sites.len())
            .into_par_iter()
            .map(|i| {
                if !is_loose[i] {
                    return DVec3::ZERO;
                }
                let of = |(j, _, slope, push): (u32, f64, DVec3, DVec3)| {
                    (lambda[i] + lambda[j as usize]) * slope + 0.5 * push
                };
                // Particles beyond a wall have the same λ.
                let wall: DVec3 = of_walls(i).map(|(_, slope)| 2.0 * lambda[i] * slope).sum();
                RELAXATION * reach * (pairs(i).map(of).sum::<DVec3>() + wall)
            })
            .collect();
        for (i, step) in moves.into_iter().enumerate() {
            let site = &mut sites[i];
            let step = (step + momentum * before[i]).clamp_length_max(LONGEST * spacing);
            let from = site.place;
            site.place += step;
            site.depth -= step.length();
            if is_loose[i] && site.depth < depth {
                let (inward, now) = (region.inward)(site.place);
                let push = (depth - now).max(0.0);
                site.place += push * inward;
                site.depth = now + push;
            }
            before[i] = site.place - from;
        }
    }
}

/// Particles of walls and their volumes relative to the lattice's, at least 1, which edges need: a flat wall has the share of
/// the fluid that it stands for (Akinci 2012, 4), of which one layer is within reach.
fn walls(points: Vec<Vec3>, reach: f64, dimensions: u32) -> (Vec<DVec3>, Vec<f64>) {
    let places: Vec<_> = points.into_iter().map(DVec3::from).collect();
    let near = neighbours(&places, &vec![true; places.len()], &places, reach);
    let plane = |n: i32| IVec3::new(n % 5 - 2, 0, n / 5 - 2);
    let all = (0..25).map(plane).filter(|site| dimensions == 3 || site.z == 0);
    let rest: f64 = all.map(|site| kernel(site.as_dvec3().length() / REACH).0).sum();
    let volume = |(i, near): (usize, &Vec<u32>)| {
        let at = |j: &u32| kernel((places[i] - places[*j as usize]).length() / reach).0;
        (rest / near.iter().map(at).sum::<f64>()).max(1.0)
    };
    let volumes = near.iter().enumerate().map(volume).collect();
    (places, volumes)
}

/// The `others` within a distance of each place that counts.
fn neighbours(places: &[DVec3], counts: &[bool], others: &[DVec3], distance: f64) -> Vec<Vec<u32>> {
    let low = others.iter().fold(DVec3::INFINITY, |low, place| low.min(*place));
    let high = others.iter().fold(DVec3::NEG_INFINITY, |high, place| high.max(*place));
    let mut near = vec![Vec::new(); places.len()];
    if others.is_empty() {
        return near;
    }
    let size = ((high - low) / distance).as_ivec3() + 1;
    let cell = |p: DVec3| ((p - low) / distance).floor().as_ivec3();
    let number = |c: IVec3| (c.x + size.x * (c.y + size.y * c.z)) as usize;
    let mut cells = vec![Vec::new(); size.element_product() as usize];
    for (i, place) in others.iter().enumerate() {
        cells[number(cell(*place))].push(i as u32);
    }
    for i in (0..places.len()).filter(|i| counts[*i]) {
        let (place, center) = (places[i], cell(places[i]));
        let around = (0..27).map(|k| center + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
        let around = around.filter(|c| c.cmpge(IVec3::ZERO).all() && c.cmplt(size).all());
        let is_near = |j: &u32| others[*j as usize].distance_squared(place) < distance * distance;
        near[i].extend(around.flat_map(|c| &cells[number(c)]).copied().filter(is_near));
    }
    near
}

/// Density of the lattice, in units of the kernel's value at 0.
fn rest_density(dimensions: u32) -> f64 {
    let site = |n: i32| IVec3::new(n % 5, n / 5 % 5, n / 25) - 2;
    let all = (0..125).map(site).filter(|site| dimensions == 3 || site.z == 0);
    all.map(|site| kernel(site.as_dvec3().length() / REACH).0).sum()
}

/// The cubic spline, which is SPH's kernel by default, relative to its value at 0, and its slope.
fn kernel(r: f64) -> (f64, f64) {
    let near = (1.0 - r).max(0.0);
    if r < 0.5 {
        (1.0 - 6.0 * r * r * near, 6.0 * r * (3.0 * r - 2.0))
    } else {
        (2.0 * near.powi(3), -6.0 * near * near)
    }
}
