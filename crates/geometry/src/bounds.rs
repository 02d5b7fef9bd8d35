//! Bounds of the keys of scene files, which stand beside their fields: `#[schemars(transform = positive)]`, and the attribute
//! `range(min = 0.0)` of schemars. They are part of the JSON Schema, and the check of scenes reads them there.

use schemars::Schema;

/// Keyword of vectors, with the names of the functions below.
pub const VECTOR: &str = "x-vector";
/// Keyword of numbers that may be infinite.
pub const ENDLESS: &str = "x-endless";

/// A number above 0.
pub fn positive(schema: &mut Schema) {
    schema.insert("exclusiveMinimum".into(), 0.into());
}

/// A number that may be infinite, as the end of what never ends.
pub fn endless(schema: &mut Schema) {
    schema.insert(ENDLESS.into(), true.into());
}

/// A vector without z in 2-D.
pub fn planar(schema: &mut Schema) {
    vector(schema, "planar");
}

/// A vector along z in 2-D, as angular velocities are.
pub fn spin(schema: &mut Schema) {
    vector(schema, "spin");
}

/// A direction: a vector other than 0.
pub fn direction(schema: &mut Schema) {
    vector(schema, "direction");
}

/// A direction without z in 2-D.
pub fn heading(schema: &mut Schema) {
    vector(schema, "heading");
}

/// An axis of rotation: a direction, along z in 2-D.
pub fn axis(schema: &mut Schema) {
    vector(schema, "axis");
}

fn vector(schema: &mut Schema, rule: &str) {
    schema.insert(VECTOR.into(), rule.into());
}
