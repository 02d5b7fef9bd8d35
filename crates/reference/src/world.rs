//! The buffers of a simulation, by their WGSL variable names.

use std::{collections::BTreeMap, ops::Range};

use meniscus_methods::{
    Registry,
    space::{
        BODY_LANES, BODY_PARTICLES, CELLS, CLUSTERS, COLLIDERS, Counts, DISTANCES, DRAINS,
        EMITTER_POINTS, EMITTERS, Extent, FREE_BODY_PARTICLES, INDICES, NEIGHBOURS, PARTICLES,
        ROWS, TILES, VERTICES, WALLS,
    },
};
use meniscus_model::params::{
    Collider, DistanceField, Emitter, FieldBox, FieldTriangle, KIND_FLUID, Material,
};
use meniscus_model::surface::SurfaceControl;
use meniscus_model::{Control, Params, marching_cubes};

use crate::contacts::NONE;
use crate::diagnostics::{BLOCKS, ROWS as DIAGNOSTICS_ROWS};
use crate::neighbours::{CLUSTER, GROUP_CLUSTERS};
use crate::pairs::Pairs;
use crate::reduce::BLOCK;
use crate::storage::{Array, Storage, Values};
use crate::surface::NODES;

/// All buffers of a simulation by their WGSL variable names, floats in f64. Positions are relative
/// to the domain's centre, units are SI. Values that the GPU keeps in f32 are f64 here until
/// [`World::round_to_f32`].
#[derive(Clone, Debug)]
pub struct World {
    /// Parameters, which every pass may read and only the host writes.
    pub params: Params,
    /// Registry of methods.
    pub methods: Registry,
    /// Time, convergence and failure.
    pub control: Control,
    /// The stage's own small uniform.
    pub stage: Stage,
    /// Terms of the pass, if it sums several.
    pub terms: Vec<String>,

    /// Position in m, and density in kg/m³ in w.
    pub position: Vec<[f64; 4]>,
    /// Velocity in m/s, and pressure in Pa in w.
    pub velocity: Vec<[f64; 4]>,
    /// Id, and kind (8 bits) | material (8) | body (16).
    pub identity: Vec<[u32; 2]>,
    /// Position in cell order in m; in w the rest volume m/ρ0 in m³ up to `muller/pressure`, the
    /// volume m/ρ after it.
    pub sorted_position: Vec<[f64; 4]>,
    /// Velocity in cell order in m/s, and pressure in Pa in w.
    pub sorted_velocity: Vec<[f64; 4]>,
    /// Identity in cell order.
    pub sorted_identity: Vec<[u32; 2]>,
    /// Density in cell order in kg/m³.
    pub density: Vec<f64>,
    /// Acceleration by forces between particles, in cell order, in m/s².
    pub acceleration: Vec<[f64; 4]>,

    /// ρ0 times DFSPH's α, in kg/m, and s − 1, in cell order.
    pub factor: Vec<[f64; 2]>,
    /// κ = p Δt² of an iteration, in cell order, in kg/m.
    pub kappa: Vec<f64>,
    /// DFSPH's κ of all iterations, in cell order.
    pub kappa_sum: Vec<f64>,
    /// Sum of errors in percent, and fluid particles, per eight clusters.
    pub residuals: Vec<[f64; 2]>,
    /// Residual of the running loop, in percent.
    pub residual: Vec<f64>,
    /// Pressure of the last step in Pa.
    pub warm: Vec<f64>,

    /// Fluid particles per cell, then boundary particles per cell; the last element counts removed
    /// particles.
    pub cell_count: Vec<u32>,
    /// First sorted slot of each bucket of `cell_count`; the last element is the number of live
    /// particles.
    pub cell_start: Vec<u32>,
    /// Number of particles of the same cell counted before, per particle.
    pub arrival: Vec<u32>,
    /// (id, unsorted slot) by cell, in order of arrival.
    pub binned: Vec<[u32; 2]>,
    /// Unsorted slot per sorted slot.
    pub order: Vec<u32>,

    /// Clusters per row of cells; the last element is 0.
    pub row_clusters: Vec<u32>,
    /// Clusters before each row; the last element counts all.
    pub row_cluster_start: Vec<u32>,
    /// First slot and end of slots of each cluster, begin and end of its candidates in `neighbours`.
    pub clusters: Vec<[u32; 4]>,
    /// Upper bound on the entries of each cluster's candidates; the last element is 0.
    pub neighbour_count: Vec<u32>,
    /// Exclusive prefix sums of `neighbour_count`.
    pub neighbour_start: Vec<u32>,
    /// A slot, and a mask of candidates among the 32 slots from there on.
    pub neighbours: Vec<[u32; 2]>,

