//! Cubic lattices (square in 2-D, at z = 0) of sites for particles.

use glam::DVec3;

use crate::Vec3;

/// Tolerance, in spacings, for a shape that is too small for its last layer: decimal fractions of a
/// metre are not exact in binary.
pub(crate) const SLACK: f64 = 1e-3;

/// Least depth of particles below a surface in m: half a spacing.
pub(crate) fn least_depth(spacing: f64) -> f64 {
    (0.5 - SLACK) * spacing
}

/// Sites from which the particles of a shape are selected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub(crate) first: DVec3,
    pub(crate) spacing: f64,
    /// Whole numbers, in floating point so that absurd sizes do not overflow.
    pub(crate) counts: [f64; 3],
}

/// Lattice about the centre of a box along the axes (centre and half extents): sites at least half
/// a spacing inside it.
pub(crate) fn centered((center, half): (DVec3, DVec3), spacing: f64, dimensions: u32) -> Lattice {
    let counts = half.to_array().map(|half| centered_sites(half - 0.5 * spacing, spacing));
    about(center, counts, spacing, dimensions)
}

/// Lattice with this number of sites per axis about a centre; one layer in 2-D.
pub(crate) fn about(center: DVec3, mut counts: [f64; 3], spacing: f64, dimensions: u32) -> Lattice {
    let mut first = center - 0.5 * (DVec3::from(counts) - 1.0) * spacing;
    if dimensions == 2 {
        counts[2] = 1.0;
        first.z = 0.0;
    }
    Lattice { first, spacing, counts }
}

impl Lattice {
    /// Number of sites.
    pub(crate) fn count(&self) -> f64 {
        self.counts.iter().product()
    }

    /// All sites; x varies fastest, then y.
    pub(crate) fn places(self) -> impl Iterator<Item = DVec3> {
        let [nx, ny, nz] = self.counts.map(|count| count as u64);
        let all =
            (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
        all.map(move |[i, j, k]| {
            self.first + DVec3::new(i as f64, j as f64, k as f64) * self.spacing
        })
    }

    /// The lattice with one more site on either side of each axis.
    pub(crate) fn grown(mut self, dimensions: u32) -> Self {
        for axis in 0..dimensions as usize {
            self.first[axis] -= self.spacing;
            self.counts[axis] += 2.0;
        }
        self
    }
}

/// Number of whole spacings in a length.
pub(crate) fn cells(length: f64, spacing: f64) -> f64 {
    (length / spacing + SLACK).floor().max(0.0)
}

/// Number of lattice sites within ± `reach` of a centre that is one of them.
pub(crate) fn centered_sites(reach: f64, spacing: f64) -> f64 {
    let beside = (reach / spacing + SLACK).floor();
    if beside >= 0.0 { 2.0 * beside + 1.0 } else { 0.0 }
}

/// Moves every particle by up to ± `jitter` · `spacing` per axis, depending on `seed`.
pub(crate) fn shake(particles: &mut [Vec3], spacing: f64, dimensions: u32, jitter: f64, seed: u32) {
    if jitter != 0.0 {
        let axes = if dimensions == 2 { 2 } else { 3 };
        for (index, particle) in particles.iter_mut().enumerate() {
            for (axis, coordinate) in particle.iter_mut().take(axes).enumerate() {
                *coordinate += jitter * spacing * signed_noise(seed, index as u64, axis as u64);
            }
        }
    }
}

/// Number in [-1, 1) that depends only on its arguments (the finaliser of `SplitMix64`).
pub(crate) fn signed_noise(seed: u32, index: u64, axis: u64) -> f64 {
    let mut x = (u64::from(seed) << 32) ^ (index * 3 + axis);
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^= x >> 31;
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}
