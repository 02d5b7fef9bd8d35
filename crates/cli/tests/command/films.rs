//! Films that are interrupted.

use std::{
    io::{BufRead, BufReader, Read},
    process::Command,
    process::Stdio,
    time::Duration,
};

use image::{AnimationDecoder, codecs::gif::GifDecoder};

use crate::support::{bytes, folder, gpu, meniscus, names, refuse, run as run_command, succeed};

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
        assert_eq!(names(folder.path()), [film.to_owned(), format!("{film}.checkpoint")]);
        let expected: &[u8] = if film.ends_with("gif") { b"GIF" } else { b"ftyp" };
        assert_eq!(&bytes(folder.path().join(film))[start.start..start.end], expected, "{film}");
    }
}

/// A command that is interrupted while it prepares its first frame says so, and leaves nothing half written.
#[cfg(unix)]
#[test]
fn an_interrupt_before_the_first_frame_says_so() {
    if !gpu() {
        return;
    }
    for (signal, arguments) in [
        ("-INT", &["render", "dam_break", "--out", "film.mp4"][..]),
        ("-TERM", &["render", "dam_break", "--out", "film.webp"]),
        ("-INT", &["render", "dam_break", "--out", "last.png"]),
        ("-TERM", &["run", "dam_break", "--usd", "film.usdc", "--checkpoint", "c"]),
    ] {
        let folder = folder();
        let mut process = meniscus(folder.path(), arguments)
            .args(["--set", "particle_radius=0.1", "--until", "60"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        // The first line names the adapter, before shaders are compiled for it.
        let mut said = BufReader::new(process.stderr.take().expect("a pipe"));
        let mut text = String::new();
        said.read_line(&mut text).expect("UTF-8");
        let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
        said.read_to_string(&mut text).expect("UTF-8");
        let status = process.wait().expect("it ends");
        assert!(status.code().is_some_and(|code| code != 0), "{status}: {text}");
        assert!(text.contains("error: interrupted "), "{text}");
        let torn = |name: &String| name.contains(".partial");
        assert!(!names(folder.path()).iter().any(torn), "{:?}", names(folder.path()));
        if text.contains("interrupted before anything was written") {
            assert_eq!(names(folder.path()), [""; 0], "{text}");
        }
    }
}

/// A film of 250 particles, 13 images long.
fn film(out: &str) -> Vec<&str> {
    until(out, "0.2")
}

fn until<'a>(out: &'a str, end: &'a str) -> Vec<&'a str> {
    let head =
        ["render", "dam_break", "--set", "particle_radius=0.1", "--size", "96x64", "--quiet"];
    [&head[..], &["--until", end, "--out", out]].concat()
}

#[test]
fn an_interrupted_film_goes_on_to_the_same_images() {
    if !gpu() {
        return;
    }
    for (name, has_checkpoint) in [
        ("film", true),
        ("film.gif", true),
        ("film.gif", false),
        ("film.mp4", true),
        ("film.webp", true),
    ] {
        let [whole, halves] = [folder(), folder()];
        succeed(whole.path(), &film(name));
        // A film of the first images and a checkpoint of the last of them, as an interruption leaves them.
        succeed(halves.path(), &until(name, "0.1"));
        let run = ["run", "dam_break", "--set", "particle_radius=0.1", "--until", "0.1", "--quiet"];
        let checkpoint = format!("{name}.checkpoint");
        if has_checkpoint {
            succeed(halves.path(), &[&run[..], &["--checkpoint", &checkpoint]].concat());
        }
        let (status, text) =
            run_command(halves.path(), &[&film(name)[..], &["--continue"]].concat());
        assert_eq!(status, Some(0), "{text}");
        assert_eq!(text.contains("is simulated again, but not drawn"), !has_checkpoint, "{text}");
        let left = names(halves.path());
        assert_eq!(left, names(whole.path()), "{name}: no checkpoint is left");
        let images = |folder: &tempfile::TempDir| -> Vec<Vec<u8>> {
            let path = folder.path().join(&left[0]);
            if path.is_dir() {
                return names(&path).iter().map(|name| bytes(path.join(name))).collect();
            }
            if name.ends_with("gif") {
                // Palettes may be in another order.
                let file = std::io::Cursor::new(bytes(path));
                let frames = GifDecoder::new(file).expect("a GIF").into_frames();
                return frames
                    .map(|frame| frame.expect("whole").into_buffer().into_raw())
                    .collect();
            }
            let format = meniscus_formats::VideoFormat::of(&path).expect("a film");
            let count = meniscus_formats::Video::images_of(&path, format);
            vec![vec![count.expect("a film") as u8]]
        };
        assert!(images(&whole) == images(&halves), "{name} {has_checkpoint}");
        let (status, text) =
            run_command(halves.path(), &[&film(name)[..], &["--continue"]].concat());
        assert!(status == Some(0) && text.contains("it has all 13 images"), "{name}: {text}");
    }
    let folder = folder();
    refuse(folder.path(), &[&film("a.png")[..], &["--continue"]].concat(), 2, &["only a film"]);
}
