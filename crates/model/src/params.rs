//! Parameters that every pass may read and only the host writes, including emitters.

use encase::ShaderType;
use glam::{UVec3, UVec4, Vec2, Vec3, Vec4};
use meniscus_methods::{Context, Registry, numbers::WORDS};
use meniscus_shared::{shared, shared_constants};

pub use crate::distance::{DistanceField, FieldBox, FieldTriangle};
pub use crate::joints::*;
pub use crate::solids::*;

shared_constants! {
    limits {
        /// Largest number of materials in a scene.
        MAX_MATERIALS: usize = meniscus_scene::MAX_MATERIALS;
        /// Largest number of force fields in a scene, in addition to gravity.
        MAX_FORCE_FIELDS: usize = meniscus_scene::MAX_FORCE_FIELDS;
        /// Largest number of iterative loops in a step.
        MAX_LOOPS: usize = meniscus_methods::passes::LOOPS as usize;
        /// Largest number of worlds that may have gravities of their own.
        MAX_GRAVITIES: usize = 256;
        /// Distance from the domain's centre, in cells, at which a particle is a runaway: f32 and
        /// i32 are exact up to here.
        RUNAWAY_CELLS: i32 = 1 << 20;
    }
    kinds {
        /// Kind of particle, the lowest 8 bits of `identity.y`: fluid.
        KIND_FLUID: u32 = 0;
        /// Kind of particle: of a wall or body.
        KIND_BOUNDARY: u32 = 1;
        /// Kind of the neighbour that stands for walls without particles.
        KIND_VOLUME: u32 = 2;
        /// Kind of particle: taken by a drain; the next sort drops it.
        KIND_REMOVED: u32 = 255;
    }
    openings {
        /// Open boundary with a velocity.
        OPENING_VELOCITY: u32 = 0;
        /// Open boundary with the pressure at its middle.
        OPENING_PRESSURE: u32 = 1;
        /// Open boundary with the pressure below a water level.
        OPENING_LEVEL: u32 = 2;
        /// Open boundary with the pressure below the water's own surface.
        OPENING_FREE: u32 = 3;
    }
    looks {
        /// Look of a material: light passes through it.
        LOOK_LIQUID: u32 = 0;
        /// Look of a material: a smooth, wet surface.
        LOOK_GLOSSY: u32 = 1;
        /// Look of a material: a dull surface.
        LOOK_MATTE: u32 = 2;
        /// Look of a material: grains.
        LOOK_GRAINS: u32 = 3;
    }
    kernels {
        /// The kernels of `wgsl/common/kernels.wgsl`: poly6, spiky and the viscosity kernel (M 20–22).
        KERNEL_MULLER: u32 = 0;
        /// The cubic spline for everything.
        KERNEL_CUBIC_SPLINE: u32 = 1;
        /// Wendland's C2 kernel for everything.
        KERNEL_WENDLAND_C2: u32 = 2;
    }
    force_fields {
        /// Kind of force field: uniform acceleration.
        FIELD_UNIFORM: u32 = 0;
        /// Kind of force field: towards a point, or away from it if negative.
        FIELD_ATTRACT: u32 = 1;
        /// Kind of force field: rotation about an axis (M Fig. 3).
        FIELD_ROTATION: u32 = 2;
        /// Wind of a velocity and smoke around a point: the hand in smoke.
        FIELD_STIR: u32 = 3;
        /// A sponge that slows what moves in it.
        FIELD_SPONGE: u32 = 4;
    }
    pulls {
        /// [`Pull::body`] if nothing is pulled.
        NO_BODY: u32 = u32::MAX;
    }
}

/// Packs kind (8 bits), material (8) and body (16), of fluid its emitter or its world, into `identity.y`.
#[must_use]
pub const fn pack_identity(kind: u32, material: u32, body: u32) -> u32 {
    kind | (material << 8) | (body << 16)
}

