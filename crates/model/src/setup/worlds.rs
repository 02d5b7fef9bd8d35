//! Several worlds: copies of a scene that do not meet, in one list of dispatches.

use super::Setup;
use crate::{
    control::Control,
    params::{self, pack_identity},
};

impl Setup {
    /// Makes copies of the one world that stands. Positions are those of the scene in each; ids of fluid go on from one world to the
    /// next, and so do those of boundary particles: first of all worlds those on which nothing is measured, then the others.
    pub(super) fn repeat(&mut self, worlds: u32) {
        if worlds == 1 {
            return;
        }
        let one = self.params.counts;
        let (fluid, walls) = (one.first_wall as usize, one.walls as usize);
        let bodies = self.position.len() as u32 - one.first_body;
        let measured = self.colliders.iter().filter(|solid| solid.particle_count > 0);
        let measured = measured.map(|solid| solid.first_particle).min().unwrap_or(one.walls);
        let sections = [0..measured as usize, measured as usize..walls];
        let every = || 0..worlds;
        // World and number of each particle in the one that stands.
        let fluid_order = every().flat_map(|world| (0..fluid).map(move |k| (world, k)));
        let wall_order = sections.into_iter().flat_map(|section| {
            every().flat_map(move |world| section.clone().map(move |k| (world, fluid + k)))
        });
        let order: Vec<_> = fluid_order.chain(wall_order).collect();
        let identity_of = |(id, &(world, k)): (usize, &(u32, usize))| {
            let what = self.identity[k][1];
            let number = match what & 255 {
                params::KIND_BOUNDARY => (what >> 16) + world * one.colliders,
                _ => world,
            };
            [id as u32, pack_identity(what & 255, what >> 8 & 255, number)]
        };
        let identity = order.iter().enumerate().map(identity_of).collect();
        let repeated = |all: &[[f32; 4]], first: usize| -> Vec<_> {
            order[worlds as usize * first..].iter().map(|(_, k)| all[k - first]).collect()
        };
        self.model_position = repeated(&self.model_position, fluid);
        self.position = repeated(&self.position, 0);
        self.velocity = repeated(&self.velocity, 0);
        self.identity = identity;
        let solids = every().flat_map(|world| self.colliders.iter().map(move |own| (world, own)));
        let placed = |(world, own): (u32, &params::Collider)| {
            let mut own = *own;
            if own.particle_count > 0 {
                own.first_particle += (worlds - 1) * measured + world * (one.walls - measured);
            }
            own
        };
        self.colliders = solids.map(placed).collect();
        self.motions = every().flat_map(|_| self.motions.iter().cloned()).collect();
        self.control = Control::start(self.position.len() as u32);
        let capacity = self.capacity();
        self.params.grid.cell_count *= worlds;
        let counts = &mut self.params.counts;
        counts.worlds = worlds;
        counts.capacity = capacity;
        counts.first_wall *= worlds;
        counts.walls *= worlds;
        counts.first_body = self.position.len() as u32 - worlds * bodies;
        counts.colliders *= worlds;
        counts.driven *= worlds;
        counts.volumes *= worlds;
    }
}
