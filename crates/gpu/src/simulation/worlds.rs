//! Worlds of a scene that runs several copies of itself in one step.

use std::collections::BTreeSet;

use meniscus_model::{ForceReport, SolidId};

use super::Simulation;
use crate::{
    Error,
    methods::space::{CELLS, COLLIDERS, PARTICLES},
};

impl Simulation {
    /// Copies of the scene that run in each step: its `worlds`. The fluid of each has as many ids, those of the first world come first.
    #[must_use]
    pub fn worlds(&self) -> u32 {
        self.setup.params.counts.worlds
    }

    /// The solid with this name in a world; [`Simulation::solid`] is that in the first.
    ///
    /// # Errors
    /// [`Error::Options`] for a world that is not there.
    pub fn solid_in(&self, world: u32, name: &str) -> Result<Option<SolidId>, Error> {
        self.check_world(world)?;
        let counts = &self.setup.params.counts;
        Ok(self.solid(name).map(|solid| SolidId::new(counts.solid_in(world, solid.number()))))
    }

    /// [`Simulation::forces`] in a world.
    ///
    /// # Errors
    /// [`Error::Options`] for a world that is not there.
    pub fn forces_in(&self, world: u32) -> Result<Vec<ForceReport>, Error> {
        self.check_world(world)?;
        Ok(self.forces_of(world))
    }

    /// Puts worlds back to their start: particles, what solvers keep of them, and solids that the program moved. Time goes on, and so do
    /// motions of the scene; gravity stays. The other worlds keep their bits.
    ///
    /// # Errors
    /// [`Error::Options`] for a world that is not there; nothing is changed then. [`Error::Failed`], [`Error::Device`].
    pub async fn reset_worlds(&mut self, worlds: &[u32]) -> Result<(), Error> {
        worlds.iter().try_for_each(|world| self.check_world(*world))?;
        let worlds: BTreeSet<_> = worlds.iter().copied().collect();
        let mut state = self.read_between_steps().await?;
        let params = self.setup.params;
        let identity = state.identity().to_vec();
        let own = identity.iter().enumerate().take(state.control.particle_count as usize);
        let own = own.filter(|(_, who)| worlds.contains(&params.world_of(**who)));
        // Slot now, and at the start.
        let own: Vec<_> = own.map(|(slot, who)| (slot, who[0] as usize)).collect();
        let solids = worlds.iter().flat_map(|world| params.counts.solids_in(*world));
        let solids: Vec<_> = solids.map(|k| (k as usize, k as usize)).collect();
        let of_one = params.grid.cell_count / params.counts.worlds;
        let cells = worlds.iter().flat_map(|world| world * of_one..(world + 1) * of_one);
        let cells: Vec<_> = cells.map(|k| (k as usize, k as usize)).collect();
        let starts = self.setup.uploads();
        for row in self.persistent_rows() {
            let places = match row.extent {
                PARTICLES => &own,
                COLLIDERS => &solids,
                CELLS => &cells,
                _ => continue,
            };
            let elements = self.machine.counts().get(row.extent)?.max(1) as usize;
            let words = state.arrays.entry(row.name.to_owned()).or_default();
            let width = words.len() / elements;
            let start = starts.iter().find(|(name, _)| *name == row.name);
            let start: Vec<u32> =
                start.map(|(_, bytes)| bytemuck::pod_collect_to_vec(bytes)).unwrap_or_default();
            for (slot, first) in places {
                let now = &mut words[width * slot..][..width];
                match start.get(width * first..width * (first + 1)) {
                    Some(then) => now.copy_from_slice(then),
                    None => now.fill(0),
                }
            }
        }
        state
            .steered
            .retain(|solid, _| !worlds.contains(&params.counts.world_of_solid(solid.number())));
        self.go_on_from(&state).await
    }

    fn check_world(&self, world: u32) -> Result<(), Error> {
        let worlds = self.worlds();
        if world < worlds {
            return Ok(());
        }
        Err(Error::Options(format!("there is no world {world}: the scene has {worlds}, from 0")))
    }
}