shared! {
    /// Properties that the particles of one material share.
    struct MaterialParams {
        /// Mass of one particle in kg (kg/m in 2-D).
        mass: f32,
        /// Rest density ρ0 in kg/m³ (kg/m² in 2-D).
        rest_density: f32,
        /// Rest volume m/ρ0 in m³ (m² in 2-D).
        rest_volume: f32,
        /// Dynamic viscosity μ in Pa·s.
        viscosity: f32,
        /// Surface tension σ in N/m.
        surface_tension: f32,
        /// Stiffness of the equation of state: k in m²/s² (M 12), B in Pa (Becker, Teschner 2007, 7).
        stiffness: f32,
        /// Number of the model of material points in the registry.
        model: u32,
        /// One of the `LOOK_…` constants.
        look: u32,
        /// Share of the speed of sound of a model that limits the steps.
        sound_share: f32,
        /// First four numbers of the model.
        numbers_0: Vec4,
        /// Last four numbers of the model.
        numbers_1: Vec4,
        /// Colour of particles, linear, in xyz; in w the opacity, 0 of a liquid without a colour of its own.
        color: Vec4,
    }

    /// External acceleration: uniform, towards a point, a swirl about an axis, as in M Fig. 3, or a sponge's.
    struct ForceField {
        /// Centre r0, or start of a sponge, relative to the domain's centre, in m.
        center: Vec3,
        /// One of the `FIELD_…` constants.
        kind: u32,
        /// Acceleration in m/s² of a uniform field; unit axis of a rotation; velocity in m/s of wind; of a
        /// sponge its way over the square of its length, in 1/m.
        direction: Vec3,
        /// Strength, in m/s² for attraction, s⁻² for rotation, s⁻¹ for a sponge; density of the smoke of wind.
        strength: f32,
        /// Radius in m at which the field has tapered to 0.
        radius: f32,
    }

    /// Spring by which the mouse pulls a body at one of its points.
    struct Pull {
        /// Point that is held, from the body's centre, in its own axes, in m.
        arm: Vec3,
        /// Number of the body's collider, or [`NO_BODY`].
        body: u32 = NO_BODY,
        /// Point to which it is pulled, relative to the domain's centre, in m.
        goal: Vec3,
        /// ω of the spring with the body's mass, in s⁻¹.
        rate: f32,
        /// Length in m beyond which the spring pulls no harder: it limits the speed.
        reach: f32,
    }

    /// Convergence of one iterative loop.
    struct LoopParams {
        /// Least number of iterations.
        min_iterations: u32,
        /// Largest number of iterations.
        max_iterations: u32,
        /// Converged when `control.residual` is at most this.
        tolerance: f32,
        /// Share of the last step's pressures for the warm start.
        warm_start: f32,
        /// 1 if the steps become shorter while it does not converge.
        shortens_step: u32,
        /// Share of the step's energy that an iteration may still change when it has converged.
        energy: f32,
        /// Share of the tolerance that the first steps reach, which have no pressures to start from.
        cold: f32 = 1.0,
        /// Most that the tolerance is of Δt², in % s⁻²: in short steps a free fall is within every fixed one.
        fall: f32 = 1e30,
    }

    /// Source of particles: layers of points leave it one spacing apart.
    struct EmitterParams {
        /// Velocity of emitted particles in m/s.
        velocity: Vec3,
        /// First of its points in `emitter_points`.
        first_point: u32,
        /// Points per layer.
        point_count: u32,
        /// `identity.y` of emitted particles.
        identity: u32,
        /// Total number of layers that it may emit.
        max_layers: u32,
        /// Largest number of live particles, including its next layer.
        max_live: u32,
        /// Time between layers in s: particle spacing / speed.
        interval: f32,
        /// Time of the first layer in s.
        start: f32,
        /// No layer leaves after this time, in s.
        end: f32,
        /// Centre of its mouth in m.
        center: Vec3,
        /// Distance from the mouth in m up to which it drives what it emitted.
        reach: f32,
        /// Direction of its velocity.
        direction: Vec3,
        /// Distance of its outermost point from the centre in m.
        radius: f32,
    }

    /// Open boundary: a rectangle across an axis through which fluid comes and goes.
    struct OpeningParams {
        /// Lower corner of the face in m.
        low: Vec3,
        /// Axis across it.
        axis: u32,
        /// Upper corner in m.
        high: Vec3,
        /// 1 if the fluid is on the side of larger coordinates, else −1.
        inward: f32,
        /// What holds there: one of the `OPENING_…` constants.
        kind: u32,
        /// 1: the velocity is a parabola across the face.
        parabolic: u32,
        /// First of its points in `opening_points`.
        first_point: u32,
        /// Number of its points.
        point_count: u32,
        /// `identity.y` of the particles that come in.
        identity: u32,
        /// First of its rows in `opening_rows`.
        first_row: u32,
        /// Number of its rows.
        row_count: u32,
        /// Height of the water's surface in m against gravity, 1e30 if the whole face is wet.
        level: f32,
        /// Pressure at its middle over the fluid's density, in m²/s².
        head: f32,
        /// Distance behind it in m up to which particles are kept.
        keep: f32,
        /// Room behind it in m, in which others are removed.
        depth: f32,
        /// Distance in m of particles behind one another with which they have the fluid's volume.
        gap: f32,
        /// Celerity in m/s of waves that leave through it, 0 if it reflects them.
        celerity: f32,
        /// Their wave number in 1/m, 0 of long waves.
        wave_number: f32,
        /// Velocity in m/s with which the stream without waves leaves through it.
        steady: f32,
        /// Depth in m of the water below its level.
        water: f32,
    }

    /// Dimensions, gravity and particle sizes.
    struct World {
        /// Gravity in m/s²; of worlds with their own the largest.
        gravity: Vec3,
        /// 2 or 3.
        dimensions: u32 = 3,
        /// Particle radius in m: centres keep this distance from solids.
        particle_radius: f32,
        /// Depth of bodies' particles below their surface, in m.
        body_depth: f32,
        /// Expected largest speed in m/s, for colour scales.
        expected_speed: f32,
        /// Coldest and warmest temperature in K of walls, sources and flames, for colour scales; 0 of the ambient is among them.
        temperatures: Vec2,
        /// Lower corner of the box outside of which foam is removed, relative to the domain's centre, in m.
        low: Vec3,
        /// Upper corner of that box.
        high: Vec3,
    }

    /// The cells of the sort: a torus for the neighbour search of SPH, a box for grid methods.
    struct Grid {
        /// Corner of cell (0, 0, 0), in m.
        origin: Vec3,
        /// Cells of all worlds: `size` of each.
        cell_count: u32,
        /// 1 / cell size, per axis, in m⁻¹.
        inverse_cell: Vec3,
        /// Neighbour cells in z to each side: 1, or 0 in 2-D.
        z_reach: i32,
        /// Cells around those with particles in which a grid method needs its fields.
        layers: i32,
        /// Cells per axis.
        size: UVec3,
        /// Period per axis in m, 0 where the axis is not periodic.
        period: Vec3,
        /// 1 / period in m⁻¹, 0 where the axis is not periodic.
        inverse_period: Vec3,
        /// Edge of the cells of a grid method in m; 0 with SPH.
        cell: f32,
    }

    /// Smoothing kernel: its constants, and calibration factors of sums over it.
    struct KernelParams {
        /// One of the `KERNEL_…` constants.
        kind: u32 = KERNEL_MULLER,
        /// Support radius h in m.
        support_radius: f32,
        /// h² in m².
        support_radius_squared: f32,
        /// 1/h in m⁻¹.
        inverse_support_radius: f32,
        /// σ of the cubic spline or of Wendland's kernel: W(0).
        constant: f32,
        /// σ/h², of gradients.
        gradient_constant: f32,
        /// C of poly6: W = C (h² − r²)³ (M 20 in 3-D).
        poly6: f32,
        /// C of spiky's gradient: ∇W = −C (h − r)² r⃗/r (M 21).
        spiky_gradient: f32,
        /// C of the viscosity kernel's Laplacian: ∇²W = C (h − r) (M 22).
        viscosity_laplacian: f32,
        /// 1 / Σ of the rest lattice: summed densities are multiplied by it (1: uncalibrated).
        density_calibration: f32,
        /// 1 / the rest lattice's gradient of a linear field by spiky: pressure gradients are multiplied by
        /// it (1: uncalibrated).
        gradient_calibration: f32,
        /// 1 / the rest lattice's Laplacian of a parabola: viscous forces are multiplied by it (1:
        /// uncalibrated).
        viscosity_calibration: f32,
    }

    /// Frames and limits on the time step.
    struct Time {
        /// Length of a frame in s.
        frame_duration: f32,
        /// Fixed time step in s, 0 when adaptive.
        fixed_step: f32,
        /// Upper bound of an adaptive step in s: `time.max_step`, viscosity and tension limits.
        max_step: f32,
        /// A step below this, in s, is a failure.
        min_step: f32,
        /// Factor on every adaptive limit.
        cfl: f32,
        /// Speed of sound in the CFL condition, in m/s; 0 in an incompressible fluid.
        sound_speed: f32,
        /// Length in m that no signal crosses in a step: h of SPH, Δx of grid methods.
        length: f32,
        /// Share of the time length/(c + v) that a step may last.
        step_share: f32 = 0.4,
        /// The CFL condition assumes at least this speed, in m/s: emitters' and walls'.
        min_speed: f32,
        /// Share of the step by which positions move before forces are computed: ½ in leap-frog, 0
        /// in semi-implicit Euler.
        first_drift: f32,
        /// Order of the paths along the field of a grid, 1 to 3.
        trace: u32,
        /// Time in s up to which velocities die out, and rigid bodies are held.
        settle: f32,
    }

    /// Counts that the host knows, and offsets.
    struct CountParams {
        /// Worlds: copies of the scene, each with its cells, solids and boundary particles.
        worlds: u32 = 1,
        /// Capacity of particle buffers in slots.
        capacity: u32,
        /// Boundary particles.
        walls: u32,
        /// Id of the first boundary particle; those of all solids follow.
        first_wall: u32,
        /// Id of the first boundary particle of a rigid body: theirs follow those of boundaries.
        first_body: u32,
        /// Colliders of all worlds.
        colliders: u32,
        /// Colliders that do not move freely: the first ones.
        driven: u32,
        /// Joints of bodies and mooring lines.
        joints: u32,
        /// Drains: the first ones of the regions.
        drains: u32,
        /// Sources of smoke: the other regions.
        sources: u32,
        /// Vortices at the start.
        vortices: u32,
        /// Emitters.
        emitters: u32,
        /// Points of all emitters' layers.
        emitter_points: u32,
        /// Open boundaries.
        openings: u32,
        /// Points of all open boundaries.
        opening_points: u32,
        /// Walls without particles.
        volumes: u32,
        /// Force fields in use.
        force_fields: u32,
    }

    /// Parameters of SPH's methods.
    struct Sph {
        /// 1: negative pressures become 0.
        clamp_pressure: u32,
        /// 1 if pressure keeps fluid off walls that act by particles or volume, which push particles out to
        /// only a quarter of a radius.
        incompressible: u32,
        /// 1 when materials differ in viscosity: pairs then use the mean of both.
        mixed_viscosity: u32,
        /// l in m⁻¹: surface tension acts where |n| > l (M 19).
        surface_threshold: f32,
        /// ω of the Jacobi iterations for pressures.
        relaxation: f32,
        /// Square of a signal's speed, in the CFL condition, over p/ρ: pressure drives particles back that move against
        /// each other.
        stiffness: f32,
    }

    /// The uniform that every pass reads. Positions are relative to the domain's centre.
    struct Params in uniform {
        /// Dimensions, gravity and particle sizes.
        world: World,
        /// Cells for the neighbour search.
        grid: Grid,
        /// The smoothing kernel.
        kernel: KernelParams,
        /// Frames and limits on the time step.
        time: Time,
        /// Counts and offsets.
        counts: CountParams,
        /// Parameters of SPH's methods.
        sph: Sph,
        /// Spring that pulls a body.
        pull: Pull,
        /// Convergence of the step's loops.
        loops: [LoopParams; MAX_LOOPS],
        /// Force fields: accelerations in addition to gravity.
        force_fields: [ForceField; MAX_FORCE_FIELDS],
        /// Materials by number.
        materials: [MaterialParams; MAX_MATERIALS],
        /// Numbers of the methods.
        methods: MethodNumbers,
        /// Gravity in m/s² of each world, of those beyond the last one that may have its own that one's.
        gravities: [Vec4; MAX_GRAVITIES] = [Vec4::ZERO; MAX_GRAVITIES],
    }
}

