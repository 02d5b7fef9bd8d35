//! File formats of meniscus: scenes (native TOML and `SPlisHSPlasH` JSON), particles, meshes,
//! images, logs, checkpoints.
//!
//! * [`load_scene`] reads a scene by path or bundled name, applies overrides, and checks it;
//! * [`scene_keys`] and [`scene_schema`] document every key of a native scene;
//! * [`write_particles`], [`write_mesh`], [`LogLine`] and [`write_checkpoint`] write the results of a
//!   run.
//!
//! This crate must not depend on the GPU or the command line: it converts bytes to values of
//! `meniscus-model` and back. No input makes it panic; every problem is an [`Error`] that says
//! where it is and what was expected. Files are written under a temporary name and then renamed, so
//! a file is always complete.

mod bgeo;
mod bodies;
mod boundaries;
mod cache;
mod cells;
mod checkpoint;
mod doubts;
mod draft;
mod error;
mod fields;
mod film;
mod images;
mod key_path;
mod keys;
mod load;
mod log;
mod meshes;
mod motion_table;
mod overrides;
mod panorama;
mod particles;
mod planar;
mod scene_toml;
mod scenes;
mod schema;
mod section;
mod series;
mod settings;
mod solids;
mod splishsplash;
mod stored;
mod suggest;
mod usd;
mod vdb;
mod vtk;
mod write;

pub use bodies::{BodyFormat, write_bodies};
pub use boundaries::{body_meshes, boundary_meshes, fluid_mesh, keep_inside};
pub use cells::{CellFormat, write_cells};
pub use checkpoint::{Checkpoint, read_checkpoint, write_checkpoint};
pub use draft::{Draft, DraftParts};
pub use error::{Diagnostic, Error};
pub use film::{Video, VideoFormat};
pub use images::{png_bytes, write_png};
pub use keys::scene_keys;
pub use load::{KEPT_SCENE, LoadOptions, Loaded, keep_scene, load_scene, load_text, native_scene};
pub use log::LogLine;
pub use meshes::{Mesh, MeshFormat, glb_bytes, write_mesh, write_meshes};
pub use particles::{ParticleFormat, ply_bytes, write_foam, write_particles};
pub use scene_toml::{scene_from_toml, scene_hash, scene_to_toml, scene_with_methods};
#[cfg(target_family = "wasm")]
pub use scenes::add_mesh;
pub use scenes::{BundledScene, SCENES, meshes_of};
pub use schema::scene_schema;
pub use section::with_section;
pub use series::Series;
pub use solids::PointSet;
pub use stored::{ParticleTable, read_bodies, read_meshes, read_particles};
pub use usd::Animation;
pub use write::write_whole;
