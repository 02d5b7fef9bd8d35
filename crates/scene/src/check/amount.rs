//! Numbers of particles and cells.

use glam::DVec3;
use meniscus_geometry::{Check, ProblemKind, Shape, Side, check::WIDEST};

use super::MAX_PARTICLES;
use crate::{Emitter, Scene};

/// Most cells of a grid: 1 GiB for its two buffers.
const MOST_CELLS: f64 = (1u32 << 27) as f64;

/// Checks the number of particles, with at least one per fluid, and the size of the grid.
pub(super) fn amount(check: &mut Check, scene: &Scene) {
    let mut total = 0.0;
    let mut low = DVec3::INFINITY;
    let mut high = DVec3::NEG_INFINITY;
    for (i, fluid) in scene.fluids.iter().enumerate() {
        let count = fluid.particle_count(scene.spacing(), scene.dimensions);
        if count == 0.0 {
            let message = match open_edges(&fluid.shape) {
                0 => format!("is too small for a particle: they are {} m apart", scene.spacing()),
                open => format!("has {open} open edges: fluid fills the inside of a closed mesh"),
            };
            check.report(format!("fluid[{i}].shape"), message);
        }
        total += count;
        let (center, half) = fluid.shape.bounds();
        low = low.min(center - half);
        high = high.max(center + half);
    }
    for wall in scene.boundaries.iter().filter(|wall| wall.side == Side::Inside) {
        if !wall.shape.is_endless() {
            let (center, half) = wall.shape.bounds();
            low = low.min(center - half);
            high = high.max(center + half);
        }
    }
    for body in &scene.bodies {
        let (center, half) = body.shape.bounds();
        low = low.min(center - half);
        high = high.max(center + half);
        // At most the particles on the faces of the bounding box.
        let [x, y, z] = ((2.0 * half) / scene.spacing() + 2.0).to_array();
        total += if scene.dimensions == 2 { 2.0 * (x + y) } else { 2.0 * (x * y + y * z + z * x) };
    }
    for emitter in &scene.emitters {
        low = low.min(emitter.center.into());
        high = high.max(emitter.center.into());
    }
    let mut cells = 1.0;
    if let Some(domain) = &scene.domain {
        low = low.min(domain.min.into());
        high = high.max(domain.max.into());
        // Periodic axes need all their cells; the others fold.
        for axis in (0..scene.dimensions.min(3) as usize).filter(|axis| domain.periodic[*axis]) {
            cells *= (domain.max[axis] - domain.min[axis]) / check.support_radius;
        }
    }
    if cells > MOST_CELLS {
        let message = format!(
            "its periodic axes need {} grid cells; at most {} are possible",
            thousands(cells),
            thousands(MOST_CELLS)
        );
        check.report_as(ProblemKind::TooMany, "domain", message);
    }
    if let Some(capacity) = scene.capacity {
        total = total.max(f64::from(capacity.particles));
        if low.max_element().is_infinite() {
            check.report("domain", "must be given: there is nothing that says where fluid will be");
        }
    }
    total *= f64::from(scene.worlds);
    let widths = (high - low) / check.support_radius;
    let most = |e: &Emitter| f64::from(e.max_particles.or(e.max_live).unwrap_or(0));
    total += scene.emitters.iter().map(most).sum::<f64>();
    let key = if scene.fluids.is_empty() { "emitter" } else { "fluid" };
    if total > f64::from(MAX_PARTICLES) {
        let message = format!(
            "{} particles in total; at most {} are possible (a larger particle_radius makes fewer)",
            thousands(total),
            thousands(MAX_PARTICLES.into())
        );
        check.report_as(ProblemKind::TooMany, key, message);
    } else if widths.max_element() > WIDEST {
        let message = format!(
            "fluid, containers and domain are {} support radii wide; at most {} are possible",
            thousands(widths.max_element()),
            thousands(WIDEST)
        );
        check.report_as(ProblemKind::TooMany, key, message);
    }
}

/// Number of edges at which a mesh is open; 0 of other shapes.
pub(super) fn open_edges(shape: &Shape) -> usize {
    shape.mesh().map_or(0, |solid| solid.mesh().open_edges())
}

/// Whole number with commas between thousands.
pub(super) fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.ceil());
    if !value.is_finite() || digits.len() > 24 {
        return format!("{value:e}");
    }
    let group = |(i, digit): (usize, char)| {
        let comma = i > 0 && (digits.len() - i).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(group).collect()
}
