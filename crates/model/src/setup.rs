//! A scene turned into numbers: what the host uploads before the first step.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, UVec3, Vec3, Vec4};

use crate::{
    control::Control,
    kernel,
    mesh::Solid,
    params::{
        self, Collider, Emitter, FIELD_ATTRACT, FIELD_ROTATION, FIELD_UNIFORM, ForceField,
        KERNEL_CUBIC_SPLINE, KERNEL_MULLER, KERNEL_WENDLAND_C2, Loop, MAX_FORCE_FIELDS, MAX_LOOPS,
        MAX_MATERIALS, Material, Params, RESPONSE_PARTICLES, RESPONSE_REFLECT, RESPONSE_SPRING,
        SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_MESH, SHAPE_PLANE, SHAPE_SPHERE,
        pack_identity,
    },
    sample,
    scene::{
        Boundary, Dfsph, Force, Iterations, Kernel, Problem, Response, Scene, Shape, Side, Solver,
    },
    walls,
};

/// Cells are this much wider than h, so that rounding in f32 cannot part two neighbours by more
/// than one cell within thousands of cells of the origin.
const CELL_MARGIN: f64 = 1.0 + 1.0 / 1024.0;
/// Cells are capped at this many per particle slot, or at `MIN_CELL_CAP`: beyond, the torus folds.
const CELLS_PER_PARTICLE: f64 = 4.0;
const MIN_CELL_CAP: f64 = 65_536.0;
/// Room for this many emitted particles, or for as many as there are at the start, is made at first.
const FIRST_EMITTED: u32 = 1 << 12;
/// Artificial viscosity α where a material names none (Monaghan 2005).
const ALPHA: f64 = 0.1;

/// Everything that a simulation starts from. Positions are relative to `center`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// The uniform of every pass.
    pub params: Params,
    /// Control before the first step.
    pub control: Control,
    /// The domain's centre in m.
    pub center: DVec3,
    /// The smoothing kernel.
    pub kernel: Kernel,
    /// Length of a frame in s.
    pub frame_duration: f64,
    /// The kinematic viscosity in m²/s that materials get which name none.
    pub artificial_viscosity: f64,
    /// (x, y, z, rest density) of each particle; the volume `V_b` in w of boundary particles.
    pub position: Vec<[f32; 4]>,
    /// (velocity, 0) of each particle; the friction in w of boundary particles.
    pub velocity: Vec<[f32; 4]>,
    /// (id, kind | material << 8 | body << 16) of each particle.
    pub identity: Vec<[u32; 2]>,
    /// Solids at the start of the frame that begins at time 0.
    pub colliders: Vec<Collider>,
    /// Distances of meshes on grids, one after another: nodes per axis, then distances in m.
    pub distances: Vec<f32>,
    /// The meshes of the colliders that are meshes, by collider.
    pub meshes: Vec<(u32, Arc<Solid>)>,
    /// Regions that remove particles.
    pub drains: Vec<Collider>,
    /// Sources of particles.
    pub emitters: Vec<Emitter>,
    /// (x, y, z, emitter) of the points of all emitters' layers.
    pub emitter_points: Vec<[f32; 4]>,
}

