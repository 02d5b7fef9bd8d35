//! Places of fluids, emitters and bodies: inside containers, outside of everything else.

use std::collections::HashMap;

use glam::DVec3;
use meniscus_geometry::{Check, Length, Problem, ProblemKind, Shape, Side, Use, Vec3};

use crate::{Body, Emitter, Fluid, Scene, bodies::body_depth};

/// Tolerance in spacings that counts as touching.
const TOUCHING: f64 = 1e-3;

/// Pairs of overlapping fluids. Particles on top of each other fly apart, so this is a problem unless the scene has
/// `allow_overlap`, as imported ones do.
///
/// The scene's [`values`](super::values) must be valid.
#[must_use]
pub fn overlaps(scene: &Scene) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (b, second) in scene.fluids.iter().enumerate() {
        for (a, first) in scene.fluids[..b].iter().enumerate() {
            if overlap(&first.shape, &second.shape, scene) {
                let message = format!("fills a place that fluid[{a}] fills already");
                let problem = Problem::new(format!("fluid[{b}].shape"), message);
                problems.push(problem.of(ProblemKind::Overlap));
            }
        }
    }
    let mut places = HashMap::new();
    for (b, fluid) in scene.fluids.iter().enumerate() {
        if !fluid.shape.is_list() {
            continue;
        }
        let particles = fluid.shape.fill(scene.spacing(), scene.dimensions);
        for (i, particle) in particles.into_iter().enumerate() {
            let key = place(particle.into(), scene.spacing(), scene.dimensions);
            if let Some((a, j)) = places.insert(key, (b, i)) {
                let other = if a == b { String::new() } else { format!(" of fluid[{a}]") };
                let message = format!("has particle {i} in the place of particle {j}{other}");
                let problem = Problem::new(format!("fluid[{b}].shape.points"), message);
                problems.push(problem.of(ProblemKind::Overlap));
                break;
            }
        }
    }
    problems
}

/// Place of a particle as a key, which coincident ones share: in millionths of a spacing.
fn place(particle: DVec3, spacing: f64, dimensions: u32) -> [i64; 3] {
    let flat = if dimensions == 2 { particle.with_z(0.0) } else { particle };
    (flat / (1e-6 * spacing)).round().as_i64vec3().to_array()
}

/// The first two of some particles that are in one place, by their numbers.
#[must_use]
pub fn coincident(particles: &[DVec3], spacing: f64, dimensions: u32) -> Option<[usize; 2]> {
    let mut places = HashMap::new();
    particles.iter().enumerate().find_map(|(i, particle)| {
        let first = places.insert(place(*particle, spacing, dimensions), i)?;
        Some([first, i])
    })
}

fn overlap(first: &Shape, second: &Shape, scene: &Scene) -> bool {
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
    let ((center, half), (other_center, other_half)) = (first.bounds(), second.bounds());
    let shared = half + other_half - (center - other_center).abs();
    let shared =
        if dimensions == 2 { shared.truncate().min_element() } else { shared.min_element() };
    if shared <= 1e-6 * spacing {
        return false;
    }
    if first.fills_bounds() && second.fills_bounds() {
        return true;
    }
    let count = |shape: &Shape| shape.count(spacing, dimensions);
    // Particles are no region: there is nothing between them.
    let swap = first.unfit(Use::Drain).is_some() || count(first) <= count(second);
    let (small, large) = if swap { (first, second) } else { (second, first) };
    small
        .fill(spacing, dimensions)
        .into_iter()
        .any(|particle| large.depth(particle.into(), dimensions) > 1e-6 * spacing)
}

/// Checks that every fluid and emitter is inside all containers, in front of all planes, and inside
/// the domain on its periodic axes, and that emitters are outside obstacles and bodies, from which
/// fluid would be removed.
pub(super) fn containment(check: &mut Check, scene: &Scene) {
    for (i, fluid) in scene.fluids.iter().enumerate() {
        let corners = fluid.shape.corners(0.5 * scene.spacing(), scene.dimensions);
        contain(check, scene, &format!("fluid[{i}].shape"), Some(fluid), &corners);
    }
    for (i, emitter) in scene.emitters.iter().enumerate() {
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let Emitter { mouth, center, velocity, up, .. } = emitter;
        let layer = mouth.layer(*center, *velocity, *up, spacing, dimensions);
        let key = format!("emitter[{i}].center");
        let places: Vec<_> = layer.iter().map(|p| (DVec3::from(*p), 0.0)).collect();
        contain(check, scene, &key, None, &places);
        keep_out(check, scene, &key, &layer);
    }
}

/// What to say where something is outside a container that is perhaps meant as an obstacle.
fn side_hint(is_plane: bool, side: Side) -> &'static str {
    match side == Side::Inside && !is_plane {
        true => " (of an obstacle in the fluid, the side is \"outside\")",
        false => "",
    }
}

/// Checks that no point is in an obstacle or body.
fn keep_out(check: &mut Check, scene: &Scene, key: &str, points: &[Vec3]) {
    let dimensions = scene.dimensions;
    let deepest = |depth: &dyn Fn(&Vec3) -> f64| points.iter().map(depth).fold(0.0, f64::max);
    for (b, boundary) in scene.boundaries.iter().enumerate() {
        let plane = boundary.shape.is_endless();
        if boundary.side == Side::Outside && !plane {
            let depth = |p: &Vec3| boundary.shape.depth((*p).into(), dimensions);
            refuse_depth(check, scene, key, deepest(&depth), format!("the obstacle boundary[{b}]"));
        }
    }
    for (b, body) in scene.bodies.iter().enumerate() {
        let depth = |p: &Vec3| body.depth_of(*p, dimensions);
        refuse_depth(check, scene, key, deepest(&depth), format!("body[{b}]"));
    }
}

