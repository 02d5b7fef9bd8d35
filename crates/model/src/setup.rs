//! x
/// x
#[derive(Debug)]
pub struct Setup;
