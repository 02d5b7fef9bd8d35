//! Tests of shaders that need no driver.

use std::{fs, path::Path, process::Command};

use meniscus::{
    Shaders,
    methods::{arrays::ARRAYS, passes},
    raw::{Composed, Reflection},
};
use meniscus_methods::{Axis, Registry};
use meniscus_model::{
    fixed::Fixed,
    params::{
        SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_MESH, SHAPE_PLANE, SHAPE_POLYGON,
        SHAPE_SPHERE,
    },
    shared,
};

/// Every composed pass, with and without subgroup operations; the walk that sums forces with each
/// term alone, and with one of the tensions, of which a scene has one, and all other terms.
fn composed() -> Vec<Composed> {
    let shaders = Shaders::standard();
    let terms: Vec<_> = shaders.terms().collect();
    let alone = terms.iter().map(|term| format!("sph/forces+{term}"));
    let registry = Registry::standard();
    let tensions: Vec<_> = registry.of(Axis::Tension).filter_map(|method| method.term).collect();
    let others: Vec<_> = terms.iter().copied().filter(|term| !tensions.contains(term)).collect();
    let all = tensions.iter().map(|term| format!("sph/forces+{}+{term}", others.join("+")));
    let passes = shaders.passes().map(str::to_owned).chain(alone).chain(all);
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
        let images = reflection.bindings.iter().filter(|binding| binding.image.is_some()).count();
        // WebGPU's least limit is 4, but native adapters that use textures have more.
        assert!(images <= 5, "{} binds {images} textures", shader.name);
    }
}

#[test]
fn every_pass_parses_with_the_constants_of_special_scenes() {
    for shape in [
        SHAPE_BOX,
        SHAPE_SPHERE,
        SHAPE_PLANE,
        SHAPE_CYLINDER,
        SHAPE_CAPSULE,
        SHAPE_MESH,
        SHAPE_POLYGON,
    ] {
        let mut fixed = Fixed::default();
        fixed.shapes = 1 << shape;
        (fixed.has_springs, fixed.is_periodic) = (false, false);
        let mut shaders = Shaders::standard();
        shaders.insert("shared/scene", fixed.wgsl());
        for pass in shaders.passes() {
            let shader = shaders.compose(pass, false).and_then(|shader| shader.parse());
            shader.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn subgroup_variants_exist_and_the_plain_ones_need_no_feature() {
    let shaders = Shaders::standard();
    for pass in ["sph/density", "sph/forces"] {
        assert!(shaders.compose(pass, true).unwrap().needs_subgroups());
    }
    for pass in shaders.passes() {
        let plain = shaders.compose(pass, false).unwrap();
        assert!(!plain.needs_subgroups() && !plain.wgsl.contains("texture_"), "{pass}");
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
            let mut shaders = Shaders::standard();
            shaders
                .insert("layout", format!("//!include {file}\n@group(1) @binding(0) {variable}\n"));
            let module = shaders.compose("layout", false).and_then(|shader| shader.parse());
            let module = module.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(rust, offsets(&module, name), "{file}");
        }
    }
}

/// Texts of the WGSL files as they are in the tree, and of all Rust sources of crates.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let mut folders = vec![root.join("crates"), root.join("wgsl")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "wgsl") {
                files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// Places where a line begins with `declaration`, in the sources whose names end with `ending`.
fn places(sources: &[(String, String)], ending: &str, declaration: &str) -> Vec<String> {
    let of = |(file, text): &(String, String)| {
        let lines = text.lines().map(str::trim_start).enumerate();
        let found = lines.filter(|(_, line)| line.starts_with(declaration));
        found.map(|(number, _)| format!("{file}:{}", number + 1)).collect::<Vec<_>>()
    };
    sources.iter().filter(|(file, _)| file.ends_with(ending)).flat_map(of).collect()
}

#[test]
fn structs_constants_parameters_and_arrays_are_declared_in_one_place() {
    let sources = sources();
    let check = |file: &str, rust: &str, wgsl: &str| {
        let mut all = places(&sources, file, rust);
        all.extend(places(&sources, ".wgsl", wgsl));
        assert_eq!(all.len(), 1, "`{rust}` is declared at {all:#?}");
    };
    for declared in shared::STRUCTS.iter().copied().flatten() {
        let name = declared.name;
        check(declared.file, &format!("struct {name} "), &format!("struct {name} "));
        for field in declared.fields {
            let in_wgsl = places(&sources, ".wgsl", &format!("{}: {},", field.name, (field.ty)()));
            let own = |place: &String| {
                place.contains("/common/params") || place.contains("/common/control")
            };
            assert!(!in_wgsl.iter().any(own), "{name}.{} is declared at {in_wgsl:#?}", field.name);
        }
    }
    for group in shared::CONSTANTS.iter().copied().flatten().chain(passes::CONSTANTS) {
        for constant in group.constants {
            let name = constant.name;
            check(group.file, &format!("{name}: "), &format!("const {name} "));
        }
    }
    for array in ARRAYS {
        let by_hand = places(&sources, "reference/src/world.rs", &format!("pub {}: ", array.name));
        assert!(by_hand.is_empty(), "the table generates the field at {by_hand:#?}");
        check(
            "methods/src/arrays.rs",
            &format!("{}: [", array.name),
            &format!("var<storage, read> {}:", array.name),
        );
    }
    let by_number: Vec<_> = sources
        .iter()
        .filter(|(file, _)| file.contains("/wgsl/") && !file.contains("/render/"))
        .filter(|(_, text)| text.contains("@group(1) @binding("))
        .map(|(file, _)| file)
        .collect();
    assert!(by_number.is_empty(), "arrays are bound by number in {by_number:#?}");
}
