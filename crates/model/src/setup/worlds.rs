//! Several worlds: copies of a scene that do not meet, in one list of dispatches.

use super::Setup;
use crate::{
    control::Control,
    params::{self, pack_identity},
};

impl Setup {
    /// Makes copies of the one world that stands. Positions are those of the scene in each; ids of fluid go on from one world to the
    /// next, and so do those of boundary particles: first of all worlds those on which nothing is measured, then the others, and last
    /// those of bodies that move freely. So do the numbers of solids, of which these bodies are the last.
    pub(super) fn repeat(&mut self, worlds: u32) {
        if worlds == 1 {
            return;
        }
        let one = self.params.counts;
        let (fluid, walls) = (one.first_wall, one.walls);
        let bodies = self.position.len() as u32 - one.first_body;
        let first_of = |solids: &[params::Collider]| {
            let counted = solids.iter().filter(|solid| solid.particle_count > 0);
            counted.map(|solid| solid.first_particle).min().unwrap_or(walls)
        };
        let (driven, free) = self.colliders.split_at(one.driven as usize);
        let last = first_of(free);
        let measured = first_of(driven).min(last);
        let sections = [0..measured, measured..last, last..walls];
        let every = || 0..worlds;
        let counts = &mut self.params.counts;
        counts.worlds = worlds;
        counts.first_wall *= worlds;
        counts.walls *= worlds;
        counts.colliders *= worlds;
        counts.driven *= worlds;
        counts.volumes *= worlds;
        let counts = *counts;
        // Number of a solid in the first world, of one of the scene.
        let placed =
            |number: u32| number + if number < one.driven { 0 } else { counts.driven - one.driven };
        // World and number of each particle in the one that stands.
        let of_fluid = every().flat_map(|world| (0..fluid).map(move |k| (world, k)));
        let of_walls = sections.iter().cloned().flat_map(|section| {
            every().flat_map(move |world| section.clone().map(move |k| (world, fluid + k)))
        });
        let order: Vec<_> = of_fluid.chain(of_walls).collect();
        let identity_of = |(id, &(world, k)): (usize, &(u32, u32))| {
            let what = self.identity[k as usize][1];
            let number = match what & 255 {
                params::KIND_BOUNDARY => counts.solid_in(world, placed(what >> 16)),
                _ => world,
            };
            [id as u32, pack_identity(what & 255, what >> 8 & 255, number)]
        };
        self.identity = order.iter().enumerate().map(identity_of).collect();
        let repeated = |all: &[[f32; 4]], first: u32| -> Vec<_> {
            let rows = order[(worlds * first) as usize..].iter();
            rows.map(|(_, k)| all[(k - first) as usize]).collect()
        };
        self.model_position = repeated(&self.model_position, fluid);
        self.position = repeated(&self.position, 0);
        self.velocity = repeated(&self.velocity, 0);
        let solids = [0..one.driven, one.driven..one.colliders];
        let solids: Vec<_> = solids
            .into_iter()
            .flat_map(|own| {
                every().flat_map(move |world| own.clone().map(move |k| (world, k as usize)))
            })
            .collect();
        let collider = |&(world, k): &(u32, usize)| {
            let mut own = self.colliders[k];
            let section = sections.iter().find(|section| section.contains(&own.first_particle));
            if let Some(section) = section.filter(|_| own.particle_count > 0) {
                own.first_particle +=
                    (worlds - 1) * section.start + world * (section.end - section.start);
            }
            own
        };
        self.motions = solids.iter().map(|(_, k)| self.motions[*k].clone()).collect();
        self.colliders = solids.iter().map(collider).collect();
        let named = self.bodies.iter_mut().chain(&mut self.names).chain(&mut self.measured);
        named.for_each(|(_, number)| *number = placed(*number));
        self.meshes.iter_mut().for_each(|(number, _)| *number = placed(*number));
        self.control = Control::start(self.position.len() as u32);
        self.params.counts.capacity = self.capacity();
        self.params.counts.first_body = self.position.len() as u32 - worlds * bodies;
        self.params.grid.cell_count *= worlds;
    }
}