    /// Input of the generic `reduce` passes.
    pub values: Vec<u32>,
    /// Sum per block of `values`.
    pub totals: Vec<u32>,
    /// Offset that `reduce/scan` adds per block.
    pub offsets: Vec<u32>,
    /// Exclusive prefix sums of `values`.
    pub scanned: Vec<u32>,

    /// Solids at the start.
    pub colliders: Vec<Collider>,
    /// Current state of each solid: five vec4 (`meniscus_model::params::Body`).
    pub bodies: Vec<[f64; 20]>,
    /// Motion of each driven solid in the frame: eight vec4 (`meniscus_model::motion::for_frame`).
    pub motions: Vec<[f64; 32]>,
    /// Force on boundary particles of bodies, by id, in N.
    pub reaction: Vec<[f64; 4]>,
    /// Force in N and torque in N m on each body in the step.
    pub body_force: Vec<[f64; 8]>,
    /// Contacts of boundary particles, by id: normal and least normal velocity after the contact,
    /// impulse so far, its last change.
    pub contacts: Vec<[f64; 12]>,
    /// Sorted slots of boundary particles, by id.
    pub wall_slots: Vec<u32>,
    /// Own solid, other solid, particle of the other that transmits the reaction, and 1 if other
    /// free bodies are near.
    pub contact_other: Vec<[u32; 4]>,
    /// Up to eight particles that touch through this one, in order.
    pub partners: Vec<[u32; 8]>,
    /// Contacts of each free body.
    pub body_touches: Vec<u32>,
    /// Positions of boundary particles in the axes of their solid, by id, in m.
    pub model_position: Vec<[f64; 4]>,
    /// Distances of meshes in m: half extents of each grid, then a value for each of its nodes.
    pub distances: Vec<f64>,
    /// The grid being computed.
    pub distance_field: DistanceField,
    /// Boxes around the triangles, which the twin does not use.
    pub field_boxes: Vec<FieldBox>,
    /// Triangles from which distances are computed.
    pub field_triangles: Vec<FieldTriangle>,
    /// Regions that remove particles.
    pub drains: Vec<Collider>,
    /// Sources of particles.
    pub emitters: Vec<Emitter>,
    /// Points of the emitters' layers in m, and the emitter's number in w.
    pub emitter_points: Vec<[f64; 4]>,
    /// Layers emitted so far, per emitter.
    pub emitter_layers: Vec<u32>,
    /// Per emitter: 1 if a layer is due, and the first slot it gets.
    pub emission: Vec<[u32; 2]>,

    /// Six vec4 per block of `diagnostics/partial`.
    pub diagnostics_partial: Vec<[f64; 4]>,
    /// Six vec4: momentum and mass (kg m/s, kg); angular momentum and kinetic energy (kg m²/s, J);
    /// Σ m x and Σ of the density errors (kg m, 1); lower bounds and the largest density error
    /// (m, 1); upper bounds and the largest speed (m, m/s); counts of fluid and lost particles.
    pub diagnostics: Vec<[f64; 4]>,

    /// Requests to the surface passes, and their results.
    pub surface_control: SurfaceControl,
    /// The table of marching cubes, packed.
    pub marching_cubes: Vec<[u32; 2]>,
    /// λ or μ of the smoothing (Taubin 1995).
    pub taubin_factor: Vec<f64>,
    /// Particles beyond the box of the grid's cells.
    pub surface_outside: Vec<u32>,
    /// Per cell: a bit for each octant that holds particles, and `SHALLOW` if one of them is near
    /// the surface.
    pub surface_state: Vec<u32>,
    /// Per cell: 1 if it gets a block.
    pub surface_flag: Vec<u32>,
    /// Per cell: the sum of the flags before it; after `surface/list` its block, or `OUTSIDE` or
    /// `INSIDE`.
    pub surface_block: Vec<u32>,
    /// Per tile: its cell, and its coordinates within the block, 8 bits per axis.
    pub surface_tiles: Vec<[u32; 4]>,
    /// Workgroups of four indirect dispatches.
    pub surface_dispatch: Vec<u32>,
    /// Workgroups of `body/apply` and of `body/impulse`.
    pub contact_dispatch: Vec<u32>,
    /// Smoothed centres of particles in m (Yu, Turk 2013).
    pub smoothed_position: Vec<[f64; 4]>,
    /// The stretch A of particles' kernels: xx, yy, zz, det(A); yz, xz, xy, 0.
    pub surface_shape: Vec<[f64; 8]>,
    /// The colour field on the blocks' nodes.
    pub surface_field: Vec<f64>,
    /// Per node: case, crossing edges, and vertices and triangles of the tile before this node.
    pub surface_nodes: Vec<u32>,
    /// Vertices per tile.
    pub tile_vertices: Vec<u32>,
    /// Exclusive prefix sums of `tile_vertices`.
    pub tile_vertex_start: Vec<u32>,
    /// Triangles per tile.
    pub tile_triangles: Vec<u32>,
    /// Exclusive prefix sums of `tile_triangles`.
    pub tile_triangle_start: Vec<u32>,
    /// Vertices in m, and the fluid's speed in m/s in w.
    pub surface_position: Vec<[f64; 4]>,
    /// Outward unit normals.
    pub surface_normal: Vec<[f64; 4]>,
    /// Three vertices per triangle.
    pub surface_index: Vec<u32>,
    /// The arguments of an indexed indirect draw.
    pub surface_draw: Vec<u32>,
    /// The four neighbours of each vertex.
    pub surface_ring: Vec<[u32; 4]>,
    /// Smoothed vertices in m.
    pub surface_smoothed: Vec<[f64; 4]>,
    /// Per particle: position in m, and |n| in m⁻¹ in w.
    pub splat_position: Vec<[f64; 4]>,
    /// Per particle: outward unit normal, and speed in m/s in w.
    pub splat_normal: Vec<[f64; 4]>,

