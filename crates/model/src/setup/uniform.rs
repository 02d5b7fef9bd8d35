//! The uniform that every pass reads, from a scene.

use glam::{DVec3, Vec3, Vec4};
use meniscus_methods::{
    Context, Space, kernel,
    mpm::materials::{Look, Own},
};
use meniscus_scene::{Body, Kernel, Scene, body_depth, to_linear};

use super::Setup;
use crate::{
    colliders::{force_field, plane},
    extent::Bounds,
    grid::Grid,
    limits,
    params::{
        self, ForceField, KERNEL_CUBIC_SPLINE, KERNEL_MULLER, KERNEL_WENDLAND_C2, LoopParams,
        MAX_FORCE_FIELDS, MAX_LOOPS, MAX_MATERIALS, MaterialParams, Params,
    },
};

/// Model, look and colour of a material.
fn own(context: &Context<'_>, number: usize) -> MaterialParams {
    let material = &context.scene.materials[number];
    let model = context.chosen.models()[number];
    let [r, g, b] = material.color.unwrap_or(model.color).map(|x| to_linear(x) as f32);
    let opacity = material.color.map_or(0.0, |_| material.opacity.unwrap_or(1.0));
    MaterialParams {
        color: Vec4::new(r, g, b, opacity as f32),
        model: context.chosen.model_number(model),
        look: match model.look {
            Look::Liquid => params::LOOK_LIQUID,
            Look::Glossy => params::LOOK_GLOSSY,
            Look::Matte => params::LOOK_MATTE,
            Look::Grains => params::LOOK_GRAINS,
        },
        ..MaterialParams::default()
    }
}

