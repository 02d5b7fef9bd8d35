//! `tools verify`: all tests, on an adapter.

use std::{env, process::ExitCode, time::Instant};

use anyhow::Result;

use crate::{
    cargo::{cargo, exit_code, run},
    set_up::{self, SetUp},
};

pub(crate) fn verify(full: bool) -> Result<ExitCode> {
    if let SetUp::Missing(text) = set_up::adapter()? {
        eprintln!("{text}");
        return Ok(ExitCode::from(set_up::NO_ADAPTER));
    }
    set_up::display()?;
    let begin = Instant::now();
    // This also builds the command `meniscus`, which tests run.
    let mut test = cargo();
    test.args(["test", "--release", "--workspace"]).env("MENISCUS_GPU", "require");
    if env::var_os("LP_NUM_THREADS").is_none() {
        // Tests use two devices at once: one worker thread of software Vulkan for each.
        test.env("LP_NUM_THREADS", "1");
    }
    if full {
        test.env("MENISCUS_FULL", "1");
    }
    let status = run(&mut test)?;
    let verdict = if status.success() { "verified" } else { "NOT verified" };
    let seconds = begin.elapsed().as_secs();
    println!("{verdict} in {} min {:02} s, build included", seconds / 60, seconds % 60);
    Ok(exit_code(status))
}
