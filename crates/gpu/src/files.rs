//! Scene files.

use std::path::Path;

use meniscus_formats::{LoadOptions, load_scene};
use meniscus_scene::Scene;

use crate::Error;

/// Scene of a file: TOML, or JSON of `SPlisHSPlasH`; or the bundled scene of that name where there is no such file. Meshes
/// and particles are read as well, relative to the file, and everything is checked.
///
/// ```no_run
/// # fn main() -> Result<(), meniscus::Error> {
/// let scene = meniscus::load("tank.toml")?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::File`] with each problem at its file, line and column.
pub fn load(path: impl AsRef<Path>) -> Result<Scene, Error> {
    let path = path.as_ref().to_string_lossy();
    Ok(load_scene(&path, &LoadOptions::default())?.scene)
}