    /// Arrays that exist only as targets of renamed variables, by name: `warm_pressure`,
    /// `totals_1`.
    pub others: BTreeMap<String, Array>,

    pub(crate) pairs: Pairs,
}

/// The stage's own small uniform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Number of elements that the pass handles, if they are not the particles.
    pub element_count: u32,
    /// Number of the stage's loop, from 1; 0 outside loops.
    pub loop_index: u32,
    /// Number of the stage in the step.
    pub number: u32,
    /// Number of the first stage of the loop's body.
    pub loop_first: u32,
}

macro_rules! storages {
    ($($name:ident)*) => {
        impl World {
            /// Arrays of scalars, by name.
            pub const BUFFERS: &[&str] = &[$( stringify!($name) ),*];

            fn own_storage(&mut self, name: &str) -> Option<&mut dyn Storage> {
                $( if name == stringify!($name) { return Some(&mut self.$name); } )*
                None
            }
        }
    };
}

storages! {
    position velocity identity sorted_position sorted_velocity sorted_identity density
    acceleration factor kappa kappa_sum residuals residual warm cell_count cell_start arrival
    binned order row_clusters row_cluster_start clusters neighbour_count neighbour_start
    neighbours values totals offsets scanned bodies motions model_position reaction body_force
    contacts wall_slots contact_other partners body_touches distances emitter_points
    emitter_layers emission diagnostics_partial diagnostics marching_cubes taubin_factor
    surface_outside surface_state surface_flag surface_block surface_tiles surface_dispatch
    contact_dispatch smoothed_position surface_shape surface_field surface_nodes tile_vertices
    tile_vertex_start tile_triangles tile_triangle_start surface_position surface_normal
    surface_index surface_draw surface_ring surface_smoothed splat_position splat_normal
}

