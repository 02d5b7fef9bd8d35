//! Tests of the window on a virtual display (Xvfb) with real input events (xdotool), checked
//! against the pixels on the screen.
//!
//! They are skipped with a message if Xvfb, xdotool or an adapter is missing, unless
//! `MENISCUS_WINDOW=require` is set.

#![cfg(target_os = "linux")]

mod display;

use std::{
    fs,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use display::{Display, Picture};

/// Size of the window and of the display in pixels.
const SIZE: (u32, u32) = (860, 600);
/// Region of the picture right of the controls and below the status.
const WATER: [u32; 4] = [340, 90, 840, 580];
/// Longest wait for each step of a test: software Vulkan on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// Skips the test, or fails if skipping is not allowed.
fn skip(why: &str) {
    let required = std::env::var("MENISCUS_WINDOW").is_ok_and(|value| value == "require");
    assert!(!required, "MENISCUS_WINDOW=require, but {why}");
    eprintln!("skipped: {why}");
}

fn demo(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_demos"));
    command
        .env_remove("WAYLAND_DISPLAY")
        .env("NODEVICE_SELECT", "1")
        .arg("--out")
        .arg(folder)
        .stdin(Stdio::null());
    command
}

/// A process that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().expect("its status can be asked for")
    }
}

/// A window on a display.
struct Session {
    display: Display,
    running: Running,
    folder: tempfile::TempDir,
}

