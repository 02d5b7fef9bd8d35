//! Quantities of particles, as read back.

use meniscus_methods::{ListError, Quantity};
use meniscus_model::{Measured, Setup};

use super::Simulation;
use crate::{Error, machine::Machine};

impl Simulation {
    /// Quantities of particles that this scene's methods have, in the order of menus.
    #[must_use]
    pub fn quantities(&self) -> Vec<Quantity> {
        let mut quantities = self.setup.chosen.quantities();
        quantities.retain(|quantity| self.machine.buffer(quantity.array.name).is_some());
        quantities
    }

    /// Reads quantities back. Their values are in the order of the particles of
    /// [`Simulation::read`].
    ///
    /// # Errors
    /// [`Error::Options`] for a quantity that the scene does not have, [`Error::Device`].
    pub async fn measure(&self, quantities: &[Quantity]) -> Result<Vec<Measured>, Error> {
        if quantities.is_empty() {
            return Ok(Vec::new());
        }
        let mut names = vec!["identity"];
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
        let identity = words("identity");
        let identity = &bytemuck::cast_slice(&identity)[..control.particle_count as usize];
        let materials = &self.setup.params.materials;
        let measured = |quantity: &Quantity| {
            Measured::new(quantity, &words(quantity.array.name), identity, materials)
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