impl Setup {
    /// Builds it.
    ///
    /// # Errors
    /// All that [`Scene::problems`] finds.
    pub fn new(scene: &Scene) -> Result<Self, Vec<Problem>> {
        let problems = scene.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let spacing = scene.spacing();
        let mut fluids = Vec::new();
        for (number, fluid) in scene.fluids.iter().enumerate() {
            let material = scene.material_index(fluid.material.as_deref()).unwrap_or(0);
            let seed = number as u32;
            let points = sample::particles(fluid, spacing, scene.dimensions, seed);
            fluids.push((points, fluid, material));
        }
        let bounds = Bounds::of(scene, fluids.iter().flat_map(|(points, ..)| points));
        let center = bounds.center();
        let local = |p: &[f64; 3]| (DVec3::from(*p) - center).as_vec3();

        let mut setup = Self {
            params: zeroed(),
            control: Control::start(0),
            center,
            kernel: scene.kernel(),
            frame_duration: scene.frame_duration(),
            artificial_viscosity: 0.0,
            position: Vec::new(),
            velocity: Vec::new(),
            identity: Vec::new(),
            colliders: Vec::new(),
            distances: Vec::new(),
            meshes: Vec::new(),
            drains: Vec::new(),
            emitters: Vec::new(),
            emitter_points: Vec::new(),
        };
        for (points, fluid, material) in &fluids {
            let rest_density = scene.materials[*material].rest_density as f32;
            let middle =
                points.iter().map(|p| DVec3::from(*p)).sum::<DVec3>() / points.len().max(1) as f64;
            for point in points {
                let spin = DVec3::from(fluid.angular_velocity).cross(DVec3::from(*point) - middle);
                let v = plane(scene, (DVec3::from(fluid.velocity) + spin).as_vec3());
                let identity = pack_identity(params::kind::FLUID, *material as u32, 0);
                setup.identity.push([setup.position.len() as u32, identity]);
                setup.position.push(local(point).extend(rest_density).into());
                setup.velocity.push(v.extend(0.0).into());
            }
        }
        setup.add_walls(scene, &bounds);
        for (number, boundary) in scene.boundaries.iter().enumerate() {
            let collider = collider(boundary, scene, center);
            setup.add_collider(collider, &boundary.shape, spacing);
            if let Shape::Mesh(mesh) = &boundary.shape
                && let Some(solid) = mesh.content.get()
            {
                setup.meshes.push((number as u32, solid.clone()));
            }
        }
        for drain in &scene.drains {
            let region = shape(&drain.shape, scene, center);
            let region = setup.with_distances(region, &drain.shape, spacing);
            setup.drains.push(Collider { inside: u32::from(drain.outside), ..region });
        }
        setup.add_emitters(scene, center);
        setup.control = Control::start(setup.position.len() as u32);
        setup.set_params(scene, &bounds, center);
        Ok(setup)
    }

