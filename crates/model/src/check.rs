//! Checks of scenes: those of [`meniscus_scene::check`], and time steps and speeds that the solver
//! can follow.

use glam::DVec3;
use meniscus_methods::mpm::materials::{Model, Own};
use meniscus_methods::{Axis, Chosen, Context, Method, Registry, Walls};
use meniscus_scene::{Contact, Flow, Material, Problem, ProblemKind, Scene, Value, check};

use crate::extent::Bounds;
use crate::limits;

/// All problems of a scene; none if it can be simulated.
#[must_use]
pub fn problems(scene: &Scene) -> Vec<Problem> {
    problems_with(scene, &Registry::standard())
}

/// All problems of a scene with these methods; none if it can be simulated.
#[must_use]
pub fn problems_with(scene: &Scene, registry: &Registry) -> Vec<Problem> {
    let mut problems = registry.problems(scene);
    let support_radius = match registry.choose(scene) {
        Ok(chosen) => chosen.support_radius(scene),
        Err(_) => scene.support_radius.unwrap_or(4.0 * scene.particle_radius),
    };
    problems.extend(check::values(scene, support_radius));
    if problems.is_empty()
        && let Ok(chosen) = registry.choose(scene)
    {
        problems.extend(check::places(scene, support_radius));
        if !scene.allow_overlap {
            problems.extend(check::overlaps(scene));
        }
        problems.extend(speeds(scene, &chosen));
        problems.extend(openings(scene, &chosen, registry));
        problems.extend(deforming(scene, &chosen, registry));
        problems.extend(worlds(scene, &chosen, registry));
    }
    problems
}

/// Checks that a scene of several worlds has only what these have.
fn worlds(scene: &Scene, chosen: &Chosen, registry: &Registry) -> Vec<Problem> {
    if scene.worlds == 1 {
        return Vec::new();
    }
    let problem = |message: String| vec![Problem::new("worlds", message)];
    if !chosen.family().repeats {
        let is_able = |method: &&Method| method.family().is_some_and(|own| own.repeats);
        let names: Vec<_> = registry.of(Axis::Solver).filter(is_able).map(|own| own.name).collect();
        return problem(format!(
            "the solver {:?} has one world only: take one of the solvers {}",
            chosen.solver().name,
            names.join(", ")
        ));
    }
    let multigrid = chosen.settings().get(&format!("{}.pressure", chosen.solver().table()));
    let unable = [
        ("emitters", !scene.emitters.is_empty()),
        ("drains", !scene.drains.is_empty()),
        ("inlets and outlets", !scene.inlets.is_empty() || !scene.outlets.is_empty()),
        ("[capacity]", scene.capacity.is_some()),
        ("joints and mooring lines", !scene.joints.is_empty() || !scene.moorings.is_empty()),
        ("probes", !scene.probes.is_empty()),
        ("boundaries with frames", scene.boundaries.iter().any(|own| own.frames().is_some())),
        ("foam", Axis::Foam.is_on(scene)),
        (
            "what needs the free surface (tension near it, corrected densities, shifting)",
            chosen.methods().any(|own| own.name == "free_surface"),
        ),
        ("the iteration \"multigrid\"", multigrid == Some(&Value::Text("multigrid".into()))),
    ];
    let found: Vec<_> =
        unable.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
    if !found.is_empty() {
        return problem(format!(
            "must be 1 with {}: several worlds do not have it yet",
            found.join(", ")
        ));
    }
    let solids = scene.boundaries.len() + scene.bodies.len();
    if solids as u64 * u64::from(scene.worlds) > u64::from(u16::MAX) {
        return problem(format!(
            "must be at most {} with {solids} solids",
            usize::from(u16::MAX) / solids
        ));
    }
    Vec::new()
}

/// Checks that the scene's solver has boundaries that change their shape, if the scene has any.
fn deforming(scene: &Scene, chosen: &Chosen, registry: &Registry) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, boundary) in scene.boundaries.iter().enumerate() {
        if boundary.frames().is_none() {
            continue;
        }
        if !chosen.family().deforms {
            let all = registry.of(Axis::Solver);
            let able = all.filter(|method| method.family().is_some_and(|family| family.deforms));
            let names: Vec<_> = able.map(|method| method.name).collect();
            let message = format!(
                "the solver {:?} has no boundaries that change their shape by frames: take one of the solvers {}",
                chosen.solver().name,
                names.join(", ")
            );
            problems.push(Problem::new(format!("boundary[{i}].motion"), message));
        } else if chosen.family().walls == Walls::Contact
            && boundary.contact == Some(Contact::Sticky)
        {
            let message =
                "of a boundary with frames acts along its normal alone: it cannot be \"sticky\"";
            problems.push(Problem::new(format!("boundary[{i}].contact"), message));
        }
    }
    problems
}

