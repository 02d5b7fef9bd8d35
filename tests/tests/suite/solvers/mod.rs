//! Whole steps of all solvers.

mod conservation;
mod emission;
mod pressure;
mod rest;
mod same_bits;
mod suction;