impl Session {
    /// Waits until the screen is as expected.
    fn wait(&mut self, what: &str, as_expected: impl Fn(&Picture) -> bool) -> Picture {
        let begin = Instant::now();
        loop {
            let picture = self.display.picture();
            if as_expected(&picture) {
                return picture;
            }
            let ended = self.running.ended();
            if ended.is_some() || begin.elapsed() > PATIENCE {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window_test.png");
                let saved = picture.save(&file);
                panic!("{what}: not seen ({saved}; ended: {ended:?})");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the picture has not changed for a while.
    fn rest(&mut self, what: &str) -> Picture {
        let begin = Instant::now();
        let mut last = self.display.picture();
        let mut since = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let now = self.display.picture();
            if now.changed(&last, WATER) > 0 {
                (last, since) = (now, Instant::now());
            }
            if since.elapsed() > Duration::from_millis(800) {
                return last;
            }
            assert!(begin.elapsed() < PATIENCE, "{what}: the picture never came to rest");
        }
    }
}

/// Much more blue than red, unlike the floor, the sky and the panels.
fn is_water([r, g, b]: [u8; 3]) -> bool {
    b > 90 && i32::from(b) - i32::from(r) > 60 && g < 150
}

/// Colour of bodies in the light, which is warmer than the floor.
fn is_wood([r, g, b]: [u8; 3]) -> bool {
    i32::from(r) - i32::from(b) > 15 && g > 90
}

fn water(picture: &Picture) -> u32 {
    picture.count(WATER, is_water)
}

/// Number of pixels in the panels' colour.
fn panel(picture: &Picture, region: [u32; 4]) -> u32 {
    let near = |a: u8, b: u8| a.abs_diff(b) < 6;
    picture.count(region, |[r, g, b]| near(r, 24) && near(g, 27) && near(b, 32))
}

/// Opens the window with water at rest: without gravity it moves only where it is dragged.
fn open() -> Option<Session> {
    let walls = "boundary.0.response.reflect={}";
    let still = [
        "--solver",
        "muller",
        "--set",
        "gravity=[0,0,0]",
        "--set",
        "muller.sound_speed=20",
        "--set",
        walls,
    ];
    // Whole spacings: rows that were stretched to fit would push each other apart.
    let spacing = ["dam_break", "--set", "particle_radius=0.0625"];
    open_with(&[&spacing[..], &still[..]].concat(), 2000, water)
}

/// Opens the window and waits until `shown` reaches `enough` pixels.
fn open_with(arguments: &[&str], enough: u32, shown: impl Fn(&Picture) -> u32) -> Option<Session> {
    for tool in ["Xvfb", "xdotool"] {
        if Command::new(tool)
            .arg("-help")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_err()
        {
            skip(&format!("{tool} is not installed"));
            return None;
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let display = match Display::start(SIZE, folder.path()) {
        Ok(display) => display,
        Err(error) => {
            skip(&format!("Xvfb did not start: {error}"));
            return None;
        }
    };
    let log = fs::File::create(folder.path().join("log")).expect("a log");
    let child = demo(folder.path())
        .args(arguments)
        .args(["--size", &format!("{}x{}", SIZE.0, SIZE.1)])
        .env("DISPLAY", display.name())
        .stderr(log)
        .spawn()
        .expect("the demo starts");
    let mut session = Session { display, running: Running(child), folder };
    let begin = Instant::now();
    while shown(&session.display.picture()) < enough {
        if let Some(status) = session.running.ended() {
            let log = fs::read_to_string(session.folder.path().join("log")).unwrap_or_default();
            assert_eq!(status.code(), Some(3), "it ended with {status}: {log}");
            skip(&format!("there is no adapter for a window: {log}"));
            return None;
        }
        if begin.elapsed() > PATIENCE {
            session.wait("the scene", |picture| shown(picture) >= enough);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(session)
}

#[test]
fn the_window_shows_water_and_reacts_to_mouse_and_keys() {
    let Some(mut session) = open() else { return };
    let display = session.display.clone_name();
    display.focus("^meniscus");

    // The water rests without gravity. Then the hand pulls its upper end to the right.
    let before = session.rest("floating water");
    let [x, y] = before.middle(WATER, is_water);
    display.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    display.xdotool(&["mousedown", "1"]);
    session.wait("the hand's ring", |picture| picture.changed(&before, around([x, y], 9)) > 0);
    for k in 1..=8 {
        let to = [x + 8 * k, y - 6 * k];
        display.xdotool(&["mousemove", &to[0].to_string(), &to[1].to_string()]);
        std::thread::sleep(Duration::from_millis(60));
    }
    // Pixels that become water and pixels that stop being water both count.
    let moved = session
        .wait("water that follows the hand", |picture| picture.changed(&before, WATER) > 6000);
    display.xdotool(&["mouseup", "1"]);
    assert!(water(&moved) > 1000, "there is still water");

    // Paused water stands still; only keys change how it is drawn.
    display.xdotool(&["key", "space"]);
    let paused = session.rest("paused water");
    let mut last = session.rest("paused water");
    for (key, mode) in [("2", "splats"), ("3", "the surface"), ("4", "screen space")] {
        display.xdotool(&["key", key]);
        session.wait(mode, |picture| picture.changed(&last, WATER) > 1000);
        last = session.rest(mode);
    }
    display.xdotool(&["key", "1"]);
    session.wait("the first mode again", |picture| picture.changed(&paused, WATER) < 400);

    // The camera turns.
    let at = [WATER[0] + 60, WATER[3] - 60];
    display.xdotool(&["mousemove", &at[0].to_string(), &at[1].to_string(), "mousedown", "3"]);
    std::thread::sleep(Duration::from_millis(300));
    display.xdotool(&["mousemove", &(at[0] + 150).to_string(), &at[1].to_string()]);
    session.wait("a turned view", |picture| picture.changed(&paused, WATER) > 20_000);
    display.xdotool(&["mouseup", "3"]);

    // Panels open and close.
    let bottom = [340, SIZE.1 - 40, SIZE.0 - 10, SIZE.1 - 4];
    display.xdotool(&["key", "p"]);
    session.wait("the profiler", |picture| panel(picture, bottom) > 3000);
    display.xdotool(&["key", "p"]);
    session.wait("no profiler", |picture| panel(picture, bottom) == 0);
    let calm = session.rest("the picture before the help");
    display.xdotool(&["key", "F1"]);
    session.wait("the help", |picture| picture.changed(&calm, WATER) > 20_000);
    display.xdotool(&["key", "F1"]);
    session.wait("no help", |picture| picture.changed(&calm, WATER) < 400);
    let left = [4, 300, 300, 500];
    assert!(panel(&session.display.picture(), left) > 3000, "the controls are there");
    display.xdotool(&["key", "h"]);
    session.wait("no controls", |picture| panel(picture, left) == 0);

    // The window is resized while the water moves, and continues.
    display.xdotool(&["key", "space"]);
    let window = display.xdotool(&["getwindowfocus"]);
    display.xdotool(&["windowsize", &window, "640", "400"]);
    let beyond = [660, 420, SIZE.0 - 4, SIZE.1 - 4];
    let black = |[r, g, b]: [u8; 3]| r.max(g).max(b) < 8;
    session.wait("a smaller window", |picture| {
        picture.count(beyond, black) > 30_000 && picture.count([4, 80, 630, 390], is_water) > 500
    });

    // A screenshot contains the water without the interface.
    display.xdotool(&["key", "F12"]);
    let file = session.folder.path().join("meniscus_0001.png");
    session.wait("a screenshot", |_| file.exists());
    let shot = image::open(&file).expect("a whole PNG").to_rgb8();
    let blue = |pixel: &&image::Rgb<u8>| is_water(pixel.0);
    assert!(shot.pixels().filter(blue).count() > 500, "the screenshot has water");

    // Ctrl Q closes the window.
    display.xdotool(&["key", "ctrl+q"]);
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = session.running.ended() {
            break status;
        }
        assert!(begin.elapsed() < PATIENCE, "it does not close");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.success(), "{status}");
    let log = fs::read_to_string(session.folder.path().join("log")).unwrap_or_default();
    assert!(!log.contains("lost"), "{log}");
}

#[test]
fn a_body_follows_the_mouse_until_it_is_let_go() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = folder.path().join("box.toml");
    // A box floating in a room; a scene must have some fluid.
    let text = r#"
solver = "wcsph"
particle_radius = 0.05
gravity = [0.0, 0.0, 0.0]
time.max_step = 0.004
wcsph.sound_speed = 20.0
material = [{ name = "water" }]
fluid = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.2, 0.2] } }]
boundary = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [2.0, 2.0, 2.0] }, response.reflect = {} }]
body = [{ shape.box = { min = [0.8, 0.8, 0.8], max = [1.2, 1.2, 1.2] }, density = 500.0 }]
"#;
    fs::write(&scene, text).expect("written");
    let path = scene.to_string_lossy().into_owned();
    let Some(mut session) = open_with(&[&path], 1000, |p| p.count(WATER, is_wood)) else { return };
    let display = session.display.clone_name();
    display.focus("^meniscus");
    let before = session.rest("a box at rest");
    let start = before.middle(WATER, is_wood);
    let goal = [start[0] + 120, start[1] - 40];
    let to = |[x, y]: [u32; 2]| {
        display.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
        std::thread::sleep(Duration::from_millis(300));
    };
    to(start);
    display.xdotool(&["mousedown", "1"]);
    to([start[0] + 60, start[1] - 20]);
    to(goal);
    // The box turns on the way and is seen in perspective: allow half of its width.
    let near = |picture: &Picture| {
        let [x, y] = picture.middle(WATER, is_wood);
        x.abs_diff(goal[0]) < 40 && y.abs_diff(goal[1]) < 40
    };
    session.wait("a box under the cursor", near);
    display.xdotool(&["mouseup", "1"]);
    to(start);
    std::thread::sleep(Duration::from_millis(700));
    let [x, _] = session.display.picture().middle(WATER, is_wood);
    assert!(x > start[0] + 60, "it came back without being held: {x}");
}

/// A square around a point.
fn around([x, y]: [u32; 2], reach: u32) -> [u32; 4] {
    [x.saturating_sub(reach), y.saturating_sub(reach), x + reach, y + reach]
}

#[test]
fn without_a_display_it_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = demo(folder.path()).env_remove("DISPLAY").output().expect("the demo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.starts_with("error: there is no display") && said.contains("`meniscus render"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn wrong_input_is_said_with_its_place_before_a_window_opens() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = folder.path().join("scene.toml");
    fs::write(&scene, "particle_radius = 0.1\ngravitty = [0, 0, 0]\n").expect("written");
    let output = demo(folder.path()).env_remove("DISPLAY").arg(&scene).output();
    let output = output.expect("the demo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("scene.toml:2:1: "), "{said}");
    let color = ["dam_break", "--solver", "muller", "--color", "compression"];
    let output = demo(folder.path()).env_remove("DISPLAY").args(color).output();
    let output = output.expect("the demo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--color: unknown quantity `compression`; this scene has: "), "{said}");
}
