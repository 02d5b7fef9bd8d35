//! Structs and constants shared by Rust and WGSL: tables of what modules declare.

use std::collections::BTreeMap;

use meniscus_geometry::{Shape, shape::ShapeKind};
use meniscus_shared::{Constants, Struct};

use crate::{control, diagnostics, distance, fixed::Fixed, joints, params, solids, surface};

pub use meniscus_shared::{decode, encode, encode_uniform};

/// Tables of structs, by module.
pub const STRUCTS: &[&[Struct]] = &[
    params::STRUCTS,
    control::STRUCTS,
    solids::STRUCTS,
    joints::STRUCTS,
    distance::STRUCTS,
    diagnostics::STRUCTS,
    surface::STRUCTS,
];

/// Tables of constants, by module.
pub const CONSTANTS: &[&[Constants]] = &[
    params::CONSTANTS,
    control::CONSTANTS,
    solids::CONSTANTS,
    joints::CONSTANTS,
    surface::CONSTANTS,
];

/// WGSL files that shaders include as `shared/NAME`.
#[must_use]
pub fn files() -> BTreeMap<String, String> {
    let mut files = meniscus_shared::files(STRUCTS, CONSTANTS);
    files.insert("shared/scene".to_owned(), Fixed::default().wgsl());
    files.insert("shared/walls".to_owned(), walls());
    files.insert("shared/regions".to_owned(), regions());
    files
}

/// Shapes that solids have, with their numbers.
fn solids() -> impl Iterator<Item = (u32, &'static ShapeKind)> {
    (0..).zip(Shape::KINDS).filter(|(_, kind)| kind.is_solid)
}

/// WGSL function that dispatches on the shape of a region, which the scene need not have.
fn regions() -> String {
    let mut text = String::from("// Regions of every shape: the pass binds `distances`.\n");
    let mut calls = String::new();
    for (number, kind) in solids() {
        text += &format!("//!include shapes/{}\n", kind.key);
        calls += &format!(
            "    if (region.shape == {number}u) {{ return {}_outside(region, p).distance; }}\n",
            kind.key
        );
    }
    text + "\n// Distance of a point from the region's surface, negative inside.\n"
        + "fn region_distance(region: Collider, p: vec3<f32>) -> f32 {\n"
        + &calls
        + "    return 1e30;\n}\n"
}

/// WGSL functions that dispatch on a collider's shape number to the functions of
/// `wgsl/shapes/KEY.wgsl`.
fn walls() -> String {
    let mut text =
        String::from("// Contacts with colliders of every shape: the pass binds `distances`.\n");
    text += "//!include shared/scene\n";
    for (_, kind) in solids() {
        text += &format!("//!include shapes/{}\n", kind.key);
    }
    for (comment, head, function, call, other) in [
        (
            "Nearest point of the surface, from outside the solid.",
            "outer_contact(collider: Collider, p: vec3<f32>) -> Contact",
            "outside",
            "(collider, p)",
            "Contact(vec3<f32>(0.0, 1.0, 0.0), 1e30)",
        ),
        (
            "Walls of a collider that must be kept from.",
            "walls_of(collider: Collider) -> Walls",
            "walls",
            "(collider)",
            "Walls(0u, 0u)",
        ),
        (
            "Contact with one of them.",
            "wall_contact(collider: Collider, p: vec3<f32>, k: u32) -> Contact",
            "wall",
            "(collider, p, k)",
            "Contact(vec3<f32>(0.0, 1.0, 0.0), 1e30)",
        ),
    ] {
        text += &format!("\n// {comment}\nfn {head} {{\n");
        // What the scene does not have is not compiled, nor a question where all have the same.
        for (number, kind) in solids() {
            let bit = 1_u32 << number;
            text += &format!(
                "    if ((SHAPES & {bit}u) != 0u && (SHAPES == {bit}u || collider.shape == {number}u)) {{ \
                 return {}_{function}{call}; }}\n",
                kind.key
            );
        }
        text += &format!("    return {other};\n}}\n");
    }
    text
}