impl Setup {
    /// Sets the parameters of all passes.
    pub(super) fn set_params(&mut self, scene: &Scene, bounds: &Bounds, center: DVec3) {
        let dimensions = scene.dimensions;
        // Surfaces sum over the sort's cells.
        let family = self.chosen.family();
        let h = match family.space {
            Space::Torus => self.chosen.support_radius(scene),
            Space::Box => self.chosen.support_radius(scene).min(self.chosen.length(scene)),
        };
        let spacing = scene.spacing();
        let expected = limits::expected_speed(scene, bounds);
        self.expected_speed = expected;
        let kernel = self.kernel;
        let chosen = self.chosen.clone();
        let context = Context { scene, chosen: &chosen, expected_speed: expected };
        let calibrate = |lattice: fn(Kernel, f64, f64, u32) -> f64| match scene.calibrate_density {
            true => 1.0 / lattice(kernel, h, spacing, dimensions),
            false => 1.0,
        };
        let density_calibration = calibrate(kernel::lattice_sum);
        let relaxation = kernel::jacobi_relaxation(kernel, h, spacing, dimensions);
        let stiffness = match chosen.sph() {
            Some(sph) if sph.limited => {
                kernel::signal_by_pressure(kernel, h, spacing, dimensions, chosen.step_share())
            }
            _ => 0.0,
        };
        let volume = spacing.powi(dimensions as i32);
        let mut materials = [MaterialParams::default(); MAX_MATERIALS];
        let matter = context.matter();
        for (number, (slot, material)) in materials.iter_mut().zip(&matter).enumerate() {
            *slot = MaterialParams {
                mass: (material.rest_density * volume) as f32,
                rest_density: material.rest_density as f32,
                rest_volume: volume as f32,
                viscosity: material.viscosity as f32,
                surface_tension: material.surface_tension as f32,
                ..own(&context, number)
            };
        }
        self.artificial_viscosity = chosen.usual_viscosity(&context);
        let used = &materials[..scene.materials.len().min(MAX_MATERIALS)];
        let mixed = used.iter().any(|material| material.viscosity != used[0].viscosity);

        let length = chosen.length(scene);
        let limit = scene.time.cfl * chosen.longest_step(length, &matter);
        let mut max_step = scene.time.max_step.min(limit);

        // An emitter emits at most one layer per step.
        for emitter in &self.emitters {
            max_step = max_step.min(f64::from(emitter.interval));
        }

        let grid = match family.space {
            Space::Torus => Grid::new(scene, bounds, center, h, f64::from(self.capacity())),
            Space::Box => Grid::boxed(scene, bounds, center, length),
        };
        let walls = limits::solid_speeds(scene).fold(0.0, f64::max) as f32;
        let emitters = self.emitters.iter().map(|emitter| emitter.velocity.length());
        let inflows = self.opening_rows.iter().map(|[_, velocity]| velocity.abs());
        let min_speed = emitters.chain(inflows).fold(walls, f32::max);
        let mut force_fields = [ForceField::default(); MAX_FORCE_FIELDS];
        for (slot, force) in force_fields.iter_mut().zip(&scene.forces) {
            *slot = force_field(force, dimensions, center);
        }
        let particles =
            |(_, number): &(String, u32)| self.colliders[*number as usize].particle_count;
        let bodies: u32 = self.bodies.iter().map(particles).sum();
        let foam_box = foam_box(scene, bounds, center);
        self.params = Params {
            world: params::World {
                gravity: plane(scene, DVec3::from(scene.gravity).as_vec3()),
                dimensions,
                particle_radius: scene.particle_radius as f32,
                body_depth: body_depth(spacing, dimensions) as f32,
                expected_speed: expected as f32,
                temperatures: temperatures(&context),
                low: foam_box[0],
                high: foam_box[1],
            },
            grid: params::Grid {
                origin: grid.origin,
                inverse_cell: grid.inverse_cell,
                size: grid.size,
                cell_count: grid.size.element_product(),
                period: grid.period,
                z_reach: i32::from(dimensions == 3),
                layers: family.layers(scene) as i32,
                inverse_period: grid.period.map(|l| if l > 0.0 { 1.0 / l } else { 0.0 }),
                cell: grid.cell,
            },
            kernel: params::KernelParams {
                support_radius: h as f32,
                support_radius_squared: (h * h) as f32,
                inverse_support_radius: (1.0 / h) as f32,
                poly6: kernel::poly6(h, dimensions) as f32,
                spiky_gradient: kernel::spiky_gradient(h, dimensions) as f32,
                viscosity_laplacian: kernel::viscosity_laplacian(h, dimensions) as f32,
                density_calibration: density_calibration as f32,
                gradient_calibration: calibrate(kernel::lattice_gradient) as f32,
                kind: match kernel {
                    Kernel::Muller => KERNEL_MULLER,
                    Kernel::CubicSpline => KERNEL_CUBIC_SPLINE,
                    Kernel::WendlandC2 => KERNEL_WENDLAND_C2,
                },
                constant: kernel::constant(kernel, h, dimensions) as f32,
                gradient_constant: (kernel::constant(kernel, h, dimensions) / (h * h)) as f32,
                viscosity_calibration: calibrate(kernel::lattice_laplacian) as f32,
            },
            time: params::Time {
                frame_duration: scene.frame_duration() as f32,
                fixed_step: scene.time.step.unwrap_or(0.0) as f32,
                max_step: max_step as f32,
                min_step: scene.time.min_step as f32,
                cfl: scene.time.cfl as f32,
                length: length as f32,
                step_share: chosen.step_share() as f32,
                min_speed,
                first_drift: chosen.first_drift() as f32,
                trace: chosen.trace(),
                settle: scene.time.settle as f32,
                ..params::Time::default()
            },
            counts: params::CountParams {
                worlds: 1,
                force_fields: scene.forces.len().min(MAX_FORCE_FIELDS) as u32,
                first_body: (self.position.len() as u32).saturating_sub(bodies),
                colliders: self.colliders.len() as u32,
                emitters: self.emitters.len() as u32,
                emitter_points: self.emitter_points.len() as u32,
                joints: self.joints.len() as u32,
                drains: scene.drains.len() as u32,
                openings: self.openings.len() as u32,
                opening_points: self.opening_points.len() as u32,
                sources: scene.sources.len() as u32,
                vortices: scene.vortices.len() as u32,
                volumes: self.volumes(),
                capacity: self.capacity().max(1),
                first_wall: (self.position.len() - self.model_position.len()) as u32,
                walls: self.model_position.len() as u32,
                driven: self.colliders.iter().filter(|c| c.inverse_mass == 0.0).count() as u32,
            },
            sph: params::Sph {
                incompressible: u32::from(chosen.is_incompressible()),
                mixed_viscosity: u32::from(mixed),
                relaxation: relaxation as f32,
                stiffness: stiffness as f32,
                ..params::Sph::default()
            },
            force_fields,
            materials,
            ..Params::default()
        };
        apply_methods(&context, &mut self.params);
    }
}