fn refuse_depth(check: &mut Check, scene: &Scene, key: &str, depth: f64, what: String) {
    if depth > TOUCHING * scene.spacing() {
        check.report_as(
            ProblemKind::Place,
            key,
            format!("its mouth is {} deep in {what}", Length(depth)),
        );
    }
}

/// Checks that bodies are inside all containers, in front of all planes, outside all other solids,
/// and in the domain.
pub(super) fn collisions(check: &mut Check, scene: &Scene) {
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
    // Layers are this deep below the surface, and their corners slightly deeper.
    let depth = body_depth(spacing, dimensions);
    let slack = depth - TOUCHING * spacing;
    let extents: Vec<_> = scene.bodies.iter().map(Body::extent).collect();
    let mut order: Vec<_> = (0..scene.bodies.len()).collect();
    order.sort_by(|a, b| extents[*a].0.x.total_cmp(&extents[*b].0.x));
    for (place, &i) in order.iter().enumerate() {
        let (low, high) = extents[i];
        let layer = scene.bodies[i].layer(spacing, dimensions);
        if let Some(domain) = &scene.domain {
            let outside = (0..dimensions as usize)
                .any(|axis| high[axis] < domain.min[axis] || low[axis] > domain.max[axis]);
            if outside {
                check.report_as(
                    ProblemKind::Place,
                    format!("body[{i}].shape"),
                    "is outside the domain",
                );
            }
        }
        for (b, boundary) in scene.boundaries.iter().enumerate() {
            let is_plane = boundary.shape.is_endless();
            let inward = if boundary.side == Side::Inside || is_plane { 1.0 } else { -1.0 };
            let inside = |point: &Vec3| inward * boundary.shape.depth((*point).into(), dimensions);
            let least = layer.iter().map(inside).fold(f64::INFINITY, f64::min);
            if least < slack {
                let reach = depth - least;
                let wall = match (is_plane, boundary.side) {
                    (true, _) => "behind the plane",
                    (_, Side::Inside) => "outside the container",
                    (_, Side::Outside) => "into the obstacle",
                };
                let hint = side_hint(is_plane, boundary.side);
                let message = format!("reaches {} {wall} boundary[{b}]{hint}", Length(reach));
                check.report_as(ProblemKind::Place, format!("body[{i}].shape"), message);
            }
        }
        // Candidates are the bodies whose boxes begin before this one ends.
        for &j in &order[place + 1..] {
            if extents[j].0.x > high.x {
                break;
            }
            let apart = extents[j].0.cmpgt(high) | low.cmpgt(extents[j].1);
            let apart = if dimensions == 2 { apart.x | apart.y } else { apart.any() };
            let inside = |layer: &[Vec3], body: &Body| {
                layer.iter().any(|point| body.depth_of(*point, dimensions) > -slack)
            };
            if !apart
                && (inside(&layer, &scene.bodies[j])
                    || inside(&scene.bodies[j].layer(spacing, dimensions), &scene.bodies[i]))
            {
                let (first, second) = (i.min(j), i.max(j));
                let message = format!("fills a place that body[{first}] fills already");
                check.report_as(ProblemKind::Overlap, format!("body[{second}].shape"), message);
            }
        }
    }
}

fn contain(
    check: &mut Check,
    scene: &Scene,
    key: &str,
    fluid: Option<&Fluid>,
    corners: &[(DVec3, f64)],
) {
    let slack = TOUCHING * scene.spacing();
    for (b, boundary) in scene.boundaries.iter().enumerate() {
        let is_plane = boundary.shape.is_endless();
        if boundary.side == Side::Outside && !is_plane {
            continue;
        }
        if boundary.shape.is_sheet() {
            continue;
        }
        // In a container that may not be convex, each particle must be inside.
        let particles = match fluid.filter(|_| !boundary.shape.is_convex()) {
            Some(fluid) => {
                let points = fluid.particles(scene.spacing(), scene.dimensions, 0);
                points.into_iter().map(|p| (DVec3::from(p), 0.0)).collect()
            }
            None => Vec::new(),
        };
        let corners = if particles.is_empty() { corners } else { &particles };
        let overhang = corners
            .iter()
            .map(|&(point, margin)| margin - boundary.shape.depth(point, scene.dimensions))
            .fold(0.0, f64::max);
        if overhang > slack {
            let wall = if is_plane { "behind the plane" } else { "outside the container" };
            let hint = side_hint(is_plane, boundary.side);
            check.report_as(
                ProblemKind::Place,
                key,
                format!("reaches {} {wall} boundary[{b}]{hint}", Length(overhang)),
            );
        }
    }
    let Some(domain) = &scene.domain else { return };
    let is_beyond = |axis: usize| {
        let places = || corners.iter().map(|(point, _)| point[axis]);
        places().all(|x| x < domain.min[axis]) || places().all(|x| x > domain.max[axis])
    };
    if !corners.is_empty() && (0..scene.dimensions as usize).any(is_beyond) {
        check.report_as(ProblemKind::Place, key, "is outside the domain");
        return;
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let beyond = |&(point, margin): &(DVec3, f64)| {
            (domain.min[axis] - point[axis]).max(point[axis] - domain.max[axis]) + margin > slack
        };
        if domain.periodic[axis] && corners.iter().any(beyond) {
            check.report_as(
                ProblemKind::Place,
                key,
                format!("reaches beyond the domain, which is periodic in {name}"),
            );
        }
    }
}
