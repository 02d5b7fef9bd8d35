//! One pass with the moments of the test scenes at which it writes something, on which changes are tried.

use std::time::{Duration, Instant};

use meniscus::{Gpu, Shaders};
use meniscus_methods::Registry;
use meniscus_model::{Setup, scene::Kernel};

use super::{Mutant, Verdict, changes::reachable};
use crate::{
    cases::Case,
    compare::{Stop, check, check_idle},
    device::{Flavour, open},
    moment::Moment,
    single::Side,
};

/// Most moments of a scene with a solver.
const MOMENTS: usize = 4;

pub(super) struct Bench {
    /// With subgroups and without: of its own, since a device keeps all that it ever compiled.
    gpus: Vec<Gpu>,
    moments: Vec<(Shaders, Moment)>,
}

impl Bench {
    pub(super) fn new(pass: &'static str) -> Result<Self, String> {
        let gpus = [Flavour::Default, Flavour::PlainFolded].map(|flavour| open(&flavour.options()));
        let gpus: Option<Vec<Gpu>> = gpus.into_iter().collect();
        let gpus = gpus.ok_or("there is no GPU")?;
        let mut moments = Vec::new();
        for name in Case::names().map_err(|error| error.to_string())? {
            let case = Case::read(&name);
            for solver in case.solvers() {
                let setup = Setup::with_methods(&case.with(&solver), &Registry::standard());
                let setup = setup.map_err(|problems| format!("{name}: {problems:?}"))?;
                let shaders = Shaders::standard().general().for_scene(&setup);
                let mut left = MOMENTS;
                let mut see = |moment: Moment| -> Result<(), Stop> {
                    if left > 0 && moment.writes() {
                        check(&Side::new(&gpus[0], shaders.clone()), &moment)?;
                        moments.push((shaders.clone(), moment));
                        left -= 1;
                    }
                    Ok(())
                };
                case.run(&solver, Some(pass), &mut |moment| see(moment.clone()))
                    .map_err(|stop| format!("{name}, {solver}: {stop}"))?;
            }
        }
        // Small worlds answer fastest.
        moments.sort_by_key(|(_, moment)| moment.world.control.particle_count.abs_diff(300));
        Ok(Self { gpus, moments })
    }

    /// How a change ends with this pass, and how long that takes.
    pub(super) fn verdict(&mut self, mutant: &Mutant) -> Result<(Verdict, Duration), String> {
        let begin = Instant::now();
        // Kernels in place of others are in the shaders of some scenes only.
        let kernel = [Kernel::CubicSpline, Kernel::WendlandC2]
            .iter()
            .any(|kernel| mutant.file.ends_with(&format!("_{}", kernel.name())));
        let mut used = false;
        for (number, (shaders, moment)) in self.moments.iter().enumerate() {
            let mut shaders = shaders.clone();
            shaders.insert(&mutant.file, &mutant.text);
            for (gpu, subgroups) in self.gpus.iter().zip([true, false]) {
                let Ok(composed) = shaders.compose(&moment.placed.stage.pass, subgroups) else {
                    return Ok((Verdict::Untried, begin.elapsed()));
                };
                let lines = 1..=composed.wgsl.lines().count();
                let holds = lines.clone().any(|line| composed.origin(line).0 == mutant.file);
                if !holds || !kernel && !reachable(&composed.wgsl).contains(&mutant.item) {
                    continue;
                }
                if composed.parse().is_err() {
                    return Ok((Verdict::Untried, begin.elapsed()));
                }
                used = true;
                let side = Side::new(gpu, shaders.clone());
                let noticed = check(&side, moment).is_err()
                    // Changes of what decides whether a pass is active are tried where it is not.
                    || number == 0
                        && (mutant.file == "common/stage" || mutant.from.contains("is_active"))
                        && check_idle(&side, moment).is_err();
                if noticed {
                    return Ok((Verdict::Noticed, begin.elapsed()));
                }
            }
        }
        Ok((if used { Verdict::Survived } else { Verdict::Untried }, begin.elapsed()))
    }
}
