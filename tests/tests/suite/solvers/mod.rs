//! Whole steps of every solver.

mod conservation;
mod emission;
mod rest;
mod same_bits;
