//! The arrays of a simulation: fields that the array table generates.

use std::{collections::BTreeMap, ops::Range};

use glam::DVec3;
use meniscus_methods::{
    ListError, Registry,
    arrays::{self, ARRAYS, Row},
    for_each_array,
    passes::TARGETS,
    space::{
        self, BODY_LANES, BODY_PARTICLES, BUCKETS, CELLS, CLUSTERS, COLLIDER_SUMS, COLLIDERS,
        Counts, DISTANCES, EMITTER_POINTS, EMITTERS, Extent, FLUID, FREE_BODY_PARTICLES, INDICES,
        JOINTS, NEIGHBOURS, OPENING_POINTS, OPENING_ROWS, OPENINGS, PARTICLES, QUERY, REGIONS,
        ROWS, SCANNED, SORTED, SOURCES, SPAWN, Space, TILES, VERTICES, VORTICES, WALLS,
    },
};
use meniscus_model::{
    Control, Params,
    control::FRAME_END,
    diagnostics::Diagnostics,
    marching_cubes,
    params::{
        Body, Collider, DistanceField, EmitterParams, FieldBox, FieldTriangle, FrameMotion, Joint,
        KIND_BOUNDARY, KIND_FLUID, MaterialParams, OpeningParams, Touch,
    },
    surface::SurfaceControl,
};

use crate::{
    Term,
    contacts::NONE,
    pairs::Pairs,
    storage::{Array, Field, Storage, Values},
};

/// Type of an array of the table in [`World`], by its element in WGSL: floats are f64, and structs of
/// floats are their scalars. The others are structs that only the host writes.
macro_rules! field {
    (f32) => { Vec<f64> };
    (vec2<f32>) => { Vec<[f64; 2]> };
    (vec4<f32>) => { Vec<[f64; 4]> };
    (array<vec4<f32>, 2>) => { Vec<[f64; 8]> };
    (array<vec4<f32>, 4>) => { Vec<[f64; 16]> };
    (u32) => { Vec<u32> };
    (vec2<u32>) => { Vec<[u32; 2]> };
    (vec4<u32>) => { Vec<[u32; 4]> };
    (vec4<i32>) => { Vec<[u32; 4]> };
    (array<u32, 8>) => { Vec<[u32; 8]> };
    (Body) => { field!(@floats Body) };
    (FrameMotion) => { field!(@floats FrameMotion) };
    (Joint) => { field!(@floats Joint) };
    (Touch) => { field!(@floats Touch) };
    (Diagnostics) => { field!(@floats Diagnostics) };
    (@floats $name:ident) => { Vec<[f64; ($name::STRUCT.size / 4) as usize]> };
    (DistanceField) => { DistanceField };
    (SurfaceControl) => { SurfaceControl };
    ($name:ident) => { Vec<$name> };
}

