//! Scenes with conserved quantities: closed containers, and drops in free space.

use conformance::scenes::{block, container};
use meniscus_model::{
    Scene,
    scene::{
        Body, Capsule, Cuboid, Cylinder, Domain, Emitter, Fluid, Material, MeshShape, Motion,
        Mouth, Response, Rotation, Shape, Sphere, Value, Vec3,
    },
};
use proptest::{collection::vec, option, prelude::*, sample::select};

use super::wild::{decades, scale, solver, vector};

/// Half the width of the box of fluid in a container, in spacings.
const HALF: f64 = 3.5;

fn material(rest_density: f64, viscosity: Option<f64>) -> Material {
    let name = format!("{rest_density} kg/m³, {viscosity:?}");
    Material { rest_density, viscosity, ..Material::new(name) }
}

fn speed() -> impl Strategy<Value = Vec3> {
    (decades(1e-2, 10.0), vector(1.0)).prop_map(|(speed, v)| v.map(|v| speed * v))
}

/// A container around the box of fluid with some room beside it, in spacings.
fn room() -> impl Strategy<Value = Shape> {
    let wide = HALF + 1.0..2.0 * HALF;
    let round = 1.8 * HALF + 1.0..3.0 * HALF;
    prop_oneof![
        wide.clone().prop_map(|half| Shape::Box(Cuboid { min: [-half; 3], max: [half; 3] })),
        round.clone().prop_map(|radius| Shape::Sphere(Sphere { center: [0.0; 3], radius })),
        (wide.clone(), round.clone()).prop_map(|(half, radius)| Shape::Cylinder(Cylinder {
            start: [0.0, -half, 0.0],
            end: [0.0, half, 0.0],
            radius
        })),
        (wide, round.clone()).prop_map(|(half, radius)| Shape::Capsule(Capsule {
            start: [0.0, -half, 0.0],
            end: [0.0, half, 0.0],
            radius
        })),
        (round, vector(1.0), -180.0..180.0).prop_map(|(half, axis, angle)| {
            let mut mesh = MeshShape::new("cube.obj");
            mesh.scale = [2.0 * half; 3];
            mesh.rotation = Rotation { axis, angle };
            Shape::Mesh(mesh)
        }),
    ]
}

/// Containers that are still, sway or rock.
fn motion() -> impl Strategy<Value = Option<Motion>> {
    let sway = (vector(2.0), decades(0.2, 2.0)).prop_map(|(amplitude, period)| Motion::Sway {
        amplitude,
        period,
        phase: 0.0,
    });
    let rock = (vector(1.0), -20.0..20.0, decades(0.2, 2.0))
        .prop_map(|(axis, angle, period)| Motion::rock(None, axis, angle, period));
    option::of(prop_oneof![sway, rock])
}

/// A closed container with fluid, sometimes a body, and an emitter with a few particles.
pub(super) fn closed() -> impl Strategy<Value = Scene> {
    let response = option::of(select(vec![
        Response::Reflect { restitution: 0.5, friction: 0.1 },
        Response::Particles { friction: 0.0, no_slip: false },
        Response::Particles { friction: 0.0, no_slip: true },
    ]));
    let numbers = (2..=3u32, decades(5e-3, 0.05), solver());
    let body = option::of((decades(0.1, 10.0), speed(), any::<bool>()));
    let matter = (speed(), 0.0..0.3, body, any::<bool>());
    (numbers, matter, (room(), motion(), response), vector(15.0)).prop_map(
        |(numbers, matter, (shape, motion, response), gravity)| {
            let (dimensions, radius, solver) = numbers;
            let (velocity, jitter, body, emits) = matter;
            let mut scene = Scene::default();
            (scene.dimensions, scene.particle_radius) = (dimensions, radius);
            (scene.solver, scene.gravity) = (solver.into(), gravity);
            scene.materials = vec![material(1000.0, None)];
            // The right half is left free for the body and the emitter.
            let right = if body.is_some() || emits { 0.0 } else { HALF };
            let fluid = block([-HALF; 3], [right, HALF, HALF]);
            scene.fluids = vec![Fluid { velocity, jitter, ..fluid }];
            let motion = motion.into_iter().collect();
            scene.boundaries =
                vec![meniscus_model::scene::Boundary { motion, response, ..container(shape) }];
            if let Some((ratio, velocity, round)) = body {
                let shape = match round {
                    true => Shape::Sphere(Sphere { center: [1.8, 1.5, 0.0], radius: 1.2 }),
                    false => Shape::Box(Cuboid { min: [0.8, 0.8, -1.0], max: [3.0, 3.0, 1.0] }),
                };
                let density = Some(1000.0 * ratio);
                scene.bodies = vec![Body { density, velocity, ..Body::new(shape) }];
            }
            if emits {
                scene.emitters = vec![Emitter {
                    max_particles: Some(20),
                    ..Emitter::new(
                        Mouth::Rectangle { width: 2.0, height: 2.0 },
                        [1.5, -1.5, 0.0],
                        [1.0, 0.0, 0.0],
                    )
                }];
            }
            scale(&mut scene);
            scene
        },
    )
}

