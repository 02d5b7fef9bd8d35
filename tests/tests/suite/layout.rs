//! Tests of shaders that need no driver.

use std::{fs, process::Command};

use meniscus::shaders::{Composed, Reflection, Shaders};
use meniscus_model::shared;

/// Every composed pass, with and without subgroup operations; the walk that sums forces with each
/// term alone and with all of them.
fn composed() -> Vec<Composed> {
    let shaders = Shaders::embedded();
    let terms: Vec<_> = shaders.terms().collect();
    let alone = terms.iter().map(|term| format!("sph/forces+{term}"));
    let all = format!("sph/forces+{}", terms.join("+"));
    let passes = shaders.passes().map(str::to_owned).chain(alone).chain([all]);
    let both = passes.flat_map(|pass| {
        [false, true].map(|subgroups| shaders.compose(&pass, subgroups).expect("it composes"))
    });
    both.collect()
}

#[test]
fn every_pass_parses_and_binds_at_most_8_storage_buffers() {
    for shader in composed() {
        let module = shader.parse().unwrap_or_else(|error| panic!("{error}"));
        let reflection = Reflection::of(&shader, &module).unwrap_or_else(|error| panic!("{error}"));
        assert!(reflection.storage_buffers() <= 8, "{} binds too many buffers", shader.name);
        assert!(reflection.workgroup_size <= 256, "{}", shader.name);
    }
}

#[test]
fn subgroup_variants_exist_and_the_plain_ones_need_no_feature() {
    let shaders = Shaders::embedded();
    for pass in ["sph/density", "sph/forces"] {
        assert!(shaders.compose(pass, true).unwrap().needs_subgroups());
    }
    for pass in shaders.passes() {
        assert!(!shaders.compose(pass, false).unwrap().needs_subgroups(), "{pass}");
    }
}

#[test]
fn every_pass_passes_tint_where_it_is_installed() {
    if Command::new("tint").arg("--help").output().is_err() {
        eprintln!("SKIPPED: tint is not on the PATH");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for shader in composed() {
        let file = folder.path().join("shader.wgsl");
        fs::write(&file, shader.for_browser()).unwrap();
        // `--format none` would suffice, but not every build of Tint has it.
        let arguments = ["--format", "wgsl", "--output-name"];
        let written = folder.path().join("written.wgsl");
        let output = Command::new("tint").args(arguments).arg(written).arg(&file).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{said}", shader.name);
    }
}

/// Offset in bytes of each member of a struct, by name, and its size, as naga lays it out.
fn offsets(module: &naga::Module, name: &str) -> (Vec<(String, u64)>, u64) {
    let of = |ty: &naga::Type| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let offset =
                |m: &naga::StructMember| (m.name.clone().unwrap_or_default(), u64::from(m.offset));
            Some((members.iter().map(offset).collect(), u64::from(*span)))
        }
        _ => None,
    };
    module.types.iter().find_map(|(_, ty)| of(ty)).unwrap_or_else(|| panic!("no struct {name}"))
}

#[test]
fn every_shared_struct_lies_the_same_in_rust_and_in_shaders() {
    let files = shared::files();
    for declared in shared::STRUCTS.iter().copied().flatten() {
        let name = declared.name;
        let fields = declared.fields.iter().map(|field| field.name.to_owned());
        let rust = (fields.zip(declared.offsets.iter().copied()).collect(), declared.size);
        let file = declared.include();
        for file in [file.clone(), format!("{file}_write")] {
            if !files.contains_key(&file) {
                continue;
            }
            let writes = file.ends_with("_write");
            let variable = match (declared.uniform, writes) {
                (true, false) => format!("var<uniform> one: {name};"),
                (_, true) => format!("var<storage, read_write> all: array<{name}>;"),
                (false, false) => format!("var<storage, read> all: array<{name}>;"),
            };
            let mut shaders = Shaders::embedded();
            shaders
                .insert("layout", format!("//!include {file}\n@group(1) @binding(0) {variable}\n"));
            let module = shaders.compose("layout", false).and_then(|shader| shader.parse());
            let module = module.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(rust, offsets(&module, name), "{file}");
        }
    }
}
