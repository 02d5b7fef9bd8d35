//! Spaces of elements, their counts, and flags.

use std::collections::BTreeMap;

use crate::{ListError, foam::FOAM};

/// A set of elements that passes run over and arrays have entries for: particles, cells, tiles. Any
/// file may define a new one; [`Counts`] has the number of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Space {
    /// Name in [`Counts`].
    pub name: &'static str,
    /// Place where the GPU writes the number of workgroups, if the host knows only its maximum.
    pub dispatch: Option<Words>,
}

/// Words of an array of u32 from which an indirect dispatch takes its workgroups in x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Words {
    /// Name of the array.
    pub array: &'static str,
    /// The first of three words.
    pub first: u32,
}

impl Space {
    /// A space whose count the host knows.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, dispatch: None }
    }

    /// A space whose number of workgroups the GPU writes into three words of `array`, in rows of
    /// [`crate::passes::INDIRECT_ROW`]; its count is the maximum.
    #[must_use]
    pub const fn indirect(name: &'static str, array: &'static str, first: u32) -> Self {
        Self { name, dispatch: Some(Words { array, first }) }
    }

    /// One for each element of the space.
    #[must_use]
    pub const fn all(self) -> Extent {
        Extent { space: self, times: 1, plus: 0, per: 1 }
    }
}

/// Workgroups that sum over cells for each of so many colliders: many have few each, as their number keeps a device busy.
#[must_use]
pub fn sums_of_collider(colliders: u32) -> u32 {
    (64 / colliders.max(1)).clamp(1, 16)
}

/// A number of elements derived from a space: ⌈(`times` · count + `plus`) / `per`⌉.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extent {
    /// The space.
    pub space: Space,
    /// Factor on its count.
    pub times: u32,
    /// Added to that.
    pub plus: u32,
    /// Divisor of the sum; the quotient is rounded up.
    pub per: u32,
}

impl Extent {
    /// `times` as many.
    #[must_use]
    pub const fn times(self, times: u32) -> Self {
        Self { times: self.times * times, plus: self.plus * times, ..self }
    }

    /// One more.
    #[must_use]
    pub const fn and_one(self) -> Self {
        Self { plus: self.plus + 1, ..self }
    }

    /// One for every `per` of them, rounded up.
    #[must_use]
    pub const fn per(self, per: u32) -> Self {
        Self { per: self.per * per, ..self }
    }
}

/// A condition on which a stage runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flag {
    /// Name, for messages.
    pub name: &'static str,
    /// Array in which the GPU keeps the flag; `None` if the host knows it when recording. Three
    /// words are the workgroups of the stages of one size; the pass that computes the flag writes
    /// each third word: 0 or 1.
    pub array: Option<&'static str>,
}

/// Set if there are force fields; they may appear and disappear between frames.
pub const FIELDS: Flag = Flag { name: "fields", array: None };
/// Set if solids move, or their particles have not been placed and sorted yet.
pub const MOVING: Flag = Flag { name: "moving", array: None };
/// Set if not.
pub const RESTING: Flag = Flag { name: "resting", array: None };
/// Set if a material has surface tension; that may change between frames.
pub const TENSION: Flag = Flag { name: "tension", array: None };
/// Set if none has.
pub const NO_TENSION: Flag = Flag { name: "no_tension", array: None };

