//! Composition of shaders: `//!include common/torus` on a line of its own includes that file, once.
//!
//! A pass may be a walk over neighbours that serves several terms:
//! `sph/forces+viscosity_muller+pressure_wcsph` is the file `sph/forces` with the terms
//! `terms/viscosity_muller` and `terms/pressure_wcsph`. They are included at its line `//!terms`,
//! and each line `//!each force += TERM_end(i);` becomes one line for every term that defines a
//! function of that name. `mpm/deform+water+snow` takes the models in `materials/` so, at its line `//!materials`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use meniscus_methods::{Method, Registry, arrays::Row, mpm::materials};
use meniscus_model::{Setup, fixed::Fixed, scene::Kernel};

use super::{
    bindings::{Access, Added, Arrays},
    carry::Carried,
};

/// Compilation error of a shader, with its place in the source file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("wgsl/{file}.wgsl:{line}: {message}")]
pub struct ShaderError {
    /// Name of the file below `wgsl/`, without extension.
    pub file: String,
    /// Line in that file, from 1.
    pub line: usize,
    /// Message.
    pub message: String,
}

/// Shader files by name, embedded or modified.
#[derive(Clone, Debug)]
pub struct Shaders {
    files: BTreeMap<String, String>,
    /// Name of the kernel: a file `X_kernel` replaces an included `X` if it exists.
    kernel: &'static str,
    /// Whether they keep the code for features that a scene does not use.
    general: bool,
    /// Rows of the methods' own arrays.
    rows: Vec<Row>,
}

impl Default for Shaders {
    fn default() -> Self {
        Self::standard()
    }
}

impl Shaders {
    /// The embedded files, including those of shared structs and constants.
    #[must_use]
    pub fn standard() -> Self {
        let mut files = meniscus_model::shared::files();
        files.extend(meniscus_methods::shared_files());
        files.extend(meniscus_wgsl::files().iter().map(|(n, text)| ((*n).into(), (*text).into())));
        let shaders =
            Self { files, kernel: Kernel::Muller.name(), general: false, rows: Vec::new() };
        shaders.with_methods(&Registry::standard())
    }

    /// Files with the numbers of these methods (`shared/methods`), and with the methods' own files.
    #[must_use]
    pub fn with_methods(mut self, registry: &Registry) -> Self {
        self.insert("shared/methods", registry.wgsl());
        self.insert("shared/models", materials::wgsl(registry.models()));
        for (name, text) in registry.models().iter().flat_map(|model| model.shaders) {
            self.insert(*name, *text);
        }
        self.rows = registry.methods().flat_map(Method::arrays).copied().collect();
        for (name, text) in registry.methods().flat_map(|method| method.shaders) {
            self.insert(*name, *text);
        }
        self
    }

    /// Adds or replaces a file, by its name below `wgsl/` without extension.
    pub fn insert(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.files.insert(name.into(), text.into());
    }

    /// Files for a scene: with its kernel, and without code for features that it does not use.
    #[must_use]
    pub fn for_scene(self, setup: &Setup) -> Self {
        let mut shaders = self.with_kernel(setup.kernel);
        if !shaders.general {
            shaders.insert("shared/scene", Fixed::of(setup).wgsl());
        }
        shaders
    }

    /// Files that keep the code for every feature in every scene, as comparisons use them.
    #[must_use]
    pub fn general(mut self) -> Self {
        self.general = true;
        self
    }

