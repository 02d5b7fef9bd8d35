//! Rules for the source code that the compiler does not check.

use std::{collections::BTreeSet, fs, path::Path};

use meniscus_model::methods::{Axis, Registry};

/// Folders of methods' own files and of test code.
const OWN: [&str; 5] = [
    "crates/methods/src/sph",
    "crates/methods/src/viscosity",
    "crates/methods/src/tension",
    "crates/reference",
    "tests",
];

/// Rust files below a folder, except tests.
fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        let own = OWN.iter().any(|own| path.ends_with(own));
        if path.is_dir() && !own && path.file_name().is_none_or(|name| name != "target") {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Code of a file, without comments, tests at its end, and names of kernels.
fn code(text: &str) -> String {
    let before = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = before.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.filter(|line| !line.contains("Kernel::")).collect::<Vec<_>>().join("\n")
}

fn names(code: &str, method: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_word(c)).any(|word| word == method)
}

#[test]
fn at_most_three_files_name_a_solver_besides_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    for folder in ["crates", "demos", "examples", "python", "tools"] {
        rust_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{} files", files.len());
    let all: Vec<_> =
        files.iter().map(|path| (path, code(&fs::read_to_string(path).unwrap()))).collect();
    for method in Registry::standard().of(Axis::Solver) {
        let naming: BTreeSet<_> = all
            .iter()
            .filter(|(_, code)| names(code, method.name))
            .map(|(path, _)| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        assert!(!naming.is_empty(), "nothing names {}: is it still in the registry?", method.name);
        assert!(naming.len() <= 3, "{} is named in {naming:?}", method.name);
    }
}

#[test]
fn no_code_besides_the_methods_asks_for_a_family_by_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    for folder in ["crates", "demos", "examples", "python", "tools", "web"] {
        rust_files(&root.join(folder), &mut files);
    }
    let methods = root.join("crates/methods");
    for path in files.iter().filter(|path| !path.starts_with(&methods)) {
        let code = code(&fs::read_to_string(path).unwrap());
        for name in ["FAMILY", "Family::"] {
            assert!(!code.contains(name), "{} asks for {name}: ask for a property", path.display());
        }
    }
}

#[test]
fn a_material_is_its_file_and_a_line_of_the_registry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut files = Vec::new();
    for folder in ["crates", "demos", "examples", "python", "tools", "web"] {
        rust_files(&root.join(folder), &mut files);
    }
    // Water is a word of many places.
    for model in Registry::standard().models().iter().skip(1) {
        let naming: BTreeSet<_> = files
            .iter()
            .filter(|path| names(&code(&fs::read_to_string(path).unwrap()), model.name))
            .map(|path| path.strip_prefix(root).unwrap().display().to_string())
            .collect();
        let own = format!("crates/methods/src/mpm/materials/{}.rs", model.name);
        let places = [
            own.as_str(),
            "crates/methods/src/mpm/materials/mod.rs",
            "crates/methods/src/registry.rs",
        ];
        let others: Vec<_> =
            naming.iter().filter(|name| !places.contains(&name.as_str())).collect();
        assert!(
            naming.contains(&own) && others.is_empty(),
            "{} is named in {others:?}",
            model.name
        );
    }
}

#[test]
fn code_is_what_is_left_without_comments_and_tests() {
    let text =
        "//! muller\nlet a = 1; // muller\nlet b = \"muller\";\n#[cfg(test)]\nmod muller {}\n";
    assert_eq!(code(text).matches("muller").count(), 1);
    assert!(names("run(\"muller/pressure\")", "muller") && !names("viscosity_muller", "muller"));
}
