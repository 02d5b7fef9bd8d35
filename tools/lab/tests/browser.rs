//! Tests of the page in headless Chromium on `SwiftShader`, compared with the command on the same
//! `SwiftShader`.
//!
//! They are skipped with a message if Debian's Chromium is missing, or the page that `lab web`
//! builds is missing or older than its sources, unless `MENISCUS_WEB=require` is set: building the
//! page takes longer than everything else that `cargo verify` does.

#![cfg(target_os = "linux")]

mod chromium;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, SystemTime},
};

use chromium::{Browser, DRIVER, Server, sibling};
use serde_json::Value;

/// Scenes with a solver, a particle radius in m, and a number of frames: 12 of every family, few of
/// every other solver and of what has passes of its own.
const RUNS: [(&str, &str, &str, u32); 10] = [
    ("dam_break", "muller", "0.1", 12),
    ("jelly_splash", "mls_mpm", "0.03", 12),
    ("dam_apic", "apic", "0.05", 12),
    ("dam_pic", "pic", "0.05", 3),
    ("dam_break", "wcsph", "0.08", 3),
    ("dam_break", "pcisph", "0.08", 3),
    ("dam_break", "iisph", "0.08", 3),
    ("dam_break", "dfsph", "0.08", 3),
    ("floating_bodies", "wcsph", "0.07", 5),
    ("mpm_all", "mls_mpm", "0.03", 3),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Browser and server; `None` if there is no browser or no page.
fn start(size: [u32; 2]) -> Option<(Browser, Server)> {
    let page = root().join("target/web/page/meniscus_bg.wasm");
    let built = fs::metadata(&page).and_then(|file| file.modified());
    let sources = ["Cargo.lock", "crates", "wgsl", "web"].map(|name| newest(&root().join(name)));
    let missing = match built {
        _ if !Browser::exists() => "Debian's package chromium is not installed",
        Err(_) => "there is no page: `cargo run --release --bin lab -- web` builds it",
        Ok(built) if sources.into_iter().any(|source| source > built) => {
            "the page is older than its sources: `cargo run --release --bin lab -- web` builds it"
        }
        Ok(_) => return Some((Browser::start(size), Server::start(&root()))),
    };
    let required = std::env::var("MENISCUS_WEB").is_ok_and(|value| value == "require");
    assert!(!required, "MENISCUS_WEB=require, but {missing}");
    eprintln!("skipped: {missing}");
    None
}

/// When the newest file below a path was written.
fn newest(path: &Path) -> SystemTime {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder").flatten();
        // Tests are no part of the page.
        let entries = entries.filter(|entry| entry.file_name() != "tests");
        return entries.map(|entry| newest(&entry.path())).max().unwrap_or(SystemTime::UNIX_EPOCH);
    }
    path.metadata().and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The bytes of a file that the page offers.
fn read(browser: &mut Browser, what: &str) -> Vec<u8> {
    let hex = format!(
        "meniscus.call('read', '{what}').then((bytes) => \
         Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join(''))"
    );
    let hex = browser.value(&hex);
    let hex = hex.as_str().expect("a string");
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("a byte");
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// Runs the command on `SwiftShader`.
fn command(arguments: &[&str]) {
    let mut command = Command::new(sibling("meniscus"));
    command.envs([("VK_DRIVER_FILES", DRIVER), ("VK_ICD_FILENAMES", DRIVER)]);
    command.env("WGPU_BACKEND", "vulkan").args(arguments);
    let output = command.output().expect("the command `meniscus` is built");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
}

#[test]
fn the_browser_has_the_bits_of_the_command() {
    let Some((mut browser, server)) = start([400, 300]) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (scene, solver, radius, frames) in RUNS {
        let name = format!("{scene} by {solver}");
        let query = format!("?scene={scene}&solver={solver}&radius={radius}&paused");
        browser.open(&(server.address.clone() + &query));
        assert_eq!(browser.value("meniscus.scene.source"), scene, "{name}");
        browser.value(&format!("meniscus.call('frames', {frames})"));
        let (particles, report) = (read(&mut browser, "ply"), read(&mut browser, "json"));
        let report: Value = serde_json::from_slice(&report).expect("JSON");

        let out = folder.path().join(&name);
        let [log, out] = [out.join("log.jsonl"), out].map(|path| path.display().to_string());
        let until = frames as f64 / report["frame"].as_f64().expect("a number")
            * report["time"].as_f64().expect("a number");
        let (until, set) = (format!("{until}"), format!("particle_radius={radius}"));
        command(&[
            "run",
            scene,
            "--solver",
            solver,
            "--set",
            &set,
            "--until",
            &until,
            "--out",
            &out,
            "--particles",
            "ply",
            "--log",
            &log,
            "--quiet",
        ]);
        let file = Path::new(&out).join(format!("particles_{frames:05}.ply"));
        let native = fs::read(&file).expect("the command wrote the frame");
        assert!(particles.len() > 32 * 50, "{name}: {} bytes", particles.len());
        // A test of this file alone does not build the command.
        assert!(
            particles == native,
            "{name}: particles differ; is `meniscus` as new as the page (cargo build --release --bin meniscus)?"
        );
        let lines = fs::read_to_string(&log).expect("a log");
        let line: Value = serde_json::from_str(lines.lines().last().expect("lines")).expect("JSON");
        for (key, value) in report.as_object().expect("an object") {
            assert_eq!(&line[key], value, "{name}: {key}");
        }
        assert!(report["kinetic_energy"].as_f64() > Some(0.0), "{name} moves");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_picture_is_the_commands() {
    let size = [480, 300];
    let Some((mut browser, server)) = start(size) else { return };
    browser.open(&(server.address.clone() + "?scene=dam_break&radius=0.06&paused"));
    browser.value("meniscus.set('pixel_scale', 1), meniscus.set('antialias', 1)");
    browser.value("meniscus.call('frames', 2)");
    let picture =
        image::load_from_memory(&read(&mut browser, "png")).expect("a picture").to_rgba8();

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("native.png").display().to_string();
    let [width, height] = size;
    command(&[
        "render",
        "dam_break",
        "--set",
        "particle_radius=0.06",
        "--view",
        "particles",
        "--until",
        "0.0333",
        "--size",
        &format!("{width}x{height}"),
        "--out",
        &path,
        "--quiet",
    ]);
    let native = image::open(path).expect("a picture").to_rgba8();
    assert_eq!(picture.dimensions(), native.dimensions());
    let pairs = picture.as_raw().iter().zip(native.as_raw());
    let away: Vec<_> = pairs.map(|(a, b)| a.abs_diff(*b)).collect();
    // Compilers round differently, which shows at the edges of spheres and tiles.
    let mean = away.iter().map(|a| f64::from(*a)).sum::<f64>() / away.len() as f64;
    let far = away.iter().filter(|a| **a > 32).count() as f64 / away.len() as f64;
    assert!(mean < 0.75 && far < 0.0045, "mean difference {mean} of 255, beyond 32: {far}");
    let colours: std::collections::BTreeSet<_> = native.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 1000, "it shows something");
}

#[test]
fn the_page_reacts_to_clicks_drags_keys_and_fingers() {
    let Some((mut browser, server)) = start([900, 600]) else { return };
    // Without gravity, water at rest moves only where it is dragged; the radius fits its block, which starts uncompressed.
    let still = "?scene=hydrostatic&radius=0.025&set=gravity=[0,0,0]";
    browser.open(&(server.address.clone() + still));
    browser.wait("meniscus.state.playing && meniscus.state.steps > 3");
    let energy = "meniscus.state.report.kinetic_energy";
    let rest = browser.value(energy).as_f64().expect("a number");

    browser.mouse("mousePressed", [600.0, 330.0]);
    browser.wait("meniscus.state.pulling");
    for k in 0..10 {
        browser.mouse("mouseMoved", [600.0 + 4.0 * f64::from(k), 330.0 - 4.0 * f64::from(k)]);
        thread::sleep(Duration::from_millis(100));
    }
    browser.wait(&format!("{energy} > {} + 1e-3", 10.0 * rest));
    browser.mouse("mouseReleased", [640.0, 290.0]);
    browser.wait("!meniscus.state.pulling");

    browser.click("play");
    browser.wait("!meniscus.state.playing");
    let steps = browser.value("meniscus.state.steps").as_u64().expect("a number");
    browser.click("frame");
    browser.wait(&format!("meniscus.state.steps > {steps} && meniscus.state.frame_done"));
    browser.value("document.getElementById('view').focus()");
    for kind in ["keyDown", "keyUp"] {
        let space = serde_json::json!({ "type": kind, "key": " ", "text": " " });
        browser.call("Input.dispatchKeyEvent", space);
    }
    browser.wait("meniscus.state.playing");
    browser.value("meniscus.set('playing', 0)");

    // A slider changes the scene, and is restored.
    let cfl = "meniscus.call('describe').then((text) => \
               JSON.parse(text).sliders.find(({ key }) => key === 'time.cfl').value)";
    let own = browser.value(cfl).as_f64().expect("a number");
    assert!((own - 0.1).abs() > 0.1, "the test changes {own}");
    browser.value("meniscus.set('tuning.time.cfl', 0.1)");
    browser.wait(&format!("{cfl}.then((cfl) => Math.abs(cfl - 0.1) < 1e-6)"));
    browser.click("restore");
    browser.wait(&format!("{cfl}.then((cfl) => cfl === {own})"));

    // A wrong choice says so, and the scene before stays.
    browser.value("document.getElementById('particles').value = '50000000'");
    browser.value("document.getElementById('particles').onchange()");
    browser.wait("document.getElementById('notes').innerText.includes('particles')");
    browser.wait("document.body.dataset.state === 'ready'");
    assert_eq!(browser.value("meniscus.scene.source"), "hydrostatic");
    assert_eq!(browser.complaints(), Vec::<String>::new());

    browser.resize([390, 844], 1, true);
    browser.open(&(server.address.clone() + still));
    let hidden = "document.getElementById('panel').hidden";
    assert_eq!(browser.value(hidden), true, "the water fills a phone's screen");
    let touch = |browser: &mut Browser, kind: &str, points: &[[f64; 2]]| {
        let points: Vec<_> =
            points.iter().map(|[x, y]| serde_json::json!({ "x": x, "y": y })).collect();
        let event = serde_json::json!({ "type": kind, "touchPoints": points });
        browser.call("Input.dispatchTouchEvent", event);
    };
    touch(&mut browser, "touchStart", &[[195.0, 422.0]]);
    browser.wait("meniscus.state.pulling");
    touch(&mut browser, "touchStart", &[[195.0, 422.0], [250.0, 500.0]]);
    browser.wait("!meniscus.state.pulling");
    touch(&mut browser, "touchEnd", &[]);
    browser.click("open");
    assert_eq!(browser.value(hidden), false);
    assert_eq!(browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    // Fingers need 44 pixels.
    let small = "[...document.querySelectorAll('#panel button, #panel select, #panel label.check')] \
                 .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).map((e) => e.id).join()";
    assert_eq!(browser.value(small), "");
}

/// Gives a field of the page a value, as a user does.
fn choose(browser: &mut Browser, id: &str, value: &str) {
    let field = format!("document.getElementById('{id}')");
    browser.value(&format!("{field}.value = '{value}', {field}.onchange(), 0"));
}

#[test]
fn a_link_carries_what_was_set() {
    let Some((mut browser, server)) = start([700, 400]) else { return };
    let scene = "?scene=hydrostatic&radius=0.06&paused";
    browser.open(&(server.address.clone() + scene));
    // By the controls themselves: a slider's number, the range of colours, a switch, the camera's key.
    browser.value(
        "const number = document.querySelector('[aria-label^=Viscosity]'); number.value = 50; number.onchange(), 0",
    );
    choose(&mut browser, "low", "0.5");
    choose(&mut browser, "high", "2");
    choose(&mut browser, "speed", "0.25");
    browser.value("document.getElementById('ground').click()");
    browser.value("document.getElementById('view').focus()");
    for kind in ["keyDown", "keyUp"] {
        browser.call(
            "Input.dispatchKeyEvent",
            serde_json::json!({ "type": kind, "key": "ArrowLeft" }),
        );
    }
    browser.wait("location.search.includes('camera=')");
    let camera = browser.value("meniscus.state.camera.map((x) => x.toFixed(3)).join()");
    let viscosity = "meniscus.call('describe').then((text) => JSON.parse(text).sliders \
                     .find(({ key }) => key === 'material.0.viscosity').value)";
    let carried = |browser: &mut Browser| {
        assert_eq!(browser.value(viscosity), 50, "viscosity");
        browser
            .wait(&format!("meniscus.state.camera?.map((x) => x.toFixed(3)).join() === {camera}"));
        let shown = "['low', 'high', 'speed'].map((id) => document.getElementById(id).value).join() \
                     + document.getElementById('ground').checked + meniscus.state.playing";
        assert_eq!(browser.value(shown), "0.5,2,0.25falsefalse");
    };
    browser.call("Page.reload", serde_json::json!({}));
    thread::sleep(Duration::from_millis(300));
    browser.wait("document.readyState === 'complete' && document.body.dataset.state === 'ready'");
    carried(&mut browser);

    // Another solver keeps it all, and is a step of the history.
    let solver = |name: &str| {
        format!("document.body.dataset.state === 'ready' && meniscus.scene.solver === '{name}'")
    };
    choose(&mut browser, "solver", "wcsph");
    browser.wait(&solver("wcsph"));
    carried(&mut browser);
    browser.value("history.back()");
    browser.wait(&solver("dfsph"));
    carried(&mut browser);

    browser.click("copy");
    browser.wait(
        "['The link is copied.', location.href].some((text) => document.getElementById('notes').innerText.includes(text))",
    );
    // What a link has in vain is said, and the rest is as it says.
    let wrong = "&tune=no.such=1&color=mauve&sene=pool";
    browser.open(&(server.address.clone() + scene + wrong));
    for name in ["no.such", "mauve", "sene"] {
        browser.wait(&format!("document.getElementById('notes').innerText.includes('{name}')"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn energies_are_plotted_and_two_runs_compared() {
    let Some((mut browser, server)) = start([1366, 768]) else { return };
    browser.open(&(server.address.clone() + "?scene=dam_break&radius=0.12&paused"));
    // What a lesson needs is in a small window.
    let below = "['scene', 'solver', 'particles', 'copy', 'play', 'reset', 'speed', 'numbers', 'mode', 'color', 'low', \
                 'plotted', 'curves', 'keep', 'csv', 'chart'].map((id) => document.getElementById(id)) \
                 .concat(document.querySelector('[aria-label^=Viscosity]')) \
                 .filter((e) => !e.offsetParent && e.id !== 'chart' || e.getBoundingClientRect().bottom > innerHeight) \
                 .map((e) => e.id).join()";
    for pixels in [2, 1] {
        browser.resize([1366, 768], pixels, false);
        assert_eq!(browser.value(below), "", "{pixels}");
    }
    let seen = "[...document.querySelectorAll('[hidden]')].filter((e) => getComputedStyle(e).display !== 'none') \
                .map((e) => e.id).join()";
    assert_eq!(browser.value(seen), "", "what is hidden is not seen");

    let frames = |browser: &mut Browser, more: u32| {
        for _ in 0..more {
            let before = browser.value("meniscus.state.report.frame").as_u64().expect("a number");
            browser.value("document.getElementById('frame').click()");
            browser.wait(&format!("meniscus.state.report?.frame > {before}"));
        }
    };
    frames(&mut browser, 3);
    browser.wait("document.querySelectorAll('#chart path.now').length === 3");
    assert_eq!(
        browser.value("document.getElementById('names').innerText.includes('potential')"),
        true
    );
    // Each loop has a residual after each iteration of the last step.
    choose(&mut browser, "curves", "residuals");
    browser.wait("document.querySelectorAll('#chart path.now').length > 0");
    let names = browser.value("document.getElementById('names').innerText");
    for name in ["density", "divergence"] {
        assert!(names.as_str().is_some_and(|names| names.contains(name)), "{names}");
    }
    choose(&mut browser, "curves", "energy");
    browser.value("document.getElementById('keep').click()");
    choose(&mut browser, "solver", "wcsph");
    browser.wait("document.body.dataset.state === 'ready' && meniscus.scene.solver === 'wcsph'");
    frames(&mut browser, 2);
    browser.wait("document.querySelectorAll('#chart path.kept').length === 3");

    // The table has both runs, and the energies of the log.
    let table = browser.value("meniscus.curves.table()");
    let rows: Vec<Vec<_>> =
        table.as_str().expect("text").lines().map(|row| row.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|key| *key == name).expect(name);
    assert_eq!(rows.len(), 1 + 4 + 3, "{table}");
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{table}");
    let report: Value = serde_json::from_slice(&read(&mut browser, "json")).expect("JSON");
    for name in ["time", "kinetic_energy", "potential_energy"] {
        let last: f64 = rows[7][column(name)].parse().expect("a number");
        assert_eq!(Some(last), report[name].as_f64(), "{name}");
    }
    let residual = rows[4][column("residuals.divergence.1")].parse::<f64>();
    assert!(residual.is_ok_and(|residual| residual > 0.0), "{table}");
    let runs: std::collections::BTreeSet<_> = rows[1..].iter().map(|row| row[0]).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");

    // Twice the pixels of a screen are twice those of the picture (PNG's width is at byte 16).
    browser.value("meniscus.set('pixel_scale', 0.5)");
    for pixels in [1, 2] {
        browser.resize([500, 300], pixels, false);
        let width = format!(
            "meniscus.call('read', 'png').then(({{ buffer, byteOffset }}) => \
             new DataView(buffer, byteOffset).getUint32(16) === {})",
            250 * pixels
        );
        browser.wait(&width);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn scenes_are_chosen_by_their_pictures() {
    let Some((mut browser, server)) = start([900, 600]) else { return };
    browser.open(&(server.address.clone() + "?scene=dam_break&radius=0.12&paused"));
    browser.click("scene");
    let groups =
        browser.value("[...document.querySelectorAll('#groups h2')].map((e) => e.textContent)");
    assert!(groups.as_array().is_some_and(|groups| groups.len() >= 4), "{groups}");
    browser.wait("document.querySelector('[aria-current] img').naturalWidth > 0");
    browser.value(
        "const find = document.getElementById('find'); find.value = '88'; find.oninput(), 0",
    );
    let shown = "[...document.querySelectorAll('#scenes a:not([hidden])')].map(({ dataset }) => dataset.scene).join()";
    assert_eq!(browser.value(shown), "mpm88");
    browser.value("document.querySelector('#scenes a:not([hidden])').click()");
    // Nothing of the scene before is seen.
    browser.wait("document.getElementById('still').src.endsWith('mpm88.jpg')");
    browser.wait("document.body.dataset.state === 'ready' && meniscus.scene.source === 'mpm88'");
    assert_eq!(browser.value("document.getElementById('scenes').open"), false);
    // Its mesh is fetched.
    browser.open(&(server.address.clone() + "?scene=ring&paused"));
    assert_eq!(browser.value("meniscus.scene.source"), "ring");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// With `MENISCUS_FULL=1`, which takes minutes: every scene is loaded, and its picture is not empty.
#[test]
fn every_scene_shows_something() {
    if std::env::var_os("MENISCUS_FULL").is_none() {
        return;
    }
    let Some((mut browser, server)) = start([480, 300]) else { return };
    browser.open(&(server.address.clone() + "?scene=dam_break&radius=0.12&paused"));
    let names = browser
        .value("[...document.querySelectorAll('#scenes a')].map(({ dataset }) => dataset.scene)");
    for name in names.as_array().expect("names").iter().filter_map(Value::as_str) {
        browser.open(&format!(
            "{}?scene={name}&paused&hide=boundaries,ground&tune=pixel_scale=1",
            server.address
        ));
        assert_eq!(browser.value("meniscus.scene?.source"), name);
        browser.value("meniscus.call('frames', 3)");
        let picture = image::load_from_memory(&read(&mut browser, "png")).expect("a picture");
        // Sky alone has one colour in each row. The legend is in the last quarter.
        let picture = picture.to_rgb8();
        let differs = |y: &u32| {
            let row = (0..picture.width()).map(|x| picture.get_pixel(x, *y).0);
            let ends = row.fold(([255; 3], [0; 3]), |(low, high), colour| {
                let kept = |kept: [u8; 3], of: fn(u8, u8) -> u8| {
                    [0, 1, 2].map(|k: usize| of(kept[k], colour[k]))
                };
                (kept(low, u8::min), kept(high, u8::max))
            });
            (0..3).any(|k| ends.1[k] - ends.0[k] > 40)
        };
        let rows = (0..3 * picture.height() / 4).filter(differs).count();
        assert!(rows > 10, "{name}: {rows} rows of the picture show something");
    }
}

#[test]
fn failures_are_sentences_with_a_way_on() {
    let Some((mut browser, server)) = start([600, 400]) else { return };
    let why = "document.getElementById('why').textContent";
    // A name that no scene or solver has: the message is on top, suggests one, and the address stays.
    for (query, suggested) in [
        ("?scene=dam_brek&radius=0.1", "?scene=dam_break&radius=0.1"),
        ("?scene=dam_break&radius=0.1&solver=dfsh", "?scene=dam_break&radius=0.1&solver=dfsph"),
    ] {
        browser.open(&(server.address.clone() + query));
        let on_top =
            "document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('#veil') !== null";
        assert_eq!(browser.value(on_top), true);
        let said = browser.value(why);
        assert!(said.as_str().is_some_and(|text| text.contains("did you mean")), "{said}");
        assert_eq!(
            browser.value("document.querySelector('#why a').getAttribute('href')"),
            suggested
        );
        assert_eq!(browser.value("location.search"), query);
    }
    browser.value("document.querySelector('#why a').click()");
    browser.wait("document.body?.dataset.state === 'ready' && meniscus.scene.solver === 'dfsph'");

    // A lost device says so and goes on; one that is lost again at once waits for the user.
    browser.value("meniscus.call('lose').catch(() => 0)");
    browser.wait("document.getElementById('notes').innerText.includes('GPU was lost')");
    browser.wait("document.body.dataset.state === 'ready' && meniscus.state.steps > 0");
    assert_eq!(browser.value("meniscus.scene.source"), "dam_break");
    browser.value("meniscus.call('lose').catch(() => 0)");
    browser.wait("document.body.dataset.state === 'broken'");
    let said = browser.value(why);
    assert!(said.as_str().is_some_and(|text| text.contains("GPU was lost")), "{said}");
    assert_eq!(browser.value("document.getElementById('film').hidden"), false);
    browser.click("again");
    browser.wait("document.body.dataset.state === 'ready' && meniscus.state.steps > 0");

    for (without, expected) in [
        ("delete Navigator.prototype.gpu", "no WebGPU"),
        ("navigator.gpu.requestAdapter = async () => null", "no GPU adapter"),
    ] {
        let script = serde_json::json!({ "source": without });
        let script = browser.call("Page.addScriptToEvaluateOnNewDocument", script);
        browser.open(&server.address);
        let said = browser.value(why);
        for part in [expected, "chrome://flags/#enable-unsafe-webgpu"] {
            assert!(said.as_str().is_some_and(|text| text.contains(part)), "{said}");
        }
        assert_eq!(browser.value("document.getElementById('again').hidden"), false);
        browser.call("Page.removeScriptToEvaluateOnNewDocument", script);
    }
}
