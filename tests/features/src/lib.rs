//! Nothing: this crate only names features.