impl Grid {
    /// Number of blocks of 2 × 2 × 2 cells, in 2-D of 4 × 2, that cover the box.
    #[must_use]
    pub fn blocks(&self, dimensions: u32) -> u32 {
        let block = if dimensions == 2 { UVec3::new(4, 2, 1) } else { UVec3::splat(2) };
        ((self.size + block - 1) / block).element_product()
    }

    /// Cells per axis of the coarse levels of the multigrid, from level 1: each has half the cells of the one before,
    /// rounded up, besides the ring of a box's axes that are not periodic. The last has at most 10 along each axis, in the
    /// torus of SPH 5. A box of so few cells has none, nor has a torus of at most 16 along each axis: some 30 layers of
    /// particles, for which conjugate gradients alone are faster.
    #[must_use]
    pub fn levels(&self) -> Vec<UVec3> {
        let is_box = self.cell > 0.0;
        let ring = |axis: usize| {
            let open = self.period[axis] == 0.0 && (axis < 2 || self.z_reach > 0);
            if is_box && open { 2 } else { 0 }
        };
        let ring = UVec3::new(ring(0), ring(1), ring(2));
        let (few, most) = if is_box { (10, 10) } else { (16, 5) };
        let mut levels = Vec::new();
        let mut inner = self.size.saturating_sub(ring);
        if inner.max_element() <= few {
            return levels;
        }
        while inner.max_element() > most {
            inner = (inner + 1) / 2;
            levels.push(inner + ring);
        }
        levels
    }
}