/// Checks that the scene's solver has open boundaries of the kinds that the scene has.
fn openings(scene: &Scene, chosen: &Chosen, registry: &Registry) -> Vec<Problem> {
    let openings = scene.openings().unwrap_or_default();
    let Some(first) = openings.first() else { return Vec::new() };
    let solver = chosen.solver().name;
    let names = |which: fn(&Method) -> bool| {
        let all = registry.of(Axis::Solver).filter(|method| which(method));
        all.map(|method| method.name).collect::<Vec<_>>().join(", ")
    };
    if !chosen.solver().opens() {
        let message = format!(
            "the solver {solver:?} has no open boundaries: take [[emitter]] and [[drain]], or one of the solvers {}",
            names(Method::opens)
        );
        return vec![Problem::new(first.path.clone(), message)];
    }
    let mut problems = Vec::new();
    if chosen.sph().is_some() {
        let iterates = chosen.sound().is_none();
        for opening in &openings {
            let message = match (&opening.flow, opening.is_inlet()) {
                (Flow::Level(_), true) => {
                    "lets nothing in by a level alone: give a velocity or rate"
                }
                (Flow::Pressure(_), false) if iterates => {
                    "holds no pressure beyond an outlet: give a level or leave it free"
                }
                _ => continue,
            };
            let others = match opening.is_inlet() {
                true => names(|method| method.family().is_some_and(|family| family.opens)),
                false => names(|method| {
                    let sph = method.solver.and_then(|solver| solver.sph);
                    method.opens() && sph.is_none_or(|sph| sph.sound.is_some())
                }),
            };
            let message =
                format!("the solver {solver:?} {message}, or take one of the solvers {others}");
            problems.push(Problem::new(opening.path.clone(), message));
        }
        let path = format!("{}.pressure", chosen.solver().table());
        let is_other = |value: &Value| matches!(value, Value::Text(name) if name != "jacobi" && name != "auto");
        if scene.settings.get(&path).is_some_and(is_other) {
            let message = "must be \"jacobi\" or left out beside inlets and outlets";
            problems.push(Problem::new(path, message));
        }
    }
    problems
}

/// Checks that sound is faster than the fluid, and that a fixed step is short enough.
fn speeds(scene: &Scene, chosen: &Chosen) -> Vec<Problem> {
    let mut problems = Vec::new();
    let half = DVec3::splat(scene.particle_radius);
    let corners = scene.fluids.iter().flat_map(|fluid| {
        let (center, reach) = fluid.shape.bounds();
        let reach = (reach - half).max(DVec3::ZERO);
        [(center - reach).to_array(), (center + reach).to_array()]
    });
    let bounds = Bounds::of(scene, corners.collect::<Vec<_>>().iter());
    let fastest = limits::largest_speed(scene, &bounds);
    let context = Context { scene, chosen, expected_speed: limits::expected_speed(scene, &bounds) };
    let sound = chosen.sound_speed(&context);
    let key = chosen.sound().and_then(|sound| (sound.key)(&context));
    if let (Some(key), Some(c)) = (key, sound)
        && c < fastest
    {
        let message = format!(
            "must be at least {fastest:.4} m/s, the largest speed to expect (√(2 g H), or what \
             starts, emitters, walls, forces and tension give), not {c} m/s; ten times that \
             keeps the fluid's density within 1 %"
        );
        problems.push(Problem::new(key, message).of(ProblemKind::Unstable));
    }
    let family = chosen.family();
    for (number, own) in points(&context).enumerate() {
        let mut report = |key: &str, message: String| {
            let key = format!("material[{number}].{key}");
            problems.push(Problem::new(key, message).of(ProblemKind::Unstable));
        };
        if let Some((key, message)) = (own.model.problem)(&own, fastest) {
            report(key, message);
        }
        let sound = context.sound_share(own.model) * (own.model.sound)(&own);
        let needed = scene.time.cfl * family.step_shares[0] * chosen.length(scene) / sound;
        if needed < scene.time.min_step {
            let message = format!(
                "needs steps of {needed:.3e} s at this particle_radius, shorter than time.min_step = {:.3e} s: a softer \
                 material, a smaller min_step or larger particles would do",
                scene.time.min_step
            );
            report(own.model.softens, message);
        }
    }
    let Some(step) = scene.time.step else { return problems };
    let (h, g) = (chosen.length(scene), DVec3::from(scene.gravity).length());
    let heard =
        points(&context).map(|own| context.sound_share(own.model) * (own.model.sound)(&own));
    let signal = heard.fold(0.0, f64::max) + fastest;
    let (what, symbol, speed) = match sound {
        Some(sound) => ("sound", "c", sound),
        None if family.has_models => ("sound", "(c + v)", signal),
        None => ("speed", "v", fastest),
    };
    let [by_speed, by_gravity] = family.step_shares;
    let share = |share: f64| if share == 1.0 { String::new() } else { format!("{share} ") };
    let letter = family.letter;
    let mut limits = vec![
        (
            format!("{what} ({}{letter}/{symbol} with {speed:.4} m/s)", share(by_speed)),
            by_speed * h / speed,
        ),
        (format!("gravity ({}√({letter}/g))", share(by_gravity)), by_gravity * (h / g).sqrt()),
    ];
    let matter = context.matter();
    limits.extend(chosen.limits(h, &matter).map(|(name, step)| (name.into(), step)));
    let cfl = scene.time.cfl;
    if limits.iter().any(|(_, limit)| step > cfl * limit * (1.0 + 1e-6)) {
        let finite = limits.iter().filter(|(_, limit)| limit.is_finite());
        let all: Vec<_> =
            finite.map(|(name, limit)| format!("{:.3e} s by {name}", cfl * limit)).collect();
        let message = format!(
            "{step} s is more than the CFL condition allows with time.cfl = {cfl}: {}; leave \
             it out for a step that adapts",
            all.join(", ")
        );
        problems.push(Problem::new("time.step", message).of(ProblemKind::Unstable));
    }
    problems
}

/// Materials of a scene of material points; none of others.
fn points<'a>(context: &Context<'a>) -> impl Iterator<Item = Own<'a>> {
    let expected_speed = context.expected_speed;
    let has_models = context.chosen.family().has_models;
    let all = context.scene.materials.iter().zip(context.chosen.models());
    let own = move |(material, model): (&'a Material, &&'static Model)| Own {
        material,
        model,
        rest_density: material.rest_density,
        expected_speed,
    };
    all.filter(move |_| has_models).map(own)
}