/// Worlds of the scene.
pub const WORLDS: Extent = Space::new("worlds").all();
/// A single element.
pub const ONE: Extent = Space::new("one").all();
/// Slots for particles.
pub const PARTICLES: Extent = Space::new("particles").all();
/// Slots of particles in the order of the sort, and of the neighbours that stand for walls without particles.
pub const SORTED: Extent = Space::new("sorted").all();
/// Slots of fluid after a sort: the first ones.
pub const FLUID: Extent = Space::new("fluid").all();
/// Cells of the grid.
pub const CELLS: Extent = Space::new("cells").all();
/// Blocks of eight cells that cover the box of a grid method.
pub const CELL_BLOCKS: Extent = Space::new("cell_blocks").all();
/// Cells of the levels of the multigrid, by their numbers from 1.
pub const LEVELS: [Extent; 13] = [
    Space::new("level_0").all(),
    Space::new("level_1").all(),
    Space::new("level_2").all(),
    Space::new("level_3").all(),
    Space::new("level_4").all(),
    Space::new("level_5").all(),
    Space::new("level_6").all(),
    Space::new("level_7").all(),
    Space::new("level_8").all(),
    Space::new("level_9").all(),
    Space::new("level_10").all(),
    Space::new("level_11").all(),
    Space::new("level_12").all(),
];
/// Cells of all levels of odd numbers.
pub const ODD_LEVELS: Extent = Space::new("odd_levels").all();
/// Cells of all levels of even numbers from 2.
pub const EVEN_LEVELS: Extent = Space::new("even_levels").all();
/// Cells of the blocks that have something to do.
pub const BUSY_CELLS: Extent = Space::indirect("busy_cells", "busy_dispatch", 0).all();
/// Cells of the blocks with liquid, of which each has an equation of pressure.
pub const WET_CELLS: Extent = Space::indirect("wet_cells", "wet_dispatch", 0).all();
/// Columns of nodes of the level set, 16 of each cell near the surface.
pub const LEVEL_COLUMNS: Extent = Space::indirect("level_columns", "levelset_dispatch", 0).all();
/// Buckets of the sort: of each cell's fluid, of each cell's walls, and one of removed particles.
pub const BUCKETS: Extent = CELLS.times(2).and_one();
/// Rows of cells along x.
pub const ROWS: Extent = Space::new("rows").all();
/// Clusters of up to [`CLUSTER`] particles from one row.
pub const CLUSTERS: Extent = Space::new("clusters").all();
/// Places for particles in clusters.
pub const MEMBERS: Extent = CLUSTERS.times(CLUSTER);
/// Workgroups of passes over [`MEMBERS`].
pub const CLUSTER_GROUPS: Extent = MEMBERS.per(64);
/// Entries of neighbour candidates, of all clusters.
pub const NEIGHBOURS: Extent = NEIGHBOUR_SPACE.all();
/// The space of [`NEIGHBOURS`], which grows.
pub const NEIGHBOUR_SPACE: Space = Space::new("neighbours");
/// Colliders of the scene.
pub const COLLIDERS: Extent = Space::new("colliders").all();
/// Joints of bodies, and mooring lines.
pub const JOINTS: Extent = Space::new("joints").all();
/// Boundary particles of the scene.
pub const WALLS: Extent = Space::new("walls").all();
/// Boundary particles of bodies, which are the last ones.
pub const BODY_PARTICLES: Extent = Space::new("body_particles").all();
/// Boundary particles of free bodies, which come last.
pub const FREE_BODY_PARTICLES: Extent = Space::new("free_body_particles").all();
/// Invocations of sums over each collider's particles: a workgroup of 64 each, or 8 if all are small.
pub const BODY_LANES: Extent = Space::new("body_lanes").all();
/// Sums over cells for each collider, [`sums_of_collider`] of them.
pub const COLLIDER_SUMS: Extent = Space::new("collider_sums").all();
/// Wall particles that triangles of a mesh carry which changes its shape.
pub const CARRIED: Extent = Space::new("carried_walls").all();
/// Slots of fluid whose impulses on measured solids are kept: all, or none if nothing is measured.
pub const STOPS: Extent = Space::new("stops").all();
/// Sums of these over blocks of [`STOP_BLOCK`] slots, for each solid that does not move freely.
pub const STOP_SUMS: Extent = Space::new("stop_sums").all();
/// Cells of a grid method whose nodes push rigid bodies: all, or none without bodies.
pub const PUSHED_CELLS: Extent = Space::new("pushed_cells").all();
/// Distances of meshes on their grids.
pub const DISTANCES: Extent = Space::new("distances").all();
/// Nodes of a mesh's grid near a batch of triangles.
pub const FIELD_NODES: Extent = FIELD_NODE_SPACE.all();
/// The space of [`FIELD_NODES`].
pub const FIELD_NODE_SPACE: Space = Space::new("field_nodes");
/// Rows of nodes of a mesh's grid.
pub const FIELD_ROWS: Extent = FIELD_ROW_SPACE.all();
/// The space of [`FIELD_ROWS`].
pub const FIELD_ROW_SPACE: Space = Space::new("field_rows");
/// Regions of the scene's drains and sources of smoke, and one from which a program removes particles.
pub const REGIONS: Extent = Space::new("regions").all();
/// Sources of smoke of the scene.
pub const SOURCES: Extent = Space::new("sources").all();
/// Vortices of the scene.
pub const VORTICES: Extent = Space::new("vortices").all();
/// Emitters of the scene.
pub const EMITTERS: Extent = Space::new("emitters").all();
/// Open boundaries.
pub const OPENINGS: Extent = Space::new("openings").all();
/// Points of all open boundaries.
pub const OPENING_POINTS: Extent = Space::new("opening_points").all();
/// Rows of the tables of inflow of all open boundaries.
pub const OPENING_ROWS: Extent = Space::new("opening_rows").all();
/// Points of all emitters' layers.
pub const EMITTER_POINTS: Extent = Space::new("emitter_points").all();
/// Particles that a program may add.
pub const SPAWN: Extent = Space::new("spawn").all();
/// Points at which a program asks for the fluid.
pub const QUERY: Extent = QUERY_SPACE.all();
/// The space of [`QUERY`].
pub const QUERY_SPACE: Space = Space::new("query");
/// Elements of the longest array that some list scans.
pub const SCANNED: Extent = SCANNED_SPACE.all();
/// The space of [`SCANNED`], counted from the lists.
pub(crate) const SCANNED_SPACE: Space = Space::new("scanned");
/// Tiles of the surface's blocks.
pub const TILES: Extent = TILE_SPACE.all();
/// The space of [`TILES`], which grows.
pub const TILE_SPACE: Space = Space::indirect("surface_tiles", DISPATCH, 3);
/// [`TILES`], all there is room for, with an invocation each.
pub const TILE_SLOTS: Extent = Space::new("surface_tiles").all();
/// [`TILES`], by workgroups of `surface/field`.
pub const FIELD_GROUPS: Extent = Space::indirect("surface_tiles", DISPATCH, 0).all();
/// Tiles that the surface cuts, at most [`TILES`]; none if the mesh does not fit.
pub const CUT_TILES: Extent = Space::indirect("surface_tiles", DISPATCH, 6).all();
/// Vertices of the surface.
pub const VERTICES: Extent = VERTEX_SPACE.all();
/// The space of [`VERTICES`], which grows.
pub const VERTEX_SPACE: Space = Space::indirect("surface_vertices", DISPATCH, 9);
/// Indices of the surface's triangles.
pub const INDICES: Extent = INDEX_SPACE.all();
/// The space of [`INDICES`], which grows.
pub const INDEX_SPACE: Space = Space::new("surface_indices");

