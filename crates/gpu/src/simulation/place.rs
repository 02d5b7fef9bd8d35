//! Particles that a program puts to other places.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec3, Vec3};
use meniscus_model::{params::KIND_FLUID, scene::check};

use super::Simulation;
use crate::{Error, methods::space::PARTICLES};

impl Simulation {
    /// Gives particles of the fluid other positions in m and velocities in m/s, each by its id; `None` leaves them as they are.
    /// Neighbours and what the solver guesses from the last step begin anew; time, materials, deformations and solids stay. In 2-D
    /// z is left out.
    ///
    /// # Errors
    /// [`Error::Options`] for an id that no particle has or that is there twice, another number of rows, values that are not finite,
    /// or two particles in one place; nothing is changed then. [`Error::Failed`], [`Error::Device`].
    pub async fn set_particles(
        &mut self,
        ids: &[u32],
        positions: Option<&[[f64; 3]]>,
        velocities: Option<&[[f64; 3]]>,
    ) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Options(text));
        if self.machine.buffer("identity").is_none() {
            return refuse("the solver has no particles that could be set".into());
        }
        for (name, rows) in [("positions", positions), ("velocities", velocities)] {
            let Some(rows) = rows else { continue };
            if rows.len() != ids.len() {
                return refuse(format!("{name}: {} rows for {} particles", rows.len(), ids.len()));
            }
            let is_wrong = |row: &[f64; 3]| row.iter().any(|x| !x.is_finite() || x.abs() > 1e12);
            if let Some(k) = rows.iter().position(is_wrong) {
                let (id, row) = (ids[k], rows[k]);
                return refuse(format!("{name}: particle {id} has the invalid value {row:?}"));
            }
        }
        let mut state = self.read_between_steps().await?;
        let identity = state.identity().to_vec();
        let params = self.setup.params;
        let world_of = |slot: usize| params.world_of(identity[slot]);
        let is_fluid = |what: u32| what & 0xff == KIND_FLUID;
        let fluid = identity.iter().enumerate().filter(|(_, [_, what])| is_fluid(*what));
        let slots: BTreeMap<u32, usize> = fluid.map(|(slot, [id, _])| (*id, slot)).collect();
        let mut chosen = BTreeMap::new();
        for (k, id) in ids.iter().enumerate() {
            let Some(slot) = slots.get(id) else {
                return refuse(format!("ids: the fluid has no particle {id}"));
            };
            if chosen.insert(*slot, k).is_some() {
                return refuse(format!("ids: particle {id} is there twice"));
            }
        }
        let is_flat = self.setup.params.world.dimensions == 2;
        let mut fastest = 0.0_f32;
        for (&slot, &k) in &chosen {
            let mut put = |name: &str, value: Vec3| {
                let words = state.arrays.get_mut(name).map_or(&mut [][..], Vec::as_mut_slice);
                let count = if is_flat { 2 } else { 3 };
                for (word, x) in words[4 * slot..].iter_mut().zip(value.to_array()).take(count) {
                    *word = x.to_bits();
                }
            };
            if let Some(rows) = positions {
                put("position", (DVec3::from(rows[k]) - self.setup.center).as_vec3());
            }
            if let Some(rows) = velocities {
                let velocity = DVec3::from(rows[k]).as_vec3();
                put("velocity", velocity);
                fastest = fastest.max(velocity.length());
            }
        }
        if positions.is_some() {
            let world = &self.setup.params.world;
            let spacing = 2.0 * f64::from(world.particle_radius);
            let all: Vec<_> = slots.iter().map(|(id, slot)| (*id, *slot)).collect();
            // Ids of a world are neighbours.
            for own in all.chunk_by(|a, b| world_of(a.1) == world_of(b.1)) {
                let places: Vec<DVec3> =
                    own.iter().map(|(_, slot)| state.world_position(*slot).into()).collect();
                if let Some(pair) = check::coincident(&places, spacing, world.dimensions) {
                    let [a, b] = pair.map(|k| own[k].0);
                    return refuse(format!("positions: particles {a} and {b} are in one place"));
                }
            }
        }
        let moved: BTreeSet<_> = chosen.keys().map(|slot| world_of(*slot)).collect();
        let near: Vec<_> = (0..identity.len()).filter(|i| moved.contains(&world_of(*i))).collect();
        for row in self.persistent_rows().filter(|row| row.guess) {
            let words = state.arrays.entry(row.name.to_owned()).or_default();
            let width = words.len() / identity.len().max(1);
            match row.extent {
                PARTICLES => near.iter().for_each(|i| words[width * i..][..width].fill(0)),
                _ => words.fill(0),
            }
        }
        // The next step is chosen for these.
        let control = &mut state.control;
        let signal = f32::from_bits(control.max_signal_bits);
        if signal > 0.0 {
            control.max_signal_bits = (signal + fastest).to_bits();
        }
        control.max_speed_bits = control.max_speed().max(fastest).to_bits();
        self.go_on_from(&state).await
    }
}
