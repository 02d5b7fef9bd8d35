//! What came of the changes.

use std::{collections::BTreeMap, fmt, time::Duration};

use super::{Mutant, Verdict};

/// Which changes were tried, and which were noticed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Changes, how often they were tried, and whether that was noticed.
    tried: BTreeMap<Mutant, (usize, bool)>,
    /// By pass: tries, those that were noticed, and how long they took.
    passes: BTreeMap<&'static str, (usize, usize, Duration)>,
}

impl Report {
    /// Whether a change has to be tried again.
    pub(super) fn is_open(&self, mutant: &Mutant) -> bool {
        self.tried.get(mutant).is_none_or(|(_, noticed)| !noticed)
    }

    pub(super) fn add(
        &mut self,
        pass: &'static str,
        mutant: &Mutant,
        verdict: Verdict,
        took: Duration,
    ) {
        if verdict == Verdict::Untried {
            return;
        }
        let noticed = verdict == Verdict::Noticed;
        let tried = self.tried.entry(mutant.clone()).or_default();
        *tried = (tried.0 + 1, tried.1 || noticed);
        let row = self.passes.entry(pass).or_default();
        *row = (row.0 + 1, row.1 + usize::from(noticed), row.2 + took);
    }

    /// Number of changes that were tried.
    #[must_use]
    pub fn tried(&self) -> usize {
        self.tried.len()
    }

    /// Changes that were tried and not noticed.
    pub fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.tried.iter().filter(|(_, (_, noticed))| !noticed).map(|(mutant, _)| mutant)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<44} {:>6} {:>8} {:>8}", "pass", "tried", "noticed", "seconds")?;
        for (pass, (tried, noticed, took)) in &self.passes {
            let short: String = pass.chars().take(44).collect();
            writeln!(f, "{short:<44} {tried:>6} {noticed:>8} {:>8.1}", took.as_secs_f64())?;
        }
        let noticed = self.tried.values().filter(|(_, noticed)| *noticed).count();
        let seconds: f64 = self.passes.values().map(|(.., took)| took.as_secs_f64()).sum();
        let (all, left) = (self.tried.len(), self.survivors().count());
        write!(f, "{noticed} of {all} changes are noticed, {left} are not; {seconds:.0} s")
    }
}
