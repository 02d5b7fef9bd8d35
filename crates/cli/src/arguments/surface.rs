//! Options of surfaces.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use meniscus::SurfaceOptions;
use meniscus_formats::MeshFormat;

use crate::Failure;

/// Options of surface extraction.
#[derive(Debug, Args)]
pub(crate) struct SurfaceArguments {
    /// Resolution of the surface in mesh cells per particle radius (at h = 4 radii), 1 to 4.
    /// [default: 1]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(SurfaceOptions::FINEST)))]
    surface_fineness: Option<u32>,
    /// Iterations of Taubin's volume-preserving smoothing, up to 32 [default: 0; 16 for images].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(SurfaceOptions::SMOOTHEST)))]
    surface_smoothing: Option<u32>,
    /// Value of the colour field at the surface, between 0 (outside) and 1 (inside) [default: 0.5;
    /// 0.25 with --surface-anisotropic].
    #[arg(long, value_name = "C", value_parser = value)]
    surface_value: Option<f32>,
    /// Use anisotropic kernels (Yu, Turk 2013) for a flatter surface with sharper edges [default: false; true for
    /// images].
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    surface_anisotropic: Option<bool>,
    /// Add the fluid's speed to the vertices, as a number and as a colour.
    #[arg(long)]
    pub(crate) surface_speed: bool,
    /// Add the fluid's velocity in m/s to the vertices, for motion blur: vx, vy, vz (ply), _VELOCITY (glb), velocity
    /// (vtk); usd always has velocities.
    #[arg(long)]
    pub(crate) surface_velocity: bool,
}

/// `--surface`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SurfaceFormat {
    /// A file for each frame.
    Mesh(MeshFormat),
    /// One animated file.
    Usd,
}

pub(super) fn format() -> impl TypedValueParser<Value = SurfaceFormat> {
    let names = MeshFormat::ALL.iter().map(|format| format.name()).chain(["usd"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "usd" => Ok(SurfaceFormat::Usd),
        name => name.parse().map(SurfaceFormat::Mesh),
    })
}

impl SurfaceArguments {
    /// Refuses options of a surface that is not made, since `missing` is not there.
    pub(crate) fn check(&self, is_made: bool, missing: &str) -> Result<(), Failure> {
        let given = [
            ("--surface-fineness", self.surface_fineness.is_some()),
            ("--surface-smoothing", self.surface_smoothing.is_some()),
            ("--surface-value", self.surface_value.is_some()),
            ("--surface-anisotropic", self.surface_anisotropic.is_some()),
            ("--surface-speed", self.surface_speed),
            ("--surface-velocity", self.surface_velocity),
        ];
        match given.iter().find(|(_, is_given)| *is_given && !is_made) {
            Some((flag, _)) => {
                Err(Failure::Input(format!("{flag}: there is no surface without {missing}")))
            }
            None => Ok(()),
        }
    }

    /// The options, those of `usual` where none is given.
    pub(crate) fn options(&self, usual: &SurfaceOptions) -> SurfaceOptions {
        SurfaceOptions {
            fineness: self.surface_fineness.unwrap_or(usual.fineness),
            value: self.surface_value,
            anisotropic: self.surface_anisotropic.unwrap_or(usual.anisotropic),
            smoothing: self.surface_smoothing.unwrap_or(usual.smoothing),
            velocity: self.surface_speed || self.surface_velocity,
            material: None,
        }
    }
}

fn value(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|value: &f32| *value > 0.0 && *value < 1.0);
    number.ok_or_else(|| "expected a number greater than 0 and less than 1".into())
}
