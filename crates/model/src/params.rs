//! What every pass may read and only the host writes (`wgsl/common/params.wgsl`).

use encase::ShaderType;
use glam::{UVec3, Vec3, Vec4};

pub use meniscus_scene::{MAX_FORCE_FIELDS, MAX_MATERIALS};

/// A particle this many cells from the domain's centre is a runaway: f32 and i32 end there.
pub const RUNAWAY_CELLS: i32 = 1 << 20;

/// Kinds of particle, the lowest 8 bits of `identity.y`.
pub mod kind {
    /// A fluid particle.
    pub const FLUID: u32 = 0;
    /// A static or moving wall particle.
    pub const BOUNDARY: u32 = 1;
    /// A particle of a rigid body.
    pub const RIGID: u32 = 2;
    /// A particle that a drain has taken; the next sort drops it.
    pub const REMOVED: u32 = 255;
}

/// Packs kind (8 bits), material (8) and body (16) into `identity.y`.
#[must_use]
pub const fn pack_identity(kind: u32, material: u32, body: u32) -> u32 {
    kind | (material << 8) | (body << 16)
}

/// What the particles of one material share.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Material {
    /// Mass of one particle in kg (kg/m in 2-D).
    pub mass: f32,
    /// Rest density ρ0 in kg/m³ (kg/m² in 2-D).
    pub rest_density: f32,
    /// Rest volume m/ρ0 in m³ (m² in 2-D).
    pub rest_volume: f32,
    /// Dynamic viscosity μ in Pa·s.
    pub viscosity: f32,
    /// Surface tension σ in N/m.
    pub surface_tension: f32,
    /// Stiffness of the equation of state: k in m²/s² (M 12), B in Pa (ST 4).
    pub stiffness: f32,
    /// Keeps the size a multiple of 16 bytes.
    pub reserved: f32,
    /// Keeps the size a multiple of 16 bytes.
    pub reserved_2: f32,
}

/// The kernels of `wgsl/common/kernels.wgsl`: poly6, spiky and the viscosity kernel (M 20–22).
pub const KERNEL_MULLER: u32 = 0;
/// The cubic spline for everything.
pub const KERNEL_CUBIC_SPLINE: u32 = 1;
/// Wendland's C2 kernel for everything.
pub const KERNEL_WENDLAND_C2: u32 = 2;

/// A force field's kind: the same acceleration everywhere.
pub const FIELD_UNIFORM: u32 = 0;
/// A force field's kind: towards (or, negative, away from) a point.
pub const FIELD_ATTRACT: u32 = 1;
/// A force field's kind: a swirl about an axis (M Fig. 3).
pub const FIELD_ROTATION: u32 = 2;

/// An external acceleration (FORMULAS: “Rotation field”).
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct ForceField {
    /// Centre r0, relative to the domain's centre, in m.
    pub center: Vec3,
    /// One of the `FIELD_…` constants.
    pub kind: u32,
    /// The acceleration in m/s² of a uniform field; the unit axis of a rotation.
    pub direction: Vec3,
    /// m/s² for attraction, s⁻² for rotation.
    pub strength: f32,
    /// Radius in m at which the field has tapered to 0.
    pub radius: f32,
}

/// [`Pull::body`] where nothing is pulled.
pub const NO_BODY: u32 = u32::MAX;

/// A hand that pulls a body by a spring at one of its points.
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct Pull {
    /// The point, from the body's centre, in its own axes, in m.
    pub arm: Vec3,
    /// Number of the body's collider, or [`NO_BODY`].
    pub body: u32,
    /// Where the point is wanted, relative to the domain's centre, in m.
    pub goal: Vec3,
    /// ω of the spring with the body's mass, in s⁻¹.
    pub rate: f32,
    /// The spring is no longer than this, in m: it limits the speed.
    pub reach: f32,
}

impl Default for Pull {
    fn default() -> Self {
        Self { arm: Vec3::ZERO, body: NO_BODY, goal: Vec3::ZERO, rate: 0.0, reach: 0.0 }
    }
}

