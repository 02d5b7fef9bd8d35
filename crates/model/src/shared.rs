//! Everything that Rust and WGSL share: tables of the structs and constants that modules declare.

use std::collections::BTreeMap;

use meniscus_shared::{Constants, Struct};

use crate::{control, diagnostics, distance, fixed::Fixed, params, solids, surface};

pub use meniscus_shared::{decode, encode, encode_uniform};

/// Tables of structs, by module.
pub const STRUCTS: &[&[Struct]] = &[
    params::STRUCTS,
    control::STRUCTS,
    solids::STRUCTS,
    distance::STRUCTS,
    diagnostics::STRUCTS,
    surface::STRUCTS,
];

/// Tables of constants, by module.
pub const CONSTANTS: &[&[Constants]] =
    &[params::CONSTANTS, control::CONSTANTS, solids::CONSTANTS, surface::CONSTANTS];

/// The WGSL files that shaders include as `shared/NAME`.
#[must_use]
pub fn files() -> BTreeMap<String, String> {
    let mut files = meniscus_shared::files(STRUCTS, CONSTANTS);
    files.insert("shared/scene".to_owned(), Fixed::default().wgsl());
    files
}
