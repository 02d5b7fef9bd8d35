//! The array table: element, length, meaning and use of each array, declared once. Shaders name an
//! array (`//!read position`) and get its declaration; the host and the reference allocate it.

use meniscus_geometry::mesh::Batch;

use crate::{
    passes::{DIAGNOSTICS_BLOCKS, LOOPS, REDUCE_BLOCK, RESIDUALS, TARGETS, TILE_NODES},
    space::{
        BUCKETS, CARRIED, CELLS, CLUSTERS, COLLIDERS, DISTANCES, EMITTER_POINTS, EMITTERS, Extent,
        INDICES, JOINTS, NEIGHBOURS, ONE, OPENING_POINTS, OPENING_ROWS, OPENINGS, PARTICLES, QUERY,
        REGIONS, ROWS, SCANNED, SORTED, SPAWN, STOP_SUMS, STOPS, TILES, VERTICES, WALLS,
    },
};

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name of the WGSL variable.
    pub name: &'static str,
    /// Lines of its comment.
    pub doc: &'static [&'static str],
    /// Tokens of the type of an element in WGSL: [`Row::element`] is its text.
    pub tokens: &'static str,
    /// Number of elements; an empty array gets one, since WebGPU has no empty bindings.
    pub extent: Extent,
    /// Whether the array is part of the State and of checkpoints.
    pub persistent: bool,
    /// Whether it is a guess from which the next step starts, and which is 0 after a program has moved particles.
    pub guess: bool,
    /// Whether draws or dispatches take vertices, indices or arguments from it.
    pub drawn: bool,
    /// Meaning of the lanes of an element; empty for structs, whose members are documented there.
    pub lanes: &'static [Lane],
}

/// Meaning of some lanes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The lanes as WGSL writes them: `xyz`, `w`.
    pub lanes: &'static str,
    /// Name of the quantity.
    pub quantity: &'static str,
    /// SI unit; empty for counts, ids and ratios.
    pub unit: &'static str,
}

impl Row {
    /// Row of an array of tests or methods: not persistent, not drawn. `tokens` are its element
    /// type in WGSL.
    #[must_use]
    pub const fn new(name: &'static str, tokens: &'static str, extent: Extent) -> Self {
        Self {
            name,
            doc: &[],
            tokens,
            extent,
            persistent: false,
            guess: false,
            drawn: false,
            lanes: &[],
        }
    }

    /// Type of an element in WGSL.
    #[must_use]
    pub fn element(&self) -> String {
        let tokens: String = self.tokens.split_whitespace().collect();
        tokens.replace(',', ", ")
    }

    /// Number of 32-bit scalars per element, `of_struct` for a struct; `None` if the type is
    /// unknown.
    #[must_use]
    pub fn width(&self, of_struct: &dyn Fn(&str) -> Option<u32>) -> Option<u32> {
        width(&self.element(), of_struct)
    }

    /// Row of an array that is part of the State and of checkpoints.
    #[must_use]
    pub const fn persistent(self) -> Self {
        Self { persistent: true, ..self }
    }

    /// Row of a persistent array that is a guess from which the next step starts.
    #[must_use]
    pub const fn guess(self) -> Self {
        Self { persistent: true, guess: true, ..self }
    }

    /// Row with the meaning of the lanes of an element.
    #[must_use]
    pub const fn lanes(self, lanes: &'static [Lane]) -> Self {
        Self { lanes, ..self }
    }

    /// Unit of the lanes with `quantity`; `None` if there are none.
    #[must_use]
    pub fn unit(&self, quantity: &str) -> Option<&'static str> {
        self.lanes.iter().find(|lane| lane.quantity == quantity).map(|lane| lane.unit)
    }
}

/// Most levels of block totals in a scan: 4,096³ elements exceed any index.
pub const SCAN_LEVELS: u32 = 2;