    /// Files in which another kernel takes the place of Müller's.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel.name();
        self
    }

    /// Names of all passes: the files outside `common/`, `materials/`, `shapes/`, `shared/`, `terms/` and
    /// `render/`, which holds shaders for drawing.
    pub fn passes(&self) -> impl Iterator<Item = &str> {
        let apart = ["common/", "materials/", "shapes/", "shared/", "terms/", "render/"];
        let outside = move |name: &&str| !apart.iter().any(|folder| name.starts_with(folder));
        self.files.keys().map(String::as_str).filter(outside)
    }

    /// Names of all shaders for drawing: the files in `render/` with an entry point.
    pub fn drawings(&self) -> impl Iterator<Item = &str> {
        let has_entry = |text: &str| text.contains("@fragment") || text.contains("@compute");
        let drawn =
            move |(name, text): &(&String, &String)| name.starts_with("render/") && has_entry(text);
        self.files.iter().filter(drawn).map(|(name, _)| name.as_str())
    }

    /// Names of all terms: the files in `terms/`.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(|name| name.strip_prefix("terms/"))
    }

    /// Composes a pass from its file, the files it includes, and its terms (`FILE+TERM+TERM`). With
    /// `subgroups`, a file `X_subgroup` replaces an included `X` if it exists.
    ///
    /// # Errors
    /// An unknown file name, term or directive, with its line.
    pub fn compose(&self, pass: &str, subgroups: bool) -> Result<Composed, ShaderError> {
        let mut composed = Composed {
            name: pass.to_owned(),
            wgsl: String::new(),
            enables: BTreeSet::new(),
            lines: Vec::new(),
        };
        let mut names = pass.split('+');
        let file = names.next().unwrap_or(pass);
        let mut inclusion = Inclusion {
            terms: names.collect(),
            folder: "terms",
            subgroups,
            seen: BTreeSet::new(),
            arrays: Arrays::default(),
            carried: Carried::default(),
            functions: BTreeSet::new(),
            called: BTreeSet::new(),
            out: &mut composed,
        };
        self.include(file, (file, 1), &mut inclusion)?;
        match inclusion.terms.first() {
            Some(term) if !inclusion.seen.contains(&format!("{}/{term}", inclusion.folder)) => {
                Err(ShaderError {
                    file: file.to_owned(),
                    line: 1,
                    message: format!("takes no terms, but {pass} names some"),
                })
            }
            _ => {
                let idle = inclusion.terms.iter().find(|term| !inclusion.called.contains(*term));
                // Functions of materials may be left out, as of those that have no viscosity.
                let has_all = inclusion.folder == "materials" || inclusion.functions.is_empty();
                if let Some(term) = idle.filter(|_| !has_all) {
                    let all = inclusion.functions.iter();
                    let all: Vec<_> = all.map(|function| format!("{term}{function}")).collect();
                    return Err(ShaderError {
                        file: format!("terms/{term}"),
                        line: 1,
                        message: format!(
                            "has none of the functions that {file} calls: {}",
                            all.join(", ")
                        ),
                    });
                }
                let lanes = inclusion.out.needs_subgroups();
                let declared = inclusion.carried.declare(&inclusion.out.wgsl, lanes);
                let declared = inclusion.arrays.declare(&declared, subgroups);
                Ok(Composed { wgsl: declared, ..composed })
            }
        }
    }

    fn include(
        &self,
        name: &str,
        caller: (&str, usize),
        inclusion: &mut Inclusion<'_>,
    ) -> Result<(), ShaderError> {
        let error = |(file, line): (&str, usize), message: String| ShaderError {
            file: file.to_owned(),
            line,
            message,
        };
        let kernel = format!("{name}_{}", self.kernel);
        let name = if self.files.contains_key(&kernel) { &kernel } else { name };
        let variant = format!("{name}_subgroup");
        let has_variant = inclusion.subgroups && self.files.contains_key(&variant);
        let name = if has_variant { &variant } else { name };
        let text = self.files.get(name);
        let text =
            text.ok_or_else(|| error(caller, format!("there is no file wgsl/{name}.wgsl")))?;
        if !inclusion.seen.insert(name.to_owned()) {
            return Ok(());
        }
        for (number, line) in text.lines().enumerate() {
            let here = (name, number + 1);
            let Some(directive) = line.trim_start().strip_prefix("//!") else {
                inclusion.out.push(line, here);
                continue;
            };
            let (verb, rest) = directive.split_once(' ').unwrap_or((directive, ""));
            if let Some(access) = Access::named(verb) {
                let added = inclusion.arrays.add(access, rest, &self.rows);
                for Added { line, include } in added.map_err(|message| error(here, message))? {
                    if let Some(file) = include {
                        self.include(&file, here, inclusion)?;
                    }
                    if let Some(line) = line {
                        inclusion.out.push(&line, here);
                    }
                }
                continue;
            }
            match (verb, rest) {
                ("include", file) => self.include(file.trim(), here, inclusion)?,
                ("carry", members) => {
                    let added = inclusion.carried.add(members);
                    if let Some(line) = added.map_err(|message| error(here, message))? {
                        inclusion.out.push(line, here);
                    }
                }
                ("enable", extension) => {
                    inclusion.out.enables.insert(extension.trim().to_owned());
                }
                (folder @ ("terms" | "materials"), "") => {
                    inclusion.folder = if folder == "terms" { "terms" } else { "materials" };
                    for term in inclusion.terms.clone() {
                        self.include(&format!("{folder}/{term}"), here, inclusion)?;
                    }
                }
                ("each", statement) => {
                    let (_, call) = statement.rsplit_once("TERM").unwrap_or_default();
                    let function = call.split('(').next().unwrap_or_default();
                    for term in &inclusion.terms {
                        let text = self.files.get(&format!("{}/{term}", inclusion.folder));
                        let defines = format!("fn {term}{function}(");
                        if text.is_some_and(|text| text.contains(&defines)) {
                            inclusion.out.push(&statement.replace("TERM", term), here);
                            inclusion.called.insert(term);
                        }
                    }
                    inclusion.functions.insert(function.to_owned());
                }
                _ => {
                    let expected = "expected `//!include FILE`, `//!read ARRAY...`, `//!gather ARRAY...`, \
                                    `//!write ARRAY...`, `//!publish ARRAY...`, `//!atomic ARRAY...`, `//!carry MEMBER: TYPE, ...`, \
                                    `//!terms`, `//!materials`, `//!each STATEMENT` or `//!enable EXTENSION`";
                    return Err(error(here, format!("unknown directive `{line}`: {expected}")));
                }
            }
        }
        Ok(())
    }
}

