//! The add-on for Blender, in a Python with Blender as a module (`pip install bpy`).

use std::{path::Path, process::Command};

use crate::support::{folder, gpu};

#[test]
fn the_add_on_simulates_and_loads_what_it_gets() {
    if !gpu() {
        return;
    }
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import bpy"]).is_ok_and(|output| output.status.success()) {
        eprintln!(
            "SKIPPED: python3 has no bpy (pip install bpy); the add-on for Blender is not run"
        );
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../blender/test_addon.py");
    let (folder, script) = (folder(), script.display().to_string());
    let out = folder.path().join("out").display().to_string();
    let output = python(&[&script, env!("CARGO_BIN_EXE_meniscus"), &out]).expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("the add-on works"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
