//! Handles to the buffers to draw.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3, Vec4Swizzles};
use meniscus::{
    FluidMesh, Gpu, Simulation, Splats,
    raw::{Params, Setup, model::params::Collider},
    scene::{Shape, mesh::Solid},
};

use crate::{Camera, Quantity, Slice, solids::size_of};

/// Buffers of [`crate::Mode::Splats`], as written by `surface/splat`: one element per live
/// particle, in any order, as `array<vec4<f32>>` with the usage `STORAGE`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct SplatBuffers {
    /// Position x, y, z in m relative to the domain's centre; |n|, the gradient of the colour field
    /// (M 16), in 1/m. A disc is drawn where |n| exceeds `params.sph.surface_threshold` (M 23).
    pub splat_position: wgpu::Buffer,
    /// Outward unit normal −n/|n| (M 24); speed in m/s.
    pub splat_normal: wgpu::Buffer,
    /// Number of the material, `array<u32>`.
    pub splat_material: wgpu::Buffer,
}

/// Buffers of a surface of [`crate::Mode::Surface`]: triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct MeshBuffers {
    /// Positions, `array<vec4<f32>>`: x, y, z in m relative to the domain's centre; speed in m/s.
    /// STORAGE.
    pub surface_position: wgpu::Buffer,
    /// Outward unit normals, `array<vec4<f32>>`. STORAGE.
    pub surface_normal: wgpu::Buffer,
    /// Vertex indices, three `u32` per triangle. INDEX.
    pub surface_index: wgpu::Buffer,
    /// Arguments of an indexed indirect draw, five `u32` written by the GPU. INDIRECT.
    pub surface_draw: wgpu::Buffer,
    /// Number of the material in whose colour it is drawn.
    pub material: u32,
}

/// Buffers of [`crate::Mode::Smoke`] and [`crate::Mode::Slice`], an element for each cell of the box. STORAGE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct SmokeBuffers {
    /// Density of the smoke and temperature in K, `array<vec4<f32>>`.
    pub smoke: wgpu::Buffer,
    /// Share of the hat around each centre that solids leave free, `array<f32>`.
    pub solid_share: wgpu::Buffer,
}

/// Buffers of foam, spray and bubbles. STORAGE.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct FoamBuffers {
    /// Number of slots.
    pub capacity: u32,
    /// Positions, `array<vec4<f32>>`: x, y, z in m relative to the domain's centre; time left as foam in s.
    pub position: wgpu::Buffer,
    /// Velocities, `array<vec4<f32>>`: m/s; age in s.
    pub velocity: wgpu::Buffer,
    /// Identities, `array<vec2<u32>>`: id; kind, one of the `FOAM_…` constants.
    pub identity: wgpu::Buffer,
    /// State, `array<u32>`, whose word `FOAM_COUNT` is the number of slots in use.
    pub state: wgpu::Buffer,
}

impl SplatBuffers {
    /// The buffers of extracted splats.
    #[must_use]
    pub fn of(splats: &Splats) -> Self {
        Self {
            splat_position: splats.position().clone(),
            splat_normal: splats.normal().clone(),
            splat_material: splats.material().clone(),
        }
    }
}

impl MeshBuffers {
    /// The buffers of an extracted surface. A surface reallocates them when it grows.
    #[must_use]
    pub fn of(surface: &FluidMesh) -> Self {
        let buffer =
            |name| surface.machine().buffer(name).expect("every surface has this buffer").clone();
        Self {
            surface_position: buffer("surface_position"),
            surface_normal: buffer("surface_normal"),
            surface_index: buffer("surface_index"),
            surface_draw: buffer("surface_draw"),
            material: surface.options().material.unwrap_or(0),
        }
    }

    /// Buffers of a mesh of a file: positions in the world in m and unit normals, one of each for a vertex, and triangles,
    /// counter-clockwise seen from outside. `center` is the domain's centre in m.
    #[must_use]
    pub fn upload(
        gpu: &Gpu,
        [position, normal]: [&[[f32; 3]]; 2],
        triangles: &[[u32; 3]],
        center: DVec3,
        material: u32,
    ) -> Self {
        let lanes = |vectors: &[[f32; 3]], from: DVec3| -> Vec<[f32; 4]> {
            let own = |v: &[f32; 3]| (Vec3::from(*v).as_dvec3() - from).as_vec3().extend(0.0);
            vectors.iter().map(|v| own(v).to_array()).collect()
        };
        let (position, normal) = (lanes(position, center), lanes(normal, DVec3::ZERO));
        let indices = triangles.as_flattened();
        let draw = [indices.len() as u32, 1, 0, 0, 0];
        let buffer = |label, bytes: &[u8], usage| {
            let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.len().max(16) as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            gpu.queue().write_buffer(&buffer, 0, bytes);
            buffer
        };
        let storage = wgpu::BufferUsages::STORAGE;
        Self {
            surface_position: buffer("stored positions", bytemuck::cast_slice(&position), storage),
            surface_normal: buffer("stored normals", bytemuck::cast_slice(&normal), storage),
            surface_index: buffer(
                "stored indices",
                bytemuck::cast_slice(indices),
                wgpu::BufferUsages::INDEX,
            ),
            surface_draw: buffer(
                "stored draw",
                bytemuck::cast_slice(&draw),
                wgpu::BufferUsages::INDIRECT,
            ),
            material,
        }
    }
}

