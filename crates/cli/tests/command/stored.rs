//! Pictures of what a run has left.

use std::{fs, path::Path};

use crate::support::{bytes, folder, gpu, names, refuse, run, succeed};

/// A run of 250 particles with two frames, and where its files are.
fn files(folder: &Path, options: &[&str]) {
    let head =
        ["run", "dam_break", "--set", "particle_radius=0.1", "--until", "0.04", "--fps", "50"];
    succeed(folder, &[&head[..], &["--quiet", "--out", "out"], options].concat());
}

const SIZE: [&str; 2] = ["--size", "96x64"];

fn picture(folder: &Path, from: &str, more: &[&str]) -> Vec<u8> {
    let arguments = [&["render", from, "--out", "a.png", "--quiet"], &SIZE[..], more].concat();
    succeed(folder, &arguments);
    bytes(folder.join("a.png"))
}

#[test]
fn files_are_drawn_without_simulating_again() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    let scene = ["--set", "particle_radius=0.1", "--until", "0.04", "--fps", "50"];
    let expected = picture(at, "dam_break", &[&scene[..], &["--view", "particles"]].concat());
    for format in ["ply", "vtk", "csv", "bgeo"] {
        files(at, &["--particles", format]);
        let found = picture(at, "out", &["--view", "particles"]);
        assert!(found == expected, "{format}: another picture than that of the simulation");
        fs::remove_dir_all(at.join("out")).expect("removed");
    }
    for format in ["ply", "obj", "glb", "vtk"] {
        files(at, &["--surface", format]);
        let (first, last) = (picture(at, "out", &["--until", "0"]), picture(at, "out", &[]));
        assert!(first != last, "{format}: nothing moves");
        let side = picture(at, "out", &["--eye", "4,1,1", "--target", "0,0.5,0"]);
        assert!(side != last, "{format}: from another place");
        succeed(at, &[&["render", "out", "--out", "film", "--fps", "25"], &SIZE[..]].concat());
        assert_eq!(names(at.join("film")), ["frame_00000.png", "frame_00001.png"], "{format}");
        fs::remove_dir_all(at.join("out")).expect("removed");
    }
}

#[test]
fn a_checkpoint_is_drawn_and_goes_on() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    files(at, &["--checkpoint", "a.checkpoint"]);
    let scene = ["--set", "particle_radius=0.1", "--fps", "50", "--until"];
    for (until, own) in [("0.04", &[][..]), ("0.08", &["--until", "0.08"])] {
        let expected = picture(at, "dam_break", &[&scene[..], &[until]].concat());
        assert!(picture(at, "a.checkpoint", own) == expected, "{until}");
    }
    let arguments = [&["render", "a.checkpoint", "--out", "b.gif", "--until", "0.02"], &SIZE[..]];
    refuse(at, &arguments.concat(), 2, &["written at 0.04 s, after the end at 0.02 s"]);
}

#[test]
fn what_is_no_run_is_refused_by_name() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    fs::create_dir(at.join("empty")).expect("a folder");
    let render = |from: &str, status: i32, more: &[&str], parts: &[&str]| {
        let arguments = [&["render", from, "--out", "a.png"], &SIZE[..], more].concat();
        refuse(at, &arguments, status, parts);
    };
    render("empty", 2, &[], &["empty: expected the scene of its run, run.toml", "--scene"]);
    render(
        "empty",
        2,
        &["--scene", "dam_break"],
        &["empty: expected files of a run", "found none"],
    );
    render("dam_break", 2, &["--scene", "dam_break"], &["--scene: dam_break is a scene itself"]);

    files(at, &["--particles", "ply", "--checkpoint", "a.checkpoint"]);
    let ply = at.join("out/particles_00001.ply");
    let whole = bytes(&ply);
    fs::write(&ply, &whole[..whole.len() / 2]).expect("written");
    render("out", 2, &["--until", "0.02"], &["particles_00001.ply: it is cut off: expected 250"]);
    fs::remove_file(&ply).expect("removed");
    render("out", 2, &[], &["out/particles_00001.ply: this frame is missing", "up to 2"]);
    fs::write(&ply, &whole).expect("written");
    render("out", 2, &["--fps", "40"], &["--fps 40: the files have 50 frames per second"]);
    render("out", 2, &["--until", "3"], &["--until: the files are of 0 to 0.04 s"]);
    let color = ["--view", "particles", "--color", "pressure"];
    render("out", 2, &color, &["--color pressure", "--particle-quantities pressure"]);

    files(at, &["--particles", "vtk"]);
    let parts = ["found 3 files as particles_00000.ply and 3 files as particles_00000.vtp"];
    render("out", 2, &[], &parts);
    picture(at, "out/particles_00000.vtp", &[]);

    fs::remove_dir_all(at.join("out")).expect("removed");
    files(at, &["--surface", "glb"]);
    render("out", 2, &["--view", "particles"], &["--view particles: it needs particles"]);
    render("out", 2, &["--surface-smoothing", "3"], &["--surface-smoothing"]);
    let (_, text) =
        run(at, &["render", "a.checkpoint", "--out", "a.png", "--set", "gravity=[0,0,0]"]);
    assert!(text.contains("gravity"), "{text}");
}

