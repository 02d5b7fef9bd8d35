//! Neighbours, found by testing every pair.

use glam::DVec3;
use meniscus_model::Params;

use crate::space::{displacement, xyz};

/// A neighbour of some particle i.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pair {
    /// The neighbour's slot.
    pub j: usize,
    /// `x_i − x_j` in m, by the minimum image.
    pub offset: DVec3,
    /// Length of the offset in m, less than h.
    pub r: f64,
}

/// All pairs closer than h, including each particle with itself. They are cached for the positions
/// they belong to, and found again when those change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// Key of the cache: support radius, periods, positions, those of walls, worlds.
    found_for: (f64, DVec3, Vec<DVec3>, Vec<DVec3>, Vec<u32>),
    /// Neighbours of particle 0, of particle 1, …
    pairs: Vec<Pair>,
    /// End of each particle's neighbours in `pairs`.
    ends: Vec<usize>,
}

impl Pairs {
    /// Finds the pairs of `positions`, unless cached. The first particles have a neighbour each in `walls`,
    /// which stands for walls without particles. Particles of different worlds are no pairs.
    pub(crate) fn update(
        &mut self,
        params: &Params,
        positions: &[[f64; 4]],
        walls: &[[f64; 4]],
        worlds: Vec<u32>,
    ) {
        let h = f64::from(params.kernel.support_radius);
        let x: Vec<DVec3> = positions.iter().copied().map(xyz).collect();
        let walls: Vec<DVec3> = walls.iter().copied().map(xyz).collect();
        let wanted = (h, params.grid.period.as_dvec3(), x, walls, worlds);
        if self.found_for == wanted {
            return;
        }
        self.pairs.clear();
        self.ends.clear();
        for (i, &a) in wanted.2.iter().enumerate() {
            for (j, &b) in wanted.2.iter().enumerate() {
                if wanted.4[i] != wanted.4[j] {
                    continue;
                }
                let offset = displacement(params, a, b);
                let r = offset.length();
                if r < h {
                    self.pairs.push(Pair { j, offset, r });
                }
            }
            if let Some(&wall) = wanted.3.get(i) {
                let offset = displacement(params, a, wall);
                let j = params.counts.capacity as usize + i;
                self.pairs.push(Pair { j, offset, r: offset.length() });
            }
            self.ends.push(self.pairs.len());
        }
        self.found_for = wanted;
    }

    /// The neighbours of particle `i`.
    pub(crate) fn of(&self, i: usize) -> &[Pair] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.pairs[start..self.ends[i]]
    }
}
