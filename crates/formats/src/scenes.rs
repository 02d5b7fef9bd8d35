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
    /// Name and text of each mesh that it reads.
    pub fn meshes(&self) -> impl Iterator<Item = (&'static str, &'static [u8])> {
        let text = self.text;
        let reads = move |name: &str| {
            // Frames of a motion are named by a pattern, fish_*.obj.
            let number =
                name.trim_end_matches(".obj").trim_end_matches(|c: char| c.is_ascii_digit());
            [name.to_owned(), format!("{number}*.obj")]
                .iter()
                .any(|file| text.contains(&format!("\"{file}\"")))
        };
        MESHES.iter().copied().filter(move |(name, _)| reads(name))
    }
}

/// All bundled scenes (`crates/formats/scenes`), by name.
pub const SCENES: &[BundledScene] = include!(concat!(env!("OUT_DIR"), "/scenes.rs"));

/// Meshes of bundled scenes, by file name.
const MESHES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/meshes.rs"));

/// Bundled mesh with this name.
pub(crate) fn mesh_of(name: &str) -> Option<&'static [u8]> {
    MESHES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Names of all bundled meshes.
pub(crate) fn mesh_names() -> impl Iterator<Item = &'static str> {
    MESHES.iter().map(|(name, _)| *name)
}

/// Text of the bundled scene with this name.
pub(crate) fn text_of(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|scene| scene.name == name).map(|scene| scene.text)
}