    /// Slots that particle buffers have at first: room for the particles at the start and for what
    /// is emitted, though for no more than as many again. A simulation makes more when they are
    /// needed.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        let start = self.position.len() as u32;
        start + self.most_emitted(start).min(start.max(FIRST_EMITTED))
    }

    /// Particles at most that emitters may yet add to `live` ones.
    fn most_emitted(&self, live: u32) -> u32 {
        let most = |e: &Emitter| {
            let all = e.max_layers.saturating_mul(e.point_count);
            all.min(e.max_live.saturating_sub(live))
        };
        self.emitters.iter().map(most).fold(0, u32::saturating_add)
    }

    /// Slots that suffice to the end of a frame that begins with `live` particles: emission never
    /// waits for memory.
    #[must_use]
    pub fn capacity_of_frame(&self, live: u32) -> u32 {
        let layers = |e: &Emitter| {
            // Those that are due, and one for rounding at either end.
            let due = (self.frame_duration / f64::from(e.interval)).ceil() as u32 + 2;
            due.min(e.max_layers).saturating_mul(e.point_count)
        };
        let emitted = self.emitters.iter().map(layers).fold(0, u32::saturating_add);
        live.saturating_add(emitted.min(self.most_emitted(live)))
    }

    fn add_collider(&mut self, collider: Collider, shape: &Shape, spacing: f64) {
        let collider = self.with_distances(collider, shape, spacing);
        self.colliders.push(collider);
    }

    /// The collider with the distances of its mesh, if it is one.
    fn with_distances(&mut self, collider: Collider, shape: &Shape, spacing: f64) -> Collider {
        let Shape::Mesh(mesh) = shape else { return collider };
        let Some(solid) = mesh.content.get() else { return collider };
        let field = solid.field(spacing);
        let first = self.distances.len() as u32;
        self.distances.extend(field.size.map(|nodes| nodes as f32));
        self.distances.extend(&field.values);
        Collider { field: first, radius: field.cell as f32, ..collider }
    }

    /// Boundary particles: those of the live count that are no fluid.
    #[must_use]
    pub fn wall_particles(&self) -> u32 {
        let wall = |identity: &&[u32; 2]| identity[1] & 255 == params::kind::BOUNDARY;
        self.identity.iter().filter(wall).count() as u32
    }

    /// The colliders where they are at `time` in s.
    #[must_use]
    pub fn colliders_at(&self, time: f64) -> Vec<Collider> {
        let moved = |collider: &Collider| Collider {
            position: (collider.position.as_dvec3() + time * collider.velocity.as_dvec3())
                .as_vec3(),
            ..*collider
        };
        self.colliders.iter().map(moved).collect()
    }

    /// Boundary particles: in w of the position their volume `V_b`, of the velocity their friction.
    fn add_walls(&mut self, scene: &Scene, bounds: &Bounds) {
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let mut walls = Vec::new();
        for (number, boundary) in scene.boundaries.iter().enumerate() {
            let Response::Particles { friction } = scene.response(boundary) else { continue };
            let (low, high) = (bounds.min, bounds.max);
            let layer =
                walls::layer(&boundary.shape, boundary.side, spacing, dimensions, low, high);
            let velocity = plane(scene, DVec3::from(boundary.velocity).as_vec3());
            walls.extend(layer.into_iter().map(|point| (point, number as u32, velocity, friction)));
        }
        let points: Vec<_> = walls.iter().map(|(point, ..)| *point).collect();
        let volumes =
            walls::volumes(&points, scene.kernel(), scene.support_radius(), spacing, dimensions);
        for ((point, body, velocity, friction), volume) in walls.into_iter().zip(volumes) {
            let local = (DVec3::from(point) - self.center).as_vec3();
            let identity = pack_identity(params::kind::BOUNDARY, 0, body);
            self.identity.push([self.position.len() as u32, identity]);
            self.position.push(local.extend(volume as f32).into());
            self.velocity.push(velocity.extend(friction as f32).into());
        }
    }

    fn add_emitters(&mut self, scene: &Scene, center: DVec3) {
        let start = self.position.len() as u32;
        for (number, emitter) in scene.emitters.iter().enumerate() {
            let velocity = plane(scene, DVec3::from(emitter.velocity).as_vec3());
            let points = sample::emitter_layer(
                &emitter.mouth,
                emitter.center,
                emitter.velocity,
                emitter.up,
                scene.spacing(),
                scene.dimensions,
            );
            let material = scene.material_index(emitter.material.as_deref()).unwrap_or(0);
            let count = points.len() as u32;
            self.emitters.push(Emitter {
                velocity,
                first_point: self.emitter_points.len() as u32,
                point_count: count,
                identity: pack_identity(params::kind::FLUID, material as u32, 0),
                max_layers: emitter.max_particles.map_or(u32::MAX, |most| most / count.max(1)),
                max_live: emitter.max_live.map_or(u32::MAX, |most| start.saturating_add(most)),
                interval: (scene.spacing() / velocity.as_dvec3().length()) as f32,
                start: emitter.start as f32,
                end: emitter.end.min(f64::from(f32::MAX)) as f32,
            });
            self.emitter_points.extend(points.iter().map(|point| {
                let local = (DVec3::from(*point) - center).as_vec3();
                <[f32; 4]>::from(local.extend(number as f32))
            }));
        }
    }

    fn set_params(&mut self, scene: &Scene, bounds: &Bounds, center: DVec3) {
        let dimensions = scene.dimensions;
        let h = scene.support_radius();
        let spacing = scene.spacing();
        let sound_speed = sound_speed(scene, bounds);
        let stiffness = |rest_density: f64| match scene.solver {
            Solver::Muller => scene.muller.stiffness.unwrap_or(sound_speed * sound_speed),
            Solver::Wcsph => rest_density * sound_speed * sound_speed / scene.wcsph.gamma,
            Solver::Pcisph | Solver::Iisph | Solver::Dfsph => 0.0,
        };
        let (density_calibration, gradient_calibration) = match scene.calibrate_density {
            true => (
                1.0 / kernel::lattice_sum(scene.kernel(), h, spacing, dimensions),
                1.0 / kernel::lattice_gradient(scene.kernel(), h, spacing, dimensions),
            ),
            false => (1.0, 1.0),
        };
        let volume = spacing.powi(dimensions as i32);
        let mut materials = [Material::default(); MAX_MATERIALS];
        // Without sound, the speed to expect is what there is.
        let fastest = if scene.solver.is_incompressible() { 0.1 } else { 1.0 } * sound_speed;
        let artificial = ALPHA * h * fastest / (2.0 * (f64::from(dimensions) + 2.0));
        for (slot, material) in materials.iter_mut().zip(&scene.materials) {
            *slot = Material {
                mass: (material.rest_density * volume) as f32,
                rest_density: material.rest_density as f32,
                rest_volume: volume as f32,
                viscosity: material.viscosity.unwrap_or(artificial * material.rest_density) as f32,
                surface_tension: material.surface_tension as f32,
                stiffness: stiffness(material.rest_density) as f32,
                ..Default::default()
            };
        }
        self.artificial_viscosity = artificial;
        let used = &materials[..scene.materials.len().min(MAX_MATERIALS)];
        let mixed = used.iter().any(|material| material.viscosity != used[0].viscosity);

        // Bounds of the step by viscosity, 0.125 (h/2)²/ν, and tension, 0.25 √(ρ(h/2)³/(2πσ)).
        let mut max_step = scene.time.max_step;
        for material in used {
            let density = f64::from(material.rest_density);
            let nu = f64::from(material.viscosity) / density;
            let sigma = f64::from(material.surface_tension);
            if nu > 0.0 {
                max_step = max_step.min(scene.time.cfl * 0.125 * (h / 2.0).powi(2) / nu);
            }
            if sigma > 0.0 {
                let squared = density * (h / 2.0).powi(3) / (2.0 * std::f64::consts::PI * sigma);
                max_step = max_step.min(scene.time.cfl * 0.25 * squared.sqrt());
            }
        }

        // An emitter sends out one layer a step at most.
        for emitter in &self.emitters {
            max_step = max_step.min(f64::from(emitter.interval));
        }

        let grid = Grid::new(scene, bounds, center, f64::from(self.capacity()));
        let speed = |v: Vec3| v.length();
        let walls = self.colliders.iter().map(|c| speed(c.velocity));
        let min_speed =
            walls.chain(self.emitters.iter().map(|e| speed(e.velocity))).fold(0.0, f32::max);
        let mut force_fields = [ForceField::default(); MAX_FORCE_FIELDS];
        for (slot, force) in force_fields.iter_mut().zip(&scene.forces) {
            *slot = force_field(force, scene, center);
        }
        self.params = Params {
            gravity: plane(scene, DVec3::from(scene.gravity).as_vec3()),
            dimensions,
            grid_origin: grid.origin,
            support_radius: h as f32,
            inverse_cell: grid.inverse_cell,
            particle_radius: scene.particle_radius as f32,
            grid_size: grid.size,
            cell_count: grid.size.element_product(),
            period: grid.period,
            z_reach: i32::from(dimensions == 3),
            inverse_period: grid.period.map(|l| if l > 0.0 { 1.0 / l } else { 0.0 }),
            support_radius_squared: (h * h) as f32,
            poly6: kernel::poly6(h, dimensions) as f32,
            spiky_gradient: kernel::spiky_gradient(h, dimensions) as f32,
            viscosity_laplacian: kernel::viscosity_laplacian(h, dimensions) as f32,
            density_calibration: density_calibration as f32,
            gradient_calibration: gradient_calibration as f32,
            clamp_pressure: u32::from(!match scene.solver {
                Solver::Muller => scene.muller.negative_pressure,
                Solver::Wcsph => scene.wcsph.negative_pressure,
                Solver::Pcisph | Solver::Iisph | Solver::Dfsph => false,
            }),
            surface_threshold: scene.muller.surface_threshold.unwrap_or(0.5 / h) as f32,
            mixed_viscosity: u32::from(mixed),
            force_field_count: scene.forces.len().min(MAX_FORCE_FIELDS) as u32,
            kernel: match scene.kernel() {
                Kernel::Muller => KERNEL_MULLER,
                Kernel::CubicSpline => KERNEL_CUBIC_SPLINE,
                Kernel::WendlandC2 => KERNEL_WENDLAND_C2,
            },
            kernel_constant: kernel::constant(scene.kernel(), h, dimensions) as f32,
            gamma: scene.wcsph.gamma as f32,
            pcisph_factor: (density_calibration.powi(-2)
                * kernel::lattice_factor(scene.kernel(), h, spacing, dimensions))
                as f32,
            reserved_1: 0.0,
            reserved_2: 0.0,
            reserved_3: 0.0,
            frame_duration: scene.frame_duration() as f32,
            fixed_step: scene.time.step.unwrap_or(0.0) as f32,
            max_step: max_step as f32,
            min_step: scene.time.min_step as f32,
            cfl: scene.time.cfl as f32,
            sound_speed: match scene.solver {
                Solver::Muller => stiffness(0.0).sqrt() as f32,
                Solver::Wcsph => sound_speed as f32,
                // There is no sound in an incompressible fluid.
                Solver::Pcisph | Solver::Iisph | Solver::Dfsph => 0.0,
            },
            min_speed,
            collider_count: self.colliders.len() as u32,
            emitter_count: self.emitters.len() as u32,
            emitter_point_count: self.emitter_points.len() as u32,
            drain_count: self.drains.len() as u32,
            capacity: self.capacity().max(1),
            loops: loops(scene),
            force_fields,
            materials,
        };
    }
}

