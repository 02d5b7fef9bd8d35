//! Means of probes, over places and over time.

use std::collections::VecDeque;

use meniscus_methods::Family;
use meniscus_scene::{Probe, Scene};

/// Which columns of a probe are 0 where there is no fluid, and count as such in means: pressures, which then push nothing, and
/// flows. Other means are over what there is.
pub(super) fn counts_nothing(probe: &Probe, scene: &Scene, is_water: bool) -> Vec<bool> {
    match probe {
        Probe::Point { .. } => {
            (0..2 + scene.dimensions).map(|column| is_water && column == 0).collect()
        }
        _ => vec![false],
    }
}

/// Means of columns by weights; NaN where there is no fluid in any.
pub(super) fn mean(
    all: impl Iterator<Item = (f64, Vec<f64>)>,
    counts_nothing: &[bool],
) -> Vec<f64> {
    let mut sums = vec![[0.0; 3]; counts_nothing.len()];
    for (weight, values) in all {
        for ([sum, found, any], value) in sums.iter_mut().zip(values) {
            *any += weight;
            if value.is_finite() {
                *sum += weight * value;
                *found += weight;
            }
        }
    }
    let of = |([sum, found, any], nothing): ([f64; 3], &bool)| match found > 0.0 {
        true => sum / if *nothing { any } else { found },
        false => f64::NAN,
    };
    sums.into_iter().zip(counts_nothing).map(of).collect()
}

/// Means in time of a scene's probes, for which values are read at the ends of steps.
#[derive(Clone, Debug)]
pub struct Averages {
    /// Time in s of each column's mean, and whether it is 0 where there is no fluid.
    columns: Vec<(f64, bool)>,
    /// Beginnings and ends of steps in s, and the values at their ends.
    steps: VecDeque<([f64; 2], Vec<f64>)>,
}

impl Averages {
    /// Of nothing yet.
    #[must_use]
    pub fn new(scene: &Scene, family: &Family) -> Self {
        let of = |probe: &Probe| {
            let average = probe.average();
            counts_nothing(probe, scene, family.has_particles)
                .into_iter()
                .map(move |nothing| (average, nothing))
        };
        Self { columns: scene.probes.iter().flat_map(of).collect(), steps: VecDeque::new() }
    }

    /// The longest time in s over which a value is a mean.
    #[must_use]
    pub fn longest(&self) -> f64 {
        self.columns.iter().map(|(average, _)| *average).fold(0.0, f64::max)
    }

    /// Adds the values at the end of a step from `begin` to `end` in s; what they then are as means.
    pub fn add(&mut self, begin: f64, end: f64, values: Vec<f64>) -> Vec<f64> {
        let longest = self.longest();
        self.steps.push_back(([begin, end], values));
        while self
            .steps
            .front()
            .is_some_and(|([_, until], _)| *until <= end - longest && *until < end)
        {
            self.steps.pop_front();
        }
        let now = self.steps.back().map(|(_, values)| values);
        let of = |(column, (average, nothing)): (usize, &(f64, bool))| {
            let parts = self.steps.iter().filter_map(|([from, until], values)| {
                let share = until - from.max(end - average);
                (share > 0.0).then(|| (share, vec![values[column]]))
            });
            let mean = match *average > 0.0 {
                true => mean(parts, &[*nothing])[0],
                false => f64::NAN,
            };
            let own = now.map_or(f64::NAN, |values| values[column]);
            if mean.is_nan() && (*average == 0.0 || end <= begin) { own } else { mean }
        };
        self.columns.iter().enumerate().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressures_count_as_nothing_where_there_is_no_fluid_and_other_means_are_over_the_rest() {
        let all = [(1.0, vec![4.0, 4.0]), (3.0, vec![f64::NAN; 2])];
        assert_eq!(mean(all.into_iter(), &[true, false]), [1.0, 4.0]);
        let dry = mean(std::iter::once((1.0, vec![f64::NAN])), &[true]);
        assert!(dry[0].is_nan(), "{dry:?}");
    }

    #[test]
    fn means_in_time_are_over_the_steps_that_lie_in_it_and_their_parts() {
        let columns = vec![(0.3, false), (0.0, false)];
        let mut averages = Averages { columns, steps: VecDeque::new() };
        assert_eq!(averages.add(0.0, 0.0, vec![5.0, 5.0]), [5.0, 5.0]);
        assert_eq!(averages.add(0.0, 0.1, vec![1.0, 1.0]), [1.0, 1.0]);
        let [mean, now] = averages.add(0.1, 0.4, vec![2.0, 2.0])[..] else { panic!("two columns") };
        assert!((mean - 2.0).abs() < 1e-12 && now == 2.0, "{mean}");
        let mean = averages.add(0.4, 0.5, vec![5.0, 5.0])[0];
        assert!((mean - (0.2 * 2.0 + 0.1 * 5.0) / 0.3).abs() < 1e-12, "{mean}");
        assert!(averages.steps.len() <= 2, "what is older is forgotten");
    }
}
