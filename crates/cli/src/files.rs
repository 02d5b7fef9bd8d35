//! Folders and small files, with error messages.

use std::{fs, path::Path};

use serde::Serialize;

use crate::Failure;

/// Creates a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot("create the folder", folder, &error))
}

/// Creates the folder of a file.
pub(crate) fn create_parent(file: &Path) -> Result<(), Failure> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => create_folder(folder),
        _ => Ok(()),
    }
}

/// Writes a file atomically, and creates its folder.
pub(crate) fn write(file: &Path, contents: &str) -> Result<(), Failure> {
    create_parent(file)?;
    let written = meniscus_formats::write_whole(file, |file| file.write_all(contents.as_bytes()));
    written.map_err(|error| Failure::Failed(error.to_string()))
}

/// Writes a value as JSON.
pub(crate) fn write_json(file: &Path, value: &impl Serialize) -> Result<(), Failure> {
    // Structs of strings and finite numbers always serialise to JSON.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    write(file, &(text + "\n"))
}

/// Error such as “cannot write FILE: reason”.
pub(crate) fn cannot(verb: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("cannot {verb} {}: {error}", path.display()))
}