/// When the solver's iterations end.
fn loops(scene: &Scene) -> [Loop; MAX_LOOPS] {
    let mut loops = [Loop::default(); MAX_LOOPS];
    let of = |error: f64, min_iterations, max_iterations| Loop {
        min_iterations,
        max_iterations,
        tolerance: error as f32,
        reserved: 0,
    };
    let one = |its: &Iterations| of(its.max_error, its.min_iterations, its.max_iterations);
    match scene.solver {
        Solver::Muller | Solver::Wcsph => {}
        Solver::Pcisph => loops[0] = one(&scene.pcisph),
        Solver::Iisph => loops[0] = one(&scene.iisph),
        Solver::Dfsph => {
            let Dfsph { max_error, max_divergence_error, min_iterations, max_iterations } =
                scene.dfsph;
            loops[0] = of(max_divergence_error, min_iterations, max_iterations);
            loops[1] = of(max_error, min_iterations, max_iterations);
        }
    }
    loops
}

/// Params before they are known.
fn zeroed() -> Params {
    let zero = Vec3::ZERO;
    Params {
        gravity: zero,
        dimensions: 3,
        grid_origin: zero,
        support_radius: 0.0,
        inverse_cell: zero,
        particle_radius: 0.0,
        grid_size: UVec3::ZERO,
        cell_count: 0,
        period: zero,
        z_reach: 0,
        inverse_period: zero,
        support_radius_squared: 0.0,
        poly6: 0.0,
        spiky_gradient: 0.0,
        viscosity_laplacian: 0.0,
        density_calibration: 0.0,
        gradient_calibration: 0.0,
        clamp_pressure: 0,
        surface_threshold: 0.0,
        mixed_viscosity: 0,
        force_field_count: 0,
        kernel: KERNEL_MULLER,
        kernel_constant: 0.0,
        gamma: 0.0,
        pcisph_factor: 0.0,
        reserved_1: 0.0,
        reserved_2: 0.0,
        reserved_3: 0.0,
        frame_duration: 0.0,
        fixed_step: 0.0,
        max_step: 0.0,
        min_step: 0.0,
        cfl: 0.0,
        sound_speed: 0.0,
        min_speed: 0.0,
        collider_count: 0,
        emitter_count: 0,
        emitter_point_count: 0,
        drain_count: 0,
        capacity: 0,
        loops: [Loop::default(); MAX_LOOPS],
        force_fields: [ForceField::default(); MAX_FORCE_FIELDS],
        materials: [Material::default(); MAX_MATERIALS],
    }
}

