//! `meniscus bench`: all solvers and the surface in several sizes, as a table.

mod report;

use std::{fs::read_to_string, io::ErrorKind, path::Path, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};
use meniscus::{Gpu, Scene, SurfaceOptions};
use meniscus_formats::{LoadOptions, load_scene, with_section};

use crate::{
    Failure, adapter,
    arguments::Bench,
    files,
    measure::{Device, Effort, Measurement},
    terminal::{complain, print},
};
use report::{Case, Earlier, Origin, Report, Subject};

const SCENE: &str = "dam_break";

/// Number of warm-up steps.
const WARM_UP: u32 = 5;

/// What makes the fluid of a viscous case thick: ten iterations in each step.
const THICK: [&str; 4] = [
    "material[0].viscosity=10.0",
    "viscosity.model=implicit",
    "viscosity.min_iterations=10",
    "viscosity.max_iterations=10",
];

/// Cubes of the surface per particle radius.
const FINENESSES: [u32; 2] = [1, 2];

/// Name of the table's section in a page.
const SECTION: &str = "bench";

pub(crate) fn bench(arguments: &Bench) -> Result<(), Failure> {
    // Find invalid input before minutes of measuring.
    let earlier = arguments.against.as_deref().map(Earlier::read).transpose()?;
    let page = arguments.markdown.as_deref().map(page).transpose()?;
    let cases = cases(arguments)?;
    let gpu = adapter::open(&arguments.device)?;
    let run = Origin::now(Device::of(&gpu));
    for note in earlier.iter().filter_map(|earlier| earlier.note(&run)) {
        complain("warning", &note);
    }

    let bar = ProgressBar::new(cases.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, ETA {eta}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    let mut report = Report { run, cases: Vec::new() };
    for (subject, scene) in cases {
        bar.set_message(subject.to_string());
        report.cases.push(measure(&gpu, subject, scene, arguments)?);
        bar.inc(1);
    }
    bar.finish_and_clear();

    let text = report.markdown(earlier.as_ref());
    print(&text)?;
    if let Some(file) = &arguments.json {
        files::write_json(file, &report)?;
    }
    if let (Some(file), Some(page)) = (&arguments.markdown, &page) {
        // The page has the section: it was checked.
        files::write(file, &with_section(page, SECTION, &text).unwrap_or(text))?;
    }
    Ok(())
}

/// Text of a file with a section for the table; of a file that does not exist, the section alone.
fn page(file: &Path) -> Result<String, Failure> {
    let page = match read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(format!("<!-- {SECTION} -->\n<!-- end {SECTION} -->\n"));
        }
        read => read.map_err(|error| cannot_read(file, &error))?,
    };
    match with_section(&page, SECTION, "") {
        Some(_) => Ok(page),
        None => Err(Failure::Input(format!(
            "--markdown {}: the file exists, but lacks the lines <!-- {SECTION} --> and \
             <!-- end {SECTION} -->, between which the table would be put",
            file.display()
        ))),
    }
}

fn cannot_read(file: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot read {}: {error}", file.display()))
}

/// Cases with their scenes, by size.
fn cases(arguments: &Bench) -> Result<Vec<(Subject, Scene)>, Failure> {
    let mut cases = Vec::new();
    for particle_radius in arguments.sizes.iter().copied() {
        let mut add = |solver: Option<&String>, viscous, surface_fineness| {
            let mut set = vec![format!("particle_radius={particle_radius:?}")];
            if viscous {
                set.extend(THICK.map(str::to_owned));
            }
            let options = LoadOptions { solver: solver.cloned(), set };
            let scene = load_scene(SCENE, &options)?.scene;
            let solver = scene.solver.clone();
            let subject = Subject { solver, particle_radius, viscous, surface_fineness };
            cases.push((subject, scene));
            Ok::<_, Failure>(())
        };
        for solver in &arguments.solvers {
            add(Some(solver), false, None)?;
        }
        // The others are of the scene's own solver.
        add(None, true, None)?;
        for fineness in FINENESSES {
            add(None, false, Some(fineness))?;
        }
    }
    Ok(cases)
}

fn measure(gpu: &Gpu, subject: Subject, scene: Scene, arguments: &Bench) -> Result<Case, Failure> {
    let surface = subject.surface_fineness;
    let surface = surface.map(|fineness| SurfaceOptions { fineness, ..Default::default() });
    let effort = Effort {
        from: 0.0,
        warm_up: WARM_UP,
        // The surface is extracted at the same time on every machine.
        steps: if surface.is_some() { 1 } else { arguments.steps },
        extractions: arguments.steps,
        limit: Some(arguments.seconds),
    };
    Ok(Case::of(subject, &Measurement::take(gpu, scene, &effort, surface.as_ref())?))
}
