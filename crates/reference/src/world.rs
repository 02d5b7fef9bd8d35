//! The buffers of a simulation, by their WGSL variable names.

use std::ops::Range;

use meniscus_model::params::{Collider, Emitter, Material};
use meniscus_model::{Control, Params};

use crate::diagnostics::{BLOCKS, ROWS};
use crate::pairs::Pairs;
use crate::reduce::BLOCK;

/// All buffers of a simulation by their WGSL variable names, floats in f64. Positions are relative
/// to the domain's centre, units are SI. What the GPU keeps in f32 is f64 here until
/// [`World::round_to_f32`].
#[derive(Clone, Debug)]
pub struct World {
    /// What every pass may read and only the host writes.
    pub params: Params,
    /// Time, convergence and failure.
    pub control: Control,
    /// The stage's own small uniform.
    pub stage: Stage,

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
    /// Acceleration by forces between particles, in cell order, in m/s², and |n| in m⁻¹ in w.
    pub acceleration: Vec<[f64; 4]>,

    /// Particles per cell; the last element counts those to be removed.
    pub cell_count: Vec<u32>,
    /// First sorted slot per cell; the last element is the number of live particles.
    pub cell_start: Vec<u32>,
    /// How many particles of the same cell were counted before, per particle.
    pub arrival: Vec<u32>,
    /// (id, unsorted slot) by cell, in order of arrival.
    pub binned: Vec<[u32; 2]>,
    /// Unsorted slot per sorted slot.
    pub order: Vec<u32>,

    /// Input of the generic `reduce` passes.
    pub values: Vec<u32>,
    /// Sum per block of `values`.
    pub totals: Vec<u32>,
    /// What `reduce/scan` adds per block.
    pub offsets: Vec<u32>,
    /// Exclusive prefix sums of `values`.
    pub scanned: Vec<u32>,

    /// Solids.
    pub colliders: Vec<Collider>,
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

    pub(crate) pairs: Pairs,
}

/// The stage's own small uniform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Elements that the pass works on, where it is not the particles.
    pub element_count: u32,
    /// Number of the loop that the stage is part of, from 1; 0 outside loops.
    pub loop_index: u32,
    /// Number of the stage in the step.
    pub number: u32,
    /// Number of the first stage of the loop's body.
    pub loop_first: u32,
}

/// A buffer as the GPU sees it: scalars, `width` of them to an element.
#[derive(Debug, PartialEq)]
pub enum Values<'a> {
    /// A buffer of floats.
    Floats {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: &'a mut [f64],
    },
    /// A buffer of u32.
    Words {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: &'a mut [u32],
    },
}

impl World {
    /// The buffers that [`World::buffer`] knows.
    pub const BUFFERS: &[&str] = &[
        "position",
        "velocity",
        "identity",
        "sorted_position",
        "sorted_velocity",
        "sorted_identity",
        "density",
        "acceleration",
        "cell_count",
        "cell_start",
        "arrival",
        "binned",
        "order",
        "values",
        "totals",
        "offsets",
        "scanned",
        "emitter_points",
        "emitter_layers",
        "emission",
        "diagnostics_partial",
        "diagnostics",
    ];

    /// A world of zeros: every buffer at its length, at least one element. The generic buffers of
    /// the `reduce` passes get the length that scanning `cell_count` needs.
    #[must_use]
    pub fn new(params: Params, control: Control) -> Self {
        let length = |count: u32| (count as usize).max(1);
        let slots = length(params.capacity);
        let cells = params.cell_count as usize + 1;
        let emitters = length(params.emitter_count);
        Self {
            params,
            control,
            stage: Stage::default(),
            position: vec![[0.0; 4]; slots],
            velocity: vec![[0.0; 4]; slots],
            identity: vec![[0; 2]; slots],
            sorted_position: vec![[0.0; 4]; slots],
            sorted_velocity: vec![[0.0; 4]; slots],
            sorted_identity: vec![[0; 2]; slots],
            density: vec![0.0; slots],
            acceleration: vec![[0.0; 4]; slots],
            cell_count: vec![0; cells],
            cell_start: vec![0; cells],
            arrival: vec![0; slots],
            binned: vec![[0; 2]; slots],
            order: vec![0; slots],
            values: vec![0; cells],
            totals: vec![0; cells.div_ceil(BLOCK)],
            offsets: vec![0; cells.div_ceil(BLOCK)],
            scanned: vec![0; cells],
            colliders: vec![Collider::default(); length(params.collider_count)],
            drains: vec![Collider::default(); length(params.drain_count)],
            emitters: vec![Emitter::default(); emitters],
            emitter_points: vec![[0.0; 4]; length(params.emitter_point_count)],
            emitter_layers: vec![0; emitters],
            emission: vec![[0; 2]; emitters],
            diagnostics_partial: vec![[0.0; 4]; BLOCKS * ROWS],
            diagnostics: vec![[0.0; 4]; ROWS],
            pairs: Pairs::default(),
        }
    }

    /// The buffer of that name, if it is one of [`World::BUFFERS`].
    pub fn buffer(&mut self, name: &str) -> Option<Values<'_>> {
        Some(match name {
            "position" => floats(&mut self.position),
            "velocity" => floats(&mut self.velocity),
            "identity" => words(&mut self.identity),
            "sorted_position" => floats(&mut self.sorted_position),
            "sorted_velocity" => floats(&mut self.sorted_velocity),
            "sorted_identity" => words(&mut self.sorted_identity),
            "density" => Values::Floats { width: 1, data: &mut self.density },
            "acceleration" => floats(&mut self.acceleration),
            "cell_count" => Values::Words { width: 1, data: &mut self.cell_count },
            "cell_start" => Values::Words { width: 1, data: &mut self.cell_start },
            "arrival" => Values::Words { width: 1, data: &mut self.arrival },
            "binned" => words(&mut self.binned),
            "order" => Values::Words { width: 1, data: &mut self.order },
            "values" => Values::Words { width: 1, data: &mut self.values },
            "totals" => Values::Words { width: 1, data: &mut self.totals },
            "offsets" => Values::Words { width: 1, data: &mut self.offsets },
            "scanned" => Values::Words { width: 1, data: &mut self.scanned },
            "emitter_points" => floats(&mut self.emitter_points),
            "emitter_layers" => Values::Words { width: 1, data: &mut self.emitter_layers },
            "emission" => words(&mut self.emission),
            "diagnostics_partial" => floats(&mut self.diagnostics_partial),
            "diagnostics" => floats(&mut self.diagnostics),
            _ => return None,
        })
    }

    /// Rounds every float to the nearest f32, so that both sides start from identical bits.
    pub fn round_to_f32(&mut self) {
        for name in Self::BUFFERS {
            if let Some(Values::Floats { data, .. }) = self.buffer(name) {
                for value in data {
                    *value = f64::from(*value as f32);
                }
            }
        }
    }

    /// The slots of live particles.
    pub(crate) fn particles(&self) -> Range<usize> {
        0..self.control.particle_count as usize
    }

    /// What particles of this identity are made of.
    pub(crate) fn material(&self, identity: [u32; 2]) -> Material {
        self.params.materials[(identity[1] >> 8 & 255) as usize]
    }
}

fn floats(data: &mut [[f64; 4]]) -> Values<'_> {
    Values::Floats { width: 4, data: data.as_flattened_mut() }
}

fn words(data: &mut [[u32; 2]]) -> Values<'_> {
    Values::Words { width: 2, data: data.as_flattened_mut() }
}