/// The vector without its z part in 2-D.
fn plane(scene: &Scene, v: Vec3) -> Vec3 {
    if scene.dimensions == 2 { v.with_z(0.0) } else { v }
}

/// c = 10 · max(√(2 g H), v0): 1 % compression at the speeds to expect (FORMULAS, “Stiffness
/// default”). H is how far the highest fluid is above the lowest point of fluid and containers.
/// Surface tension has a speed too: it can round off a single particle, of capillary pressure σ/r,
/// and √(2σ/(ρ r)) with r the particle radius is what that pressure accelerates fluid to.
fn sound_speed(scene: &Scene, bounds: &Bounds) -> f64 {
    let own = match scene.solver {
        Solver::Muller => scene.muller.sound_speed,
        Solver::Wcsph => scene.wcsph.sound_speed,
        Solver::Pcisph | Solver::Iisph | Solver::Dfsph => None,
    };
    if let Some(c) = own {
        return c;
    }
    let g = DVec3::from(scene.gravity);
    let size = bounds.fluid_max - bounds.fluid_min;
    let up = -g.normalize_or_zero();
    let highest = (up * bounds.fluid_min).max(up * bounds.fluid_max).element_sum();
    let lowest = (up * bounds.reach_min).min(up * bounds.reach_max).element_sum();
    let fall = (2.0 * g.length() * (highest - lowest).max(0.0)).sqrt();
    let initial = scene.fluids.iter().map(|fluid| {
        let reach = sample::bounds(&fluid.shape).1.length();
        DVec3::from(fluid.velocity).length() + reach * DVec3::from(fluid.angular_velocity).length()
    });
    let emitted = scene.emitters.iter().map(|emitter| DVec3::from(emitter.velocity).length());
    let walls = scene.boundaries.iter().map(|wall| DVec3::from(wall.velocity).length());
    let fields = scene.forces.iter().map(|force| match force {
        Force::Uniform { acceleration } => {
            (2.0 * DVec3::from(*acceleration).length() * size.max_element().max(0.0)).sqrt()
        }
        Force::Attract { strength, radius, .. } => (2.0 * strength.abs() * radius).sqrt(),
        Force::Rotation { strength, radius, .. } => strength.abs().sqrt() * radius,
    });
    let tension = scene.materials.iter().map(|material| {
        (2.0 * material.surface_tension / (material.rest_density * scene.particle_radius)).sqrt()
    });
    let v0 = initial.chain(emitted).chain(walls).chain(fields).chain(tension).fold(0.0, f64::max);
    let c = 10.0 * fall.max(v0);
    // Fluid that nothing moves still needs a stiffness: cross a spacing in 10 ms.
    if c > 0.0 { c } else { 100.0 * scene.spacing() }
}