/// State of a composition.
struct Inclusion<'a> {
    /// Names after `+`, and the folder of their files.
    terms: Vec<&'a str>,
    folder: &'static str,
    subgroups: bool,
    seen: BTreeSet<String>,
    arrays: Arrays,
    carried: Carried,
    /// What follows the name of a term in those of the functions that the pass calls, and the terms that have one of them.
    functions: BTreeSet<String>,
    called: BTreeSet<&'a str>,
    out: &'a mut Composed,
}

/// A composed pass.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Name of the pass.
    pub name: String,
    /// Text for naga: without `enable subgroups;`, which it rejects.
    pub wgsl: String,
    enables: BTreeSet<String>,
    lines: Vec<(String, usize)>,
}

impl Composed {
    fn push(&mut self, line: &str, (file, number): (&str, usize)) {
        self.wgsl.push_str(line);
        self.wgsl.push('\n');
        self.lines.push((file.to_owned(), number));
    }

    /// Text for browsers and Tint, with the extensions that it needs enabled in its first lines.
    ///
    /// A browser's device only gets the plain variant: wgpu's WebGPU backend (30.0) does not
    /// request the feature `subgroups`, so [`Gpu::uses_subgroups`](crate::Gpu::uses_subgroups) is
    /// false there. The text of the subgroup variant is for Tint and other WebGPU hosts.
    #[must_use]
    pub fn for_browser(&self) -> String {
        let mut head = String::new();
        for extension in &self.enables {
            head += &format!("enable {extension};\n");
            if extension == "subgroups" {
                head += "diagnostic(off, subgroup_uniformity);\n";
            }
        }
        head + &self.wgsl
    }

