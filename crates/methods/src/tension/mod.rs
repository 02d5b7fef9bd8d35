//! Surface tensions: a scene has as many as it names in `tension.model`.

pub mod color_field;
