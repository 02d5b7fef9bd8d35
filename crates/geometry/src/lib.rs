//! Geometry of meniscus: shapes of scene files and triangle meshes, in f64 and SI units.
//!
//! Every shape has its own file, `src/shape/KEY.rs`, with its keys in scene files and all its
//! operations: checks, distances, particles, volume, and drawing ([`Form`], [`Kind`]). The list is
//! in [`shape`]. Triangle meshes as solids are in [`mesh`].
//!
//! This crate does not depend on scenes, fluids, kernels or the GPU.
//!
//! Meshes do not use parry3d: its f64 build also tells inside from outside by pseudo-normals, like
//! [`mesh::Solid`], but it brings nalgebra in addition to glam, and its boxes would still have to
//! be written out for the GPU in the order of [`mesh::Batch`].

pub mod bounds;
pub mod check;
pub mod drawing;
mod file;
mod fill;
pub mod form;
mod inertia;
mod lattice;
mod length;
pub mod mesh;
mod mouth;
mod packing;
mod rings;
mod segment;
pub mod shape;
mod side;

pub use self::{
    check::{Check, Problem, ProblemKind},
    file::{Content, Rotation},
    form::{Bulk, Form, Kind, Placed, Size, Use},
    inertia::principal_axes,
    length::Length,
    mouth::{Mouth, ahead},
    packing::Packing,
    rings::steps,
    shape::*,
    side::Side,
};

/// A vector in metres, metres per second, …, depending on the key.
pub type Vec3 = [f64; 3];
