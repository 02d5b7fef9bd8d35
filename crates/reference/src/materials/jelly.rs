//! An elastic solid (Stomakhin, Howes, Schroeder, Teran 2012).

use super::{Response, Strain};

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let principal = strain.principal();
    let found = strain.corotated(1.0, principal.sigma, [0.0; 3]);
    Response { f: strain.f, ..strain.solid(principal, &found) }
}