impl World {
    /// A world of zeros: every buffer at its length, at least one element. The generic buffers of
    /// the `reduce` passes get the length that scanning `cell_count` needs; those of the surface
    /// have room for one block, vertex and index until [`World::make_room`] extends them.
    #[must_use]
    pub fn new(params: Params, control: Control) -> Self {
        let length = |count: u32| (count as usize).max(1);
        let slots = length(params.counts.capacity);
        let buckets = 2 * params.grid.cell_count as usize + 1;
        let emitters = length(params.counts.emitters);
        let rows = params.grid.cell_count as usize / length(params.grid.size.x);
        let clusters = slots.min(slots.div_ceil(CLUSTER) + rows);
        let mut world = Self {
            params,
            methods: Registry::standard(),
            control,
            stage: Stage::default(),
            terms: Vec::new(),
            position: vec![[0.0; 4]; slots],
            velocity: vec![[0.0; 4]; slots],
            identity: vec![[0; 2]; slots],
            sorted_position: vec![[0.0; 4]; slots],
            sorted_velocity: vec![[0.0; 4]; slots],
            sorted_identity: vec![[0; 2]; slots],
            density: vec![0.0; slots],
            acceleration: vec![[0.0; 4]; slots],
            factor: vec![[0.0; 2]; slots],
            kappa: vec![0.0; slots],
            kappa_sum: vec![0.0; slots],
            residuals: vec![[0.0; 2]; clusters.div_ceil(GROUP_CLUSTERS)],
            residual: vec![0.0],
            warm: vec![0.0; slots],
            cell_count: vec![0; buckets],
            cell_start: vec![0; buckets],
            arrival: vec![0; slots],
            binned: vec![[0; 2]; slots],
            order: vec![0; slots],
            row_clusters: vec![0; rows + 1],
            row_cluster_start: vec![0; rows + 1],
            clusters: vec![[0; 4]; clusters],
            neighbour_count: vec![0; clusters + 1],
            neighbour_start: vec![0; clusters + 1],
            neighbours: vec![[0; 2]],
            values: vec![0; buckets],
            totals: vec![0; buckets.div_ceil(BLOCK)],
            offsets: vec![0; buckets.div_ceil(BLOCK)],
            scanned: vec![0; buckets],
            colliders: vec![Collider::default(); length(params.counts.colliders)],
            bodies: vec![[0.0; 20]; length(params.counts.colliders)],
            motions: vec![[0.0; 32]; length(params.counts.colliders)],
            reaction: vec![[0.0; 4]; length(params.counts.walls)],
            body_force: vec![[0.0; 8]; length(params.counts.colliders)],
            contacts: vec![[0.0; 12]; length(params.counts.walls)],
            wall_slots: vec![NONE; length(params.counts.walls)],
            contact_other: vec![[NONE; 4]; length(params.counts.walls)],
            partners: vec![[NONE; 8]; length(params.counts.walls)],
            body_touches: vec![0; length(params.counts.colliders)],
            model_position: vec![[0.0; 4]; length(params.counts.walls)],
            distances: vec![0.0],
            distance_field: DistanceField::default(),
            field_boxes: vec![FieldBox::default()],
            field_triangles: vec![FieldTriangle::default()],
            drains: vec![Collider::default(); length(params.counts.drains)],
            emitters: vec![Emitter::default(); emitters],
            emitter_points: vec![[0.0; 4]; length(params.counts.emitter_points)],
            emitter_layers: vec![0; emitters],
            emission: vec![[0; 2]; emitters],
            diagnostics_partial: vec![[0.0; 4]; BLOCKS * DIAGNOSTICS_ROWS],
            diagnostics: vec![[0.0; 4]; DIAGNOSTICS_ROWS],
            surface_control: SurfaceControl::default(),
            marching_cubes: marching_cubes::cases(),
            taubin_factor: vec![0.0],
            surface_outside: vec![0],
            surface_state: vec![0; params.grid.cell_count as usize],
            surface_flag: vec![0; params.grid.cell_count as usize],
            surface_block: vec![0; params.grid.cell_count as usize],
            surface_tiles: Vec::new(),
            surface_dispatch: vec![0; 12],
            contact_dispatch: vec![0; 6],
            smoothed_position: vec![[0.0; 4]; slots],
            surface_shape: vec![[0.0; 8]; slots],
            surface_field: Vec::new(),
            surface_nodes: Vec::new(),
            tile_vertices: Vec::new(),
            tile_vertex_start: Vec::new(),
            tile_triangles: Vec::new(),
            tile_triangle_start: Vec::new(),
            surface_position: Vec::new(),
            surface_normal: Vec::new(),
            surface_index: Vec::new(),
            surface_draw: vec![0; 5],
            surface_ring: Vec::new(),
            surface_smoothed: Vec::new(),
            splat_position: vec![[0.0; 4]; slots],
            splat_normal: vec![[0.0; 4]; slots],
            others: BTreeMap::new(),
            pairs: Pairs::default(),
        };
        world.make_room(SurfaceControl {
            iso: 0.5,
            fineness: 1,
            block_capacity: 1,
            vertex_capacity: 1,
            index_capacity: 1,
            ..SurfaceControl::default()
        });
        world
    }

    /// Sets the solids, at their initial places; those with a mass must come last.
    pub fn set_colliders(&mut self, colliders: &[Collider]) {
        let free = colliders.iter().filter(|collider| collider.inverse_mass > 0.0).count();
        self.params.counts.colliders = colliders.len() as u32;
        self.params.counts.driven = (colliders.len() - free) as u32;
        self.colliders = colliders.to_vec();
        self.bodies = colliders.iter().map(crate::body::start).collect();
        self.motions = vec![[0.0; 32]; colliders.len()];
        self.body_force = vec![[0.0; 8]; colliders.len()];
        self.body_touches = vec![0; colliders.len()];
    }

