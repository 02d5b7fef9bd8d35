//! Impulses on solids over any number of frames.

use meniscus::blocking::Simulation;

/// Impulse in N s and angular impulse in N m s.
type Impulse = [f64; 6];

/// Impulses of the fluid on the solids whose forces are measured, each since it was last asked for.
#[derive(Debug, Default)]
pub(crate) struct Impulses {
    frame: u32,
    /// In the frame so far, as last seen.
    seen: Vec<Impulse>,
    sums: Vec<Impulse>,
}

impl Impulses {
    /// Adds what a submission gave; none goes past the end of a frame.
    pub(crate) fn add(&mut self, simulation: &Simulation) {
        let control = simulation.control();
        let elapsed = f64::from(match control.frame_done {
            1 => simulation.setup().params.time.frame_duration,
            _ => control.time_in_frame,
        });
        let forces = simulation.forces();
        let now: Vec<Impulse> = forces
            .iter()
            .map(|one| {
                let ([x, y, z], [a, b, c]) = (one.mean_force, one.mean_torque);
                [x, y, z, a, b, c].map(|mean| elapsed * mean)
            })
            .collect();
        self.sums.resize(now.len(), Impulse::default());
        if self.frame != control.frame {
            self.frame = control.frame;
            self.seen.clear();
        }
        self.seen.resize(now.len(), Impulse::default());
        for ((sum, seen), now) in self.sums.iter_mut().zip(&mut self.seen).zip(now) {
            for k in 0..6 {
                sum[k] += now[k] - seen[k];
            }
            *seen = now;
        }
    }

    /// The impulse on the solid of this number since the last call.
    pub(crate) fn take(&mut self, number: usize) -> Impulse {
        self.sums.get_mut(number).map(std::mem::take).unwrap_or_default()
    }
}
