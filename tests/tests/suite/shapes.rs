//! A shape is named only in its own files and in one list.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use meniscus_model::geometry::Shape;

/// Other files that name shapes, and the reasons.
const OTHERS: &[(&str, &str)] = &[
    ("crates/geometry/src/shape.rs", "the list"),
    ("wgsl/shapes/polygon.wgsl", "a polygon is the mesh of a prism"),
    ("crates/reference/src/solid.rs", "the twin has its own formulas"),
    ("crates/formats/src/splishsplash.rs", "an importer turns another format's shapes into these"),
    ("crates/formats/src/splishsplash/body.rs", "an importer"),
    ("crates/formats/src/solids.rs", "reads the files of meshes and points"),
    ("crates/formats/src/load.rs", "makes the paths of these files whole"),
    ("crates/methods/src/liquid/mod.rs", "warns of boxes whose sides do not lie on faces of cells"),
    ("crates/formats/src/scene_toml.rs", "hashes the content of these files"),
];

#[test]
fn a_shape_is_named_in_its_own_files_and_the_list_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = sources(&root);
    assert!(sources.len() > 150, "{} files: is that all?", sources.len());
    for kind in Shape::KINDS {
        let key = kind.key;
        let variant = format!("Shape::{}{}", key[..1].to_uppercase(), &key[1..]);
        let names = [
            variant,
            format!("SHAPE_{}", key.to_uppercase()),
            format!("{key}_outside"),
            format!("{key}_wall"),
        ];
        let mut own = vec![format!("crates/geometry/src/shape/{key}.rs")];
        if kind.is_solid {
            own.push(format!("wgsl/shapes/{key}.wgsl"));
        }
        for file in &own {
            assert!(root.join(file).is_file(), "{file} is missing");
        }
        let allowed: BTreeSet<&str> =
            own.iter().map(String::as_str).chain(OTHERS.iter().map(|(file, _)| *file)).collect();
        for (file, text) in &sources {
            let found = names.iter().find(|name| is_word(text, name));
            let stray = found.filter(|_| !allowed.contains(file.as_str()));
            assert_eq!(stray, None, "{file} names a shape");
        }
    }
}

/// Shaders and the sources of programs and libraries, without their comments and tests.
fn sources(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["wgsl", "demos/src", "tools/src", "tools/lab/src"].map(PathBuf::from).into();
    for entry in fs::read_dir(root.join("crates")).expect("there are crates").flatten() {
        folders.push(Path::new("crates").join(entry.file_name()).join("src"));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if root.join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl") {
                let text = fs::read_to_string(root.join(&path)).expect("text");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
                let name = path.to_string_lossy().replace('\\', "/");
                files.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    files
}

/// Whether a text contains a name as a whole word.
fn is_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].chars().next();
        !text[..at].ends_with(part) && !after.is_some_and(part)
    })
}