/// Declares [`World`] from the rows of the array table, and from the variables that have no row.
macro_rules! world {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: [$($element:tt)+] per [$($extent:tt)+] $(as $use:ident)?
        { $( $lane:ident: $quantity:literal $unit:literal ),* }
    )*) => {
        world! { @fields
            $(
                $(#[doc = $doc])*
                $( #[doc = concat!("\n\n`", stringify!($lane), "`: ", $quantity, " ", $unit)] )*
                $name: [$($element)+]
            )*
            /// Input of the passes in `reduce`.
            values: [u32], like cell_count
            /// Sum per block of `values`.
            totals: [u32], like totals_1
            /// Number to which `reduce/scan` adds, per block.
            offsets: [u32], like offsets_1
            /// Exclusive prefix sums of `values`.
            scanned: [u32], like cell_start
            /// Residual of the running loop, in percent.
            residual: [f32], like taubin_shrink
            /// Pressure in Pa of the last step, for the running loop.
            warm: [f32], like density
            /// Scalars of what a method keeps of each particle.
            kept: [f32], like density
            /// Velocities of bodies' particles without the answers of their bodies.
            own: [vec4<f32>], like sorted_velocity
            /// λ or μ of the smoothing (Taubin 1995).
            taubin_factor: [f32], like taubin_shrink
        }
    };
    (@fields $(
        $(#[doc = $doc:expr])*
        $name:ident: [$($element:tt)+] $(, like $array:ident)?
    )*) => {
        /// All arrays of a simulation by their names in WGSL, floats in f64. Positions are relative to
        /// the domain's centre, units are SI. Values that the GPU keeps in f32 are f64 here until
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
            pub stage: StageNumbers,
            /// Terms of the pass, if it sums several.
            pub terms: Vec<Term>,
            /// Twins of the models that the pass names.
            pub materials: Vec<(String, crate::Material)>,
            /// Arrays of methods that are not in the table, each with its row.
            pub(crate) others: Vec<(Row, Array)>,
            pub(crate) pairs: Pairs,
            $( $(#[doc = $doc])* pub $name: field!($($element)+), )*
        }

        impl World {
            /// Names of the arrays of the table, and of variables.
            pub const BUFFERS: &[&str] = &[$( stringify!($name) ),*];

            /// Variables of passes that work on several arrays, each with one of these arrays. A stage
            /// binds an array to the variable; a variable has its own storage here, so that such a
            /// pass can run alone.
            pub const VARIABLES: &[(&str, &str)] =
                &[$( $( (stringify!($name), stringify!($array)), )? )*];

            fn empty(params: Params, control: Control) -> Self {
                Self {
                    params,
                    methods: Registry::standard(),
                    control,
                    stage: StageNumbers::default(),
                    terms: Vec::new(),
                    materials: Vec::new(),
                    others: Vec::new(),
                    pairs: Pairs::default(),
                    $( $name: Default::default(), )*
                }
            }

            fn field(&mut self, name: &str) -> Option<&mut dyn Storage> {
                $( if name == stringify!($name) { return self.$name.storage(); } )*
                None
            }
        }
    };
}

for_each_array!(world);

/// The stage's own small uniform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageNumbers {
    /// Number of elements that the pass handles.
    pub element_count: u32,
    /// Number of the stage's loop, from 1; 0 outside loops.
    pub loop_index: u32,
    /// Number of the stage in the step.
    pub number: u32,
    /// Number of the first stage of the loop's body.
    pub loop_first: u32,
    /// Place of its workgroups in `loop_groups`.
    pub loop_place: u32,
    /// Level of the multigrid.
    pub level: u32,
}

impl World {
    /// A world of zeros, with at least one element in every array of scalars. Arrays of the surface have
    /// room for one block, vertex and index until [`World::make_room`] extends them.
    #[must_use]
    pub fn new(params: Params, control: Control) -> Self {
        let mut world = Self::empty(params, control);
        let rows = params.grid.cell_count / params.grid.size.x.max(1);
        let clusters = space::clusters(params.counts.capacity, rows);
        let counts = world.counts().with(ROWS.space, rows).with(CLUSTERS.space, clusters);
        let buckets = elements(&counts, BUCKETS) as u32;
        world.allocate(&counts.with(SCANNED.space, buckets));
        world.wall_slots.fill(NONE);
        world.contact_other.fill([NONE; 4]);
        world.marching_cubes = marching_cubes::cases();
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

    /// Makes the end of the next frame the next target of the program.
    pub fn aim_at_next_frame(&mut self) {
        let Control { frame, targets_reached, .. } = self.control;
        self.targets[0][0] = targets_reached + 1;
        self.targets[1 + (targets_reached % TARGETS) as usize] = [frame + 1, FRAME_END.to_bits()];
    }

    /// Resizes all arrays of scalars to these counts, and extends with zeros; each has at least one
    /// element.
    pub fn allocate(&mut self, counts: &Counts) {
        for row in self.rows() {
            self.resize_array(&row, counts);
        }
    }

    /// Resizes the arrays over a space to this count of it, and extends with zeros.
    pub fn resize(&mut self, space: Space, count: u32) {
        let counts = Counts::default().with(space, count);
        for row in self.rows().iter().filter(|row| row.extent.space == space) {
            self.resize_array(row, &counts);
        }
    }

    fn resize_array(&mut self, row: &Row, counts: &Counts) {
        if let Some(storage) = self.storage(row.name) {
            storage.resize(elements(counts, row.extent));
        }
    }

    /// Rows of all arrays; a variable has the row of its array.
    fn rows(&self) -> Vec<Row> {
        let variable =
            |&(name, array): &(&'static str, &str)| Some(Row { name, ..arrays::find(array)? });
        let variables = Self::VARIABLES.iter().filter_map(variable);
        let others = self.others.iter().map(|(row, _)| *row);
        ARRAYS.iter().copied().chain(variables).chain(others).collect()
    }

    /// Ensures that an array has at least this many elements. One that is not in the table, as methods
    /// have them, is added.
    ///
    /// # Errors
    /// An array that is not in the table and has elements that are structs.
    pub fn ensure(&mut self, row: &Row, elements: usize) -> Result<(), ListError> {
        if let Some(storage) = self.storage(row.name) {
            if storage.elements() < elements {
                storage.resize(elements);
            }
        } else if arrays::find(row.name).is_none() {
            let array = Array::zeros(row, elements);
            let structs = || ListError(format!("array `{}` is not of scalars", row.name));
            self.others.push((*row, array.ok_or_else(structs)?));
        }
        Ok(())
    }

    /// Floats of an array that is not in the table.
    ///
    /// # Panics
    /// If there is none of that name, or it has no floats.
    #[must_use]
    pub fn floats(&self, name: &str) -> &[f64] {
        match self.others.iter().find(|(row, _)| row.name == name) {
            Some((_, Array::Floats { data, .. })) => data,
            _ => panic!("no method has an array of floats `{name}`"),
        }
    }

    /// Floats of an array that is not in the table, to be changed.
    ///
    /// # Panics
    /// As [`World::floats`].
    pub fn floats_mut(&mut self, name: &str) -> &mut [f64] {
        match self.others.iter_mut().find(|(row, _)| row.name == name) {
            Some((_, Array::Floats { data, .. })) => data,
            _ => panic!("no method has an array of floats `{name}`"),
        }
    }

    /// Whole numbers of an array that is not in the table.
    ///
    /// # Panics
    /// If there is none of that name, or it has floats.
    #[must_use]
    pub fn words(&self, name: &str) -> &[u32] {
        match self.others.iter().find(|(row, _)| row.name == name) {
            Some((_, Array::Words { data, .. })) => data,
            _ => panic!("no method has an array of whole numbers `{name}`"),
        }
    }

    /// Whole numbers of an array that is not in the table, to be changed.
    ///
    /// # Panics
    /// As [`World::words`].
    pub fn words_mut(&mut self, name: &str) -> &mut [u32] {
        match self.others.iter_mut().find(|(row, _)| row.name == name) {
            Some((_, Array::Words { data, .. })) => data,
            _ => panic!("no method has an array of whole numbers `{name}`"),
        }
    }

    /// Sets the solids, at their initial places; those with a mass must come last.
    pub fn set_colliders(&mut self, colliders: &[Collider]) {
        let free = colliders.iter().filter(|collider| collider.inverse_mass > 0.0).count();
        self.params.counts.colliders = colliders.len() as u32;
        self.params.counts.driven = (colliders.len() - free) as u32;
        self.colliders = colliders.to_vec();
        // What the arrays held belongs to other solids.
        self.resize(COLLIDERS.space, 0);
        self.resize(COLLIDERS.space, colliders.len() as u32);
        self.bodies = colliders.iter().map(crate::body::start).collect();
    }

    /// Resizes the surface's arrays to the capacities in `control`.
    pub fn make_room(&mut self, control: SurfaceControl) {
        self.surface_control = control;
        self.resize(TILES.space, control.block_capacity * control.fineness.pow(3));
        self.resize(VERTICES.space, control.vertex_capacity);
        self.resize(INDICES.space, control.index_capacity);
    }

    /// Scalars of an array by its name; none of an array of structs.
    pub fn buffer(&mut self, name: &str) -> Option<Values<'_>> {
        self.storage(name).map(Storage::values)
    }

    /// Array of scalars by its name, for changing its length.
    pub fn storage(&mut self, name: &str) -> Option<&mut dyn Storage> {
        if Self::BUFFERS.contains(&name) {
            return self.field(name);
        }
        let other = self.others.iter_mut().find(|(row, _)| row.name == name);
        other.map(|(_, array)| array as &mut dyn Storage)
    }

    /// Copies of all arrays of scalars by name, without the variables that stand for some of them.
    pub fn arrays(&mut self) -> BTreeMap<&'static str, Array> {
        let variable = |name: &str| Self::VARIABLES.iter().any(|(variable, _)| *variable == name);
        let names: Vec<_> = self.rows().iter().map(|row| row.name).collect();
        let own = names.into_iter().filter(|name| !variable(name));
        own.filter_map(|name| Some((name, self.storage(name)?.copy()))).collect()
    }

    /// Number of elements of each space, from the lengths of the arrays. All boundary particles
    /// count as particles of bodies here.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let params = &self.params;
        let wall = |identity: &&[u32; 2]| is_kind(**identity, KIND_BOUNDARY);
        let live = self.identity.iter().take(self.control.particle_count as usize);
        let walls = live.filter(wall).count() as u32;
        let counts = [
            (PARTICLES, params.counts.capacity.max(self.position.len() as u32)),
            (SORTED, params.counts.sorted().max(self.sorted_position.len() as u32)),
            (FLUID, params.counts.capacity.saturating_sub(walls)),
            (CELLS, params.grid.cell_count),
            (ROWS, self.row_clusters.len().saturating_sub(1) as u32),
            (CLUSTERS, self.clusters.len() as u32),
            (NEIGHBOURS, self.neighbours.len() as u32),
            (COLLIDERS, params.counts.colliders.max(self.bodies.len() as u32)),
            (JOINTS, params.counts.joints),
            (WALLS, params.counts.walls),
            (BODY_PARTICLES, params.counts.walls),
            (FREE_BODY_PARTICLES, params.counts.walls),
            (BODY_LANES, 64 * params.counts.colliders),
            (
                COLLIDER_SUMS,
                space::sums_of_collider(params.counts.colliders) * params.counts.colliders,
            ),
            (DISTANCES, self.distances.len() as u32),
            (REGIONS, self.regions.len() as u32),
            (SPAWN, self.spawn_position.len() as u32),
            (QUERY, self.query_point.len() as u32),
            (SOURCES, params.counts.sources),
            (VORTICES, params.counts.vortices),
            (OPENINGS, params.counts.openings),
            (OPENING_POINTS, params.counts.opening_points),
            (OPENING_ROWS, self.opening_rows.len() as u32),
            (EMITTERS, params.counts.emitters),
            (EMITTER_POINTS, params.counts.emitter_points),
            (TILES, self.surface_tiles.len() as u32),
            (VERTICES, self.surface_position.len() as u32),
            (INDICES, self.surface_index.len() as u32),
        ];
        let set = |counts: Counts, (extent, count): (Extent, u32)| counts.with(extent.space, count);
        counts.into_iter().fold(Counts::default(), set)
    }

    /// Rounds every float to the nearest f32, so that both sides start from identical bits. Subnormal numbers
    /// become 0: WGSL leaves it to the device whether it knows them.
    pub fn round_to_f32(&mut self) {
        for row in self.rows() {
            if let Some(Values::Floats { data, .. }) = self.buffer(row.name) {
                for value in data {
                    let rounded = *value as f32;
                    *value = if rounded.is_subnormal() { 0.0 } else { rounded.into() };
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

    /// The slots of live particles that the stage handles: some handle fluid alone, which comes first.
    pub(crate) fn handled(&self) -> Range<usize> {
        0..self.control.particle_count.min(self.stage.element_count) as usize
    }

    /// Finds the pairs of the sorted positions, with walls without particles.
    pub(crate) fn find_pairs(&mut self) {
        let fluid = self.sorted_fluid().len() * usize::from(self.params.counts.volumes > 0);
        self.find_pairs_with(fluid);
    }

    /// Finds the pairs of the sorted positions; the first `walls` particles have walls without particles as a neighbour.
    pub(crate) fn find_pairs_with(&mut self, walls: usize) {
        let first = self.params.counts.capacity as usize;
        let live = self.particles();
        let worlds = self.sorted_identity[live.clone()].iter();
        let worlds = worlds.map(|who| self.params.world_of(*who)).collect();
        let walls = if walls > 0 { &self.sorted_position[first..first + walls] } else { &[] };
        self.pairs.update(&self.params, &self.sorted_position[live], walls, worlds);
    }

    /// The sorted slots of fluid.
    pub(crate) fn sorted_fluid(&self) -> Vec<usize> {
        let fluid = |s: &usize| is_kind(self.sorted_identity[*s], KIND_FLUID);
        self.particles().filter(fluid).collect()
    }

    /// Sets the pressure in Pa, optionally clamped at 0, and the volume m/ρ, or a share of it in a mouth, of the fluid particle
    /// in sorted slot `i`.
    pub(crate) fn set_pressure(&mut self, i: usize, pressure: f64) {
        let clamp = self.params.sph.clamp_pressure == 1;
        self.sorted_velocity[i][3] = if clamp { pressure.max(0.0) } else { pressure };
        let material = self.material(self.sorted_identity[i]);
        let share = (self.sorted_position[i][3] / f64::from(material.rest_volume)).min(1.0);
        self.sorted_position[i][3] = share * f64::from(material.mass) / self.density[i];
    }

    /// Gravity in m/s² of a particle's world.
    pub(crate) fn gravity_of(&self, identity: [u32; 2]) -> DVec3 {
        self.params.gravity_in(self.params.world_of(identity)).as_dvec3()
    }

    /// Gravity in m/s² of a solid's world.
    pub(crate) fn gravity_of_solid(&self, number: usize) -> DVec3 {
        self.params.gravity_in(self.params.counts.world_of_solid(number as u32)).as_dvec3()
    }

    /// Properties of particles with this identity.
    pub(crate) fn material(&self, identity: [u32; 2]) -> MaterialParams {
        self.params.materials[(identity[1] >> 8 & 255) as usize]
    }

    /// Name of a material's model, and its numbers by their names.
    pub(crate) fn model_of(
        &self,
        material: &MaterialParams,
    ) -> (&'static str, impl Fn(&str) -> f64 + use<>) {
        let model = self.methods.models()[material.model as usize];
        let words = [material.numbers_0.to_array(), material.numbers_1.to_array()].concat();
        let number = move |name: &str| {
            let at = model.numbers.iter().position(|number| number.name == name);
            f64::from(words[at.unwrap_or_else(|| panic!("{} has no {name}", model.name))])
        };
        (model.name, number)
    }
}

/// Whether a particle with this identity is of this kind.
pub(crate) fn is_kind(identity: [u32; 2], kind: u32) -> bool {
    identity[1] & 255 == kind
}

/// Number of elements of an array: at least one, as on the GPU.
fn elements(counts: &Counts, extent: Extent) -> usize {
    let number = counts.get(extent).unwrap_or_else(|error| panic!("{error}"));
    number.max(1) as usize
}
