//! Checks of open boundaries.

use glam::DVec3;
use meniscus_geometry::{Check, ProblemKind};

use super::parts::material_name;
use crate::{
    Boundary, MAX_OPENINGS, Scene,
    openings::{Opening, SLACK, container},
};

/// Reports problems of the scene's open boundaries.
pub(super) fn openings(check: &mut Check, scene: &Scene) {
    let (inlets, outlets) = (&scene.inlets, &scene.outlets);
    if inlets.len() + outlets.len() > MAX_OPENINGS {
        check.at_most("inlet", inlets.len() + outlets.len(), MAX_OPENINGS);
    }
    for (i, inlet) in inlets.iter().enumerate() {
        let key = format!("inlet[{i}].material");
        material_name(check, scene, key, inlet.material.as_deref());
    }
    let all = inlets.iter().enumerate().map(|(i, inlet)| (format!("inlet[{i}]"), inlet.level));
    let outlets = outlets.iter().enumerate();
    let all = all.chain(outlets.map(|(i, outlet)| (format!("outlet[{i}]"), outlet.level)));
    for (path, level) in all {
        let key = format!("{path}.level");
        if level.is_some() && scene.upward().is_none() {
            check.report(key, "needs gravity along an axis, against which heights are measured");
        }
    }
    if !check.is_sound("inlet") || !check.is_sound("outlet") {
        return;
    }
    let openings = match scene.openings() {
        Ok(openings) => openings,
        Err(problems) => {
            problems.into_iter().for_each(|(path, message)| check.report(path, message));
            return;
        }
    };
    for (number, opening) in openings.iter().enumerate() {
        one(check, scene, opening);
        if openings[..number].iter().any(|other| other.name == opening.name) {
            let message = format!("{:?} is the name of an earlier inlet or outlet", opening.name);
            check.report(format!("{}.name", opening.path), message);
        }
    }
}

/// Reports problems of one of them.
fn one(check: &mut Check, scene: &Scene, opening: &Opening) {
    let Opening { path, axis, min, max, .. } = opening;
    let (spacing, dimensions) = (scene.spacing(), scene.dimensions as usize);
    if let Some(domain) = &scene.domain {
        let outside = |a: usize| min[a] > domain.max[a] || max[a] < domain.min[a];
        if (0..dimensions).any(outside) {
            check.report_as(ProblemKind::Place, path.clone(), "is outside the domain");
            return;
        }
        if domain.periodic[*axis] {
            check.report(path.clone(), "lies across an axis on which the domain is periodic");
        }
    }
    let across = (0..dimensions).filter(|a| a != axis);
    if across.into_iter().any(|a| max[a] - min[a] < 2.0 * spacing) {
        let message = format!("must be at least two particle spacings wide, {} m", 2.0 * spacing);
        check.report(path.clone(), message);
    }
    if let Some((up, sign)) = scene.upward() {
        let heights = [sign * min[up], sign * max[up]];
        let (low, high) = (heights[0].min(heights[1]), heights[0].max(heights[1]));
        if let Some(level) = opening.level
            && up != *axis
            && !(low..=high + SLACK * spacing).contains(&level)
        {
            let message = format!(
                "must be between the face's lower and upper end, {low} and {high} m, not {level}"
            );
            check.report(format!("{path}.level"), message);
        }
        if opening.level.is_some() && up == *axis {
            check.report(format!("{path}.level"), "has no meaning at a face that lies level");
        }
    }
    let open_above = |boundary: &Boundary| {
        container(boundary)
            .is_some_and(|cuboid| opening.is_across(&cuboid, spacing, scene.dimensions))
    };
    let held = scene.boundaries.iter().filter(|boundary| container(boundary).is_some());
    if held.clone().count() > 0 && !scene.boundaries.iter().any(open_above) {
        let message = "reaches beyond the containers";
        check.report_as(ProblemKind::Place, path.clone(), message);
        return;
    }
    for (number, cuboid) in scene.boundaries.iter().map(container).enumerate() {
        let Some(cuboid) = cuboid else { continue };
        let (low, high) = (DVec3::from(cuboid.min), DVec3::from(cuboid.max));
        let plane = min[*axis];
        if plane < low[*axis] - SLACK * spacing || plane > high[*axis] + SLACK * spacing {
            let message = format!(
                "is outside of the container boundary[{number}], which reaches from {} to {} m",
                low[*axis], high[*axis]
            );
            check.report_as(ProblemKind::Place, path.clone(), message);
            continue;
        }
        let side = if opening.inward > 0.0 { low[*axis] } else { high[*axis] };
        let is_on_side = (plane - side).abs() <= SLACK * spacing;
        let covers = (0..dimensions)
            .filter(|a| a != axis)
            .all(|a| min[a] <= low[a] + SLACK * spacing && max[a] >= high[a] - SLACK * spacing);
        if is_on_side && !covers {
            let (way, sign) =
                ("xyz".as_bytes()[*axis] as char, if opening.inward > 0.0 { '-' } else { '+' });
            let message = format!(
                "covers a part of that side of boundary[{number}] only, and the water would pass beside it: take side = \
                 \"{sign}{way}\", put a duct around it, or take an [[emitter]]"
            );
            check.report_as(ProblemKind::Place, path.clone(), message);
        }
    }
}
