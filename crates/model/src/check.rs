//! What a scene must satisfy before anything is built from it: what [`meniscus_scene::check`] asks
//! for, and speeds that its solver can follow.

use glam::DVec3;
use meniscus_scene::{Problem, Scene, Solver, check};

use crate::extent::Bounds;
use crate::limits;

/// Everything that is wrong with a scene; empty when it can be simulated.
#[must_use]
pub fn problems(scene: &Scene) -> Vec<Problem> {
    let mut problems = check::values(scene);
    if problems.is_empty() {
        problems.extend(check::places(scene));
        problems.extend(speeds(scene));
    }
    problems
}

/// Sound is faster than the fluid, and a fixed step short enough for everything.
fn speeds(scene: &Scene) -> Vec<Problem> {
    let mut problems = Vec::new();
    let half = DVec3::splat(scene.particle_radius);
    let corners = scene.fluids.iter().flat_map(|fluid| {
        let (center, reach) = fluid.shape.bounds();
        let reach = (reach - half).max(DVec3::ZERO);
        [(center - reach).to_array(), (center + reach).to_array()]
    });
    let bounds = Bounds::of(scene, corners.collect::<Vec<_>>().iter());
    let fastest = limits::largest_speed(scene, &bounds);
    // Müller's k is left alone: published values make water very compressible.
    let own = match scene.solver {
        Solver::Muller if scene.muller.stiffness.is_none() => {
            Some(("muller.sound_speed", scene.muller.sound_speed))
        }
        Solver::Wcsph => Some(("wcsph.sound_speed", scene.wcsph.sound_speed)),
        _ => None,
    };
    if let Some((key, Some(c))) = own
        && c < fastest
    {
        let message = format!(
            "must be at least {fastest:.4} m/s, the largest speed to expect (√(2 g H), or what \
             starts, emitters, walls, forces and tension give), not {c} m/s; ten times that \
             keeps the fluid's density within 1 %"
        );
        problems.push(Problem::new(key, message));
    }
    let Some(step) = scene.time.step else { return problems };
    let expected = limits::expected_speed(scene, &bounds);
    let (h, g) = (scene.support_radius(), DVec3::from(scene.gravity).length());
    let (name, speed) = match scene.solver.is_incompressible() {
        true => ("speed (0.4 h/v", fastest),
        false => ("sound (0.4 h/c", limits::sound_speed(scene, expected)),
    };
    let materials = limits::materials(scene, expected);
    let limits = [
        (format!("{name} with {speed:.4} m/s)"), limits::by_speed(h, speed)),
        ("gravity (0.25 √(h/g))".into(), limits::by_acceleration(h, g)),
        ("viscosity (0.125 (h/2)²/ν)".into(), limits::by_viscosity(h, &materials)),
        ("tension (0.25 √(ρ(h/2)³/(2πσ)))".into(), limits::by_tension(h, &materials)),
    ];
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
        problems.push(Problem::new("time.step", message));
    }
    problems
}
