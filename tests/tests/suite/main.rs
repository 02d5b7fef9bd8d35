//! The test suite of meniscus, in one binary so that devices and compiled shaders are shared.
//!
//! `MENISCUS_GPU=require|auto|off` says whether a GPU must be present; `MENISCUS_FULL=1` also runs
//! the long cases.

mod advice;
mod bodies;
mod canary;
mod conformance;
mod coupling;
mod fields;
mod floor;
mod foam;
mod golden;
mod host;
mod house;
mod laws;
mod layer;
mod layout;
mod leaks;
mod life;
mod liquid;
mod loops;
mod mpm;
mod physics;
mod quantities;
mod random;
mod shapes;
mod shifting;
mod sky;
mod smoke;
mod solvers;
mod steps;
mod surface;
mod systems;
mod table;
mod tension;
mod toy;
mod toy_family;
mod viscous;
mod worlds;
