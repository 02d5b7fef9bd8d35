//! What can go wrong on the way from a scene to particles.

use crate::shaders::ShaderError;

/// Why a simulation could not be started or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No adapter, or none of that name.
    #[error("{0}")]
    NoAdapter(String),
    /// The adapter exists but cannot do what is needed; the message names the numbers.
    #[error("{0}")]
    Unsuitable(String),
    /// The scene needs more than the device has; the message names the numbers.
    #[error("{0}")]
    TooLarge(String),
    /// The scene cannot be simulated.
    #[error("{0}")]
    Scene(String),
    /// A shader does not compile: file, line and message.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device refuses a pass that the shader's own check let through.
    #[error("the device refuses the pass `{pass}`: {message}")]
    Pipeline {
        /// Name of the pass, as `sph/density`: its file is `wgsl/sph/density.wgsl`.
        pass: String,
        /// Message of the device or its driver.
        message: String,
    },
    /// The device was lost or refused a command.
    #[error("the GPU device failed: {0}")]
    Device(String),
    /// The simulation failed: a particle or the time step left the realm of numbers.
    #[error("{0}")]
    Failed(String),
    /// A state or checkpoint does not belong to the scene.
    #[error("{0}")]
    Mismatch(String),
}