const DISPATCH: &str = "surface_dispatch";

/// Particles per cluster.
pub const CLUSTER: u32 = 8;
/// Slots of fluid in a block of [`STOP_SUMS`].
pub const STOP_BLOCK: u32 = 64;
/// Initial number of candidate entries, of 32 slots each, per particle: about the need of fluid at
/// rest.
pub const FIRST_NEIGHBOURS: u32 = 3;

/// Number of elements of each space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, u32>);

impl Default for Counts {
    fn default() -> Self {
        let spaces = [
            WORLDS,
            PARTICLES,
            SORTED,
            FLUID,
            CELLS,
            CELL_BLOCKS,
            BUSY_CELLS,
            WET_CELLS,
            ODD_LEVELS,
            EVEN_LEVELS,
            ROWS,
            CLUSTERS,
            NEIGHBOURS,
            COLLIDERS,
            JOINTS,
            WALLS,
            CARRIED,
            BODY_PARTICLES,
            FREE_BODY_PARTICLES,
            BODY_LANES,
            COLLIDER_SUMS,
            STOPS,
            STOP_SUMS,
            PUSHED_CELLS,
            DISTANCES,
            FIELD_NODES,
            FIELD_ROWS,
            REGIONS,
            SOURCES,
            VORTICES,
            EMITTERS,
            EMITTER_POINTS,
            SPAWN,
            QUERY,
            OPENINGS,
            OPENING_POINTS,
            OPENING_ROWS,
            SCANNED,
            TILES,
            VERTICES,
            INDICES,
            FOAM,
        ];
        let none = spaces.iter().chain(&LEVELS).map(|extent| (extent.space.name, 0));
        Self(none.chain([(ONE.space.name, 1)]).collect())
    }
}

impl Counts {
    /// Counts with this one of a space, which may be new.
    #[must_use]
    pub fn with(mut self, space: Space, count: u32) -> Self {
        self.0.insert(space.name, count);
        self
    }

    /// Sets the count of a space, which may be new.
    pub fn set(&mut self, space: Space, count: u32) {
        self.0.insert(space.name, count);
    }

    /// The number of an extent.
    ///
    /// # Errors
    /// A space that has no count, a number beyond 32 bits.
    pub fn get(&self, extent: Extent) -> Result<u32, ListError> {
        let name = extent.space.name;
        let count = self.0.get(name);
        let count = count.ok_or_else(|| ListError(format!("no space is named `{name}`")))?;
        let number = u64::from(*count) * u64::from(extent.times) + u64::from(extent.plus);
        let number = number.div_ceil(u64::from(extent.per));
        u32::try_from(number).map_err(|_| {
            ListError(format!("{number} elements of `{name}` are more than 32 bits can address"))
        })
    }
}

/// Upper bound on the clusters of this many fluid particles: each row may have one that is not
/// full.
#[must_use]
pub fn clusters(fluid: u32, rows: u32) -> u32 {
    fluid.min(fluid.div_ceil(CLUSTER).saturating_add(rows)).max(1)
}
