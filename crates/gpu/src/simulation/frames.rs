//! A simulation in the frames of another program: steps recorded into its commands, results read back when they have come.
//! Waiting for submissions, as [`Simulation::advance`] does, is built on the same: targets, recordings and read-backs.

mod changes;
mod flight;

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use meniscus_methods::{
    passes::TARGETS,
    space::{NEIGHBOUR_SPACE, NEIGHBOURS},
};
use meniscus_model::{
    Control,
    control::FRAME_END,
    scene::MAX_PARTICLES,
    shared::{decode, encode},
};
use web_time::Instant;

pub(super) use self::changes::Change;
use self::{
    changes::Unknown,
    flight::{Flight, STAMPS, Slot},
};
use super::{MEMORY, Simulation, malformed};
use crate::{
    Error, Failure,
    device::{Answer, Arrival},
    machine::{Recording, control_of},
};

/// Recordings that may be on their way. A program that is two or three frames ahead of the GPU never waits.
pub(super) const IN_FLIGHT: usize = 4;

/// Targets nearer than this share of a frame to its ends, or to each other, are the same: no step is that short.
const SAME: f64 = 1e-4;

/// How many steps a recording may have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Budget {
    /// At most this many.
    Steps(u32),
    /// As many as fit this time of the GPU, by the time that earlier ones took. Where a single one takes longer, it has the budgets of
    /// several calls.
    Time(Duration),
}

impl Budget {
    /// At most `count` steps.
    #[must_use]
    pub const fn steps(count: u32) -> Self {
        Self::Steps(count)
    }

    /// As many steps as fit this time of the GPU.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self::Time(time)
    }
}

/// What is known of a simulation, a frame or two after it happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Simulated time in s.
    pub time: f64,
    /// Time in s that is missing to the last target; 0 when it is reached.
    pub behind: f64,
    /// Steps since the call before.
    pub steps: u32,
    /// Recordings whose results have not come.
    pub in_flight: u32,
}

/// A time at which the program wants the simulation: frame, and time in it in s; [`FRAME_END`] is its end.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Target {
    frame: u32,
    time: f32,
}

impl Target {
    /// Where Control is.
    fn of(control: &Control) -> Self {
        let Control { frame, frame_done, time_in_frame, primed, .. } = *control;
        let time = if frame_done == 1 { FRAME_END } else { time_in_frame };
        // Frame 0 has no time.
        Self { frame, time: if primed == 0 { -1.0 } else { time } }
    }
}

/// Targets of a simulation, and what it was given to reach them.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// Targets that are not reached, as far as is known.
    ahead: VecDeque<Target>,
    /// The last one so far.
    last: Option<Target>,
    /// The last one of those that were recorded.
    recorded: Option<Target>,
    /// Changes that follow targets or steps which are not known to be complete.
    changes: VecDeque<(Target, Change)>,
    /// Changes of the number of particles of which no result has come.
    unknown: Vec<Unknown>,
    /// Targets that were written to the GPU.
    written: u32,
    /// Those of `ahead` that were written.
    released: usize,
    /// The last frame for which solids have their motions.
    planned: u32,
    /// The motions, as they were written.
    motions: Vec<u8>,
    flights: VecDeque<Flight>,
    idle: Vec<Slot>,
    /// Time in s of the GPU that budgets had left.
    credit: f64,
    /// Steps that [`Simulation::poll`] has not told.
    steps: u32,
}