/// A fluid in GPU memory. Clones share the buffers; a renderer keeps its bind groups for as long as
/// it gets the same buffers.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct FluidBuffers {
    /// The simulation's parameters.
    pub params: Params,
    /// The domain's centre in m; positions on the GPU are relative to it.
    pub center: DVec3,
    /// Number of slots in the particle buffers.
    pub capacity: u32,
    /// Control, UNIFORM; its particle count is the number of slots drawn.
    pub control: wgpu::Buffer,
    /// Positions, `array<vec4<f32>>`: x, y, z in m relative to the centre; density in kg/m³.
    /// STORAGE.
    pub position: wgpu::Buffer,
    /// Velocities, `array<vec4<f32>>`: m/s; pressure in Pa. STORAGE.
    pub velocity: wgpu::Buffer,
    /// Identities, `array<vec2<u32>>`: id; kind | material << 8 | body << 16. STORAGE.
    pub identity: wgpu::Buffer,
    /// Quantities that can colour the particles, each with the buffer of its array. STORAGE.
    pub quantities: Vec<(Quantity, wgpu::Buffer)>,
    /// Buffers of splats, if extracted.
    pub splats: Option<SplatBuffers>,
    /// Buffers of surface meshes, if extracted: one of all fluid, or one of each material.
    pub surfaces: Vec<MeshBuffers>,
    /// Buffers of smoke's cells, of scenes with smoke instead of particles.
    pub smoke: Option<SmokeBuffers>,
    /// Buffers of foam, of scenes that have some.
    pub foam: Option<FoamBuffers>,
    /// World that is drawn, of a scene with several.
    pub world: u32,
    /// Colliders of that world at the time drawn, relative to the centre.
    pub colliders: Vec<Collider>,
    /// Mesh of each collider that has one.
    pub meshes: Vec<(u32, Arc<Solid>)>,
    /// Lower and upper corner in m, relative to the centre, of the scene's relevant region: the
    /// fluid at the start and its containers. It scales the floor, the shadow and the clarity of
    /// water.
    pub bounds: [Vec3; 2],
    /// Height of the floor in m along [`FluidBuffers::up`], relative to the centre: that of the uppermost level plane at the start,
    /// without planes of the bottom of containers, without those of the lowest point; and under what is below that as a whole.
    pub floor: f32,
}

/// Solids at the simulation's current time, and then the lines of joints, half a particle thick.
fn solids(simulation: &Simulation, world: u32) -> Vec<Collider> {
    let params = &simulation.setup().params;
    let radius = 0.5 * params.world.particle_radius;
    let colliders = simulation.colliders();
    let mut all: Vec<_> =
        params.counts.solids_in(world).map(|number| colliders[number as usize]).collect();
    all.extend(simulation.lines(radius));
    all
}

