//! Methods for surface tension: those that a scene names in `tension.model`.

pub mod color_field;