/// The extent of the fluid at the start, and of everything that the grid should cover.
struct Bounds {
    fluid_min: DVec3,
    fluid_max: DVec3,
    /// Fluid and containers.
    reach_min: DVec3,
    reach_max: DVec3,
    /// The domain where the scene names one, else the reach.
    min: DVec3,
    max: DVec3,
}

impl Bounds {
    fn of<'a>(scene: &'a Scene, points: impl Iterator<Item = &'a [f64; 3]>) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mouths = scene.emitters.iter().map(|emitter| &emitter.center);
        for point in points.chain(mouths) {
            low = low.min(DVec3::from(*point));
            high = high.max(DVec3::from(*point));
        }
        let half = DVec3::splat(scene.particle_radius);
        let (fluid_min, fluid_max) = (low - half, high + half);
        let (mut reach_min, mut reach_max) = (fluid_min, fluid_max);
        for wall in scene.boundaries.iter().filter(|wall| wall.side == Side::Inside) {
            if !matches!(wall.shape, Shape::Plane { .. }) {
                let (middle, half) = sample::bounds(&wall.shape);
                reach_min = reach_min.min(middle - half);
                reach_max = reach_max.max(middle + half);
            }
        }
        let (mut min, mut max) = match &scene.domain {
            Some(domain) => (DVec3::from(domain.min), DVec3::from(domain.max)),
            None => (reach_min, reach_max),
        };
        if scene.dimensions == 2 {
            (min.z, max.z) = (0.0, 0.0);
        }
        Self { fluid_min, fluid_max, reach_min, reach_max, min, max }
    }

    fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }
}

