//! Particles that fill a region to its volume: a closed mesh, or a shape with a curved surface.
//!
//! Sites of a lattice that keep half a spacing from a curved surface fill less than the volume: by 15 % in a ball ten
//! spacings across. So the deepest sites are taken, as many as the volume holds; those nearer to the surface than half a
//! spacing are pushed in, and particles denser than the lattice give way: position based fluids (Macklin, Müller 2013,
//! 11–14) with a cubic spline that reaches two spacings. Boxes of whole spacings keep their lattice.

use std::f64::consts::PI;

use glam::{DVec3, IVec3};

use crate::{
    Vec3,
    form::{Bulk, Form},
    lattice::{Lattice, least_depth, signed_noise},
};

/// Reach of the kernel in spacings.
const REACH: f64 = 2.0;
/// Depth, in spacings, to which particles give way.
const LOOSE: f64 = 3.0;
/// Most iterations, and the excess of density at which they end.
const ITERATIONS: usize = 40;
const SLIGHT: f64 = 0.01;
/// Iterations with the same neighbours, which are looked for within this many times the reach.
const RENEWED: usize = 8;
const MARGIN: f64 = 1.15;
/// Distance in units of the reach below which two particles push each other away, whatever the density.
const CLOSE: f64 = 0.35;
/// Share of the correction by which a particle moves.
const RELAXATION: f64 = 0.6;
/// Share of the layers beyond a surface that counts: behind a wall there are some, in air there are none, and with all of
/// them a ball in air flies apart faster.
const BEYOND: f64 = 0.8;
/// Particles that find no place this deep, relative to the depth asked for, are left out: parts of the mesh are thinner
/// than a spacing.
const LEAST: f64 = 0.8;

/// A region to fill.
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
}

/// Number of particles that fill a volume.
pub(crate) fn count(volume: f64, spacing: f64, dimensions: u32) -> f64 {
    (volume / spacing.powi(dimensions as i32)).round()
}

