//! The room that all methods on a box of cells share: nothing here names one of them.
//!
//! * [`bodies`]: what the cells give to each rigid body;
//! * [`cells`]: the edge of the cells, the blocks of cells that have something to do, problems of scenes;
//! * [`faces`]: velocities on the faces between cells, solids' shares of them, extrapolation;
//! * [`poisson`]: the pressure that makes them free of divergence, by conjugate gradients;
//! * [`multigrid`]: its preconditioner;
//! * [`diffusion`]: explicit and implicit diffusion of values on cells and faces;
//! * [`stress`]: implicit viscosity of liquids.

pub(crate) mod bodies;
pub(crate) mod cells;
pub(crate) mod diffusion;
pub(crate) mod faces;
pub(crate) mod multigrid;
pub(crate) mod poisson;
pub(crate) mod stress;