/// A collider's shape: a box of `half_extents`.
pub const SHAPE_BOX: u32 = 0;
/// A collider's shape: a sphere of `radius`.
pub const SHAPE_SPHERE: u32 = 1;
/// A collider's shape: the half-space below the local plane y = 0.
pub const SHAPE_PLANE: u32 = 2;
/// A collider's shape: a cylinder about local y, half length `half_extents.y`, with flat caps.
pub const SHAPE_CYLINDER: u32 = 3;
/// A collider's shape: a capsule about local y, half length `half_extents.y` between the centres.
pub const SHAPE_CAPSULE: u32 = 4;

/// A collider's shape: a mesh, by its distances on a grid about its middle.
pub const SHAPE_MESH: u32 = 5;

/// A collision response: push out and reflect (M §3.4).
pub const RESPONSE_REFLECT: u32 = 0;
/// A collision response: spring and damper (T 4).
pub const RESPONSE_SPRING: u32 = 1;

/// A collision response: boundary particles act, and what still gets through is pushed out.
pub const RESPONSE_PARTICLES: u32 = 2;

/// A solid that particles collide with, or the region of a drain. Local axes are turned by
/// `rotation` and moved to `position`. Where solids are and how they move the passes take from
/// `bodies`; here it is how they begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Collider {
    /// Centre relative to the domain's centre, in m.
    pub position: Vec3,
    /// One of the `SHAPE_…` constants.
    pub shape: u32,
    /// Half extents in m.
    pub half_extents: Vec3,
    /// Radius in m; of a mesh, the length of a cell of its distances.
    pub radius: f32,
    /// Unit quaternion (x, y, z, w) from local to world axes.
    pub rotation: Vec4,
    /// Velocity in m/s.
    pub velocity: Vec3,
    /// 1: the fluid is inside; 0: outside; 2: on both sides of a sheet that may hold it.
    pub inside: u32,
    /// Coefficient of restitution e.
    pub restitution: f32,
    /// Friction coefficient `μ_f`.
    pub friction: f32,
    /// One of the `RESPONSE_…` constants.
    pub response: u32,
    /// 1: particles beyond it count as lost.
    pub closed: u32,
    /// Spring constant `k_s` in s⁻².
    pub stiffness: f32,
    /// Damping constant `k_d` in s⁻¹.
    pub damping: f32,
    /// First of a rigid body's particles, in the order of their ids among boundary particles.
    pub first_particle: u32,
    /// Particles of a rigid body; 0 for other solids.
    pub particle_count: u32,
    /// Angular velocity in rad/s.
    pub angular_velocity: Vec3,
    /// 1 / mass in kg⁻¹, 0 for what forces do not move.
    pub inverse_mass: f32,
    /// 1 / principal moments of inertia, in local axes, in kg⁻¹ m⁻².
    pub inverse_inertia: Vec3,
    /// Where in `distances` a mesh's begin: half extents of the grid in m, then what its nodes hold.
    pub field: u32,
}

/// A grid of a mesh's distances, and the batch of triangles with which they are being made
/// (`wgsl/solid/bake.wgsl`).
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct DistanceField {
    /// Half of the grid in m; its middle is that of the mesh.
    pub half_extents: Vec3,
    /// Length of a cell's edge in m.
    pub cell: f32,
    /// Nodes per axis; x varies fastest, then y.
    pub nodes: UVec3,
    /// Where it begins in `distances`: half extents, then the distance of each node in m.
    pub first: u32,
    /// First of the nodes that the batch may be near.
    pub low: UVec3,
    /// Farther than this from the surface the distance is this, in m.
    pub band: f32,
    /// How many nodes per axis the batch may be near.
    pub size: UVec3,
    /// Half the thickness of a sheet in m; 0 of what encloses a volume.
    pub half_thickness: f32,
    /// Boxes of the batch.
    pub box_count: u32,
}