    /// Text for this program's device: [`Composed::wgsl`] on native devices, which use naga, and
    /// [`Composed::for_browser`] in a browser. With `bounds_in_storage`, what bounds loops is read from Params as a storage buffer:
    /// Mesa's software Vulkan (22.3) writes values of uniforms into loops, and compiles such a pass anew in each dispatch.
    #[must_use]
    pub fn for_device(&self, bounds_in_storage: bool) -> Cow<'_, str> {
        if cfg!(target_arch = "wasm32") {
            return self.for_browser().into();
        }
        if !bounds_in_storage {
            return self.wgsl.as_str().into();
        }
        let mut text = self.wgsl.clone();
        for bound in ["counts.", "world.dimensions"] {
            text = text.replace(&format!("params.{bound}"), &format!("stored_params.{bound}"));
        }
        text += "@group(0) @binding(3) var<storage, read> stored_params: Params;\n";
        text.into()
    }

    /// Whether it needs the device's subgroup operations.
    #[must_use]
    pub fn needs_subgroups(&self) -> bool {
        self.enables.contains("subgroups")
    }

    /// File and line of a line of [`Composed::wgsl`], both from 1.
    #[must_use]
    pub fn origin(&self, line: usize) -> (&str, usize) {
        let origin = line.checked_sub(1).and_then(|index| self.lines.get(index));
        origin.map_or((self.name.as_str(), line), |(file, line)| (file, *line))
    }

    /// Parses and validates the text. In a browser, which validates it itself, it is only parsed: the module is a tenth
    /// smaller without naga's validator.
    ///
    /// # Errors
    /// naga's message with the source file and line.
    pub fn parse(&self) -> Result<naga::Module, ShaderError> {
        let module = naga::front::wgsl::parse_str(&self.wgsl)
            .map_err(|error| self.error(error.location(&self.wgsl), error.message().to_owned()))?;
        #[cfg(not(target_arch = "wasm32"))]
        self.validate(&module)?;
        Ok(module)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn validate(&self, module: &naga::Module) -> Result<(), ShaderError> {
        use naga::valid::{Capabilities, ValidationFlags, Validator};

        let capabilities = Capabilities::default() | Capabilities::SUBGROUP;
        let mut validator = Validator::new(ValidationFlags::all(), capabilities);
        validator.validate(module).map(|_| ()).map_err(|error| {
            let mut message = error.as_inner().to_string();
            let mut source = std::error::Error::source(error.as_inner());
            while let Some(cause) = source {
                message = format!("{message}: {cause}");
                source = cause.source();
            }
            self.error(error.location(&self.wgsl), message)
        })
    }

    /// An error at the line of the file that a place in the text is from.
    fn error(&self, location: Option<naga::SourceLocation>, message: String) -> ShaderError {
        let line = location.map_or(1, |location| location.line_number as usize);
        let (file, line) = self.origin(line);
        ShaderError { file: file.to_owned(), line, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaders(files: &[(&str, &str)]) -> Shaders {
        let files = files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
        Shaders { files, kernel: "", general: false, rows: Vec::new() }
    }

    #[test]
    fn a_file_is_included_once_and_before_its_includer() {
        let files = shaders(&[
            ("a", "//!include common/b\n//!include common/c\nfn a() {}"),
            ("common/b", "//!include common/c\nfn b() {}"),
            ("common/c", "fn c() {}"),
        ]);
        let composed = files.compose("a", false).unwrap();
        assert_eq!(composed.wgsl, "fn c() {}\nfn b() {}\nfn a() {}\n");
        assert_eq!(composed.origin(3), ("a", 3));
        assert_eq!(composed.origin(1), ("common/c", 1));
    }

    #[test]
    fn an_unknown_file_is_an_error_at_the_line_that_names_it() {
        let files = shaders(&[("a", "// a comment\n//!include common/nowhere")]);
        let error = files.compose("a", false).unwrap_err();
        assert_eq!(error.to_string(), "wgsl/a.wgsl:2: there is no file wgsl/common/nowhere.wgsl");
    }

    #[test]
    fn parse_and_validation_errors_name_the_file_and_line_to_edit() {
        let parse = shaders(&[("a", "//!include common/b\nfn a() {}"), ("common/b", "\nfn b( {}")]);
        let error = parse.compose("a", false).unwrap().parse().unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("common/b", 2), "{error}");
        let text = "//!include common/b\n\nfn a() -> f32 { return b(1u); }";
        let valid = shaders(&[("a", text), ("common/b", "fn b(x: f32) -> f32 { return x; }")]);
        let error = valid.compose("a", false).unwrap().parse().unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("a", 3), "{error}");
    }

    #[test]
    fn a_pass_calls_the_functions_that_its_terms_have() {
        let files = shaders(&[
            ("walk", "//!terms\nfn main() {\n    //!each a += TERM_a();\n    //!each TERM_b();\n}"),
            ("terms/x", "fn x_a() {}"),
            ("terms/y", "fn y_a() {}\nfn y_b() {}"),
            ("plain", "fn main() {}"),
        ]);
        let composed = files.compose("walk+y+x", false).unwrap();
        let calls = "a += y_a();\na += x_a();\ny_b();\n";
        let terms = "fn y_a() {}\nfn y_b() {}\nfn x_a() {}\n";
        assert_eq!(composed.wgsl, format!("{terms}fn main() {{\n{calls}}}\n"));
        assert_eq!(composed.origin(2), ("terms/y", 2));
        assert_eq!(composed.origin(6), ("walk", 3));
        assert_eq!(files.compose("walk", false).unwrap().wgsl, "fn main() {\n}\n");
        let misnamed = shaders(&[
            ("walk", "//!terms\nfn main() {\n    //!each a += TERM_a();\n    //!each TERM_b();\n}"),
            ("terms/x", "fn z_a() {}"),
        ]);
        let error = misnamed.compose("walk+x", false).unwrap_err().to_string();
        assert_eq!(
            error,
            "wgsl/terms/x.wgsl:1: has none of the functions that walk calls: x_a, x_b"
        );
        assert!(files.compose("walk+z", false).unwrap_err().to_string().contains("terms/z"));
        assert!(files.compose("plain+x", false).unwrap_err().to_string().contains("no terms"));
    }

    #[test]
    fn the_subgroup_variant_takes_the_place_of_an_include() {
        let files = shaders(&[
            ("a", "//!include common/b"),
            ("common/b", "fn plain() {}"),
            ("common/b_subgroup", "//!enable subgroups\nfn lanes() {}"),
        ]);
        assert!(!files.compose("a", false).unwrap().needs_subgroups());
        let composed = files.compose("a", true).unwrap();
        // naga rejects the directive that Tint requires.
        let head = "enable subgroups;\ndiagnostic(off, subgroup_uniformity);\n";
        assert_eq!(composed.for_browser(), head.to_owned() + &composed.wgsl);
        assert_eq!(composed.for_device(false), composed.wgsl);
        assert_eq!(composed.wgsl, "fn lanes() {}\n");
    }

    #[test]
    fn arrays_are_declared_by_name_and_numbered_in_order() {
        let files = shaders(&[
            (
                "a",
                "//!include common/b\n//!read colliders\n//!write density\n//!read values: array<u32>",
            ),
            ("common/b", "//!read order density\n@group(1) @binding(1) var<uniform> own: f32;"),
            ("shared/collider", "struct Collider {}"),
        ]);
        let composed = files.compose("a", false).unwrap();
        let plain = |line: &str| line.split(" // ").next().unwrap_or_default().to_owned();
        let lines: Vec<_> = composed.wgsl.lines().map(plain).collect();
        let expected = [
            "@group(1) @binding(0) var<storage, read> order: array<u32>;",
            "@group(1) @binding(2) var<storage, read_write> density: array<f32>;",
            "@group(1) @binding(1) var<uniform> own: f32;",
            "struct Collider {}",
            "@group(1) @binding(3) var<storage, read> colliders: array<Collider>;",
            "@group(1) @binding(4) var<storage, read> values: array<u32>;",
        ];
        assert_eq!(lines, expected);
        assert_eq!(composed.origin(2), ("common/b", 1));
    }

    #[test]
    fn gathered_and_published_arrays_are_textures_with_subgroups() {
        let files = shaders(&[(
            "a",
            "//!gather sorted_position\n//!read sorted_position\n//!gather arrival\n//!publish neighbours",
        )]);
        let lines = |subgroups| {
            let text = files.compose("a", subgroups).unwrap().wgsl;
            let plain = |line: &str| line.split(" // ").next().unwrap_or_default().to_owned();
            text.lines().map(plain).collect::<Vec<_>>()
        };
        let position = "var<storage, read> sorted_position: array<vec4<f32>>;";
        let at = "fn sorted_position_at(j: u32) -> vec4<f32> { return";
        assert_eq!(
            lines(false),
            [
                format!("@group(1) @binding(0) {position} {at} sorted_position[j]; }}"),
                "@group(1) @binding(1) var<storage, read> arrival: array<u32>; fn arrival_at(j: u32) -> \
                 u32 { return arrival[j]; }"
                    .into(),
                "@group(1) @binding(2) var<storage, read_write> neighbours: array<vec2<u32>>; fn \
                 publish_neighbours(j: u32, value: vec2<u32>) { neighbours[j] = value; }"
                    .into(),
            ]
        );
        let place = "vec2<u32>(j & 4095u, j >> 12u)";
        assert_eq!(
            lines(true),
            [
                format!(
                    "@group(1) @binding(0) {position} @group(1) @binding(1) var sorted_position_image: \
                     texture_storage_2d<rgba32float, read>; {at} textureLoad(sorted_position_image, \
                     {place}).xyzw; }}"
                ),
                format!(
                    "@group(1) @binding(2) var arrival_image: texture_storage_2d<r32uint, read>; fn \
                     arrival_at(j: u32) -> u32 {{ return textureLoad(arrival_image, {place}).x; }}"
                ),
                format!(
                    "@group(1) @binding(3) var<storage, read_write> neighbours: array<vec2<u32>>; \
                     @group(1) @binding(4) var neighbours_image: texture_storage_2d<rg32uint, write>; fn \
                     publish_neighbours(j: u32, value: vec2<u32>) {{ neighbours[j] = value; \
                     textureStore(neighbours_image, {place}, vec4<u32>(value, 0, 0)); }}"
                ),
            ]
        );
    }

    #[test]
    fn a_walk_carries_what_its_files_and_terms_ask_for() {
        let files = shaders(&[
            ("walk", "//!include common/b\n//!carry velocity: vec4<f32>\n//!terms\nfn main() {}"),
            ("common/b", "fn b() {}\n//!carry position: vec4<f32>, slot: u32"),
            ("common/b_subgroup", "//!enable subgroups\n//!carry position: vec4<f32>"),
            ("terms/x", "//!carry density: f32"),
            ("terms/y", "\n//!carry  velocity: vec4<f32>, density: f32"),
            ("terms/z", "\n//!carry density: vec2<f32>"),
            ("bare", "//!carry density"),
            ("matrix", "//!carry shape: mat3x3<f32>"),
        ]);
        let composed = files.compose("walk+x+y", false).unwrap();
        let members = "position: vec4<f32>, slot: u32, velocity: vec4<f32>, density: f32";
        let expected = format!("fn b() {{}}\nstruct Neighbour {{ {members} }}\n\nfn main() {{}}\n");
        assert_eq!(composed.wgsl, expected);
        assert_eq!(composed.origin(4), ("walk", 4));
        let lanes = files.compose("walk", true).unwrap().wgsl;
        let seventh = "fn from_lane_7(own: Neighbour) -> Neighbour { return Neighbour(subgroupBroadcast(own.position, \
                       7u), subgroupBroadcast(own.velocity, 7u)); }\nfn main() {}\n";
        assert!(lanes.ends_with(seventh) && lanes.lines().count() == 2, "{lanes}");
        let error = |pass| files.compose(pass, false).unwrap_err().to_string();
        let types = "wgsl/terms/z.wgsl:2: `density` is carried as f32 and as vec2<f32> in one pass";
        assert_eq!(error("walk+x+z"), types);
        assert!(
            error("bare").starts_with("wgsl/bare.wgsl:1: `density`: expected a name and the type")
        );
        assert!(error("matrix").contains("`shape: mat3x3<f32>`: expected"));
    }

    #[test]
    fn an_array_that_changes_cannot_be_gathered_in_the_same_pass() {
        for (text, message) in [
            (
                "//!gather density\n//!write density",
                "`density` is gathered and written in one pass",
            ),
            (
                "//!publish density\n//!gather density",
                "`density` is gathered and written in one pass",
            ),
            (
                "//!publish density\n//!write density",
                "`density` is published and written in one pass",
            ),
            ("//!gather values: array<vec3<f32>>", "arrays of such elements have no texture"),
        ] {
            let error = shaders(&[("a", text)]).compose("a", true).unwrap_err();
            assert!(error.message.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn an_unknown_array_is_an_error_at_the_line_that_names_it() {
        let files = shaders(&[("a", "\n//!read position nothing")]);
        let error = files.compose("a", false).unwrap_err();
        assert_eq!((error.file.as_str(), error.line), ("a", 2));
        assert!(error.message.starts_with("the array table has no `nothing`: add it"), "{error}");
        let files = shaders(&[("a", "//!read positon")]);
        let error = files.compose("a", false).unwrap_err();
        assert_eq!(error.message, "the array table has no `positon`; did you mean `position`?");
    }
}