impl FluidBuffers {
    /// The buffers of a simulation, and its colliders at the current time.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        let (setup, machine) = (simulation.setup(), simulation.machine());
        // Smoke has no particles.
        let nothing = machine.control_buffer();
        let particles = simulation.particles();
        let buffer = |buffer: Option<&wgpu::Buffer>| buffer.unwrap_or(nothing).clone();
        let bounds = scene_bounds(setup);
        Self {
            params: setup.params,
            center: setup.center,
            capacity: setup.params.counts.capacity,
            control: machine.control_buffer().clone(),
            position: buffer(particles.map(|all| all.positions)),
            velocity: buffer(particles.map(|all| all.velocities)),
            identity: buffer(particles.map(|all| all.identities)),
            quantities: quantities(simulation),
            splats: None,
            surfaces: Vec::new(),
            smoke: smoke(simulation),
            foam: foam(simulation),
            world: 0,
            colliders: solids(simulation, 0),
            meshes: setup.meshes_at(simulation.time()),
            bounds,
            floor: floor(setup, bounds),
        }
    }

    /// Another world of a scene with several; the first one if there is no such.
    #[must_use]
    pub fn in_world(mut self, simulation: &Simulation, world: u32) -> Self {
        self.world = if world < simulation.worlds() { world } else { 0 };
        self.colliders = solids(simulation, self.world);
        self
    }

    /// Fluid at the simulation's current time. A simulation with emitters moves to larger buffers as it grows.
    #[must_use]
    pub fn at_present(mut self, simulation: &Simulation) -> Self {
        let (setup, machine) = (simulation.setup(), simulation.machine());
        self.params = setup.params;
        self.capacity = setup.params.counts.capacity;
        self.control = machine.control_buffer().clone();
        if let Some(all) = simulation.particles() {
            self.position.clone_from(all.positions);
            self.velocity.clone_from(all.velocities);
            self.identity.clone_from(all.identities);
        }
        self.quantities = quantities(simulation);
        self.smoke = smoke(simulation);
        self.foam = foam(simulation);
        self.colliders = solids(simulation, self.world);
        if !setup.deforming.is_empty() {
            self.meshes = setup.meshes_at(simulation.time());
        }
        self
    }

    /// Buffer of a quantity's array; `None` if the fluid does not have the quantity.
    #[must_use]
    pub fn buffer_of(&self, quantity: &Quantity) -> Option<&wgpu::Buffer> {
        self.quantities.iter().find(|(one, _)| one == quantity).map(|(_, buffer)| buffer)
    }

    /// Default range of a quantity's colours, in its unit.
    #[must_use]
    pub fn default_range(&self, quantity: &Quantity) -> [f32; 2] {
        (quantity.range)(&self.params.scale()).map(|end| end as f32)
    }

    /// Adds splats.
    #[must_use]
    pub fn with_splats(mut self, splats: Option<SplatBuffers>) -> Self {
        self.splats = splats;
        self
    }

    /// Adds surface meshes.
    #[must_use]
    pub fn with_surfaces(mut self, surfaces: Vec<MeshBuffers>) -> Self {
        self.surfaces = surfaces;
        self
    }

    /// A camera that shows the scene in a picture whose width is `aspect` times its height.
    #[must_use]
    pub fn camera(&self, aspect: f64) -> Camera {
        let [min, max] = self.bounds.map(|corner| corner.as_dvec3() + self.center);
        if self.params.world.dimensions == 2 {
            return Camera::framing(min.with_z(self.center.z), max.with_z(self.center.z), aspect);
        }
        let up = self.up().as_dvec3();
        let side = if up.z.abs() > 0.5 { DVec3::NEG_Y } else { DVec3::Z };
        let towards = side - 0.42 * side.cross(up) + 0.40 * up;
        Camera::framing_from(min, max, aspect, towards, up)
    }

    /// The slice through the middle of the domain across z.
    #[must_use]
    pub fn middle(&self) -> Slice {
        Slice { axis: 2, at: self.center.z }
    }

    /// Axis that points against gravity; y without gravity.
    #[must_use]
    pub fn up(&self) -> Vec3 {
        upwards(&self.params)
    }
}

/// Quantities of a simulation, each with the buffer of its array.
fn quantities(simulation: &Simulation) -> Vec<(Quantity, wgpu::Buffer)> {
    let of = |quantity: Quantity| {
        Some((quantity, simulation.machine().buffer(quantity.array.name)?.clone()))
    };
    simulation.quantities().into_iter().filter_map(of).collect()
}

/// Buffers of smoke, if the simulation has any.
fn smoke(simulation: &Simulation) -> Option<SmokeBuffers> {
    let buffer = |name| simulation.machine().buffer(name).cloned();
    Some(SmokeBuffers { smoke: buffer("smoke")?, solid_share: buffer("solid_share")? })
}

/// Buffers of foam, if the simulation has any.
fn foam(simulation: &Simulation) -> Option<FoamBuffers> {
    let buffer = |name| simulation.machine().buffer(name).cloned();
    Some(FoamBuffers {
        capacity: simulation.setup().foam,
        position: buffer("foam_position")?,
        velocity: buffer("foam_velocity")?,
        identity: buffer("foam_identity")?,
        state: buffer("foam_state")?,
    })
}

/// Rotates a vector from a collider's axes to world axes.
pub(crate) fn rotate(collider: &Collider, v: Vec3) -> Vec3 {
    let q = collider.rotation;
    Quat::from_xyzw(q.x, q.y, q.z, q.w).normalize() * v
}

/// Half extents of a collider's bounding box in its own axes; `None` if it is infinite.
pub(crate) fn half_extents(collider: &Collider) -> Option<Vec3> {
    let kind = Shape::KINDS.get(collider.shape as usize)?;
    (kind.reach)(size_of(collider))
}

/// Whether a collider is a plane that faces upwards.
pub(crate) fn is_level(collider: &Collider, up: Vec3) -> bool {
    half_extents(collider).is_none() && (rotate(collider, Vec3::Y) - up).length() < 1e-3
}

