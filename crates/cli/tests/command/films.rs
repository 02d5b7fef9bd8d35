//! Films that are interrupted.

use std::{process::Command, process::Stdio, time::Duration};

use crate::support::{bytes, folder, gpu, meniscus, names};

#[test]
fn an_interrupted_film_has_the_images_until_then() {
    if !gpu() {
        return;
    }
    for (film, signal, start) in [("film.gif", "-TERM", 0..3), ("film.mp4", "-INT", 4..8)] {
        let folder = folder();
        let arguments = [
            "render",
            "dam_break",
            "--set",
            "particle_radius=0.1",
            "--size",
            "96x64",
            "--until",
            "60",
        ];
        let mut command = meniscus(folder.path(), &arguments);
        let process =
            command.args(["--out", film]).stderr(Stdio::piped()).spawn().expect("it starts");
        // An encoder may keep its first images for itself.
        let has_begun = || !names(folder.path()).is_empty();
        while !has_begun() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
        let output = process.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("interrupted at ") && text.contains(" images until then"), "{text}");
        if text.contains("needs ffmpeg") {
            continue;
        }
        assert_eq!(names(folder.path()), [film]);
        let expected: &[u8] = if film.ends_with("gif") { b"GIF" } else { b"ftyp" };
        assert_eq!(&bytes(folder.path().join(film))[start.start..start.end], expected, "{film}");
    }
}
