//! `tools demo`: the shortest way to see water.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Result, ensure};

use crate::{
    cargo::{built, cargo, exit_code, run},
    set_up::{self, SetUp},
};

/// Particles are this large on software Vulkan: 16 thousand of them, a minute or so on two cores.
const SOFTWARE_RADIUS: &str = "particle_radius=0.025";

pub(crate) fn demo() -> Result<ExitCode> {
    let (adapter, software) = match set_up::adapter()? {
        SetUp::Ready { name, software } => (name, software),
        SetUp::Missing(text) => {
            eprintln!("{text}");
            return Ok(ExitCode::from(set_up::NO_ADAPTER));
        }
    };
    let status = run(cargo().args(["build", "--release", "--package", "meniscus-cli"]))?;
    ensure!(status.success(), "the command `meniscus` could not be built");

    let mut arguments = vec!["run", "dam_break", "--until", "1", "--fps", "30", "--out", "out"];
    arguments.extend(["--particles", "vtk", "--log", "out/log.jsonl"]);
    if software {
        arguments.extend(["--set", SOFTWARE_RADIUS]);
    }
    eprintln!("A dam breaks, on {adapter}:\n\n$ meniscus {}\n", arguments.join(" "));
    let begin = Instant::now();
    let status = run(Command::new(built("meniscus")?).args(&arguments))?;
    if !status.success() {
        return Ok(exit_code(status));
    }
    println!(
        "
Done in {:.0} s. There are

    out/particles_00000.vtp … particles_00030.vtp   the particles of every frame
    out/log.jsonl                                   energies, momenta, density error of every frame

To see them, open the group out/particles_..vtp in ParaView, press Apply, choose the representation
“Point Gaussian” and colour by velocity. `meniscus --help` says what else there is; the command is
{}.",
        begin.elapsed().as_secs_f64(),
        built("meniscus")?.display(),
    );
    Ok(ExitCode::SUCCESS)
}