    /// Resizes the surface's buffers to the capacities in `control`.
    pub fn make_room(&mut self, control: SurfaceControl) {
        self.surface_control = control;
        let tiles = (control.block_capacity * control.fineness.pow(3)) as usize;
        let nodes = tiles * NODES;
        let vertices = control.vertex_capacity as usize;
        self.surface_tiles.resize(tiles, [0; 4]);
        self.surface_field.resize(nodes, 0.0);
        self.surface_nodes.resize(nodes, 0);
        self.tile_vertices.resize(tiles, 0);
        self.tile_vertex_start.resize(tiles, 0);
        self.tile_triangles.resize(tiles, 0);
        self.tile_triangle_start.resize(tiles, 0);
        self.surface_position.resize(vertices, [0.0; 4]);
        self.surface_normal.resize(vertices, [0.0; 4]);
        self.surface_ring.resize(vertices, [0; 4]);
        self.surface_smoothed.resize(vertices, [0.0; 4]);
        self.surface_index.resize(control.index_capacity as usize, 0);
    }

    /// Array by name: one of [`World::BUFFERS`], or a target of renamed variables.
    pub fn buffer(&mut self, name: &str) -> Option<Values<'_>> {
        self.storage(name).map(Storage::values)
    }

    /// Array by name, for changing its length.
    pub fn storage(&mut self, name: &str) -> Option<&mut dyn Storage> {
        if Self::BUFFERS.contains(&name) {
            return self.own_storage(name);
        }
        self.others.get_mut(name).map(Array::storage)
    }

    /// Number of elements of each space, from the lengths of the arrays. All boundary particles
    /// count as particles of bodies here.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let params = &self.params;
        let counts = [
            (PARTICLES, params.counts.capacity),
            (CELLS, params.grid.cell_count),
            (ROWS, self.row_clusters.len() as u32 - 1),
            (CLUSTERS, self.clusters.len() as u32),
            (NEIGHBOURS, self.neighbours.len() as u32),
            (COLLIDERS, params.counts.colliders.max(self.bodies.len() as u32)),
            (WALLS, params.counts.walls),
            (BODY_PARTICLES, params.counts.walls),
            (FREE_BODY_PARTICLES, params.counts.walls),
            (BODY_LANES, 64 * params.counts.colliders),
            (DISTANCES, self.distances.len() as u32),
            (DRAINS, params.counts.drains),
            (EMITTERS, params.counts.emitters),
            (EMITTER_POINTS, params.counts.emitter_points),
            (TILES, self.surface_tiles.len() as u32),
            (VERTICES, self.surface_position.len() as u32),
            (INDICES, self.surface_index.len() as u32),
        ];
        let set = |counts: Counts, (extent, count): (Extent, u32)| counts.with(extent.space, count);
        counts.into_iter().fold(Counts::default(), set)
    }

    /// Rounds every float to the nearest f32, so that both sides start from identical bits.
    pub fn round_to_f32(&mut self) {
        let others: Vec<String> = self.others.keys().cloned().collect();
        let names = Self::BUFFERS.iter().copied().chain(others.iter().map(String::as_str));
        for name in names {
            if let Some(Values::Floats { data, .. }) = self.buffer(name) {
                for value in data {
                    *value = f64::from(*value as f32);
                }
            }
        }
    }

    /// Number of a method, by its path in shaders.
    ///
    /// # Panics
    /// If no method has it.
    #[must_use]
    pub fn number(&self, path: &str) -> f64 {
        let number = self.params.methods.get(&self.methods, path);
        number.unwrap_or_else(|| panic!("no method has the number {path}"))
    }

    /// The slots of live particles.
    pub(crate) fn particles(&self) -> Range<usize> {
        0..self.control.particle_count as usize
    }

    /// The sorted slots of fluid.
    pub(crate) fn sorted_fluid(&self) -> Vec<usize> {
        let fluid = |s: &usize| is_kind(self.sorted_identity[*s], KIND_FLUID);
        self.particles().filter(fluid).collect()
    }

    /// Sets the pressure in Pa, optionally clamped at 0, and the volume m/ρ of the fluid particle
    /// in sorted slot `i`.
    pub(crate) fn set_pressure(&mut self, i: usize, pressure: f64) {
        let clamp = self.params.sph.clamp_pressure == 1;
        self.sorted_velocity[i][3] = if clamp { pressure.max(0.0) } else { pressure };
        let mass = f64::from(self.material(self.sorted_identity[i]).mass);
        self.sorted_position[i][3] = mass / self.density[i];
    }

    /// Material of particles with this identity.
    pub(crate) fn material(&self, identity: [u32; 2]) -> Material {
        self.params.materials[(identity[1] >> 8 & 255) as usize]
    }
}

/// Whether a particle with this identity is of this kind.
pub(crate) fn is_kind(identity: [u32; 2], kind: u32) -> bool {
    identity[1] & 255 == kind
}
