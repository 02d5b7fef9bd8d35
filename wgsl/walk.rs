//! The shader files of a folder, for the build script, for the feature `disk`, and for the test that
//! compares them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Name (path below `root` without extension) and path of every `.wgsl` file, sorted by name.
pub(crate) fn shaders(root: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "wgsl") {
                let name = path.strip_prefix(root).expect("below root").with_extension("");
                found.push((name.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A shader's text without comments and indentation, which programs do not need; lines keep their numbers.
#[allow(dead_code, reason = "not by the feature `disk`")]
pub(crate) fn bare(text: &str) -> String {
    let code = |line: &str| {
        let line = line.trim();
        let end = if line.starts_with("//!") {
            line.len()
        } else {
            line.find("//").unwrap_or(line.len())
        };
        line[..end].trim_end().to_owned() + "\n"
    };
    text.lines().map(code).collect()
}
