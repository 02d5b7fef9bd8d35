//! Tests of the reference itself against tables, analytic solutions and sums computed by hand.
//!
//! The fixture's precomputed kernel constants are NaN, so a twin that used them would fail here.

mod clock;
mod fixture;
mod forces;
mod kernels;
mod ledger;
mod motion;
mod sorting;
mod sources;
mod sums;
mod surface;
mod walls;