impl Simulation {
    /// Records steps towards a simulated time in s, which need not be the end of a frame: the last step ends there exactly, to a
    /// ten-thousandth of a frame. A target once given stays until it is reached, also where a later call has another; one that is
    /// not later than the last is that. How many steps run is decided on the GPU: it stops at the target, and a step whose loops
    /// need more iterations than were recorded goes on in the next recording. So the bits at a time depend on the targets, not on budgets
    /// or calls. Nothing waits. Returns the number of steps recorded; it is 0 at the target, where none fits, or while the GPU
    /// is four recordings behind.
    ///
    /// Submit each recording before the next one, in their order.
    ///
    /// # Errors
    /// [`Error::Options`] for a target that is not finite, or with more than a thousand targets ahead; [`Error::Failed`] once the
    /// simulation has failed; [`Error::DeviceLost`], [`Error::Device`].
    pub fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: f64,
        budget: Budget,
    ) -> Result<u32, Error> {
        self.take_arrived()?;
        self.sound()?;
        self.aim(self.target_at(target)?)?;
        self.course.recorded = self.course.last;
        let gpu = self.gpu.clone();
        gpu.caught(|| {
            self.release(encoder)?;
            let steps = self.steps_within(budget).min(self.steps_ahead());
            if steps > 0 {
                self.record_steps(encoder, steps, true)?;
            }
            self.record_query(encoder)?;
            Ok(steps)
        })?
    }

    /// What has become known since the last call. It never waits, and tells a failure of the simulation or the loss of the
    /// device as an error.
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::DeviceLost`], [`Error::Device`].
    pub fn poll(&mut self) -> Result<Progress, Error> {
        if !self.course.flights.is_empty() || self.is_queried() {
            let polled = self.gpu.device().poll(wgpu::PollType::Poll);
            polled.map_err(|error| self.gpu.failed(error))?;
        }
        self.take_arrived()?;
        self.take_queried()?;
        self.sound()?;
        let goal = self.course.ahead.back().map(|goal| self.time_of(*goal));
        Ok(Progress {
            time: self.time(),
            behind: goal.map_or(0.0, |goal| (goal - self.time()).max(0.0)),
            steps: std::mem::take(&mut self.course.steps),
            in_flight: self.course.flights.len() as u32,
        })
    }

    pub(super) fn sound(&self) -> Result<(), Error> {
        self.gpu.sound()?;
        match self.control.failure {
            0 => Ok(()),
            _ => Err(Error::Failed(Failure::of(&self.control, &self.setup))),
        }
    }

    fn target_at(&self, time: f64) -> Result<Target, Error> {
        let frames = time / self.setup.frame_duration;
        if frames.is_nan() || frames.abs() >= f64::from(u32::MAX / 2) {
            return Err(Error::Options(format!("a target is a finite time in s, not {time}")));
        }
        let whole = (frames + SAME).floor().max(0.0);
        let rest = frames - whole;
        Ok(match rest < SAME {
            true => Target { frame: whole as u32, time: FRAME_END },
            false => {
                Target { frame: whole as u32 + 1, time: (rest * self.setup.frame_duration) as f32 }
            }
        })
    }

    fn time_of(&self, target: Target) -> f64 {
        let duration = self.setup.frame_duration;
        match target.time {
            FRAME_END => f64::from(target.frame) * duration,
            time => f64::from(target.frame - 1) * duration + f64::from(time),
        }
    }

    /// The place in time that is known.
    fn reached(&self) -> Target {
        Target::of(&self.control)
    }

    /// Adds a target, unless it is no later than the last.
    fn aim(&mut self, target: Target) -> Result<(), Error> {
        let near = SAME as f32 * self.setup.params.time.frame_duration;
        let later = |than: Target| {
            target.frame > than.frame
                || target.frame == than.frame && target.time > than.time + near
        };
        if self.course.last.is_some_and(|last| !later(last)) || !later(self.reached()) {
            return Ok(());
        }
        let course = &mut self.course;
        if course.ahead.len() as u32 + IN_FLIGHT as u32 >= TARGETS {
            return Err(Error::Options(format!(
                "{} targets are not reached yet: let them be at most so far ahead of the simulation's time as it can catch up",
                course.ahead.len()
            )));
        }
        course.ahead.push_back(target);
        course.last = Some(target);
        Ok(())
    }

    /// Adds the end of a frame.
    pub(super) fn aim_at_end_of(&mut self, frame: u32) -> Result<(), Error> {
        self.aim(Target { frame, time: FRAME_END })
    }

    /// Gives the GPU the targets up to the first frame that cannot begin yet.
    pub(super) fn release(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), Error> {
        if self.control.neighbours > self.machine.counts().get(NEIGHBOURS)? {
            // Slightly more than needed, so that it does not have to grow again soon.
            let needed = self.control.neighbours;
            let room = needed.saturating_add(needed / 4);
            let counts = self.machine.counts().clone().with(NEIGHBOUR_SPACE, room);
            self.machine.grow(&counts, encoder)?;
        }
        while let Some(target) = self.course.ahead.get(self.course.released).copied() {
            if self.course.changes.front().is_some_and(|(before, _)| *before < target) {
                return Ok(());
            }
            while self.course.planned < target.frame {
                if !self.plan_frame(encoder)? {
                    // The end of the frame before, where no step is shorter for it.
                    let end = Target { frame: self.course.planned, time: FRAME_END };
                    let before = self.course.released.checked_sub(1);
                    let before = before.map_or(self.reached(), |k| self.course.ahead[k]);
                    if end > before {
                        self.course.ahead.insert(self.course.released, end);
                        self.write_target(end)?;
                    }
                    return Ok(());
                }
            }
            self.write_target(target)?;
        }
        Ok(())
    }

    fn write_target(&mut self, Target { frame, time }: Target) -> Result<(), Error> {
        let place = 8 * (1 + u64::from(self.course.written % TARGETS));
        self.course.written += 1;
        self.course.released += 1;
        self.machine.write_from(
            "targets",
            place,
            bytemuck::cast_slice(&[frame, time.to_bits()]),
        )?;
        self.machine.write_from("targets", 0, bytemuck::bytes_of(&self.course.written))
    }

    /// Makes ready for the frame after the last one that is planned, if that is possible already: what a frame before still needs
    /// is not changed before it is known to be complete.
    fn plan_frame(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<bool, Error> {
        let frame = self.course.planned + 1;
        let at_its_start = self.course.flights.is_empty()
            && self.control.frame_done == 1
            && self.control.frame == self.course.planned;
        if !at_its_start && (self.shaders.is_some() || self.program.steers() || self.hand.moves()) {
            return Ok(false);
        }
        let start = f64::from(frame - 1) * self.setup.frame_duration;
        if at_its_start {
            self.hand.offset += self.hand.velocity * self.setup.frame_duration as f32;
            self.hand.velocity = self.hand.next;
            self.follow_goals();
        }
        let motions = self.motions_from(start);
        if motions != self.course.motions {
            if !at_its_start {
                return Ok(false);
            }
            self.machine.write("motions", &motions)?;
            self.course.motions = motions;
        }
        // What may have come by then; half as much again, so that growing is rare.
        let frames = frame.saturating_sub(self.control.frame).max(1);
        let most = (0..frames)
            .fold(self.control.particle_count, |live, _| self.setup.capacity_of_frame(live));
        let wanted = self.setup.params.counts.capacity as usize * 3 / 2;
        let most = if frames == 1 { most } else { most.min(MAX_PARTICLES) };
        self.make_room(most, wanted, encoder)?;
        if self.shaders.is_some() {
            self.write_ways(start)?;
            self.bake_frame(start, false)?;
        }
        self.course.planned = frame;
        Ok(true)
    }

    /// Notes what the GPU has at the start of a run or after a state was written.
    pub(super) fn set_course(&mut self) -> Result<(), Error> {
        let start = self.frame_start();
        let motions = self.motions_from(start);
        self.machine.write("motions", &motions)?;
        if self.shaders.is_some() {
            self.write_ways(start)?;
        }
        self.course = Course { planned: self.control.frame, motions, ..Course::default() };
        self.machine.write_from("targets", 0, bytemuck::bytes_of(&0u32))
    }

    /// Motion of solids, as the GPU has it, in the frame that begins at `start` s.
    fn motions_from(&self, start: f64) -> Vec<u8> {
        let hand = [self.hand.offset, self.hand.velocity];
        let mut motions = self.setup.motions_from(start, hand);
        self.steer_motions(&mut motions);
        encode(&motions)
    }

    fn write_ways(&self, start: f64) -> Result<(), Error> {
        self.machine.write("wall_ways", bytemuck::cast_slice(&self.setup.ways_from(start)))
    }

    /// Steps that the budget has room for.
    fn steps_within(&mut self, budget: Budget) -> u32 {
        if self.course.flights.len() == IN_FLIGHT {
            return 0;
        }
        let time = match budget {
            Budget::Steps(count) => return count,
            Budget::Time(time) => time.as_secs_f64(),
        };
        let step = self.pacing.step_time();
        self.course.credit = (self.course.credit + time).min(time.max(step));
        if step == 0.0 {
            return 1;
        }
        let steps = (self.course.credit / step) as u32;
        let steps = steps.min(self.pacing.most_steps());
        self.course.credit -= f64::from(steps) * step;
        steps
    }

    /// Steps to the last target, by the length of the last one, without those on their way. At least one, if none is.
    fn steps_ahead(&self) -> u32 {
        let course = &self.course;
        if course.released == 0 {
            return 0;
        }
        let (mut from, mut steps) = (self.time(), 0.0);
        let frame_end = |time: f64| {
            let duration = self.setup.frame_duration;
            ((time / duration + SAME).floor() + 1.0) * duration
        };
        // Each stop shortens a step.
        for target in course.ahead.iter().take(course.released) {
            let to = self.time_of(*target);
            while from < to {
                let next = to.min(frame_end(from));
                steps += ((next - from) / f64::from(self.step_length()) * 0.99).ceil().max(1.0);
                from = next;
                if steps > 1e6 {
                    break;
                }
            }
        }
        let under_way: u32 = course.flights.iter().map(|flight| flight.steps).sum();
        let left = (steps as u32).saturating_sub(under_way);
        if course.flights.is_empty() { left.max(1) } else { left }
    }

    /// Records steps, each of which may be the first one after a target if `stops`, and a read-back.
    pub(super) fn record_steps(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        steps: u32,
        stops: bool,
    ) -> Result<(), Error> {
        let parts = self.parts();
        let size: u64 = parts.iter().map(|(_, bytes)| bytes).sum::<u64>() + STAMPS;
        let slot = self.course.idle.pop().filter(|slot| slot.buffer.size() == size);
        let slot = slot.map_or_else(|| Slot::new(&self.gpu, size), Ok)?;
        let stamp = |start: bool| {
            let (query_set, _) = slot.stamps.as_ref().filter(|_| stops)?;
            Some(wgpu::ComputePassTimestampWrites {
                query_set,
                beginning_of_pass_write_index: start.then_some(0),
                end_of_pass_write_index: (!start).then_some(1),
            })
        };
        let flags = self.flags();
        // Where the step stalled is known only while nothing is under way.
        let first = if self.course.flights.is_empty() { self.control.resume_lo } else { 0 };
        let mut recording =
            Recording { iterations: self.expected_iterations(), flags: &flags, first };
        self.machine.forget_iterations(encoder);
        for number in 0..steps {
            if number == 0 || stops {
                self.machine.record_stamped(
                    "begin",
                    encoder,
                    stamp(true).filter(|_| number == 0),
                )?;
            }
            let timings = self.timings.as_ref().filter(|_| !stops);
            self.machine.record("step", recording, encoder, timings)?;
            recording.first = 0;
        }
        let stamped = slot.stamps.as_ref().filter(|_| stops);
        let is_stamped = stamped.is_some();
        if let Some((queries, resolved)) = stamped {
            self.machine.record_stamped("begin", encoder, stamp(false))?;
            encoder.resolve_query_set(queries, 0..2, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, &slot.buffer, size - STAMPS, STAMPS);
        }
        let mut offset = 0;
        for (name, bytes) in &parts {
            let from = match *name {
                "control" => self.machine.control_buffer(),
                name => self.machine.expect(name),
            };
            encoder.copy_buffer_to_buffer(from, 0, &slot.buffer, offset, *bytes);
            offset += bytes;
        }
        let arrival = Arrival::default();
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., arrival.request());
        self.submissions += 1;
        let begin = Instant::now();
        let number = self.submissions;
        self.course.flights.push_back(Flight {
            slot,
            number,
            parts,
            steps,
            is_stamped,
            begin,
            arrival,
        });
        Ok(())
    }

    /// What is read back after steps, with the bytes of each: Control, and solids if the scene has any that are measured.
    fn parts(&self) -> Vec<(&'static str, u64)> {
        let mut parts = vec![("control", self.machine.control_buffer().size())];
        parts.extend(
            self.solids_read()
                .into_iter()
                .map(|name| (name, self.machine.buffer(name).map_or(0, wgpu::Buffer::size))),
        );
        parts
    }

    pub(super) fn solids_read(&self) -> Vec<&'static str> {
        let nothing_measured = self.setup.bodies.is_empty() && self.setup.measured.is_empty();
        if nothing_measured && !self.program.steers() {
            return Vec::new();
        }
        let mut names = vec!["bodies", "body_force", "body_pressure", "body_impulse"];
        names.extend((!self.setup.joints.is_empty()).then_some("joints"));
        names.retain(|name| self.machine.buffer(name).is_some());
        names
    }

    /// Waits for all results, to the last recording.
    pub(super) async fn land(&mut self) -> Result<(), Error> {
        self.gpu.compiled().await?;
        while let Some(flight) = self.course.flights.front() {
            let arrival = flight.arrival.clone();
            let arrived = self.gpu.arrived(&arrival).await;
            if arrival.answer() != Some(Answer::Dropped) {
                arrived?;
            }
            self.take_arrived()?;
        }
        Ok(())
    }

    /// Takes the results that have come.
    fn take_arrived(&mut self) -> Result<(), Error> {
        while let Some(answer) =
            self.course.flights.front().and_then(|first| first.arrival.answer())
        {
            let Some(flight) = self.course.flights.pop_front() else { break };
            match answer {
                Answer::Done => self.take(flight)?,
                // The program has thrown the commands away; the slot may be in them still.
                Answer::Dropped => {}
                Answer::Failed => return self.gpu.told(answer),
            }
        }
        Ok(())
    }

    fn take(&mut self, flight: Flight) -> Result<(), Error> {
        let Flight { slot, number, parts, is_stamped, begin, .. } = flight;
        let bytes = {
            let view = slot.buffer.slice(..).get_mapped_range();
            view.map_err(|error| self.gpu.failed(error))?.to_vec()
        };
        slot.buffer.unmap();
        let (mut rest, mut arrays) = (&bytes[..], BTreeMap::new());
        for (name, size) in parts {
            let (own, others) = rest.split_at(size as usize);
            arrays.insert(name.to_owned(), own.to_vec());
            rest = others;
        }
        let control = control_of(&arrays.remove("control").unwrap_or_default())?;
        let before = self.control;
        self.take_back(control, arrays)?;
        let steps = control.step.saturating_sub(before.step);
        self.course.steps += steps;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(rest);
        let measured = match stamps[..] {
            [start, end] if is_stamped && end > start => {
                let period = f64::from(self.gpu.queue().get_timestamp_period());
                Duration::from_secs_f64((end - start) as f64 * period * 1e-9)
            }
            _ => begin.elapsed(),
        };
        self.course.idle.push(slot);
        if steps > 0 || control.stalled() {
            self.pacing.learn(steps, measured);
            if self.iterations.len() == MEMORY {
                self.iterations.pop_front();
            }
            self.iterations.push_back(control.most_iterations.to_array());
        }
        let known = self.reached();
        while self.course.ahead.front().is_some_and(|target| *target <= known) {
            self.course.ahead.pop_front();
            self.course.released = self.course.released.saturating_sub(1);
        }
        self.know(number);
        self.apply_changes()
    }

    /// Takes Control, and solids, as read back.
    pub(super) fn take_back(
        &mut self,
        control: Control,
        mut arrays: BTreeMap<String, Vec<u8>>,
    ) -> Result<(), Error> {
        self.control = control;
        if arrays.is_empty() {
            return Ok(());
        }
        let mut bytes = |name: &str| arrays.remove(name).unwrap_or_default();
        self.bodies = decode(&bytes("bodies")).map_err(|error| malformed("bodies", &error))?;
        if !self.setup.joints.is_empty() {
            self.joints = decode(&bytes("joints")).map_err(|error| malformed("joints", &error))?;
        }
        self.forces = bytemuck::pod_collect_to_vec(&bytes("body_force"));
        self.pressures = bytemuck::pod_collect_to_vec(&bytes("body_pressure"));
        self.impulses = bytemuck::pod_collect_to_vec(&bytes("body_impulse"));
        Ok(())
    }
}