/// Axis that points against gravity; y without gravity.
fn upwards(params: &Params) -> Vec3 {
    let g = -params.world.gravity;
    let a = g.abs();
    match g {
        _ if a.max_element() == 0.0 || (a.y >= a.x && a.y >= a.z) => {
            if g.y < 0.0 {
                Vec3::NEG_Y
            } else {
                Vec3::Y
            }
        }
        _ if a.z >= a.x => Vec3::Z * g.z.signum(),
        _ => Vec3::X * g.x.signum(),
    }
}

/// [`Fluid::floor`] of a scene with these bounds.
fn floor(setup: &Setup, bounds: [Vec3; 2]) -> f32 {
    let up = upwards(&setup.params);
    let ends = |[a, b]: [Vec3; 2]| {
        let [a, b] = [(a * up).element_sum(), (b * up).element_sum()];
        [a.min(b), a.max(b)]
    };
    let planes = setup.colliders.iter().filter(|collider| is_level(collider, up));
    let plane = planes.map(|collider| collider.position.dot(up)).reduce(f32::max);
    let all: Vec<_> = solids_of(setup).collect();
    let containers = all.iter().filter(|(collider, _)| collider.inside != 0);
    let bottom = containers.map(|(_, own)| ends(*own)[0]).reduce(f32::min);
    // Fluid below a container is not kept in it; at its bottom it may be displaced. Without fluid, its end is no number.
    let spacing = 2.0 * setup.params.world.particle_radius;
    let [lowest, _] = ends(fluid_bounds(setup));
    let bottom = bottom.map(|bottom| if lowest < bottom - spacing { lowest } else { bottom });
    let Some(level) = plane.or(bottom) else { return ends(bounds)[0] };
    let below = all.iter().map(|(_, own)| ends(*own)).filter(|[_, top]| *top <= level);
    below.map(|[low, _]| low).fold(level, f32::min)
}

/// Finite solids, and the corners of their bounding boxes.
fn solids_of(setup: &Setup) -> impl Iterator<Item = (&Collider, [Vec3; 2])> {
    setup.colliders.iter().enumerate().filter_map(|(number, collider)| {
        let mesh = setup.meshes.iter().find(|(of, _)| *of == number as u32);
        Some((collider, collider_bounds(collider, mesh.map(|(_, solid)| &**solid))?))
    })
}

/// Corners of a collider's bounding box; of a mesh those of its vertices, since its distances are known on a larger box about its
/// middle.
fn collider_bounds(collider: &Collider, mesh: Option<&Solid>) -> Option<[Vec3; 2]> {
    if let Some(solid) = mesh {
        let place = |p: &[f64; 3]| {
            rotate(collider, (DVec3::from(*p) - solid.middle()).as_vec3()) + collider.position
        };
        let corners = solid.mesh().positions().iter().map(place).map(|p| [p, p]);
        return corners.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
    }
    let half = half_extents(collider)?;
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| rotate(collider, axis).abs());
    let extent = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
    Some([collider.position - extent, collider.position + extent])
}

/// Corners of the box of cells, without its ring.
fn domain(setup: &Setup) -> [Vec3; 2] {
    let grid = &setup.params.grid;
    let ring = Vec3::select(grid.period.cmpgt(Vec3::ZERO), Vec3::ZERO, Vec3::splat(grid.cell));
    let mut low = grid.origin + ring;
    let mut high = grid.origin + grid.cell * grid.size.as_vec3() - ring;
    if setup.params.world.dimensions == 2 {
        (low.z, high.z) = (0.0, 0.0);
    }
    [low, high]
}

/// Corners of the fluid at the start and of the emitters; infinite, with their sides exchanged, without either.
fn fluid_bounds(setup: &Setup) -> [Vec3; 2] {
    let points = setup.position.iter().chain(&setup.emitter_points);
    let points = points.map(|p| glam::Vec4::from(*p).xyz());
    let r = Vec3::splat(setup.params.world.particle_radius);
    points.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |bounds, p| union(bounds, [p - r, p + r]))
}

fn union([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    [a.min(c), b.max(d)]
}

/// Region that the camera should show: fluid, emitters, nearby solids and containers, but only the
/// lower part of a tank that is much taller than its water.
fn scene_bounds(setup: &Setup) -> [Vec3; 2] {
    if setup.fluid_cells().is_some() {
        return domain(setup);
    }
    let fluid = fluid_bounds(setup);
    let mut bounds = solids_of(setup).map(|(_, own)| own).fold(fluid, union);
    if bounds[0].x > bounds[1].x {
        return [Vec3::NEG_ONE, Vec3::ONE];
    }
    if fluid[0].x <= fluid[1].x
        && setup.params.world.gravity.y < 0.0
        && setup.params.world.dimensions == 3
    {
        let height = fluid[1].y - bounds[0].y;
        bounds[1].y = bounds[1].y.min(bounds[0].y + 1.3 * height).max(fluid[1].y);
    }
    bounds
}
