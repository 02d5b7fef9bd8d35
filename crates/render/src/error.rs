//! Errors of drawing.

/// Reason why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device was lost or rejected a command, or a shader does not compile.
    #[error(transparent)]
    Gpu(#[from] meniscus::Error),
    /// The picture's size is not supported; the message has the numbers.
    #[error("{0}")]
    Size(String),
    /// The fluid does not have the quantity that is to colour it; the message names it.
    #[error("{0}")]
    Quantity(String),
    /// A program's pass or camera cannot be drawn into; the message says why.
    #[error("{0}")]
    Target(String),
}

impl From<meniscus::ShaderError> for Error {
    fn from(error: meniscus::ShaderError) -> Self {
        Self::Gpu(error.into())
    }
}
