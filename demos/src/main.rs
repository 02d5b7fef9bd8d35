//! The window of meniscus.

fn main() {}