/// Drops, sometimes with a body in their path, without walls and gravity; axes may be periodic.
pub(super) fn free() -> impl Strategy<Value = Scene> {
    let numbers = (2..=3u32, decades(5e-3, 0.05), solver(), option::of(any::<[bool; 3]>()));
    let models = any::<[bool; 3]>();
    let materials = vec((decades(100.0, 5000.0), option::of(decades(1e-3, 10.0))), 1..=2);
    let drops = vec((speed(), 0.0..0.4, any::<bool>()), 1..=3);
    let body = option::of((decades(0.1, 10.0), speed(), 0.0..1.0));
    ((numbers, models), materials, drops, body).prop_map(|(numbers, materials, drops, body)| {
        let ((dimensions, radius, solver, periodic), models) = numbers;
        let mut scene = Scene::default();
        (scene.dimensions, scene.particle_radius) = (dimensions, radius);
        (scene.solver, scene.gravity) = (solver.into(), [0.0; 3]);
        let names = ["muller", "artificial", "xsph"];
        let models = names.iter().zip(models).filter(|(_, on)| *on).map(|(name, _)| (*name).into());
        scene.settings.set("viscosity.model", Value::Texts(models.collect()));
        scene.settings.set("viscosity.alpha", 0.1);
        scene.settings.set("viscosity.xsph", 0.1);
        // The scene has nothing else from which to derive the speed of sound.
        scene.settings.set("muller.sound_speed", 20.0);
        scene.settings.set("wcsph.sound_speed", 20.0);
        for (number, (density, viscosity)) in materials.into_iter().enumerate() {
            let name = format!("material {number}");
            scene.materials.push(Material { name, ..material(density, viscosity) });
        }
        let names: Vec<_> = scene.materials.iter().map(|material| material.name.clone()).collect();
        for (number, (velocity, jitter, last)) in drops.into_iter().enumerate() {
            // Side by side, so that they are neighbours from the start.
            let left = 5.0 * number as f64 - 7.0;
            let material = if last { names.last().cloned() } else { None };
            let drop = block([left, -3.0, -2.0], [left + 5.0, 3.0, 2.0]);
            scene.fluids.push(Fluid { material, velocity, jitter, ..drop });
        }
        if let Some((ratio, velocity, drag)) = body {
            let shape = Shape::Box(Cuboid { min: [-5.5, 3.2, -2.0], max: [-1.5, 6.0, 2.0] });
            let lightest =
                scene.materials.iter().map(|m| m.rest_density).fold(f64::INFINITY, f64::min);
            let density = Some(lightest * ratio);
            scene.bodies = vec![Body { density, velocity, drag, ..Body::new(shape) }];
        }
        scene.domain = periodic.map(|periodic| Domain { min: [-8.0; 3], max: [8.0; 3], periodic });
        scale(&mut scene);
        scene
    })
}
