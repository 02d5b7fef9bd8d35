//! All shaders of meniscus, embedded in the program by name.
//!
//! A file `wgsl/sph/density.wgsl` is the pass `sph/density`. Files below `common/` hold functions
//! and structs without an entry point; passes include them with `//!include common/grid`. This
//! crate does not depend on how the host composes, compiles and runs the files
//! (`crates/gpu/src/shaders/compose.rs`).

/// Name (path below `wgsl/` without extension) and text of every shader file, sorted by name.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of one file, by name.
#[must_use]
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}
