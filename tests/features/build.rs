//! Cargo counts the build dependencies of crates with a build script only.
fn main() {}
