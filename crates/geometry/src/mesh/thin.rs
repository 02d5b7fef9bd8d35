//! How thick the walls of a solid are.

use glam::DVec3;

use super::{Solid, area};

/// Points of the surface that are looked at.
const SAMPLES: usize = 400;
/// Depths below each of them, and halvings of the step in which the solid ends.
const DEPTHS: u32 = 16;
const HALVINGS: u32 = 8;

/// Walls that are thinner than some thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thin {
    /// Share of the surface's area behind which the solid ends sooner.
    pub share: f64,
    /// Median of the thickness there, in m; 0 of an open mesh, which has none.
    pub thickness: f64,
    /// Thickness in m than which the walls behind at most the share asked for are thinner.
    pub least: f64,
}

impl Solid {
    /// Walls thinner than `thickness` m, by points on the surface and the way from there against the normal: of a glass
    /// nearly all of it, of a ball nothing. `None` if they are behind no more than `share` of its area: edges that taper are thin, too.
    #[must_use]
    pub fn thin(&self, thickness: f64, share: f64) -> Option<Thin> {
        let mesh = self.mesh();
        if !mesh.is_closed() {
            return Some(Thin { share: 1.0, thickness: 0.0, least: 0.0 });
        }
        let depth = |step: f64| thickness * step / f64::from(DEPTHS);
        // The middle of the triangle at each of equal steps of the area.
        let step = mesh.area() / SAMPLES as f64;
        let (mut passed, mut next) = (0.0, 0.5 * step);
        let mut found = Vec::new();
        let mut samples = 0;
        for triangle in mesh.triangles() {
            let corners = mesh.corners(*triangle);
            passed += area(corners);
            let hits = if next < passed { ((passed - next) / step) as u32 + 1 } else { 0 };
            next += f64::from(hits) * step;
            if hits == 0 {
                continue;
            }
            samples += hits;
            let (middle, inward) = (corners.iter().sum::<DVec3>() / 3.0, -mesh.normal(*triangle));
            let out = |step: f64| self.distance(middle + depth(step) * inward) > 0.0;
            if let Some(end) = (1..=DEPTHS).map(f64::from).find(|step| out(*step)) {
                let halved = |step: f64, halving: u32| {
                    let sooner = step - 0.5f64.powi(halving as i32);
                    if out(sooner) { sooner } else { step }
                };
                let end = (1..=HALVINGS).fold(end, halved);
                found.extend((0..hits).map(|_| depth(end)));
            }
        }
        found.sort_by(f64::total_cmp);
        let least = *found.get((share * f64::from(samples)) as usize)?;
        let thickness = found[found.len() / 2];
        Some(Thin { share: found.len() as f64 / f64::from(samples), thickness, least })
    }
}