struct Grid {
    origin: Vec3,
    inverse_cell: Vec3,
    size: UVec3,
    period: Vec3,
}

impl Grid {
    fn new(scene: &Scene, bounds: &Bounds, center: DVec3, capacity: f64) -> Self {
        let h = scene.support_radius();
        let extent = (bounds.max - bounds.min).to_array();
        let periodic = scene.domain.as_ref().map_or([false; 3], |domain| domain.periodic);
        let mut cell = [h * CELL_MARGIN; 3];
        let mut size = [1.0; 3];
        let mut period = [0.0; 3];
        for axis in 0..3 {
            if axis == 2 && scene.dimensions == 2 {
                continue;
            }
            if periodic[axis] {
                // Whole cells of at least h fill the period.
                size[axis] = (extent[axis] / cell[axis]).floor().max(3.0);
                cell[axis] = extent[axis] / size[axis];
                period[axis] = extent[axis];
            } else {
                // One cell to spare at each end, so that fluid at a wall does not meet its alias.
                size[axis] = ((extent[axis] / cell[axis]).ceil() + 2.0).max(3.0);
            }
        }
        // A huge empty domain folds onto a torus that memory can hold.
        let whole = size;
        let cap = (CELLS_PER_PARTICLE * capacity).max(MIN_CELL_CAP);
        while size.iter().product::<f64>() > cap {
            let free = (0..3).filter(|axis| !periodic[*axis] && size[*axis] > 3.0);
            let Some(axis) = free.max_by(|a, b| size[*a].total_cmp(&size[*b])) else { break };
            size[axis] = (size[axis] / 2.0).ceil().max(3.0);
        }
        let low = bounds.min - center;
        let origin = std::array::from_fn(|k| {
            if periodic[k] {
                low[k] as f32
            } else if size[k] < whole[k] {
                // What the box of the cells still covers is the middle.
                (-0.5 * size[k] * cell[k]) as f32
            } else {
                (low[k] - cell[k]) as f32
            }
        });
        Self {
            origin: Vec3::from_array(origin),
            inverse_cell: Vec3::from_array(cell.map(|c| (1.0 / c) as f32)),
            size: UVec3::from_array(size.map(|s| s as u32)),
            period: Vec3::from_array(period.map(|p| p as f32)),
        }
    }
}

fn collider(boundary: &Boundary, scene: &Scene, center: DVec3) -> Collider {
    let solid = shape(&boundary.shape, scene, center);
    let inside = boundary.side == Side::Inside && solid.shape != SHAPE_PLANE;
    let sheet = matches!(&boundary.shape, Shape::Mesh(mesh)
        if mesh.content.get().is_some_and(|solid| !solid.mesh().is_closed()));
    let mut collider = Collider {
        velocity: plane(scene, DVec3::from(boundary.velocity).as_vec3()),
        inside: match (inside, sheet) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        },
        closed: u32::from(inside && !sheet),
        ..solid
    };
    match scene.response(boundary) {
        Response::Reflect { restitution, friction } => {
            collider.response = RESPONSE_REFLECT;
            collider.restitution = restitution as f32;
            collider.friction = friction as f32;
        }
        Response::Spring { stiffness, damping } => {
            collider.response = RESPONSE_SPRING;
            collider.stiffness = stiffness as f32;
            collider.damping = damping as f32;
        }
        Response::Particles { .. } => collider.response = RESPONSE_PARTICLES,
    }
    collider
}

