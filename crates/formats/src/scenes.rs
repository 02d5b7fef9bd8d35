//! Bundled scenes.

/// A bundled scene.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BundledScene {
    /// Name, which [`load_scene`](crate::load_scene) accepts in place of a path.
    pub name: &'static str,
    /// TOML text.
    pub text: &'static str,
}

impl BundledScene {
    /// Name and text of each mesh that it reads; in a browser of those that were fetched.
    pub fn meshes(&self) -> impl Iterator<Item = (&'static str, &'static [u8])> {
        meshes_of(self.text).filter_map(|name| Some((name, mesh_of(name)?)))
    }
}

/// Names of the bundled meshes that the text of a scene reads.
pub fn meshes_of(text: &str) -> impl Iterator<Item = &'static str> {
    let reads = move |name: &str| {
        // Frames of a motion are named by a pattern, fish_*.obj.
        let number = name.trim_end_matches(".obj").trim_end_matches(|c: char| c.is_ascii_digit());
        [name.to_owned(), format!("{number}*.obj")]
            .iter()
            .any(|file| text.contains(&format!("\"{file}\"")))
    };
    mesh_names().filter(move |name| reads(name))
}

/// All bundled scenes (`crates/formats/scenes`), by name.
pub const SCENES: &[BundledScene] = include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// Names of the meshes of bundled scenes.
const NAMES: &[&str] = include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// Names of all bundled meshes.
pub(crate) fn mesh_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Bundled mesh with this name.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn mesh_of(name: &str) -> Option<&'static [u8]> {
    const MESHES: &[&[u8]] = include!(concat!(env!("OUT_DIR"), "/meshes.rs"));
    NAMES.iter().position(|known| *known == name).map(|at| MESHES[at])
}

#[cfg(target_family = "wasm")]
pub use fetched::add_mesh;
#[cfg(target_family = "wasm")]
pub(crate) use fetched::mesh_of;

/// A page has a mesh once a scene needs it.
#[cfg(target_family = "wasm")]
mod fetched {
    use std::{
        collections::BTreeMap,
        sync::{Mutex, PoisonError},
    };

    static MESHES: Mutex<BTreeMap<String, &[u8]>> = Mutex::new(BTreeMap::new());

    /// Adds the text of a bundled mesh.
    pub fn add_mesh(name: String, text: Vec<u8>) {
        MESHES.lock().unwrap_or_else(PoisonError::into_inner).insert(name, text.leak());
    }

    pub(crate) fn mesh_of(name: &str) -> Option<&'static [u8]> {
        MESHES.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied()
    }
}

/// Text of the bundled scene with this name.
pub(crate) fn text_of(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|scene| scene.name == name).map(|scene| scene.text)
}
