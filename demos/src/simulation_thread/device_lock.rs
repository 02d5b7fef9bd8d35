//! Exclusive access to the device: a surface can be configured only while nothing else is
//! submitted.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lock between the simulation thread and the window. The thread locks the device for each batch of
/// work; the window can claim it between two batches.
#[derive(Debug, Default)]
pub(super) struct DeviceLock {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The thread is using the device.
    busy: bool,
    /// The window is waiting for the device.
    wanted: bool,
}

/// The thread's lock on the device, released on drop.
#[derive(Debug)]
pub(super) struct DeviceGuard<'a>(&'a DeviceLock);

impl Drop for DeviceGuard<'_> {
    fn drop(&mut self) {
        self.0.state().busy = false;
    }
}

impl DeviceLock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the device for the thread once the window has finished with it.
    pub(super) fn lock(&self) -> DeviceGuard<'_> {
        let state = self.state();
        let free = self.changed.wait_while(state, |state| state.wanted);
        free.unwrap_or_else(PoisonError::into_inner).busy = true;
        DeviceGuard(self)
    }

    /// Runs `work` while the thread does not hold the lock. Returns false if it does; the thread
    /// then cannot lock again before the next call.
    pub(super) fn try_with(&self, work: impl FnOnce()) -> bool {
        let mut state = self.state();
        state.wanted = state.busy;
        if state.busy {
            return false;
        }
        work();
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Withdraws the window's request.
    pub(super) fn cancel_request(&self) {
        self.state().wanted = false;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_gets_the_device_between_two_batches() {
        let lock = DeviceLock::default();
        let mut done = 0;
        assert!(lock.try_with(|| done += 1));
        let guard = lock.lock();
        assert!(!lock.try_with(|| done += 10));
        drop(guard);
        std::thread::scope(|scope| {
            let next = scope.spawn(|| drop(lock.lock()));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!next.is_finished(), "the window comes first");
            assert!(lock.try_with(|| done += 100));
        });
        assert_eq!(done, 101);
    }
}
