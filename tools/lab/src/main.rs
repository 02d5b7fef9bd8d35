//! Tools for developers of meniscus.
//!
//! * `validate` compares whole simulations with theory and experiment;
//! * `compare` runs a scene on the GPU and in the CPU reference, and names the first difference;
//! * `mutants` changes shaders in one place at a time (`cargo verify --mutants`);
//! * `wgsl` writes every composed shader, as a browser would get it;
//! * `contact-sheet` draws every bundled scene on one picture;
//! * `web` builds the page for browsers, and serves it;
//! * `site` builds the documents as a site;
//! * `figures` writes the meshes of the scenes with a hare, a banana, an armadillo, a bust and a swimming fish;
//! * `sky` draws the evening sky of a picture of the documents;
//!
//! Nothing here is needed to use meniscus, and nothing in meniscus depends on it.

mod compare;
mod contact_sheet;
mod figures;
mod fish;
mod mutants;
mod site;
mod sky;
mod validate;
mod web;
mod wgsl;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// Tools for developers of meniscus.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare whole simulations with theory and experiment, and draw their plots, which the site shows.
    ///
    /// Fails if a tolerance is missed that is not listed as a known miss.
    Validate(validate::Options),
    /// Write every composed shader as DIR/sph/density.wgsl, …
    ///
    /// This is the text that a browser's device gets. A pass with a variant for subgroup
    /// operations, which wgpu does not use in browsers, is also written as
    /// DIR/sph/density.subgroup.wgsl.
    Wgsl {
        /// Passes, such as `sph/forces+viscosity_muller`; all by default, with the combinations of terms that
        /// conformance tests cover.
        #[arg(value_name = "PASS")]
        passes: Vec<String>,
        /// Output folder, created if needed.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Check each file with Tint, the compiler of Chrome; `tint` must be on the PATH.
        #[arg(long)]
        check: bool,
    },
    /// Run a scene on the GPU and in the CPU reference side by side; name the first difference.
    ///
    /// Each stage starts on both sides from the same bits. Prints the pass, array, element and both
    /// values of the first difference, or the largest difference of each stage.
    Compare(compare::Options),
    /// Change passes, as sph/density, in one place at a time, and print the changes that their comparison with
    /// the reference does not notice.
    ///
    /// Takes seconds to minutes for each.
    Mutants {
        /// Passes; all by default.
        #[arg(value_name = "PASS")]
        passes: Vec<String>,
    },
    /// Draw every bundled scene, coarse, at the moment that shows what it is about, on one picture.
    ContactSheet(contact_sheet::Options),
    /// Build the page for browsers, which any static server can serve, in a folder too.
    ///
    /// Warns if its module is larger than 1.5 MB by gzip.
    Web(web::Options),
    /// Build the documents as a site, by mdBook.
    ///
    /// Fails at links that lead nowhere, which a test finds without mdBook.
    Site(site::Options),
    /// Write the meshes of the figures that bundled scenes have.
    Figures {
        /// Folder.
        #[arg(long, value_name = "DIR", default_value = "crates/formats/scenes")]
        out: PathBuf,
    },
    /// Draw an evening sky over hills, in all directions, for `--sky-image`.
    Sky {
        /// Output file, a JPEG.
        #[arg(long, value_name = "FILE", default_value = "docs/pictures/evening.jpg")]
        out: PathBuf,
    },
}

fn write(out: &Path, bytes: &[u8]) -> anyhow::Result<ExitCode> {
    meniscus_formats::write_whole(out, |file| file.write_all(bytes))?;
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Validate(options) => validate::validate(&options),
        Command::Wgsl { passes, out, check } => wgsl::wgsl(&passes, &out, check),
        Command::Compare(options) => compare::compare(&options),
        Command::Mutants { passes } => mutants::mutants(passes),
        Command::ContactSheet(options) => contact_sheet::contact_sheet(&options),
        Command::Web(options) => web::web(&options),
        Command::Site(options) => site::site(&options),
        Command::Figures { out } => {
            let file = |name: &str| out.join(name).with_extension("obj");
            let figures = figures::FIGURES.iter();
            let figures = figures.map(|figure| (file(figure.name), figures::mesh(figure)));
            let frames = (0..fish::FRAMES).map(|k| (file(&fish::name(k)), fish::mesh(k)));
            figures
                .chain(frames)
                .try_fold(ExitCode::SUCCESS, |_, (path, text)| write(&path, text.as_bytes()))
        }
        Command::Sky { out } => sky::file().and_then(|bytes| write(&out, &bytes)),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
