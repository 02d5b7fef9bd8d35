//! Quantities of particles and of cells, as read back.

use meniscus_methods::{ListError, Quantity, space::CELLS};
use meniscus_model::{Measured, Setup};

use super::Simulation;
use crate::{Error, machine::Machine};

const IDENTITY: &str = "identity";

/// The equation of pressure of each cell, whose last lane is 0 in solids.
const DIAGONAL: &str = "coefficient";

impl Simulation {
    /// Quantities of particles and cells that this scene's methods have, in the order of menus.
    #[must_use]
    pub fn quantities(&self) -> Vec<Quantity> {
        let mut quantities = self.setup.chosen.quantities();
        quantities.retain(|quantity| self.machine.buffer(quantity.array.name).is_some());
        quantities
    }

    /// Reads quantities back. Their values are in the order of the particles of
    /// [`Simulation::read`]; those of cells are of the cells without solids, in the order of cells.
    ///
    /// # Errors
    /// [`Error::Options`] for a quantity that the scene does not have, [`Error::Device`].
    pub async fn measure(&self, quantities: &[Quantity]) -> Result<Vec<Measured>, Error> {
        if quantities.is_empty() {
            return Ok(Vec::new());
        }
        let mut names = vec![IDENTITY, DIAGONAL];
        names.retain(|name| self.machine.buffer(name).is_some());
        for Quantity { name, array, .. } in quantities {
            if self.machine.buffer(array.name).is_none() {
                let message = format!("the scene has no array `{}` for `{name}`", array.name);
                return Err(Error::Options(message));
            }
            if !names.contains(&array.name) {
                names.push(array.name);
            }
        }
        let (control, bytes) = self.machine.read(&names).await?;
        let words = |name: &str| bytemuck::pod_collect_to_vec::<u8, u32>(&bytes[name]);
        let has = |name: &str| bytes.contains_key(name);
        let identity = if has(IDENTITY) { words(IDENTITY) } else { Vec::new() };
        let live = (2 * control.particle_count as usize).min(identity.len());
        let identity = bytemuck::cast_slice(&identity[..live]);
        let diagonal = has(DIAGONAL).then(|| words(DIAGONAL));
        let (params, materials) = (&self.setup.params, &self.setup.params.materials);
        let measured = |quantity: &Quantity| {
            let words = words(quantity.array.name);
            if quantity.array.extent != CELLS {
                return Measured::new(quantity, &words, identity, materials);
            }
            let is_open = |c: usize| {
                let diagonal = diagonal.as_ref().and_then(|words| words.get(4 * c + 3));
                params.is_inner_cell(c) && diagonal.is_none_or(|word| f32::from_bits(*word) > 0.0)
            };
            Measured::of_cells(quantity, &words, is_open)
        };
        Ok(quantities.iter().map(measured).collect())
    }
}

/// Checks the methods' own quantities.
pub(super) fn check(machine: &Machine, setup: &Setup) -> Result<(), Error> {
    let mut names: Vec<_> =
        setup.chosen.family().quantities.iter().copied().flatten().map(|one| one.name).collect();
    for quantity in setup.chosen.methods().flat_map(|method| method.quantities) {
        let Quantity { name, array, .. } = quantity;
        let problem = if names.contains(name) {
            Some(format!("two quantities are named `{name}`"))
        } else if machine.buffer(array.name).is_none() {
            Some(format!("quantity `{name}`: no stage of the step uses array `{}`", array.name))
        } else {
            quantity.problem()
        };
        if let Some(problem) = problem {
            return Err(ListError(problem).into());
        }
        names.push(name);
    }
    Ok(())
}