/// Particles that fill a shape, from sites of a lattice: see [`fill`].
pub(crate) fn shape<F: Form + ?Sized>(shape: &F, sites: Lattice, dimensions: u32) -> Vec<Vec3> {
    let Some(Bulk { volume, .. }) = shape.bulk(dimensions) else { return Vec::new() };
    let depth = |point| shape.depth(point, dimensions);
    let inward = |point: DVec3| {
        let step = 1e-4 * sites.spacing;
        let slope = DVec3::AXES.map(|axis| depth(point + step * axis) - depth(point - step * axis));
        (DVec3::from(slope).normalize_or_zero(), depth(point))
    };
    fill(&Region { sites, volume, dimensions, depth: &depth, inward: &inward })
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
    // Among sites as deep, which there are many of where a face is along the lattice, chance decides.
    let order =
        |site: &Site| ((-site.depth / spacing * 1e6).round() as i64, site.chance, site.number);
    sites.sort_unstable_by_key(order);
    sites.truncate(deep.max(count(region.volume, spacing, region.dimensions) as usize));
    sites.sort_unstable_by_key(|site| site.number);
    if sites.iter().any(|site| site.depth < depth) {
        relax(&mut sites, region, depth);
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

/// Moves particles below the depth, and apart where they are denser than the lattice.
fn relax(sites: &mut [Site], region: &Region<'_>, depth: f64) {
    let (spacing, dimensions) = (region.sites.spacing, region.dimensions);
    let reach = REACH * spacing;
    let within = |depth: f64| sites.iter().map(|site| site.depth < depth).collect::<Vec<_>>();
    // Sites that stay count what comes near.
    let (is_loose, counts) = (within(LOOSE * spacing), within((LOOSE + REACH) * spacing));
    let rest = rest_density(dimensions);
    let mut near = Vec::new();
    for iteration in 0..ITERATIONS {
        if iteration % RENEWED == 0 {
            near = neighbours(sites, &counts, MARGIN * reach);
        }
        let pairs = |i: usize| {
            let (sites, place) = (&*sites, sites[i].place);
            near[i].iter().filter_map(move |j| {
                let apart = (place - sites[*j as usize].place) / reach;
                let r = apart.length();
                (1e-9..1.0).contains(&r).then(|| {
                    let (value, slope) = kernel(r);
                    (*j, value, slope / r * apart, (CLOSE / r - 1.0).max(0.0) * apart)
                })
            })
        };
        let mut worst: f64 = 0.0;
        let lambda: Vec<_> = (0..sites.len())
            .map(|i| {
                if !counts[i] {
                    return 0.0;
                }
                let (beyond, wall) = beyond(sites[i].depth / reach, dimensions);
                let (mut density, mut own, mut squares) = (1.0 + beyond, DVec3::ZERO, wall * wall);
                for (_, value, slope, _) in pairs(i) {
                    density += value;
                    own += slope;
                    squares += slope.length_squared();
                }
                let excess = (density / rest - 1.0).max(0.0);
                worst = worst.max(excess);
                -excess * rest / (own.length_squared() + squares)
            })
            .collect();
        if worst < SLIGHT && sites.iter().all(|site| site.depth >= LEAST * depth) {
            break;
        }
        let moves: Vec<_> = (0..sites.len())
            .map(|i| {
                if !is_loose[i] {
                    return DVec3::ZERO;
                }
                let of = |(j, _, slope, push): (u32, f64, DVec3, DVec3)| {
                    (lambda[i] + lambda[j as usize]) * slope + 0.5 * push
                };
                RELAXATION * reach * pairs(i).map(of).sum::<DVec3>()
            })
            .collect();
        for (i, step) in moves.into_iter().enumerate() {
            let site = &mut sites[i];
            site.place += step;
            site.depth -= step.length();
            if is_loose[i] && site.depth < reach {
                let (inward, now) = (region.inward)(site.place);
                // Particles beyond have the same λ.
                let (_, wall) = beyond(now / reach, dimensions);
                let push = (RELAXATION * reach * 2.0 * lambda[i] * wall).max(depth - now);
                site.place += push * inward;
                site.depth = now + push;
            }
        }
    }
}

/// Particles within a distance of each that is loose.
fn neighbours(sites: &[Site], is_loose: &[bool], distance: f64) -> Vec<Vec<u32>> {
    let low = sites.iter().fold(DVec3::INFINITY, |low, site| low.min(site.place));
    let high = sites.iter().fold(DVec3::NEG_INFINITY, |high, site| high.max(site.place));
    let size = ((high - low) / distance).as_ivec3() + 1;
    let cell = |p: DVec3| ((p - low) / distance).as_ivec3().clamp(IVec3::ZERO, size - 1);
    let number = |c: IVec3| (c.x + size.x * (c.y + size.y * c.z)) as usize;
    let mut cells = vec![Vec::new(); size.element_product() as usize];
    for (i, site) in sites.iter().enumerate() {
        cells[number(cell(site.place))].push(i as u32);
    }
    let mut near = vec![Vec::new(); sites.len()];
    for i in (0..sites.len()).filter(|i| is_loose[*i]) {
        let (place, center) = (sites[i].place, cell(sites[i].place));
        let around = (0..27).map(|k| center + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
        let around = around.filter(|c| c.cmpge(IVec3::ZERO).all() && c.cmplt(size).all());
        let is_near = |j: &u32| {
            *j != i as u32 && sites[*j as usize].place.distance_squared(place) < distance * distance
        };
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

/// Density that layers beyond a plane (a line in 2-D) add, and its slope, at a depth in units of the reach: a particle per
/// square spacing (per spacing), half a spacing and one and a half beyond.
fn beyond(depth: f64, dimensions: u32) -> (f64, f64) {
    let layers = [0.5 / REACH, 1.5 / REACH].map(|layer| (depth + layer).max(0.0));
    let sum = |of: fn(f64) -> (f64, f64)| {
        let near = layers.iter().filter(|far| **far < 1.0).map(|far| of(*far));
        near.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let (density, slope) = if dimensions == 2 { sum(line) } else { sum(plane) };
    (BEYOND * density, BEYOND * slope)
}

/// 2π ∫ W r dr over a plane from its nearest point on, times particles per square of the reach, and its slope.
fn plane(far: f64) -> (f64, f64) {
    let factor = REACH * REACH * 2.0 * PI;
    let outer = |r: f64| (1.0 - r).powi(4) * (0.5 - 0.4 * (1.0 - r));
    let inner = |r: f64| r * r * (0.5 - 1.5 * r * r + 1.2 * r.powi(3));
    let sum = if far < 0.5 { inner(0.5) - inner(far) + outer(0.5) } else { outer(far) };
    (factor * sum, -factor * far * kernel(far).0)
}

/// 2 ∫ W dx with r² = far² + x² along a line, times particles per reach, and its slope.
fn line(far: f64) -> (f64, f64) {
    const PARTS: u32 = 16;
    let part = |k| {
        let r = far.hypot((f64::from(k) + 0.5) / f64::from(PARTS));
        let (value, slope) = kernel(r);
        (value, slope * far / r)
    };
    let factor = 2.0 * REACH / f64::from(PARTS);
    let sum = (0..PARTS).map(part).fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (factor * sum.0, factor * sum.1)
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
