//! Scenes of meniscus: the description of a simulation, in SI units.
//!
//! * [`Scene`] and its parts, which serde reads and writes;
//! * [`Settings`]: values of the methods' keys, by name;
//! * [`check`]: the problems of a scene, each [`Problem`] with the path of its key.
//!
//! Shapes are those of [`meniscus_geometry`]. This crate does not depend on files, the GPU or
//! methods: the keys of methods are checked in `meniscus_methods`, speeds and time steps in
//! `meniscus_model`.

mod bodies;
mod build;
pub mod check;
mod fields;
mod forces;
mod joints;
mod kernel;
mod openings;
mod picture;
mod probes;
mod scene;
mod settings;
mod solids;

pub use bodies::body_depth;
pub use check::MAX_PARTICLES;
pub use fields::{Fields, Initial};
pub use forces::{Force, MAX_FORCE_FIELDS};
pub use joints::{Joint, JointKind, Mooring, Motor};
pub use kernel::Kernel;
pub use meniscus_geometry::bounds;
pub use meniscus_geometry::{
    Check, Content, Mouth, Packing, Problem, ProblemKind, Rotation, Side, Vec3, mesh, shape::*,
};
pub use openings::{
    Absorb, Flow, FlowKind, FlowTable, Inlet, MAX_OPENINGS, Opening, Outlet, Profile, Way,
    wave_number,
};
pub use picture::{Camera, CameraKey, Light, Panorama, Texels};
pub use probes::{Probe, ProbeAxis};
pub use scene::{
    Capacity, Domain, Drain, Emitter, Fluid, MAX_MATERIALS, Material, Scene, Source, Time, Vortex,
    to_linear,
};
pub use settings::{Settings, Value};
pub use solids::{
    Body, Boundary, Contact, Deformation, Interpolation, Keyframe, Motion, Response, Turn,
};
