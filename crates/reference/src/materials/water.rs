//! A weakly compressible fluid (Monaghan 1994); its state is J − 1.

use super::{Response, Strain};

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let c = strain.gradient;
    strain.liquid(strain.viscosity * (c + c.transpose()))
}
