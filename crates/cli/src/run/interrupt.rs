//! Ctrl-C and termination: a run with a checkpoint and a film end at their next frame.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::Failure;

/// Whether the run was asked to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Waits for Ctrl-C and termination from now on; the second time the program ends at once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = interrupt.clone();
        let handler = move || {
            if asked.0.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Failure::Failed(format!("cannot wait for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
