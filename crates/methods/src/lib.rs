//! The methods of meniscus as data: the passes, the arrays they use, and each method's list of
//! stages.
//!
//! * [`space`]: spaces of elements (particles, cells, tiles, …) that passes run over, and their
//!   counts;
//! * [`passes`]: the pass table, with the space that each pass runs over;
//! * [`arrays`]: the array table, with the space that each array has elements for;
//! * [`stage`]: stages, loops and lists;
//! * [`lists`]: parts of steps: sort, neighbours, bodies, surface;
//! * [`Quantity`]: what can be drawn, written and logged of each particle;
//! * [`Registry`], [`Method`], [`Key`]: description of a method, and the list of methods;
//! * [`sph`], [`viscosity`], [`tension`], [`shifting`], [`foam`]: one file for each method;
//! * [`kernel`]: smoothing kernels; [`share`]: shares of walls without particles;
//! * [`plan`]: expanded lists, which the GPU host records and the CPU reference runs.
//!
//! This crate must not depend on wgpu, shaders or files.

pub mod arrays;
mod chosen;
mod context;
mod family;
pub mod foam;
mod grid;
pub mod kernel;
pub mod key;
pub mod liquid;
pub mod lists;
mod method;
pub mod mpm;
mod names;
pub mod numbers;
pub mod passes;
pub mod plan;
pub mod quantity;
mod registry;
mod scope;
pub mod share;
pub mod shifting;
pub mod smoke;
pub mod space;
pub mod sph;
pub mod stage;
pub mod tables;
pub mod tension;
pub mod viscosity;

pub use chosen::Chosen;
pub use context::Context;
pub use family::{Family, Field, Space, Walls};
pub use key::{Key, KeyKind};
pub use method::{
    Axis, Coefficient, Corrected, Friction, Joined, Limit, Loop, Matter, MeshPasses, Method,
    Number, Peer, Place, Problems, Solver, Sound, Sph,
};
pub use names::{nearest, unknown};
pub use quantity::Quantity;
pub use registry::{NONE, Registry};
pub use scope::Scope;

/// WGSL files of the constants that shaders share with this crate, by the name used to include
/// them.
#[must_use]
pub fn shared_files() -> std::collections::BTreeMap<String, String> {
    meniscus_shared::files(&[], &[passes::CONSTANTS, foam::CONSTANTS])
}

/// Error of a list that refers to something that does not exist; the message says what and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "host and reference make their own")]
pub struct ListError(pub String);

impl std::fmt::Display for ListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ListError {}