impl EmitterParams {
    /// Distance of its layers in m.
    #[must_use]
    pub fn gap(&self) -> f32 {
        self.interval * self.velocity.length()
    }
}

impl Params {
    /// Number of blocks of cells: those that cover the box, and of each of several worlds a multiple of eight, the last of which are
    /// beyond it.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        match (self.counts.worlds, self.grid.blocks(self.world.dimensions)) {
            (1, blocks) => blocks,
            (worlds, blocks) => worlds * ((blocks + 15) / 8 * 8),
        }
    }

    /// Where bodies are that a program has taken out, relative to the domain's centre; `None` where every axis is periodic.
    #[must_use]
    pub fn parking(&self) -> Option<Vec3> {
        let grid = &self.grid;
        let axis = (0..self.world.dimensions as usize).find(|axis| grid.period[*axis] == 0.0)?;
        Some(0.5 * RUNAWAY_CELLS as f32 / grid.inverse_cell[axis] * Vec3::AXES[axis])
    }

    /// Whether a body at this place is out.
    #[must_use]
    pub fn is_parked(&self, place: Vec3) -> bool {
        let cells = (place * self.grid.inverse_cell).abs();
        cells.max_element() >= 0.25 * RUNAWAY_CELLS as f32
    }

    /// Gravity in m/s² of a world (`gravity` in `wgsl/common/worlds`).
    #[must_use]
    pub fn gravity_in(&self, world: u32) -> Vec3 {
        self.gravities[(world as usize).min(MAX_GRAVITIES - 1)].truncate()
    }

    /// Whether gravity is the same in all worlds.
    #[must_use]
    pub fn has_one_gravity(&self) -> bool {
        (0..self.counts.worlds).all(|world| self.gravity_in(world) == self.world.gravity)
    }

    /// Sets gravities in m/s²: one of each world, or one of all.
    pub fn set_gravities(&mut self, all: &[Vec3]) {
        let largest = all.iter().copied().max_by(|a, b| a.length().total_cmp(&b.length()));
        self.world.gravity = largest.unwrap_or_default();
        for (world, own) in self.gravities.iter_mut().enumerate() {
            *own = all.get(world).unwrap_or(&self.world.gravity).extend(0.0);
        }
    }

    /// Number of the world of a particle.
    #[must_use]
    pub fn world_of(&self, identity: [u32; 2]) -> u32 {
        let number = identity[1] >> 16;
        match self.counts.worlds {
            1 => 0,
            _ if identity[1] & 255 != KIND_BOUNDARY => number,
            _ => self.counts.world_of_solid(number),
        }
    }
}

