//! Files of meniscus: scenes (native TOML and `SPlisHSPlasH` JSON), particles, meshes, logs,
//! checkpoints.
//!
//! * [`load_scene`] reads a scene by path or bundled name, applies overrides, and checks it;
//! * [`scene_schema`] and [`REFERENCE_SCENE`] document every key of a native scene;
//! * [`write_particles`], [`write_mesh`], [`Frame`], [`write_checkpoint`] are what a run leaves
//!   behind.
//!
//! This crate must not know the GPU or the command line: it turns bytes into values of
//! `meniscus-model` and back. No input makes it panic; every fault is an [`Error`] that says where
//! it is and what was expected. Files are written whole, under a temporary name, then renamed.

mod bgeo;
mod bodies;
mod boundaries;
mod cache;
mod checkpoint;
mod error;
mod key_path;
mod load;
mod log;
mod meshes;
mod overrides;
mod particles;
mod pictures;
mod scene_toml;
mod scenes;
mod schema;
mod solids;
mod splishsplash;
mod suggest;
mod write;

pub use bodies::{BodyFormat, write_bodies};
pub use boundaries::{body_meshes, boundary_mesh};
pub use checkpoint::{Checkpoint, read_checkpoint, write_checkpoint};
pub use error::{Diagnostic, Error};
pub use load::{LoadOptions, Loaded, load_scene, native_scene};
pub use log::Frame;
pub use meshes::{Mesh, MeshFormat, write_mesh};
pub use particles::{ParticleFormat, write_particles};
pub use pictures::{Film, FilmFormat, write_png};
pub use scene_toml::{scene_from_toml, scene_hash, scene_to_toml};
pub use scenes::{BundledScene, SCENES};
pub use schema::{REFERENCE_SCENE, scene_schema};
pub use write::write_whole;
