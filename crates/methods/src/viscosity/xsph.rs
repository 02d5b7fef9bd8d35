//! Monaghan 1989; Schechter, Bridson 2012: velocities are blended with those of neighbours.

use crate::{Axis, Key, Method, Number};

/// Share ε of the neighbours' mean velocity.
pub const METHOD: Method = Method {
    source: "Monaghan 1989; Schechter, Bridson 2012",
    help: "filters velocities",
    keys: &[&[Key::number(
        "xsph",
        [0.0, 1.0],
        0.05,
        "ε of the velocity filter XSPH, usually 0.01 to 0.1.",
    )]],
    numbers: &[Number::new("epsilon", "ε", |scene| scene.number("viscosity.xsph"))],
    term: Some("viscosity_xsph"),
    ..Method::new("xsph", Axis::Viscosity)
};
