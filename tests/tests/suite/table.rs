//! The entries of a pass agree: file, row, twin. (Whether a scene reaches it is a
//! test in `conformance.rs`.)

use std::collections::BTreeSet;

use conformance::cases::Case;
use meniscus::{
    Shaders,
    methods::{
        arrays as buffers,
        arrays::ARRAYS,
        lists::step,
        passes::{PASSES, Pass},
        plan::Plans,
        stage::stage,
        tables::{Extra, Tables},
    },
    raw::Reflection,
};
use meniscus_methods::{Method, Registry};
use meniscus_model::{Setup, shared};
use meniscus_reference::World;

/// The rows of the pass table and of all methods; methods of a family have equal rows.
fn passes() -> impl Iterator<Item = Pass> {
    let mut all = PASSES.to_vec();
    for pass in Registry::standard().methods().flat_map(Method::passes) {
        if !all.contains(pass) {
            all.push(*pass);
        }
    }
    all.into_iter()
}

/// Arrays that stages of a test scene bind to variables.
fn renamed() -> BTreeSet<String> {
    let mut renamed = BTreeSet::new();
    for name in Case::names().expect("the folder of scenes") {
        let case = Case::read(&name);
        for solver in case.solvers() {
            let setup = Setup::new(&case.with(&solver)).expect("a scene");
            let extras = Extra::of(&setup.chosen);
            let lists = step::lists(&setup.scope());
            let plans = Plans::new(&lists, &setup.counts(), &Tables::with(&extras)).expect("lists");
            let arrays = plans.stages().flat_map(|placed| placed.stage.renames.clone());
            renamed.extend(arrays.map(|(_, array)| array));
        }
    }
    renamed
}

#[test]
fn files_rows_and_twins_are_the_same_passes() {
    let shaders = Shaders::standard();
    let files: BTreeSet<_> = shaders.passes().collect();
    let rows: BTreeSet<_> = passes().map(|pass| pass.name).collect();
    let twins: BTreeSet<_> = meniscus_reference::PASSES.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, rows, "wgsl files and rows of the pass table");
    assert_eq!(rows, twins, "rows of the pass table and twins of the reference");
    assert_eq!(passes().count(), rows.len(), "a pass has two rows");
}

#[test]
fn terms_have_a_file_and_a_twin() {
    let shaders = Shaders::standard();
    let files: BTreeSet<_> = shaders.terms().collect();
    let twins: BTreeSet<_> = meniscus_reference::TERMS.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, twins, "files in wgsl/terms and twins of the reference");
}

#[test]
fn every_binding_is_a_row_of_the_buffer_table_and_every_row_is_bound() {
    let variables: BTreeSet<_> = World::VARIABLES.iter().map(|(name, _)| *name).collect();
    let shaders = Shaders::standard();
    let registry = Registry::standard();
    let own: Vec<_> = registry.methods().flat_map(Method::arrays).collect();
    let mut bound = BTreeSet::new();
    for pass in passes() {
        let composed = shaders.compose(pass.name, false).unwrap();
        let reflection = Reflection::of(&composed, &composed.parse().unwrap()).unwrap();
        for binding in &reflection.bindings {
            let name = stage(pass.name).array(&binding.name).to_owned();
            let known = buffers::find(&name).is_some() || own.iter().any(|row| row.name == name);
            assert!(
                known || variables.contains(binding.name.as_str()),
                "{}: {}",
                pass.name,
                binding.name
            );
            bound.insert(binding.name.clone());
        }
    }
    bound.extend(renamed());
    for row in ARRAYS.iter().chain(own) {
        // Levels of scans of more than any test scene has, and the list of a surface.
        let elsewhere =
            ["totals_", "offsets_", "taubin_"].iter().any(|way| row.name.starts_with(way));
        assert!(elsewhere || bound.contains(row.name), "no pass binds {}", row.name);
    }
}

#[test]
fn the_reference_keeps_every_array_with_the_scalars_of_the_table() {
    let mut world = World::new(Default::default(), Default::default());
    let of_struct = |name: &str| {
        let found = shared::STRUCTS.iter().copied().flatten().find(|one| one.name == name);
        found.and_then(|one| u32::try_from(one.size / 4).ok())
    };
    for row in ARRAYS {
        let expected =
            row.width(&of_struct).unwrap_or_else(|| panic!("{} has an unknown element", row.name));
        let Some(values) = world.buffer(row.name) else { continue };
        let (meniscus_reference::Values::Floats { width, .. }
        | meniscus_reference::Values::Words { width, .. }) = values;
        assert_eq!(expected as usize, width, "{}: {}", row.name, row.element());
    }
}

#[test]
fn units_of_quantities_are_in_the_array_table() {
    let unit =
        |array: &str, quantity: &str| buffers::find(array).and_then(|row| row.unit(quantity));
    assert_eq!(unit("position", "density"), Some("kg/m³"));
    assert_eq!(unit("velocity", "pressure"), Some("Pa"));
    assert_eq!(unit("velocity", "density"), None);
}