/// Calls a macro with the rows of the array table: every array but `params`, `control` and `stage`.
///
/// A row has a comment, the name of the WGSL variable, the element's type in WGSL, the number of
/// elements ([`Extent`]), `as persistent` for an array of State and checkpoints, `as drawn` for one
/// from which draws or dispatches take vertices, indices or arguments, and the quantity and SI unit
/// of its lanes.
#[macro_export]
macro_rules! for_each_array {
    ($then:ident) => {
        $then! {
            /// Position of each particle, relative to the domain's centre; density in w, or the
            /// volume `V_b` of boundary particles, whose last bit is 1 at those of bodies.
            position: [vec4<f32>] per [PARTICLES] as persistent { xyz: "position" "m", w: "density" "kg/m³" }
            /// Velocity of each particle; pressure in w, or the friction of boundary particles.
            velocity: [vec4<f32>] per [PARTICLES] as persistent { xyz: "velocity" "m/s", w: "pressure" "Pa" }
            /// Id, and kind (8 bits) | material (8) | body (16).
            identity: [vec2<u32>] per [PARTICLES] as persistent { x: "id" "", y: "kind" "" }
            /// The number of targets of the program so far, and then each by its number modulo `TARGETS`: frame, and the bits of
            /// the time in it in s.
            targets: [vec2<u32>] per [ONE.times(1 + TARGETS)] { x: "frame" "", y: "time" "s" }
            /// Of each loop its iterations in the last step, and the residual in percent after each of the first of them.
            loop_residuals: [f32] per [ONE.times(LOOPS * RESIDUALS)] { x: "residual" "%" }
            /// Layers that each emitter has emitted so far.
            emitter_layers: [u32] per [EMITTERS] as persistent { x: "layers" "" }
            /// Position in cell order; rest volume m/ρ0 in w, after the pressure pass the volume
            /// m/ρ. From slot `capacity` on the neighbours that stand for walls without particles.
            sorted_position: [vec4<f32>] per [SORTED] { xyz: "position" "m", w: "volume" "m³" }
            /// Velocity in cell order, and pressure.
            sorted_velocity: [vec4<f32>] per [SORTED] { xyz: "velocity" "m/s", w: "pressure" "Pa" }
            /// Identity in cell order.
            sorted_identity: [vec2<u32>] per [SORTED] { x: "id" "", y: "kind" "" }
            /// Density in cell order.
            density: [f32] per [PARTICLES] { x: "density" "kg/m³" }
            /// Acceleration by forces between particles, in cell order; 0 in w.
            acceleration: [vec4<f32>] per [PARTICLES] { xyz: "acceleration" "m/s²" }
            /// Fluid particles per cell, then boundary particles per cell; the last element counts those that are removed. 0 after a sort.
            cell_count: [u32] per [BUCKETS] { x: "count" "" }
            /// First sorted slot of each bucket of `cell_count`; the last element is the number of
            /// live particles.
            cell_start: [u32] per [BUCKETS] { x: "slot" "" }
            /// Clusters per row of cells; the last element is 0.
            row_clusters: [u32] per [ROWS.and_one()] { x: "count" "" }
            /// Clusters before each row; the last element counts all.
            row_cluster_start: [u32] per [ROWS.and_one()] { x: "cluster" "" }
            /// First slot and end of slots of each cluster, begin and end of its candidates in `neighbours`.
            clusters: [vec4<u32>] per [CLUSTERS] { xy: "slots" "", zw: "candidates" "" }
            /// Upper bound on the entries of each cluster's candidates; the last element is 0.
            neighbour_count: [u32] per [CLUSTERS.and_one()] { x: "count" "" }
            /// Exclusive prefix sums of `neighbour_count`.
            neighbour_start: [u32] per [CLUSTERS.and_one()] { x: "entry" "" }
            /// A slot, and a mask of candidates among the 32 slots from there on.
            neighbours: [vec2<u32>] per [NEIGHBOURS] { x: "slot" "", y: "candidates" "" }
            /// Sums of blocks of a scan, one level up.
            totals_1: [u32] per [SCANNED.per(REDUCE_BLOCK.pow(1))] { x: "sum" "" }
            /// Sums of blocks of a scan, two levels up.
            totals_2: [u32] per [SCANNED.per(REDUCE_BLOCK.pow(2))] { x: "sum" "" }
            /// Exclusive prefix sums of `totals_1`.
            offsets_1: [u32] per [SCANNED.per(REDUCE_BLOCK.pow(1))] { x: "sum" "" }
            /// Exclusive prefix sums of `totals_2`.
            offsets_2: [u32] per [SCANNED.per(REDUCE_BLOCK.pow(2))] { x: "sum" "" }
            /// Number of particles of the same cell counted before, per particle.
            arrival: [u32] per [PARTICLES] { x: "count" "" }
            /// Id and unsorted slot by cell, in order of arrival.
            binned: [vec2<u32>] per [PARTICLES] { x: "id" "", y: "slot" "" }
            /// Unsorted slot of each sorted slot.
            order: [u32] per [PARTICLES] { x: "slot" "" }
            /// Sorted slot of each boundary particle, by id.
            wall_slots: [u32] per [WALLS] { x: "slot" "" }
            /// Share of a wall without particles in the density, and how fast it falls with the distance d
            /// times h, by d/h; and r/h where −h W'(r)/W(r) = t/(1 − t), by t: both from 0 to 1.
            wall_shares: [vec4<f32>] per [ONE.times(128)] { x: "share" "", y: "slope" "", z: "distance" "" }
            /// Solids at the start.
            colliders: [Collider] per [COLLIDERS] {}
            /// Current state of each solid.
            bodies: [Body] per [COLLIDERS] as persistent {}
            /// Motion of each driven solid in the frame.
            motions: [FrameMotion] per [COLLIDERS] {}
            /// Position of each boundary particle in the axes of its solid, by id; in w the number of its way from 1 if a
            /// triangle carries it, else 0.
            model_position: [vec4<f32>] per [WALLS] { xyz: "position" "m", w: "way" "" }
            /// Way in the frame of each boundary particle that a triangle of a mesh carries, in the axes of its solid: place at the
            /// start, and in w its volume; velocity there; displacement; velocity at the end.
            wall_ways: [array<vec4<f32>, 4>] per [CARRIED] { xyz: "position" "m", w: "volume" "m³" }
            /// Force on each boundary particle of a body, by id.
            reaction: [vec4<f32>] per [WALLS] { xyz: "force" "N" }
            /// Force, and then torque in N m, on each body in the step, without those of pressure.
            body_force: [array<vec4<f32>, 2>] per [COLLIDERS] as persistent { xyz: "force" "N" }
            /// Force, and then torque in N m, of pressure on each body in the step, and of what its surface stops.
            body_pressure: [array<vec4<f32>, 2>] per [COLLIDERS] as persistent { xyz: "force" "N" }
            /// Impulse that the surface of a measured solid gave each fluid particle, and the solid's number from 1.
            stops: [vec4<f32>] per [STOPS] { xyz: "impulse" "N s", w: "solid" "" }
            /// Sums of the impulses on each solid, and then of angular impulses in N m s, over blocks of slots.
            stop_sums: [array<vec4<f32>, 2>] per [STOP_SUMS] { xyz: "impulse" "N s" }
            /// Force of the program on each free body, and then torque in N m.
            body_push: [array<vec4<f32>, 2>] per [COLLIDERS] as persistent { xyz: "force" "N" }
            /// Impulse, and then angular impulse in N m s, on each solid since the start of the frame, and then those of
            /// pressure alone.
            body_impulse: [array<vec4<f32>, 4>] per [COLLIDERS] as persistent { xyz: "impulse" "N s" }
            /// Contact of each boundary particle of a body, by id, from which the next step's begins.
            contacts: [Touch] per [WALLS] as persistent {}
            /// Own solid, other solid, nearest particle of another free body, and 1 if there is one.
            contact_other: [vec4<u32>] per [WALLS] { x: "solid" "", y: "solid" "", z: "particle" "", w: "near" "" }
            /// Manifolds of each free body: own solid, other solid, number of points, colour, and the points, by index among boundary
            /// particles.
            manifolds: [array<u32, 8>] per [COLLIDERS.times(8)] { x: "particles" "" }
            /// Manifolds in the order of their colours.
            manifold_order: [u32] per [COLLIDERS.times(8)] { x: "manifold" "" }
            /// Colours of the manifolds of each free body, one bit each.
            body_colours: [u32] per [COLLIDERS] { x: "colours" "" }
            /// Joints of bodies and mooring lines.
            joints: [Joint] per [JOINTS] as persistent {}
            /// Distances of meshes: half extents of each grid, then a value for each of its nodes.
            distances: [f32] per [DISTANCES] { x: "distance" "m" }
            /// The grid being computed.
            distance_field: [DistanceField] per [ONE] {}
            /// Boxes around the triangles of the current batch.
            field_boxes: [FieldBox] per [ONE.times(Batch::MAX_BOXES)] {}
            /// Triangles of the current batch.
            field_triangles: [FieldTriangle] per [ONE.times(Batch::MAX_TRIANGLES)] {}
            /// Regions of the drains, which remove particles, of the sources of smoke, and one from which a program removes them.
            regions: [Collider] per [REGIONS] {}
            /// Sources of particles.
            emitters: [EmitterParams] per [EMITTERS] as persistent {}
            /// Points of the emitters' layers, and in w the emitter's number.
            emitter_points: [vec4<f32>] per [EMITTER_POINTS] as persistent { xyz: "position" "m", w: "emitter" "" }
            /// Per emitter: 1 if a layer is due, and the first slot it gets.
            emission: [vec2<u32>] per [EMITTERS] { x: "due" "", y: "slot" "" }
            /// A free body as a program puts it.
            put_body: [Body] per [ONE] {}
            /// Number of that body, and bits of its largest speed in m/s.
            put_state: [u32] per [ONE.times(2)] { x: "number" "" }
            /// Points at which a program adds particles.
            spawn_position: [vec4<f32>] per [SPAWN] { xyz: "position" "m" }
            /// Velocities of what it adds there.
            spawn_velocity: [vec4<f32>] per [SPAWN] { xyz: "velocity" "m/s" }
            /// Number of these points, kind and material of the particles, and bits of their largest speed in m/s.
            spawn_state: [u32] per [ONE.times(3)] { x: "number" "" }
            /// 1 where a particle fits; the last element is 0.
            spawn_free: [u32] per [SPAWN.and_one()] { x: "flag" "" }
            /// Sums of these before each point; the last element counts all.
            spawn_start: [u32] per [SPAWN.and_one()] { x: "count" "" }
            /// 1 in slots of particles that a program removes; the last element is 0.
            removed: [u32] per [PARTICLES.and_one()] { x: "flag" "" }
            /// Sums of these before each slot; the last element counts all.
            removed_start: [u32] per [PARTICLES.and_one()] { x: "count" "" }
            /// Slots of removed particles that others get.
            removed_slot: [u32] per [PARTICLES] { x: "slot" "" }
            /// Points at which a program asks for the fluid; 1 in w, 0 behind the last.
            query_point: [vec4<f32>] per [QUERY] { xyz: "position" "m", w: "asked" "" }
            /// The fluid's velocity there, and its density.
            query_velocity: [vec4<f32>] per [QUERY] { xyz: "velocity" "m/s", w: "density" "kg/m³" }
            /// Its pressure there, and the share of the place that it fills.
            query_pressure: [vec2<f32>] per [QUERY] { x: "pressure" "Pa", y: "share" "" }
            /// Height of its surface above each, less than 0 if it is below; `NO_LEVEL` if there is none.
            query_level: [f32] per [QUERY] { x: "level" "m" }
            /// Open boundaries.
            openings: [OpeningParams] per [OPENINGS] {}
            /// Points of the open boundaries, at each of which particles come in one after another, and in w the number
            /// of the open boundary.
            opening_points: [vec4<f32>] per [OPENING_POINTS] { xyz: "position" "m", w: "opening" "" }
            /// Times of inflow, and its velocities.
            opening_rows: [vec2<f32>] per [OPENING_ROWS] { x: "time" "s", y: "velocity" "m/s" }
            /// Per open boundary: velocity of what comes in, and height of the water's surface against gravity.
            opening_flow: [vec2<f32>] per [OPENINGS] { x: "velocity" "m/s", y: "height" "m" }
            /// Per point: way of the fluid since the last particle came in, and its velocity inwards.
            opening_state: [vec2<f32>] per [OPENING_POINTS] as persistent { x: "distance" "m", y: "velocity" "m/s" }
            /// Particles that come in at each point in this step; the last element is 0.
            opening_due: [u32] per [OPENING_POINTS.and_one()] { x: "count" "" }
            /// Sums of these before each point; the last element counts all.
            opening_start: [u32] per [OPENING_POINTS.and_one()] { x: "count" "" }
            /// Particles that have come in through each open boundary, and those that have left.
            opening_counts: [u32] per [OPENINGS.times(2)] as persistent { x: "count" "" }
            /// Sums over each block of particles.
            diagnostics_partial: [Diagnostics] per [ONE.times(DIAGNOSTICS_BLOCKS)] {}
            /// Sums over all fluid particles.
            diagnostics: [Diagnostics] per [ONE] {}
            /// The table of marching cubes, packed.
            marching_cubes: [vec2<u32>] per [ONE.times(256)] { x: "triangles" "", y: "triangles" "" }
            /// Requests to the surface passes, and their results.
            surface_control: [SurfaceControl] per [ONE] {}
            /// Number of particles beyond the box of the grid's cells.
            surface_outside: [u32] per [ONE] { x: "count" "" }
            /// Per cell: a bit for each octant with particles, and `SHALLOW` if one of them is near
            /// the surface.
            surface_state: [u32] per [CELLS] { x: "octants" "" }
            /// Per cell: 1 if it gets a block.
            surface_flag: [u32] per [CELLS] { x: "flag" "" }
            /// Per cell: the sum of the flags before it; after `surface/list` its block, or
            /// `OUTSIDE` or `INSIDE`.
            surface_block: [u32] per [CELLS] { x: "block" "" }
            /// Per tile: its cell; its coordinates within the block, 2 bits per axis, and its number.
            surface_tiles: [vec4<i32>] per [TILES] { xyz: "cell" "", w: "place" "" }
            /// Per tile: 1 if the surface cuts it.
            tile_cut: [u32] per [TILES] { x: "flag" "" }
            /// Exclusive prefix sums of `tile_cut`.
            tile_cut_start: [u32] per [TILES] { x: "tile" "" }
            /// Entries of `surface_tiles` that the surface cuts.
            cut_tiles: [vec4<i32>] per [TILES] { xyz: "cell" "", w: "place" "" }
            /// Workgroups of four indirect dispatches.
            surface_dispatch: [u32] per [ONE.times(12)] as drawn { x: "workgroups" "" }
            /// Smoothed centre of each particle (Yu, Turk 2013).
            smoothed_position: [vec4<f32>] per [PARTICLES] { xyz: "position" "m", w: "volume of boundary particles" "m³" }
            /// Stretch A of each particle's kernel: xx, yy, zz, det(A); yz, xz, xy, 0.
            surface_shape: [array<vec4<f32>, 2>] per [PARTICLES] { x: "stretch" "" }
            /// Colour field at the blocks' nodes.
            surface_field: [f32] per [TILES.times(TILE_NODES)] { x: "colour" "" }
            /// Per node: case, crossing edges, and numbers of vertices and triangles of the tile
            /// before this node.
            surface_nodes: [u32] per [TILES.times(TILE_NODES)] { x: "node" "" }
            /// Vertices per tile.
            tile_vertices: [u32] per [TILES] { x: "count" "" }
            /// Exclusive prefix sums of `tile_vertices`.
            tile_vertex_start: [u32] per [TILES] { x: "vertex" "" }
            /// Triangles per tile.
            tile_triangles: [u32] per [TILES] { x: "count" "" }
            /// Exclusive prefix sums of `tile_triangles`.
            tile_triangle_start: [u32] per [TILES] { x: "triangle" "" }
            /// Vertices.
            surface_position: [vec4<f32>] per [VERTICES] as drawn { xyz: "position" "m" }
            /// Outward unit normal of each vertex.
            surface_normal: [vec4<f32>] per [VERTICES] as drawn { xyz: "normal" "" }
            /// Three vertices per triangle.
            surface_index: [u32] per [INDICES] as drawn { x: "vertex" "" }
            /// Arguments of an indexed indirect draw.
            surface_draw: [u32] per [ONE.times(5)] as drawn { x: "argument" "" }
            /// The four neighbours of each vertex.
            surface_ring: [vec4<u32>] per [VERTICES] { xyzw: "vertices" "" }
            /// Smoothed vertices.
            surface_smoothed: [vec4<f32>] per [VERTICES] { xyz: "position" "m" }
            /// The fluid's velocity at each vertex.
            surface_velocity: [vec4<f32>] per [VERTICES] { xyz: "velocity" "m/s" }
            /// λ of the smoothing (Taubin 1995).
            taubin_shrink: [f32] per [ONE] { x: "factor" "" }
            /// μ of the smoothing (Taubin 1995).
            taubin_inflate: [f32] per [ONE] { x: "factor" "" }
            /// Position of each particle; length of the colour field's gradient in w.
            splat_position: [vec4<f32>] per [PARTICLES] as drawn { xyz: "position" "m", w: "normal" "m⁻¹" }
            /// Outward unit normal of each particle; its speed in w.
            splat_normal: [vec4<f32>] per [PARTICLES] as drawn { xyz: "normal" "", w: "speed" "m/s" }
            /// Number of the material of each splat.
            splat_material: [u32] per [PARTICLES] as drawn { x: "material" "" }
        }
    };
}

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: [$($element:tt)+] per [$extent:expr] $(as $use:ident)?
        { $( $lane:ident: $quantity:literal $unit:literal ),* }
    )*) => {
        /// Every array but `params`, `control` and `stage`.
        pub const ARRAYS: &[Row] = &[$( Row {
            name: stringify!($name),
            doc: &[$($doc),*],
            tokens: stringify!($($element)+),
            extent: $extent,
            persistent: table!(@persistent $($use)?),
            guess: false,
            drawn: table!(@drawn $($use)?),
            lanes: &[$( Lane { lanes: stringify!($lane), quantity: $quantity, unit: $unit } ),*],
        } ),*];
    };
    (@persistent persistent) => { true };
    (@persistent $($other:ident)?) => { false };
    (@drawn $use:ident) => { true };
    (@drawn) => { false };
}

for_each_array!(table);

/// Number of 32-bit scalars of a WGSL type.
fn width(ty: &str, of_struct: &dyn Fn(&str) -> Option<u32>) -> Option<u32> {
    if let Some((element, count)) = ty
        .strip_prefix("array<")
        .and_then(|inner| inner.strip_suffix('>'))
        .and_then(|inner| inner.rsplit_once(','))
    {
        return Some(width(element.trim(), of_struct)? * count.trim().parse::<u32>().ok()?);
    }
    match ty.split('<').next()?.trim() {
        "f32" | "u32" | "i32" => Some(1),
        "vec2" => Some(2),
        "vec4" => Some(4),
        name => of_struct(name),
    }
}

/// The row of an array.
#[must_use]
pub fn find(name: &str) -> Option<Row> {
    ARRAYS.iter().copied().find(|row| row.name == name)
}
