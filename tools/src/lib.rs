//! What the programs `tools` and `lab` share: running Cargo, and setting up a machine that has only a Rust toolchain.

pub mod cargo;
pub mod set_up;
