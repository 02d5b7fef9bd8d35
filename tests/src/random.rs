//! Random numbers that are the same in every run.

/// Reproducible sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.0.u32(..)
    }

    /// A number in [−1, 1), uniformly distributed.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.0.f64() - 1.0
    }
}
