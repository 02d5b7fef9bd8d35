//! Names of tests that follow from a folder or a table.

use std::{fs, path::Path};

/// Compares a file of `tests/tests/suite/` with a call of a macro that has all these names, and writes it anew where they differ:
/// a test has to be there when the tests are compiled, and no build should follow from an edited scene.
///
/// # Panics
/// If the file had other names, or cannot be written.
pub fn written(file: &str, macro_name: &str, names: impl IntoIterator<Item = impl AsRef<str>>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(file);
    let lines: String = names.into_iter().map(|name| format!("    {}\n", name.as_ref())).collect();
    let text = format!("{macro_name}! {{\n{lines}}}\n");
    if fs::read_to_string(&path).unwrap_or_default() != text {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{file}: {error}"));
        panic!(
            "tests/tests/suite/{file} had other names, and is written anew: run the tests again"
        );
    }
}