fn shape(shape: &Shape, scene: &Scene, center: DVec3) -> Collider {
    let along = |axis: DVec3| -> Quat { DQuat::from_rotation_arc(DVec3::Y, axis).as_quat() };
    let place = |p: DVec3| (p - center).as_vec3();
    let unturned = Vec4::new(0.0, 0.0, 0.0, 1.0);
    match shape {
        Shape::Box { min, max } => {
            let (min, max) = (DVec3::from(*min), DVec3::from(*max));
            let mut half = ((max - min) / 2.0).as_vec3();
            if scene.dimensions == 2 {
                // In the plane a box has no ends in z.
                half.z = 1e6 * half.max_element();
            }
            let position = place((min + max) / 2.0);
            let position = if scene.dimensions == 2 { position.with_z(0.0) } else { position };
            Collider {
                position,
                shape: SHAPE_BOX,
                half_extents: half,
                rotation: unturned,
                ..Default::default()
            }
        }
        Shape::Mesh(_) | Shape::Points(_) => {
            let (middle, half) = sample::bounds(shape);
            Collider {
                position: place(middle),
                shape: SHAPE_MESH,
                half_extents: half.as_vec3(),
                rotation: unturned,
                ..Default::default()
            }
        }
        Shape::Sphere { center: middle, radius } => Collider {
            position: plane(scene, place(DVec3::from(*middle))),
            shape: SHAPE_SPHERE,
            radius: *radius as f32,
            rotation: unturned,
            ..Default::default()
        },
        Shape::Plane { point, normal } => Collider {
            position: plane(scene, place(DVec3::from(*point))),
            shape: SHAPE_PLANE,
            rotation: Vec4::from(along(DVec3::from(*normal).normalize())),
            ..Default::default()
        },
        Shape::Cylinder { start, end, radius } | Shape::Capsule { start, end, radius } => {
            let (start, end) = (DVec3::from(*start), DVec3::from(*end));
            let cylinder = matches!(shape, Shape::Cylinder { .. });
            Collider {
                position: plane(scene, place((start + end) / 2.0)),
                shape: if cylinder { SHAPE_CYLINDER } else { SHAPE_CAPSULE },
                half_extents: Vec3::new(0.0, ((end - start).length() / 2.0) as f32, 0.0),
                radius: *radius as f32,
                rotation: Vec4::from(along((end - start).normalize_or(DVec3::Y))),
                ..Default::default()
            }
        }
    }
}

fn force_field(force: &Force, scene: &Scene, center: DVec3) -> ForceField {
    let place = |p: &[f64; 3]| plane(scene, (DVec3::from(*p) - center).as_vec3());
    match force {
        Force::Uniform { acceleration } => ForceField {
            kind: FIELD_UNIFORM,
            direction: plane(scene, DVec3::from(*acceleration).as_vec3()),
            radius: 1.0,
            ..Default::default()
        },
        Force::Attract { center, strength, radius } => ForceField {
            center: place(center),
            kind: FIELD_ATTRACT,
            strength: *strength as f32,
            radius: *radius as f32,
            ..Default::default()
        },
        Force::Rotation { center, axis, strength, radius } => ForceField {
            center: place(center),
            kind: FIELD_ROTATION,
            direction: DVec3::from(*axis).normalize_or(DVec3::Z).as_vec3(),
            strength: *strength as f32,
            radius: *radius as f32,
        },
    }
}
