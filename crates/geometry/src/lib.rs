//! Geometry of meniscus: shapes of scene files and triangle meshes, in f64 and SI units.
//!
//! Every shape has a file of its own, `src/shape/KEY.rs`, with its keys in scene files and all that
//! it can: checks, distances, particles, volume, and how it is drawn ([`Form`], [`Kind`]). The list
//! is in [`shape`]. Triangle meshes as solids are in [`mesh`].
//!
//! This crate knows neither scenes, fluids and kernels nor the GPU.
//!
//! Meshes are not parry3d's: its f64 build tells inside from outside by pseudo-normals as
//! [`mesh::Solid`] does, but it brings nalgebra beside glam, and its boxes would still have to be
//! written out for the GPU, in the order in which [`mesh::Batch`] has them.

pub mod check;
pub mod drawing;
mod file;
pub mod form;
mod inertia;
mod lattice;
pub mod mesh;
mod mouth;
mod packing;
mod rings;
mod segment;
pub mod shape;
mod side;

pub use self::{
    check::{Check, Problem},
    file::{Content, Rotation},
    form::{Bulk, Form, Kind, Placed, Size, Use},
    inertia::principal_axes,
    mouth::Mouth,
    packing::Packing,
    rings::steps,
    shape::*,
    side::Side,
};

/// A vector in metres, metres per second, … as the key says.
pub type Vec3 = [f64; 3];