#[test]
fn a_scene_of_the_users_in_the_folder_stays() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    fs::create_dir(at.join("out")).expect("a folder");
    fs::write(at.join("out/run.toml"), "mine").expect("written");
    files(at, &["--particles", "ply"]);
    assert_eq!(bytes(at.join("out/run.toml")), b"mine");
    let scene = ["--scene", "dam_break", "--set", "particle_radius=0.1", "--set", "time.fps=50"];
    picture(at, "out", &scene);
}

#[test]
fn light_and_a_camera_that_flies_change_pictures() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let at = folder.path();
    files(at, &["--particles", "ply"]);
    let usual = picture(at, "out", &[]);
    for light in [
        &["--sun", "-1,1,0"][..],
        &["--sunlight", "0"],
        &["--sky", "2"],
        &["--background", "#204060"],
        &["--no-floor"],
    ] {
        assert!(picture(at, "out", light) != usual, "{light:?}");
    }
    let image = image::load_from_memory(&picture(at, "out", &["--background", "#204060"]));
    let corner = image.expect("a picture").to_rgb8()[(0, 0)].0;
    let expected = [0x20, 0x40, 0x60];
    assert!((0..3).all(|k| i32::abs(i32::from(corner[k]) - expected[k]) <= 1), "{corner:?}");

    // Left of the picture's middle the image is red, right of it blue; turned to the left, it is blue on both sides. A warning
    // says that it is not twice as wide as high, and a colour replaces it.
    let halves = image::RgbImage::from_fn(8, 8, |x, _| {
        if x < 4 { [200, 40, 40] } else { [40, 40, 200] }.into()
    });
    halves.save(at.join("sky.png")).expect("an image");
    let camera = ["--eye", "0,3,4", "--target", "0,3.5,0", "--sky-image", "sky.png"];
    let corners = |more: &[&str]| {
        let picture = image::load_from_memory(&picture(at, "out", &[&camera[..], more].concat()));
        let picture = picture.expect("a picture").to_rgb8();
        [0, 95].map(|x| picture[(x, 0)].0).map(|[r, _, b]| if r > b { 'r' } else { 'b' })
    };
    assert_eq!(corners(&[]), ['r', 'b']);
    assert_eq!(corners(&["--sky-rotation", "90"]), ['b', 'b']);
    let arguments = ["render", "out", "--out", "a.png", "--sky-image", "sky.png"];
    refuse(at, &[&arguments[..], &SIZE].concat(), 0, &["sky.png\" is 1.00 times as wide as high"]);
    let scene = format!("light.sky_image={:?}", at.join("sky.png").display().to_string());
    let colored = picture(at, "out", &["--set", &scene, "--background", "#204060"]);
    assert!(colored == picture(at, "out", &["--background", "#204060"]));

    let key = |time: f64, x: f64| {
        format!("{{ time = {time:?}, position = [{x:?}, 1.0, 4.0], target = [0.5, 0.5, 0.0] }}")
    };
    let keys = format!("camera.key=[{}, {}]", key(0.0, -2.0), key(0.04, 2.0));
    let at_end = picture(at, "out", &["--set", &keys]);
    assert!(at_end == picture(at, "out", &["--eye", "2,1,4", "--target", "0.5,0.5,0"]));
    let between = picture(at, "out", &["--set", &keys, "--until", "0.02"]);
    let still = ["--until", "0.02", "--eye", "0,1,4", "--target", "0.5,0.5,0"];
    assert!(between == picture(at, "out", &still));

    let render = |set: &str, part: &str| {
        let arguments = ["render", "out", "--out", "a.png", "--set", set];
        refuse(at, &arguments, 2, &[part]);
    };
    render("light.sun=[1, 0, 0]", "the sun must stand 6 degrees above the floor or more, not 0");
    render("light.background=\"blue\"", "\"blue\" is no colour");
    let wrong = format!("camera.key=[{}, {}]", key(1.0, 0.0), key(1.0, 1.0));
    render(&wrong, "must be later than that of the key before, 1 s");
}
