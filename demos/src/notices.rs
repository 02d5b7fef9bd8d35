//! Sentences for the user, in a corner of the picture.

use std::time::{Duration, Instant};

/// How long a remark stays. Errors stay until they are closed.
const REMARK: Duration = Duration::from_secs(8);
/// Sentences at most.
const MOST: usize = 5;

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) error: bool,
    since: Instant,
}

/// All of them, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    list: Vec<Notice>,
}

impl Notices {
    /// A sentence that goes by itself.
    pub(crate) fn remark(&mut self, text: impl Into<String>) {
        self.add(text.into(), false);
    }

    /// A sentence that stays.
    pub(crate) fn error(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::warn!("{text}");
        self.add(text, true);
    }

    fn add(&mut self, text: String, error: bool) {
        // The same once more is news, but needs no second place.
        self.list.retain(|notice| notice.text != text);
        if self.list.len() == MOST {
            self.list.remove(0);
        }
        self.list.push(Notice { text, error, since: Instant::now() });
    }

    /// Removes one that was closed.
    pub(crate) fn close(&mut self, index: usize) {
        if index < self.list.len() {
            self.list.remove(index);
        }
    }

    /// Removes all errors: what they were about has been mended.
    pub(crate) fn clear_errors(&mut self) {
        self.list.retain(|notice| !notice.error);
    }

    /// Those to show.
    pub(crate) fn show(&mut self) -> &[Notice] {
        self.list.retain(|notice| notice.error || notice.since.elapsed() < REMARK);
        &self.list
    }
}
