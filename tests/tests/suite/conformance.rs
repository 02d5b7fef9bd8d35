//! Every pass against the reference, in the scenes of `tests/scenes/`: each stage starts on both sides from
//! the same bits.
//!
//! `MENISCUS_PASS=sph/density` compares that pass alone, `MENISCUS_ERRORS=1` prints the largest error of each.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    sync::{Mutex, MutexGuard, PoisonError},
};

use conformance::{
    cases::Case,
    compare::{check, check_idle},
    device::{Flavour, gpu},
    moment::Moment,
    names::written,
    single::Side,
};
use meniscus::Shaders;
use meniscus_methods::Registry;
use meniscus_model::{Scene, Setup};

/// Shaders as a device of a flavour gets them: those of users have no code for what the scene lacks.
fn shaders(flavour: Flavour, scene: &Scene) -> Shaders {
    let shaders = match flavour {
        Flavour::Default => Shaders::standard(),
        Flavour::PlainFolded => Shaders::standard().general(),
    };
    let setup = Setup::with_methods(scene, &Registry::standard());
    shaders.for_scene(&setup.unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// Passes that write something in a scene, by the names of the scenes whose tests have passed.
static WRITTEN: Mutex<BTreeMap<String, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

fn lock() -> MutexGuard<'static, BTreeMap<String, BTreeSet<String>>> {
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a moment is compared. Iterations of a loop are alike: the first few are, and ever fewer of those that follow, and what
/// ends the loop.
fn is_told(moment: &Moment) -> bool {
    let iteration = moment.world.control.iteration;
    !moment.placed.in_body
        || iteration < 2
        || iteration.is_power_of_two()
        || moment.control.iteration == 0
}

/// Compares all stages of a scene with all of its solvers.
fn conforms(name: &str) {
    let case = Case::read(name);
    let only = env::var("MENISCUS_PASS").ok();
    let mut largest: BTreeMap<String, f64> = BTreeMap::new();
    let mut written = BTreeSet::new();
    for solver in case.solvers() {
        let scene = case.with(&solver);
        let flavours = [Flavour::Default, Flavour::PlainFolded];
        let sides =
            flavours.map(|flavour| Some(Side::new(gpu(flavour)?, shaders(flavour, &scene))));
        let [Some(first), Some(second)] = sides else { return };
        let mut idle = BTreeSet::new();
        let missing = case.run(&solver, only.as_deref(), &mut |moment: &Moment| {
            if !is_told(moment) {
                return Ok(());
            }
            for side in [&first, &second] {
                let error = check(side, moment)?;
                let most = largest.entry(moment.placed.stage.pass.clone()).or_default();
                *most = most.max(error);
            }
            if moment.writes() {
                written.insert(moment.placed.stage.pass.clone());
                if idle.insert(moment.placed.pass.name) {
                    check_idle(&first, moment)?;
                }
            }
            Ok(())
        });
        let missing = missing.unwrap_or_else(|stop| panic!("{name}, {solver}: {stop}"));
        assert!(missing.is_empty(), "{name}, {solver}: the scene does not reach {missing:?}");
    }
    if only.is_none() {
        lock().insert(name.to_owned(), written);
    }
    if env::var_os("MENISCUS_ERRORS").is_some() {
        for (pass, error) in &largest {
            println!("{error:.1e} {pass} ({name})");
        }
    }
}

/// One test for each scene.
macro_rules! scenes {
    ($($name:ident)+) => {
        $(#[test] fn $name() { conforms(stringify!($name)); })+
    };
}

include!("conformance.names");

#[test]
fn each_scene_has_its_test() {
    written("conformance.names", "scenes", Case::names().unwrap());
}

/// A pass that no scene reaches, or only where it has nothing to do, is not tested. Tests begin in the order of their names: this is
/// the last, and runs only those scenes in the reference that no test has run.
#[test]
fn writes_of_all_scenes_cover_every_pass_and_term() {
    let mut written = BTreeSet::new();
    for name in Case::names().unwrap() {
        if let Some(passes) = lock().get(&name) {
            written.extend(passes.iter().cloned());
            continue;
        }
        let case = Case::read(&name);
        for solver in case.solvers() {
            let see = &mut |moment: &Moment| {
                if moment.writes() {
                    written.insert(moment.placed.stage.pass.clone());
                }
                Ok(())
            };
            case.run(&solver, None, see).unwrap_or_else(|stop| panic!("{name}, {solver}: {stop}"));
        }
    }
    let parts: BTreeSet<_> = written.iter().flat_map(|pass| pass.split('+')).collect();
    let shaders = Shaders::standard();
    let all = shaders.passes().chain(shaders.terms());
    let missing: Vec<_> = all.filter(|name| !parts.contains(name)).collect();
    assert!(missing.is_empty(), "no scene in tests/scenes reaches {missing:?}");
}
