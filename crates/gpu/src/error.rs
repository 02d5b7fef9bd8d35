//! Errors of setting up and running simulations.

use std::fmt;

use meniscus_model::{
    Control, Setup,
    control::{FAILURE_CROWD, FAILURE_NOT_FINITE, FAILURE_RUNAWAY, FAILURE_TIME_STEP},
    scene::Problem,
};

use crate::shaders::ShaderError;

/// Reason why a simulation could not be started or continued. `{error}` and `{error:?}` are the same sentence, so that programs whose
/// `main` returns it print that.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No adapter, or none of that name.
    #[error("{0}")]
    NoAdapter(String),
    /// An adapter that does not meet the requirements; the message has the numbers.
    #[error("{0}")]
    Unsuitable(String),
    /// A scene that exceeds the device's limits; the message has the numbers.
    #[error("{0}")]
    TooLarge(String),
    /// An invalid scene: each problem has the path of its key.
    #[error("{}", .0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
    Scene(Vec<Problem>),
    /// A file that cannot be read, or whose scene has problems, each with its line.
    #[cfg(feature = "files")]
    #[error(transparent)]
    File(#[from] meniscus_formats::Error),
    /// Options out of range, or not applicable to the scene.
    #[error("{0}")]
    Options(String),
    /// A shader that does not compile: file, line and message.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// A pass that the device rejects although the shader is valid.
    #[error("the device rejects the pass `{pass}`: {message}")]
    Pipeline {
        /// Name of the pass, such as `sph/density` for `wgsl/sph/density.wgsl`.
        pass: String,
        /// Message of the device or its driver.
        message: String,
    },
    /// A device that rejected a command.
    #[error("the GPU device failed: {0}")]
    Device(String),
    /// A device that is gone, as after a crash of its driver: what was on it is lost, and another must be opened.
    #[error(
        "the GPU device was lost ({0}); what ran on it has to start again, from a checkpoint if there is one"
    )]
    DeviceLost(String),
    /// A failed simulation: a particle or the time step became invalid.
    #[error("{0}")]
    Failed(Failure),
    /// A list that refers to something that does not exist.
    #[error(transparent)]
    List(#[from] meniscus_methods::ListError),
    /// A state or checkpoint that does not belong to the scene.
    #[error("{0}")]
    Mismatch(String),
}

/// When and how a simulation failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// Number of the step, from 1.
    pub step: u32,
    /// Simulated time in s.
    pub time: f64,
    /// Cause of the failure.
    pub cause: Cause,
    /// What may help besides a smaller `time.cfl` or `time.step`, by the keys that the scene's solver has; empty if nothing.
    pub advice: &'static str,
}

/// Cause of a failure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Particle with a position or velocity that is not finite.
    NotFinite {
        /// Id of the particle.
        id: u32,
    },
    /// Particle too far from the domain for 32-bit cell coordinates.
    Runaway {
        /// Id of the particle.
        id: u32,
    },
    /// Cell of a grid method with more than 1,024 particles.
    Crowd {
        /// Id of one of them.
        id: u32,
    },
    /// Time step below the minimum.
    TimeStep {
        /// Length of the step in s.
        dt: f32,
        /// Minimum, `time.min_step`, in s.
        least: f32,
    },
}

impl Failure {
    /// Failure for the flags in Control.
    pub(crate) fn of(control: &Control, setup: &Setup) -> Self {
        let flags = control.failure;
        let cause = if flags & FAILURE_NOT_FINITE != 0 {
            Cause::NotFinite { id: control.failure_id }
        } else if flags & FAILURE_RUNAWAY != 0 {
            Cause::Runaway { id: control.failure_id }
        } else if flags & FAILURE_CROWD != 0 {
            Cause::Crowd { id: control.failure_id }
        } else {
            debug_assert!(flags & FAILURE_TIME_STEP != 0, "unknown failure {flags}");
            Cause::TimeStep { dt: control.dt, least: setup.params.time.min_step }
        };
        let advice = (setup.chosen.family().advice)(&setup.chosen);
        Self { step: control.step + 1, time: control.time(setup.frame_duration), cause, advice }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, time, cause, advice } = self;
        write!(f, "step {step}, t = {time:.4} s: {cause}; try a smaller time.cfl or time.step")?;
        if advice.is_empty() { Ok(()) } else { write!(f, ", or {advice}") }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { id } => {
                write!(f, "particle {id} has a non-finite position or velocity")
            }
            Self::Runaway { id } => {
                write!(f, "particle {id} is 2^20 cells or more from the origin")
            }
            Self::Crowd { id } => {
                write!(f, "more than 1,024 particles are in the cell of particle {id}")
            }
            Self::TimeStep { dt, least } => {
                write!(f, "the time step fell to {dt:.3e} s, below time.min_step = {least:.3e} s")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sentences_however_they_are_printed() {
        let cause = Cause::NotFinite { id: 3 };
        let begin = "step 7, t = 0.5000 s: particle 3 has a non-finite position or velocity; try a smaller time.cfl or time.step";
        for (advice, end) in [("", ""), ("more viscosity", ", or more viscosity")] {
            let failure = Failure { step: 7, time: 0.5, cause: cause.clone(), advice };
            let error = Error::Failed(failure);
            assert_eq!(error.to_string(), format!("{begin}{end}"));
            assert_eq!(format!("{error:?}"), error.to_string());
        }
        let problems = ["a", "b"].map(|key| Problem::new(key, "is wrong")).to_vec();
        assert_eq!(format!("{:?}", Error::Scene(problems)), "a: is wrong\nb: is wrong");
    }
}