impl CountParams {
    /// Solids of each world that do not move freely, and those that do.
    fn solids_of_world(&self) -> [u32; 2] {
        [self.driven, self.colliders - self.driven].map(|count| count / self.worlds)
    }

    /// Number of a solid's world. Those of all worlds that do not move freely come first.
    #[must_use]
    pub fn world_of_solid(&self, number: u32) -> u32 {
        let [driven, free] = self.solids_of_world();
        if number < self.driven { number / driven } else { (number - self.driven) / free }
    }

    /// Number in another world of a solid of the first one.
    #[must_use]
    pub fn solid_in(&self, world: u32, number: u32) -> u32 {
        let [driven, free] = self.solids_of_world();
        number + world * if number < self.driven { driven } else { free }
    }

    /// Numbers of the solids of a world.
    pub fn solids_in(&self, world: u32) -> impl Iterator<Item = u32> + use<> {
        let [driven, free] = self.solids_of_world();
        let first = self.driven + world * free;
        (world * driven..(world + 1) * driven).chain(first..first + free)
    }

    /// Slots of the sorted arrays: those of particles, and with walls without particles as many again for
    /// the neighbours that stand for them.
    #[must_use]
    pub fn sorted(&self) -> u32 {
        self.capacity * if self.volumes > 0 { 2 } else { 1 }
    }
}

