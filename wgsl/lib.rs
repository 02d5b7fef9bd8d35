//! Every shader of meniscus, embedded in the program by name.
//!
//! A file `wgsl/sph/density.wgsl` is the pass `sph/density`. Files below `common/` hold functions
//! and structs without an entry point; passes take them in with `//!include common/grid`. This
//! crate knows nothing of how the files are composed, compiled or run: that is the host's
//! business (`crates/gpu/src/shaders/compose.rs`).

/// Name (path below `wgsl/` without extension) and text of every shader file, sorted by name.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of one file, by name.
#[must_use]
pub fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}
