//! `lab contact-sheet`: every bundled scene on one picture, or a scene by several solvers.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use image::{RgbImage, imageops};
use meniscus_formats::SCENES;
use plotters::{prelude::*, style::register_font};
use tempfile::tempdir;

use tools::cargo::{build, built, run};

/// Pixels of a picture.
const SIZE: [u32; 2] = [384, 216];
/// Pixels of a small one.
const SMALL: [u32; 2] = [192, 108];
/// Pixels of the line of text below it.
const TEXT: u32 = 24;
/// Beginning of the line of a scene's comment with options of `meniscus render`: the moment that shows what the scene is about,
/// and settings with which software Vulkan takes seconds to come there.
const USUAL: &str = "# A picture in seconds: ";

/// Options.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Scenes, `dam_apic`, or with another solver, `dam_apic:dfsph`, and settings, `four_drops,tension.model=akinci`; all
    /// by default.
    #[arg(value_name = "SCENE")]
    scenes: Vec<String>,
    /// Moment in s, instead of each scene's own.
    #[arg(long, value_name = "S")]
    until: Option<f64>,
    /// Setting of all, instead of each scene's own; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// View of `meniscus render`.
    #[arg(long, value_name = "VIEW")]
    view: Option<String>,
    /// Quantities that colour the particles; with several, each scene is drawn once for each.
    #[arg(long, value_name = "QUANTITY", value_delimiter = ',')]
    color: Vec<String>,
    /// Pictures in a row.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16))]
    columns: u32,
    /// Folder for a small picture of each scene besides, as the page's menu has them.
    #[arg(long, value_name = "DIR")]
    small: Option<PathBuf>,
    /// Picture to write.
    #[arg(long, value_name = "FILE.png", default_value = "out/contact_sheet.png")]
    out: PathBuf,
}

pub(crate) fn contact_sheet(options: &Options) -> Result<ExitCode> {
    let all = || SCENES.iter().map(|scene| scene.name.to_owned()).collect();
    let names = if options.scenes.is_empty() { all() } else { options.scenes.clone() };
    for name in &names {
        let Named { scene, .. } = parts(name);
        ensure!(
            SCENES.iter().any(|known| known.name == scene),
            "there is no bundled scene `{scene}`"
        );
    }
    build(&["meniscus"])?;
    let folder = tempdir()?;
    let mut pictures = Vec::new();
    let colors: Vec<_> = match options.color.is_empty() {
        true => vec![None],
        false => options.color.iter().map(|color| Some(color.as_str())).collect(),
    };
    for (name, color) in
        names.iter().flat_map(|name| colors.iter().map(move |color| (name, *color)))
    {
        let begin = Instant::now();
        let picture = picture(name, color, options, folder.path())?;
        eprintln!("{name}: {:.0} s", begin.elapsed().as_secs_f64());
        if let Some(folder) = &options.small {
            std::fs::create_dir_all(folder)?;
            let [width, height] = SMALL;
            imageops::resize(&picture, width, height, imageops::FilterType::Triangle)
                .save(folder.join(name).with_extension("jpg"))?;
        }
        pictures.push((color.unwrap_or(name).to_owned(), picture));
    }
    if let Some(parent) = options.out.parent() {
        std::fs::create_dir_all(parent)?;
    }
    sheet(&pictures, options.columns)?.save(&options.out)?;
    println!("{}", options.out.display());
    Ok(ExitCode::SUCCESS)
}

/// A scene as it is named: `four_drops:dfsph,tension.model=akinci`.
struct Named<'a> {
    scene: &'a str,
    solver: Option<&'a str>,
    settings: Vec<&'a str>,
}

fn parts(name: &str) -> Named<'_> {
    let mut settings = name.split(',');
    let first = settings.next().unwrap_or(name);
    let (scene, solver) = match first.split_once(':') {
        Some((scene, solver)) => (scene, Some(solver)),
        None => (first, None),
    };
    Named { scene, solver, settings: settings.collect() }
}

