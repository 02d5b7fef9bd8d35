//! The methods of meniscus as data: which passes there are, on which arrays they work, and each
//! method's list of stages.
//!
//! * [`passes`]: the pass table, with the number of invocations that each pass needs;
//! * [`arrays`]: the array table, with the length of each array;
//! * [`stage`]: stages, loops and lists;
//! * [`lists`]: the parts that steps are made of: sort, neighbours, bodies, surface;
//! * [`sph`]: one file for each pressure solver.
//!
//! The GPU host records these lists and the CPU reference interprets them. This crate must not know
//! wgpu, shaders or files.

pub mod arrays;
pub mod lists;
pub mod passes;
pub mod sph;
pub mod stage;
