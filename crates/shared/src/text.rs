//! WGSL texts of shared structs and constants.

use std::{collections::BTreeMap, fmt::Write};

use glam::{IVec3, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4};

use crate::{Constants, Struct};

/// A type with an equivalent in WGSL.
pub trait Wgsl {
    /// Name of the shared struct that is the type or its element type.
    const PART: Option<&'static str> = None;

    /// Name in WGSL.
    fn wgsl() -> String;
}

macro_rules! plain {
    ($($ty:ty = $name:literal),* $(,)?) => {
        $( impl Wgsl for $ty { fn wgsl() -> String { $name.to_owned() } } )*
    };
}

plain! {
    f32 = "f32", i32 = "i32", u32 = "u32",
    Vec2 = "vec2<f32>", Vec3 = "vec3<f32>", Vec4 = "vec4<f32>", IVec3 = "vec3<i32>",
    UVec2 = "vec2<u32>", UVec3 = "vec3<u32>", UVec4 = "vec4<u32>",
}

impl<T: Wgsl, const N: usize> Wgsl for [T; N] {
    const PART: Option<&'static str> = T::PART;

    fn wgsl() -> String {
        format!("array<{}, {N}>", T::wgsl())
    }
}

/// A type of constants.
pub trait WgslScalar {
    /// The value as a WGSL literal of the same type; `usize` becomes u32.
    fn literal(self) -> String;
}

impl WgslScalar for u32 {
    fn literal(self) -> String {
        format!("{self}u")
    }
}

impl WgslScalar for usize {
    fn literal(self) -> String {
        format!("{self}u")
    }
}

impl WgslScalar for i32 {
    fn literal(self) -> String {
        format!("{self}i")
    }
}

impl WgslScalar for f32 {
    fn literal(self) -> String {
        format!("{self:?}f")
    }
}

/// WGSL files of these tables, by the names under which shaders include them.
#[must_use]
pub fn files(structs: &[&[Struct]], constants: &[&[Constants]]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for one in structs.iter().copied().flatten() {
        files.insert(one.include(), struct_text(one, false));
        if one.fields.iter().any(|field| field.atomic) {
            files.insert(format!("{}_write", one.include()), struct_text(one, true));
        }
    }
    for group in constants.iter().copied().flatten() {
        files.insert(format!("shared/{}", group.name), constants_text(group));
    }
    files
}

/// Name under which shaders include a struct: `shared/loop_report` for `LoopReport`.
pub(crate) fn include_name(name: &str) -> String {
    let mut file = String::from("shared/");
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            file.push('_');
        }
        file.push(letter.to_ascii_lowercase());
    }
    file
}

fn struct_text(declared: &Struct, atomic: bool) -> String {
    let mut text = String::new();
    for field in declared.fields {
        if let Some(part) = field.part {
            let _ = writeln!(text, "//!include {}", include_name(part));
        }
    }
    let _ = writeln!(text, "// Declared in {}.", declared.file);
    comment(&mut text, "", declared.doc);
    let _ = writeln!(text, "struct {} {{", declared.name);
    for field in declared.fields {
        comment(&mut text, "    ", field.doc);
        let align = if declared.uniform { "@align(16) " } else { "" };
        let ty = (field.ty)();
        let ty = if atomic && field.atomic { format!("atomic<{ty}>") } else { ty };
        let _ = writeln!(text, "    {align}{}: {ty},", field.name);
    }
    text + "}\n"
}

fn constants_text(group: &Constants) -> String {
    let mut text = format!("// Declared in {}.\n", group.file);
    for constant in group.constants {
        comment(&mut text, "", constant.doc);
        let _ = writeln!(text, "const {} = {};", constant.name, (constant.value)());
    }
    text
}

/// Lines of a Rust comment as a WGSL one, without the brackets of links.
fn comment(text: &mut String, indent: &str, lines: &[&str]) {
    for line in lines {
        let plain = line.replace("[`", "`").replace("`]", "`");
        let _ = writeln!(text, "{indent}//{}", plain.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(unreachable_pub, reason = "the macro serves modules that others use")]
    mod declared {
        use glam::Vec3;

        crate::shared! {
            /// Inner part, see [`Outer`].
            struct Inner {
                /// Length in m.
                length: f32 = 2.0,
            }
            /// Struct with parts.
            struct Outer in uniform {
                /// One.
                one: Inner,
                /// Many.
                ///
                /// In order.
                many: [Vec3; 3],
            }
        }
    }

    #[test]
    fn parts_are_included_and_comments_kept() {
        let files = files(&[declared::STRUCTS], &[]);
        let inner = "// Declared in crates/shared/src/text.rs.\n// Inner part, see `Outer`.\n\
                     struct Inner {\n    // Length in m.\n    length: f32,\n}\n";
        assert_eq!(files["shared/inner"], inner);
        let outer = "//!include shared/inner\n// Declared in crates/shared/src/text.rs.\n// Struct with parts.\n\
                     struct Outer {\n    // One.\n    @align(16) one: Inner,\n    // Many.\n    //\n    // In order.\n    \
                     @align(16) many: array<vec3<f32>, 3>,\n}\n";
        assert_eq!(files["shared/outer"], outer);
        assert_eq!(declared::STRUCTS[1].offsets, [0, 16]);
    }

    #[test]
    fn names_of_files_are_in_snake_case() {
        assert_eq!(include_name("LoopReport"), "shared/loop_report");
    }
}
