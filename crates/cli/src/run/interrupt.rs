//! Ctrl-C and termination: before its first frame a command ends at once and says so, after it a run or a film ends at its next frame.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::{Failure, terminal};

/// No signal is waited for.
const DEAF: u8 = 0;
/// The first frame has not begun.
const PREPARING: u8 = 1;
/// Frames are made.
const BEGUN: u8 = 2;
/// The run was asked to end.
const ASKED: u8 = 3;

static STATE: AtomicU8 = AtomicU8::new(DEAF);

/// Status with which shells report programs that Ctrl-C has ended.
const ENDED: i32 = 130;

/// What waits for Ctrl-C and termination; the second time the program ends at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupt(());

impl Interrupt {
    /// Waits from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        // A process has one handler.
        if STATE.swap(PREPARING, Ordering::Relaxed) == DEAF {
            ctrlc::set_handler(handle)
                .map_err(|error| Failure::Failed(format!("cannot wait for Ctrl-C: {error}")))?;
        }
        Ok(Self(()))
    }

    /// From now on there is a frame to end.
    pub(crate) fn begin(self) -> Self {
        STATE.store(BEGUN, Ordering::Relaxed);
        self
    }

    pub(crate) fn is_asked(self) -> bool {
        STATE.load(Ordering::Relaxed) == ASKED
    }
}

fn handle() {
    match STATE.compare_exchange(BEGUN, ASKED, Ordering::Relaxed, Ordering::Relaxed) {
        // A frame may take minutes.
        Ok(_) => terminal::note("interrupted: ends after this frame; once more ends at once"),
        Err(PREPARING) => {
            terminal::complain("error", "interrupted before anything was written");
            std::process::exit(ENDED);
        }
        Err(_) => {
            terminal::complain("error", "interrupted within a frame, which is lost");
            std::process::exit(ENDED);
        }
    }
}