/// Numbers of the methods, laid out by [`Registry::wgsl`].
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct MethodNumbers {
    /// Bits of the numbers.
    pub words: [UVec4; WORDS / 4],
}

impl meniscus_shared::Wgsl for MethodNumbers {
    const PART: Option<&'static str> = Some("Methods");

    fn wgsl() -> String {
        "Methods".to_owned()
    }
}

impl MethodNumbers {
    /// The numbers of a scene's methods.
    #[must_use]
    pub fn of(context: &Context<'_>) -> Self {
        let words = context.chosen.registry().words(context);
        Self { words: std::array::from_fn(|k| UVec4::from_slice(&words[4 * k..])) }
    }

    /// The number at `path`, as in `wcsph.gamma`.
    #[must_use]
    pub fn get(&self, registry: &Registry, path: &str) -> Option<f64> {
        let (at, whole) = registry.number(path)?;
        let bits = self.words[at / 4][at % 4];
        Some(if whole { f64::from(bits) } else { f64::from(f32::from_bits(bits)) })
    }

    /// Changes the number at `path`, if there is one.
    pub fn set(&mut self, registry: &Registry, path: &str, value: f64) {
        if let Some((at, whole)) = registry.number(path) {
            let bits = if whole { value as u32 } else { (value as f32).to_bits() };
            self.words[at / 4][at % 4] = bits;
        }
    }
}