impl DistanceField {
    /// Elements that it takes of `distances`.
    #[must_use]
    pub fn length(&self) -> u32 {
        3 + self.nodes.element_product()
    }

    /// The same for a batch whose first box is about all of it.
    #[must_use]
    pub fn with_batch(self, boxes: &[FieldBox]) -> Self {
        let all = boxes.first().copied().unwrap_or_default();
        let node = |p: Vec3| (p + self.half_extents) / self.cell;
        let last = self.nodes.saturating_sub(UVec3::ONE);
        let low = node(all.low - self.band).floor().as_uvec3().min(last);
        let high = node(all.high + self.band).ceil().as_uvec3().min(last);
        Self { low, size: high - low + 1, box_count: boxes.len() as u32, ..self }
    }
}

/// A box about triangles of a batch, in depth-first order.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct FieldBox {
    /// Lower corner in m.
    pub low: Vec3,
    /// The next box that is not within this one.
    pub past: u32,
    /// Upper corner in m.
    pub high: Vec3,
    /// Sixteen times the first triangle, plus how many there are: 0 where boxes are within.
    pub leaf: u32,
}

/// A triangle of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct FieldTriangle {
    /// Relative to the mesh's middle, in m.
    pub corners: [Vec3; 3],
    /// Directions of what may be nearest: corners, edges that begin there, face.
    pub normals: [Vec3; 7],
}

/// Where a solid is and how it moves, as passes keep it on the GPU (`wgsl/common/bodies.wgsl`); w is
/// not used but by `rotation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Body {
    /// Centre of mass, relative to the domain's centre, in m.
    pub position: [f32; 4],
    /// Unit quaternion (x, y, z, w) from local to world axes.
    pub rotation: [f32; 4],
    /// In m/s.
    pub velocity: [f32; 4],
    /// In rad/s.
    pub angular_velocity: [f32; 4],
    /// About the centre of mass, in kg m²/s; of free bodies.
    pub angular_momentum: [f32; 4],
}

/// A source of particles: layers of points leave it one spacing apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Emitter {
    /// Velocity of emitted particles in m/s.
    pub velocity: Vec3,
    /// First of its points in `emitter_points`.
    pub first_point: u32,
    /// Points per layer.
    pub point_count: u32,
    /// `identity.y` of emitted particles.
    pub identity: u32,
    /// Layers that it may emit altogether.
    pub max_layers: u32,
    /// Particles that there may be with its next layer.
    pub max_live: u32,
    /// Time between layers in s: particle spacing / speed.
    pub interval: f32,
    /// Time of the first layer in s.
    pub start: f32,
    /// No layer leaves after this time, in s.
    pub end: f32,
}

/// Convergence of one iterative loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct Loop {
    /// Iterations to make at least.
    pub min_iterations: u32,
    /// Iterations to make at most.
    pub max_iterations: u32,
    /// Converged when `control.residual` is at most this.
    pub tolerance: f32,
    /// Part of the last step's pressures with which the iterations begin.
    pub warm_start: f32,
}

/// Most iterative loops in one step.
pub const MAX_LOOPS: usize = 4;

