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

/// Removes the files of frames after `last` from a folder, of those that are named as `first`, the file of frame 0, is:
/// `NAME_00000.EXTENSION`. Returns their paths, in order.
pub(crate) fn remove_later(folder: &Path, first: &str, last: u32) -> Result<Vec<String>, Failure> {
    let Some((begin, end)) = first.split_once("00000") else { return Ok(Vec::new()) };
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let frame = |name: &str| -> Option<u32> {
        let digits = name.strip_prefix(begin)?.strip_suffix(end)?;
        let is_number = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut later: Vec<_> = names
        .filter_map(|name| Some((frame(&name).filter(|frame| *frame > last)?, name)))
        .collect();
    later.sort();
    let mut removed = Vec::new();
    for (_, name) in later {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| cannot("remove", &path, &error))?;
        removed.push(path.display().to_string());
    }
    Ok(removed)
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