/// Box outside of which foam is removed: the scene's domain; without one, as much room again on each side.
fn foam_box(scene: &Scene, bounds: &Bounds, center: DVec3) -> [Vec3; 2] {
    let margin = if scene.domain.is_some() { DVec3::ZERO } else { bounds.max - bounds.min };
    [bounds.min - margin, bounds.max + margin].map(|corner| (corner - center).as_vec3()).map(
        |corner| {
            // 2-D scenes have no thickness, and what is in the plane is inside.
            if scene.dimensions == 2 { corner.with_z(0.0) } else { corner }
        },
    )
}

/// Writes parameters that depend on the methods' keys: their numbers, sound, stiffness, loops.
pub fn apply_methods(context: &Context<'_>, params: &mut Params) {
    let sound = context.chosen.sound();
    params.methods = params::MethodNumbers::of(context);
    params.loops = loops(context);
    params.time.sound_speed = sound.map_or(0.0, |sound| (sound.speed)(context)) as f32;
    params.sph.clamp_pressure = u32::from(sound.is_none_or(|sound| (sound.clamp)(context)));
    params.sph.surface_threshold = context.number("tension.surface_threshold") as f32;
    let all = context.scene.materials.iter().zip(context.chosen.models());
    for ((material, model), params) in all.zip(&mut params.materials) {
        let rest_density = f64::from(params.rest_density);
        params.stiffness =
            sound.map_or(0.0, |sound| (sound.stiffness)(context, rest_density)) as f32;
        params.sound_share = context.sound_share(model) as f32;
        let expected_speed = context.expected_speed;
        let words = model.words(&Own { material, model, rest_density, expected_speed });
        params.numbers_0 = Vec4::from_slice(&words[..4]);
        params.numbers_1 = Vec4::from_slice(&words[4..]);
    }
}

/// Share of the tolerance of iterated pressures in the first steps: what is within the tolerance in the first of them, a
/// free fall, is four times a column's weight when it hits the floor 4 ms later, and the water swings.
const COLD: f32 = 0.01;

/// Share of a free fall that a step of a liquid on a grid may leave to a body in it.
const FALL: f64 = 0.05;

/// Convergence criteria of the loops of all methods.
fn loops(context: &Context<'_>) -> [LoopParams; MAX_LOOPS] {
    let mut loops = [LoopParams::default(); MAX_LOOPS];
    for (slot, (method, found)) in loops.iter_mut().zip(context.chosen.all_loops()) {
        let number = |key: &str| context.number(&format!("{}.{key}", method.table()));
        // Water that leaves its pressure for later falls for as long, and the body in it.
        let has_body = context.scene.bodies.iter().any(Body::is_free);
        let waits = has_body && found.warm_start > 0.0 && method.is_limited();
        let on_a_grid = method.solver.is_some_and(|solver| solver.sph.is_none());
        let gravity = DVec3::from(context.scene.gravity).length();
        let falls = has_body && on_a_grid && found.shortens_step && gravity > 0.0;
        let edge = (context.chosen.family().length)(context);
        *slot = LoopParams {
            min_iterations: number(found.least) as u32,
            max_iterations: number(found.most) as u32,
            tolerance: number(found.tolerance) as f32,
            warm_start: found.warm_start as f32,
            shortens_step: u32::from(found.shortens_step),
            energy: found.energy.map_or(0.0, number) as f32,
            cold: if waits { COLD } else { 1.0 },
            fall: if falls { (FALL * 100.0 * gravity / edge) as f32 } else { 1e30 },
        };
    }
    loops
}

/// Coldest and warmest temperature in K above the ambient's, which is among them.
fn temperatures(context: &Context<'_>) -> glam::Vec2 {
    let scene = context.scene;
    let flames = match context.chosen.burns() {
        true => Some(context.number("smoke.flame_temperature")),
        false => None,
    };
    let walls = scene.boundaries.iter().filter_map(|wall| wall.temperature);
    let sources = scene.sources.iter().map(|source| source.temperature);
    let range = |[low, high]: [f64; 2], t: f64| [low.min(t), high.max(t)];
    let found = walls.chain(sources).chain(flames).fold([0.0; 2], range);
    glam::Vec2::from(found.map(|t| t as f32))
}