/// The uniform that every pass reads. Positions are relative to the domain's centre.
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct Params {
    /// Gravity in m/s².
    pub gravity: Vec3,
    /// 2 or 3.
    pub dimensions: u32,
    /// Corner of grid cell (0, 0, 0), in m.
    pub grid_origin: Vec3,
    /// Support radius h in m.
    pub support_radius: f32,
    /// 1 / cell size, per axis, in m⁻¹.
    pub inverse_cell: Vec3,
    /// Particle radius in m: centres keep this distance from solids.
    pub particle_radius: f32,
    /// Cells of the torus per axis.
    pub grid_size: UVec3,
    /// Product of `grid_size`.
    pub cell_count: u32,
    /// Period per axis in m, 0 where the axis is not periodic.
    pub period: Vec3,
    /// Neighbour cells in z to each side: 1, or 0 in 2-D.
    pub z_reach: i32,
    /// 1 / period, 0 where the axis is not periodic, in m⁻¹.
    pub inverse_period: Vec3,
    /// h² in m².
    pub support_radius_squared: f32,

    /// C of poly6: W = C (h² − r²)³ (M 20 in 3-D).
    pub poly6: f32,
    /// C of spiky's gradient: ∇W = −C (h − r)² r⃗/r (M 21).
    pub spiky_gradient: f32,
    /// C of the viscosity kernel's Laplacian: ∇²W = C (h − r) (M 22).
    pub viscosity_laplacian: f32,
    /// 1 / Σ of the rest lattice: summed densities are multiplied by it (1: uncalibrated).
    pub density_calibration: f32,

    /// 1 / the rest lattice's gradient of a linear field by spiky: pressure gradients are
    /// multiplied by it (1: uncalibrated).
    pub gradient_calibration: f32,

    /// 1: pressures below zero become zero.
    pub clamp_pressure: u32,
    /// l in m⁻¹: surface tension acts where |n| > l (M 19).
    pub surface_threshold: f32,
    /// 1 when materials differ in viscosity: pairs then use the mean of both.
    pub mixed_viscosity: u32,
    /// Number of force fields in use.
    pub force_field_count: u32,
    /// One of the `KERNEL_…` constants.
    pub kernel: u32,
    /// σ of the cubic spline or of Wendland's kernel: W(0).
    pub kernel_constant: f32,
    /// γ of the Tait equation (ST 4).
    pub gamma: f32,
    /// PCISPH's δ Δt²/ρ0 in m², by which a compression becomes a pressure: ω of the paper's, with which
    /// iterations diverge where particles lie too close.
    pub pcisph_factor: f32,
    /// α of artificial viscosity (ST 6).
    pub alpha: f32,
    /// Largest speed to expect in m/s, for scales of colour.
    pub expected_speed: f32,
    /// 1 / the rest lattice's Laplacian of a parabola: viscous forces are multiplied by it (1:
    /// uncalibrated).
    pub viscosity_calibration: f32,

    /// ε of the velocity filter XSPH.
    pub xsph: f32,
    /// How far bodies' particles are below their surface, in m.
    pub body_depth: f32,
    /// Id of the first boundary particle of a rigid body: theirs follow those of boundaries.
    pub first_body: u32,
    /// ω of the Jacobi iterations that find pressures.
    pub relaxation: f32,

    /// Length of a frame in s.
    pub frame_duration: f32,
    /// Fixed time step in s, 0 when adaptive.
    pub fixed_step: f32,
    /// Upper bound of an adaptive step in s: `time.max_step`, viscosity and tension limits.
    pub max_step: f32,
    /// A step below this, in s, is a failure.
    pub min_step: f32,
    /// Factor on every adaptive limit.
    pub cfl: f32,
    /// Speed of sound in the CFL condition, in m/s.
    pub sound_speed: f32,
    /// The CFL condition assumes at least this speed, in m/s: emitters' and walls'.
    pub min_speed: f32,
    /// Number of colliders.
    pub collider_count: u32,

    /// Number of emitters.
    pub emitter_count: u32,
    /// Points of all emitters' layers.
    pub emitter_point_count: u32,
    /// Number of drains.
    pub drain_count: u32,
    /// Slots that particle buffers have.
    pub capacity: u32,

    /// Id of the first boundary particle; those of all solids follow.
    pub first_wall: u32,
    /// Boundary particles.
    pub wall_count: u32,
    /// Colliders that do not move freely: the first ones.
    pub driven_count: u32,
    /// Share of the step that positions are moved before forces are found: ½ in the leap-frog, 0 in
    /// semi-implicit Euler.
    pub first_drift: f32,

    /// The hand on a body.
    pub pull: Pull,

    /// Convergence of the step's loops.
    pub loops: [Loop; MAX_LOOPS],
    /// External accelerations besides gravity.
    pub force_fields: [ForceField; MAX_FORCE_FIELDS],
    /// Materials by number.
    pub materials: [Material; MAX_MATERIALS],
}
