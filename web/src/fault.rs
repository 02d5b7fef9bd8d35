//! Errors as sentences for the page.

/// What went wrong.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

macro_rules! from {
    ($($error:ty),*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self(error.to_string())
            }
        })*
    };
}

from!(
    meniscus::Error,
    meniscus_formats::Error,
    meniscus_render::Error,
    std::io::Error,
    serde_json::Error,
    wgpu::CreateSurfaceError
);
