//! Messages to the user, shown in a corner of the picture.

use std::time::{Duration, Instant};

/// How long an informational message stays. Errors stay until they are closed.
const INFO_LIFETIME: Duration = Duration::from_secs(8);
/// Largest number of messages shown.
const MAX_NOTICES: usize = 5;

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) error: bool,
    since: Instant,
}

/// The messages, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    list: Vec<Notice>,
}

impl Notices {
    /// Adds a message that disappears after a while.
    pub(crate) fn info(&mut self, text: impl Into<String>) {
        self.add(text.into(), false);
    }

    /// Adds a message that stays until it is closed.
    pub(crate) fn error(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::warn!("{text}");
        self.add(text, true);
    }

    fn add(&mut self, text: String, error: bool) {
        // A repeated message replaces the older one.
        self.list.retain(|notice| notice.text != text);
        if self.list.len() == MAX_NOTICES {
            self.list.remove(0);
        }
        self.list.push(Notice { text, error, since: Instant::now() });
    }

    /// Removes a message that the user closed.
    pub(crate) fn close(&mut self, index: usize) {
        if index < self.list.len() {
            self.list.remove(index);
        }
    }

    /// Removes all errors once their cause is fixed.
    pub(crate) fn clear_errors(&mut self) {
        self.list.retain(|notice| !notice.error);
    }

    /// Messages to show now.
    pub(crate) fn show(&mut self) -> &[Notice] {
        self.list.retain(|notice| notice.error || notice.since.elapsed() < INFO_LIFETIME);
        &self.list
    }
}
