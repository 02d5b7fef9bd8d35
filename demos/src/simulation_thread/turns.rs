//! Who has the device: a surface can be configured only while nothing else is submitted.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The thread works in turns; between two of them the window may have the device for itself.
#[derive(Debug, Default)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The thread works.
    busy: bool,
    /// The window wants the device.
    wanted: bool,
}

/// A turn of the thread; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Turns);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().busy = false;
    }
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a turn of the thread, as soon as the window has done with the device.
    pub(super) fn begin(&self) -> Turn<'_> {
        let state = self.lock();
        let free = self.changed.wait_while(state, |state| state.wanted);
        free.unwrap_or_else(PoisonError::into_inner).busy = true;
        Turn(self)
    }

    /// Does something while the thread has no turn. If it has one, nothing is done, but no other
    /// turn begins until this is called again.
    pub(super) fn between(&self, work: impl FnOnce()) -> bool {
        let mut state = self.lock();
        state.wanted = state.busy;
        if state.busy {
            return false;
        }
        work();
        drop(state);
        self.changed.notify_all();
        true
    }

    /// The window wants nothing any more.
    pub(super) fn release(&self) {
        self.lock().wanted = false;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_gets_the_device_between_two_turns() {
        let turns = Turns::default();
        let mut done = 0;
        assert!(turns.between(|| done += 1));
        let turn = turns.begin();
        assert!(!turns.between(|| done += 10));
        drop(turn);
        std::thread::scope(|scope| {
            let next = scope.spawn(|| drop(turns.begin()));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!next.is_finished(), "the window comes first");
            assert!(turns.between(|| done += 100));
        });
        assert_eq!(done, 101);
    }
}
