//! What a program with the library prints without being asked.

use std::process::Command;

#[test]
fn nothing_is_printed_without_a_display() {
    // As on a machine without a display, without the environment that Cargo sets in this workspace.
    let mut program = Command::new(env!("CARGO_BIN_EXE_load"));
    program.env_remove("NODEVICE_SELECT").env_remove("XDG_RUNTIME_DIR");
    let output = program.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && std::env::var("MENISCUS_GPU").as_deref() != Ok("require") {
        assert!(text.contains("NoAdapter"), "{text}");
        eprintln!("SKIPPED: {text}");
        return;
    }
    assert!(output.status.success() && text.is_empty(), "{text}");
}
