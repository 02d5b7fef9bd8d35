//! Whole steps of all solvers.

mod conservation;
mod emission;
mod rest;
mod same_bits;
