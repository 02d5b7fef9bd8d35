//! What can go wrong on the way to a picture.

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device was lost or refused a command, or a shader does not compile.
    #[error(transparent)]
    Gpu(#[from] meniscus::Error),
    /// A picture of a size that cannot be drawn; the message names the numbers.
    #[error("{0}")]
    Size(String),
}

impl From<meniscus::shaders::ShaderError> for Error {
    fn from(error: meniscus::shaders::ShaderError) -> Self {
        Self::Gpu(error.into())
    }
}