/// What is written below a picture: settings without their tables, or the scene and the solver that is not its own.
fn label(name: &str) -> String {
    let Named { scene, solver, settings } = parts(name);
    let short = |setting: &&str| match setting.split_once('=') {
        Some((key, value)) => format!("{}={value}", key.rsplit('.').next().unwrap_or(key)),
        None => (*setting).to_owned(),
    };
    match settings.is_empty() {
        true => solver.map_or(scene.to_owned(), |solver| format!("{scene} with {solver}")),
        false => settings.iter().map(short).collect::<Vec<_>>().join(", "),
    }
}

/// The usual moment in s and settings of a scene with this text.
fn usual(text: &str) -> Option<(&str, Vec<&str>)> {
    let line = text.lines().find_map(|line| line.strip_prefix(USUAL))?;
    let mut settings = line.strip_prefix("--until ")?.split(" --set ");
    Some((settings.next()?, settings.collect()))
}

/// A scene at its moment.
fn picture(name: &str, color: Option<&str>, options: &Options, folder: &Path) -> Result<RgbImage> {
    let Named { scene, solver, settings } = parts(name);
    let known = SCENES.iter().find(|known| known.name == scene);
    let (time, usual) = known.and_then(|scene| usual(scene.text)).with_context(|| {
        format!("the comment of {scene}.toml has no line `{USUAL}--until S --set KEY=VALUE …`")
    })?;
    let file = folder.join("picture.png");
    let time = options.until.map_or(time.to_owned(), |time| time.to_string());
    let all = match options.set.is_empty() {
        true => usual,
        false => options.set.iter().map(String::as_str).collect(),
    };
    let [width, height] = SIZE;
    let mut render = Command::new(built("meniscus")?);
    render.args(["render", scene, "--until", &time, "--no-legend", "--quiet"]);
    render.args(all.into_iter().chain(settings).flat_map(|setting| ["--set", setting]));
    render.args(["--size", &format!("{width}x{height}"), "--out"]).arg(&file);
    let view = options.view.as_deref();
    for (option, value) in [("--solver", solver), ("--view", view), ("--color", color)] {
        render.args(value.map(|value| [option, value]).iter().flatten());
    }
    ensure!(run(&mut render)?.success(), "{name} could not be drawn");
    let picture = image::open(&file).with_context(|| format!("the picture of {name}"))?;
    Ok(picture.to_rgb8())
}

/// Pictures in rows, each over its name.
fn sheet(pictures: &[(String, RgbImage)], in_a_row: u32) -> Result<RgbImage> {
    let _ = register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
    let [width, height] = [SIZE[0], SIZE[1] + TEXT];
    let count = pictures.len() as u32;
    let columns = count.min(in_a_row);
    let size = (columns * width, count.div_ceil(in_a_row) * height);
    let places = (0..count).map(|k| (k % in_a_row * width, k / in_a_row * height));
    let placed: Vec<_> = places.zip(pictures).collect();
    let mut bytes = vec![255; 3 * (size.0 * size.1) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut bytes, size).into_drawing_area();
        for ((x, y), (name, _)) in &placed {
            let style = ("sans-serif", 17).into_font().color(&BLACK);
            let at = ((x + 8) as i32, (y + SIZE[1] + 3) as i32);
            area.draw(&Text::new(label(name), at, style))?;
        }
        area.present()?;
    }
    let mut sheet = RgbImage::from_raw(size.0, size.1, bytes).context("pixels of the sheet")?;
    for ((x, y), (_, picture)) in placed {
        imageops::replace(&mut sheet, picture, x.into(), y.into());
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_solver_and_settings() {
        let Named { scene, solver, settings } =
            parts("four_drops:dfsph,tension.model=akinci,time.cfl=1");
        assert_eq!((scene, solver), ("four_drops", Some("dfsph")));
        assert_eq!(settings, ["tension.model=akinci", "time.cfl=1"]);
        assert_eq!(label("four_drops,tension.model=akinci,time.cfl=0.5"), "model=akinci, cfl=0.5");
        assert_eq!(label("drip:dfsph"), "drip with dfsph");
    }

    #[test]
    fn every_scene_has_a_moment() {
        for scene in SCENES {
            let (time, settings) = usual(scene.text).unwrap_or_else(|| panic!("{}", scene.name));
            assert!(time.parse::<f64>().is_ok_and(|time| time > 0.0), "{}", scene.name);
            assert!(settings.iter().all(|set| set.contains('=')), "{}: {settings:?}", scene.name);
        }
    }
}
