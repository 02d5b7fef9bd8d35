//! The laws over the scenes of `tests/laws/`: one pair of each in every run, all of them with `MENISCUS_FULL=1`.
//!
//! `MENISCUS_LAW="shift tank flip"` checks what contains these words, and prints all that was compared.

use std::{collections::BTreeSet, env, fs};

use conformance::{
    device::{Flavour, gpu},
    laws::{Case, LAWS},
    names::written,
};
use meniscus_formats::{LoadOptions, SCENES, load_text, scene_keys, scene_to_toml};
use toml::{Table, Value};

/// Checks a law over its scenes.
fn holds(name: &str) {
    let law = LAWS.iter().find(|law| law.name == name).expect("a law of this name");
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let full = env::var_os("MENISCUS_FULL").is_some();
    let only = env::var("MENISCUS_LAW").ok();
    let mut wrong = Vec::new();
    for case in Case::all().unwrap() {
        if !case.head.laws.iter().any(|one| one == name) {
            continue;
        }
        for solver in case.solvers() {
            let pair = format!("{name} {solver}");
            let words = format!("{name} {} {solver}", case.name);
            let asked = only.as_ref().map(|only| only.split(' ').all(|word| words.contains(word)));
            if !asked.unwrap_or(full || case.head.coarse.contains(&pair)) {
                continue;
            }
            let findings = case.check(gpu, law, &solver);
            if only.is_some() {
                println!("{words}");
                findings.iter().for_each(|finding| println!("    {finding}"));
            }
            assert!(!findings.is_empty(), "{words}: nothing is compared");
            let failed: Vec<_> = findings.iter().filter(|one| one.fails()).collect();
            match case.head.fails.get(&pair) {
                None => wrong.extend(failed.iter().map(|finding| format!("{words}, {finding}"))),
                Some(_) if failed.is_empty() => wrong.push(format!(
                    "{words}: it holds now; take it out of `fails` in tests/laws/{}.toml",
                    case.name
                )),
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", law.rule, wrong.join("\n"));
}

/// One test for each law.
macro_rules! laws {
    ($($name:ident)+) => {
        $(#[test] fn $name() { holds(stringify!($name)); })+
    };
}

include!("laws.names");

#[test]
fn each_law_has_its_test_and_a_scene_in_every_run() {
    written("laws.names", "laws", LAWS.iter().map(|law| law.name));
    let cases = Case::all().unwrap();
    for case in &cases {
        let pairs = case.head.laws.iter().flat_map(|law| {
            case.solvers().into_iter().map(move |solver| format!("{law} {solver}"))
        });
        let pairs: Vec<_> = pairs.collect();
        for pair in case.head.coarse.iter().chain(case.head.fails.keys()) {
            assert!(pairs.contains(pair), "{}: {pair:?} is no law with a solver", case.name);
        }
    }
    for law in LAWS {
        let coarse = cases.iter().flat_map(|case| &case.head.coarse);
        let any = coarse.filter(|pair| pair.split(' ').next() == Some(law.name)).count();
        assert!(any > 0, "no scene checks {} in every run", law.name);
    }
}

/// Names of all keys of a table and of those within it.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Table(table) => {
            for (name, value) in table {
                found.insert(name.clone());
                names(value, found);
            }
        }
        Value::Array(all) => all.iter().for_each(|value| names(value, found)),
        _ => {}
    }
}

#[test]
fn the_scenes_use_every_key() {
    let mut texts: Vec<_> = SCENES.iter().map(|scene| scene.text.to_owned()).collect();
    for folder in ["laws", "scenes"] {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let scenes = files.filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
        texts.extend(scenes.map(|path| fs::read_to_string(path).unwrap()));
    }
    let mut used = BTreeSet::new();
    for text in texts {
        names(&text.parse::<Table>().unwrap().into(), &mut used);
        // Methods' defaults, written out.
        if let Ok(loaded) = load_text("scene.toml", &text, &LoadOptions::default()) {
            names(&scene_to_toml(&loaded.scene).parse::<Table>().unwrap().into(), &mut used);
        }
    }
    // Neither choices nor what names a file and its parts, which tests of formats write.
    let all = scene_keys();
    let keys =
        all.lines().filter_map(|line| line.trim_start().strip_prefix("- `")?.split_once("`:"));
    let unused: BTreeSet<_> = keys
        .filter(|(name, help)| {
            !(name.starts_with('"') || help.contains("file") || used.contains(*name))
        })
        .map(|(name, _)| name)
        .collect();
    assert!(unused.is_empty(), "no scene has {unused:?}");
}
