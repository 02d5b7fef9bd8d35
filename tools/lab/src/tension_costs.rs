//! `lab tension-costs`: what finding the surface and its tension cost, as tables 1 and 2 of the surface tension paper.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, ensure};
use meniscus_formats::{with_section, write_whole};
use serde_json::Value;
use tempfile::tempdir;

use tools::cargo::{build, built, run};

/// Name of the tables' section in the page.
const SECTION: &str = "tension_costs";

/// Numbers of particles of the first table, in thousands.
const SIZES: [u32; 5] = [10, 20, 30, 40, 50];

/// Particles of `four_drops` at its own particle radius in m.
const FOUR_DROPS: (f64, f64) = (14_972.0, 0.000_462_5);

/// Scenes of the second table, with the time in s from which steps are measured.
const SCENES: [(&str, f64); 5] = [
    ("four_drops", 0.05),
    ("wetting", 0.005),
    ("drip", 0.02),
    ("chocolate_hare", 0.4),
    ("water_hare", 0.15),
];

/// Options.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Number of steps to measure in each run.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Page with the marks <!-- tension_costs --> and <!-- end tension_costs -->, between which the tables go.
    #[arg(long, value_name = "FILE.md", default_value = "docs/validation_tension.md")]
    page: PathBuf,
}

/// Means of a step.
struct Step {
    /// Particles of fluid.
    fluid: u64,
    adapter: String,
    /// Median time of a step in ms.
    total: f64,
    /// Time in ms of each pass in a step.
    passes: BTreeMap<String, f64>,
}

impl Step {
    /// Time in ms of the passes with such labels.
    fn of(&self, wanted: impl Fn(&str) -> bool) -> f64 {
        self.passes.iter().filter(|(label, _)| wanted(label)).map(|(_, time)| time).sum()
    }

    fn detection(&self) -> f64 {
        self.of(|label| ["tension/normals", "tension/class"].contains(&label))
    }

    fn level_set(&self) -> f64 {
        self.of(|label| label.contains("levelset"))
    }

    fn correction(&self) -> f64 {
        self.of(|label| label.starts_with("tension/correct") || label == "tension/restore")
    }

    fn forces(&self) -> f64 {
        self.of(|label| label == "tension/near" || label.starts_with("sph/forces"))
    }
}

pub(crate) fn tension_costs(options: &Options) -> Result<ExitCode> {
    let page =
        fs::read_to_string(&options.page).with_context(|| options.page.display().to_string())?;
    ensure!(
        with_section(&page, SECTION, "").is_some(),
        "{} lacks the lines <!-- {SECTION} --> and <!-- end {SECTION} -->",
        options.page.display()
    );
    build(&["meniscus"])?;
    let folder = tempdir()?;
    let file = folder.path().join("profile.json");
    let measure = |scene: &str, from: f64, settings: &[String]| -> Result<Step> {
        eprintln!("{scene} {}", settings.join(" "));
        profile(scene, from, options.steps, settings, &file)
    };

    let mut text =
        String::from("| particles | colour field | this method | extra |\n|---|---|---|---|\n");
    let mut extras = Vec::new();
    let mut adapter = String::new();
    for thousands in SIZES {
        let (count, radius) = FOUR_DROPS;
        let radius = radius * (count / (1e3 * f64::from(thousands))).cbrt();
        let at = |model: &str| {
            let set = [
                format!("particle_radius={radius:e}"),
                format!("support_radius={:e}", 5.0 * radius),
                format!("tension.model={model}"),
            ];
            measure("four_drops", 0.01, &set)
        };
        let ours = at("near_surface")?;
        let field = at("akinci")?.of(|label| label == "tension/akinci_normals");
        let extra = 100.0 * (ours.detection() / field - 1.0);
        let _ = writeln!(
            text,
            "| {} | {field:.2} ms | {:.2} ms | {extra:.0} % |",
            ours.fluid,
            ours.detection()
        );
        extras.push(extra);
        adapter = ours.adapter;
    }
    let mean = extras.iter().sum::<f64>() / extras.len() as f64;
    let _ = writeln!(text, "\nOn average {mean:.0} % more.\n");

    text.push_str(
        "| scene | particles | detection | level set | surface tension | density correction | a step |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (scene, from) in SCENES {
        let with = measure(scene, from, &["tension.density_correction=true".to_owned()])?;
        let without = ["tension.model=none", "tension.density_correction=false"];
        let without = measure(scene, from, &without.map(str::to_owned))?;
        let _ = writeln!(
            text,
            "| `{scene}` | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} ms |",
            with.fluid,
            with.detection(),
            with.level_set(),
            with.forces() - without.forces(),
            with.correction(),
            with.total,
        );
    }
    let _ = writeln!(text, "\nOn {adapter}.");
    println!("{text}");
    let page = with_section(&page, SECTION, &text).expect("it has the marks");
    write_whole(&options.page, |out| out.write_all(page.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// Measures steps of a scene by `meniscus profile`.
fn profile(scene: &str, from: f64, steps: u32, settings: &[String], file: &Path) -> Result<Step> {
    let mut command = Command::new(built("meniscus")?);
    command.args(["profile", scene, "--from", &from.to_string(), "--steps", &steps.to_string()]);
    command.args(settings.iter().flat_map(|setting| ["--set", setting]));
    command.arg("--json").arg(file).stdout(std::process::Stdio::null());
    ensure!(run(&mut command)?.success(), "{scene} could not be measured");
    let found: Value = serde_json::from_slice(&fs::read(file)?)?;
    let number = |value: &Value| value.as_f64().context("a number in the profile");
    let mut passes = BTreeMap::new();
    for pass in found["passes"].as_array().context("passes in the profile")? {
        let label = pass["label"].as_str().context("a label in the profile")?.to_owned();
        let time = number(&pass["calls"])? * number(&pass["median_us"])? * 1e-3 / f64::from(steps);
        *passes.entry(label).or_default() += time;
    }
    ensure!(!passes.is_empty(), "this device cannot time passes");
    Ok(Step {
        fluid: found["fluid_particles"].as_u64().context("the number of particles")?,
        adapter: found["adapter"].as_str().unwrap_or_default().to_owned(),
        total: 1e-3 * number(&found["step_median_us"])?,
        passes,
    })
}
