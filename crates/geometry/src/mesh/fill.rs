//! Particles that fill a closed mesh to its volume.
//!
//! Sites of a lattice that keep half a spacing from a curved surface fill less than the volume: by 15 % in a ball ten
//! spacings across. So the deepest sites are taken, as many as the volume holds; those nearer to the surface than half a
//! spacing are pushed in, and particles denser than the lattice give way: position based fluids (Macklin, Müller 2013,
//! 11–14) with the kernel (1 − r)³, r in units of two spacings. Boxes of whole spacings keep their lattice.

use std::f64::consts::PI;

use glam::{DVec3, IVec3};

use super::Solid;
use crate::{
    Vec3,
    lattice::{cells, signed_noise},
};

/// Reach of the kernel in spacings.
const REACH: f64 = 2.0;
/// Depth, in spacings, to which particles give way.
const LOOSE: f64 = 5.0;
/// Most iterations, and the excess of density at which they end.
const ITERATIONS: usize = 80;
const SLIGHT: f64 = 0.02;
/// Iterations with the same neighbours, which are looked for within this many times the reach.
const RENEWED: usize = 8;
const MARGIN: f64 = 1.15;
/// Share of the correction by which a particle moves.
const RELAXATION: f64 = 0.3;
/// Particles that find no place this deep, relative to the depth asked for, are left out: parts of the mesh are thinner
/// than a spacing.
const LEAST: f64 = 0.8;

/// World coordinates in m of particles at least about `depth` m below the surface, or none if nothing is as deep.
pub(super) fn fill(solid: &Solid, spacing: f64, depth: f64) -> Vec<Vec3> {
    let mut sites = sites(solid, spacing);
    if !sites.iter().any(|site| site.depth >= depth) {
        return Vec::new();
    }
    let count = (solid.mesh().volume() / spacing.powi(3)).round() as usize;
    // Among sites as deep, which there are many of where a face is along the lattice, chance decides.
    let order =
        |site: &Site| ((-site.depth / spacing * 1e6).round() as i64, site.chance, site.number);
    sites.sort_unstable_by_key(order);
    sites.truncate(count);
    sites.sort_unstable_by_key(|site| site.number);
    if sites.iter().any(|site| site.depth < depth) {
        relax(&mut sites, solid, spacing, depth);
        sites.retain(|site| -solid.distance(site.place) >= LEAST * depth);
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

/// Sites of a cubic lattice about the mesh's centre, up to half a spacing outside of it.
fn sites(solid: &Solid, spacing: f64) -> Vec<Site> {
    let (low, high) = solid.mesh().bounds();
    // One more on either side.
    let counts = (high - low).to_array().map(|length| cells(length, spacing).max(1.0) + 2.0);
    let first = 0.5 * (low + high) - 0.5 * (DVec3::from(counts) - 1.0) * spacing;
    let [nx, ny, nz] = counts.map(|count| count as u64);
    let all = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
    let site = |[i, j, k]: [u64; 3]| {
        let place = first + DVec3::new(i as f64, j as f64, k as f64) * spacing;
        let number = i + nx * (j + ny * k);
        let chance = signed_noise(0, number, 0).to_bits();
        Site { number, chance, place, depth: -solid.distance(place) }
    };
    all.map(site).filter(|site| site.depth >= -0.5 * spacing).collect()
}

/// Moves particles below the depth, and apart where they are denser than the lattice.
fn relax(sites: &mut [Site], solid: &Solid, spacing: f64, depth: f64) {
    let reach = REACH * spacing;
    let is_loose: Vec<_> = sites.iter().map(|site| site.depth < LOOSE * spacing).collect();
    let rest = rest_density();
    let mut near = Vec::new();
    for iteration in 0..ITERATIONS {
        if iteration % RENEWED == 0 {
            near = neighbours(sites, &is_loose, MARGIN * reach);
        }
        let pairs = |i: usize| {
            let (sites, place) = (&*sites, sites[i].place);
            near[i].iter().filter_map(move |j| {
                let apart = (place - sites[*j as usize].place) / reach;
                let r = apart.length();
                (1e-9..1.0).contains(&r).then(|| (*j, 1.0 - r, apart / r))
            })
        };
        let mut worst: f64 = 0.0;
        let lambda: Vec<_> = (0..sites.len())
            .map(|i| {
                if !is_loose[i] {
                    return 0.0;
                }
                let (beyond, wall) = beyond(sites[i].depth / reach);
                let (mut density, mut own, mut squares) = (1.0 + beyond, DVec3::ZERO, wall * wall);
                for (_, near, direction) in pairs(i) {
                    density += near.powi(3);
                    let slope = -3.0 * near * near * direction;
                    own += slope;
                    squares += slope.length_squared();
                }
                let excess = (density / rest - 1.0).max(0.0);
                worst = worst.max(excess);
                -excess * rest / (own.length_squared() + squares)
            })
            .collect();
        if worst < SLIGHT {
            break;
        }
        let moves: Vec<_> = (0..sites.len())
            .map(|i| {
                let of = |(j, near, direction): (u32, f64, DVec3)| {
                    (lambda[i] + lambda[j as usize]) * -3.0 * near * near * direction
                };
                RELAXATION * reach * pairs(i).map(of).sum::<DVec3>()
            })
            .collect();
        for (i, step) in moves.into_iter().enumerate() {
            let site = &mut sites[i];
            site.place += step;
            site.depth -= step.length();
            if is_loose[i] && site.depth < reach {
                let (nearest, signed) = solid.nearest(site.place);
                // Particles beyond have the same λ.
                let (_, wall) = beyond(-signed / reach);
                let push = (RELAXATION * reach * 2.0 * lambda[i] * wall).max(depth + signed);
                let inward = ((site.place - nearest) * -signed.signum()).normalize_or_zero();
                site.place += push * inward;
                site.depth = push - signed;
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
fn rest_density() -> f64 {
    let site = |n: i32| IVec3::new(n % 5, n / 5 % 5, n / 25) - 2;
    let all = (0..125).map(|n| site(n).as_dvec3().length() / REACH);
    all.map(|r| (1.0 - r).max(0.0).powi(3)).sum()
}

/// Density that layers beyond a plane add, and its slope, at a depth in units of the reach: a particle per square spacing,
/// half a spacing and one and a half beyond.
fn beyond(depth: f64) -> (f64, f64) {
    let (mut density, mut slope) = (0.0, 0.0);
    for layer in [0.5 / REACH, 1.5 / REACH] {
        // 2π ∫ (1 − r)³ r dr over a layer from its nearest point on, times particles per square of the reach.
        let near = (1.0 - (depth + layer).max(0.0)).max(0.0);
        density += REACH * REACH * 2.0 * PI * (near.powi(4) / 4.0 - near.powi(5) / 5.0);
        slope -= REACH * REACH * 2.0 * PI * (near.powi(3) - near.powi(4));
    }
    (density, slope)
}
