//! Motion by formulas or keyframes, evaluated in f64: the pose of a solid at a time, and the data
//! of a frame for the GPU.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use meniscus_scene::{Interpolation, Keyframe, Motion};

use crate::solids::FrameMotion;

/// Half of the interval in s of central differences for velocities.
const INSTANT: f64 = 1e-5;

/// Position and rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "it has no other parts")]
pub struct Pose {
    /// Position in m.
    pub position: DVec3,
    /// Rotation from the solid's own axes to world axes.
    pub rotation: DQuat,
}

/// Pose and its rate of change.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "it has no other parts")]
pub struct Movement {
    /// Pose.
    pub pose: Pose,
    /// Velocity in m/s.
    pub velocity: DVec3,
    /// Angular velocity in rad/s, about the pose's position.
    pub angular_velocity: DVec3,
}

/// Pose at `time` in s, after applying motions in order, of a solid that was at `start` before
/// them.
#[must_use]
pub fn pose_at(motions: &[Motion], start: Pose, time: f64) -> Pose {
    motions.iter().fold(start, |pose, motion| {
        let (turn, center, offset) = transform(motion, pose.position, time);
        Pose {
            position: center + turn * (pose.position - center) + offset,
            rotation: (turn * pose.rotation).normalize(),
        }
    })
}

/// Pose at `time` in s after these motions of a solid that was at `start`, with velocities by central differences.
#[must_use]
pub fn movement_at(motions: &[Motion], start: Pose, time: f64) -> Movement {
    let pose = pose_at(motions, start, time);
    if motions.is_empty() {
        return Movement { pose, velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO };
    }
    let [before, after] = [-INSTANT, INSTANT].map(|dt| pose_at(motions, start, time + dt));
    let turn = after.rotation * before.rotation.inverse();
    Movement {
        pose,
        velocity: (after.position - before.position) / (2.0 * INSTANT),
        angular_velocity: shortest(turn).to_scaled_axis() / (2.0 * INSTANT),
    }
}

/// Motion in the frame from `start` for `duration` s. `center` is the domain's centre in m, `hand`
/// an additional velocity in m/s.
#[must_use]
pub fn for_frame(
    motions: &[Motion],
    pose: Pose,
    start: f64,
    duration: f64,
    center: DVec3,
    hand: DVec3,
) -> FrameMotion {
    let ends = [start, start + duration].map(|time| movement_at(motions, pose, time));
    between_places(ends, duration, center, hand)
}

/// Motion from one place to another in a frame of `duration` s; the rest as [`for_frame`].
#[must_use]
pub fn between_places(
    [from, to]: [Movement; 2],
    duration: f64,
    center: DVec3,
    hand: DVec3,
) -> FrameMotion {
    let [way, mut turn] = way([from.pose, to.pose]);
    // Fast rotations: of all rotations with the same end, choose the one that matches the speed.
    let expected = 0.5 * duration * (from.angular_velocity + to.angular_velocity);
    let axis = expected.normalize_or_zero();
    turn += TAU * ((expected - turn).dot(axis) / TAU).round() * axis;
    let vector = |v: DVec3| v.as_vec3().extend(0.0);
    FrameMotion {
        position: vector(from.pose.position - center),
        rotation: from.pose.rotation.as_quat().into(),
        speed_0: vector(from.velocity + hand),
        way: vector(way + duration * hand),
        speed_1: vector(to.velocity + hand),
        spin_0: vector(from.angular_velocity),
        turn: vector(turn),
        spin_1: vector(to.angular_velocity),
    }
}

/// Displacement in m and shortest rotation vector in rad from one pose to another.
#[must_use]
pub fn way([from, to]: [Pose; 2]) -> [DVec3; 2] {
    let turn = shortest(to.rotation * from.rotation.inverse());
    [to.position - from.position, turn.to_scaled_axis()]
}

/// Velocity after a share of a frame, by those at its start, on average, and at its end.
#[must_use]
pub fn speed([start, mean, end]: [DVec3; 3], share: f64) -> DVec3 {
    let s = share;
    (1.0 - s) * (1.0 - 3.0 * s) * start + 6.0 * s * (1.0 - s) * mean + s * (3.0 * s - 2.0) * end
}

/// The rotation as one by less than half a turn.
fn shortest(turn: DQuat) -> DQuat {
    if turn.w < 0.0 { -turn } else { turn }
}

/// x ↦ turn (x − center) + center + offset, for a solid whose centre is there.
fn transform(motion: &Motion, middle: DVec3, time: f64) -> (DQuat, DVec3, DVec3) {
    let about = |center: &Option<[f64; 3]>| center.map_or(middle, DVec3::from);
    let turn = |axis: &[f64; 3], angle: f64| {
        DQuat::from_axis_angle(DVec3::from(*axis).normalize_or(DVec3::Z), angle)
    };
    match motion {
        Motion::Translate { velocity } => (DQuat::IDENTITY, middle, time * DVec3::from(*velocity)),
        Motion::Sway { amplitude, period, phase } => {
            let at = |time: f64| (TAU * time / period + phase.to_radians()).sin();
            (DQuat::IDENTITY, middle, (at(time) - at(0.0)) * DVec3::from(*amplitude))
        }
        Motion::Rotate { center, axis, speed } => {
            (turn(axis, (speed * time) % TAU), about(center), DVec3::ZERO)
        }
        Motion::Rock { center, axis, angle, period, phase } => {
            let at = |time: f64| (TAU * time / period + phase.to_radians()).sin();
            (turn(axis, angle.to_radians() * (at(time) - at(0.0))), about(center), DVec3::ZERO)
        }
        Motion::Keyframes { interpolation, center, axis, frames } => {
            let (offset, angle) = between(frames, time, *interpolation, false);
            (turn(axis, angle), about(center), offset)
        }
        Motion::Table { interpolation, center, axis, rows, .. } => {
            let rows = rows.get().map_or(&[][..], |rows| &rows[..]);
            let (offset, angle) = between(rows, time, *interpolation, true);
            (turn(axis, angle), about(center), offset)
        }
        // It moves vertices, not the whole.
        Motion::Frames { .. } => (DQuat::IDENTITY, middle, DVec3::ZERO),
    }
}

/// Cubic Hermite curves through keyframes, with the slopes of the chords of their neighbours (Catmull, Rom 1974), which
/// [`Interpolation::Monotone`] limits; at rest beyond the ends, and at them unless they are `cut` from a longer motion, whose
/// slopes there are those of parabolas. Offset in m and angle in rad.
fn between(
    frames: &[Keyframe],
    time: f64,
    interpolation: Interpolation,
    cut: bool,
) -> (DVec3, f64) {
    let value = |k: usize| DVec3::from(frames[k].position).extend(frames[k].angle.to_radians());
    let split = |v: glam::DVec4| (v.truncate(), v.w);
    let next = frames.partition_point(|frame| frame.time <= time);
    if frames.is_empty() {
        return (DVec3::ZERO, 0.0);
    }
    if next == 0 || next == frames.len() {
        return split(value(next.min(frames.len() - 1)));
    }
    let last = frames.len() - 1;
    let chord =
        |from: usize, to: usize| (value(to) - value(from)) / (frames[to].time - frames[from].time);
    let smooth = |k: usize| match (k, last) {
        (0, _) if !cut => glam::DVec4::ZERO,
        (_, _) if k == last && !cut => glam::DVec4::ZERO,
        (_, 1) => chord(0, 1),
        // Of a parabola through the chord with the neighbour's slope.
        (0, _) => 2.0 * chord(0, 1) - chord(0, 2),
        (_, _) if k == last => 2.0 * chord(last - 1, last) - chord(last - 2, last),
        _ => chord(k - 1, k + 1),
    };
    let slope = |k: usize| match interpolation {
        Interpolation::Smooth => smooth(k),
        Interpolation::Monotone => {
            let chords = [k.saturating_sub(1), k.min(last - 1)].map(|from| chord(from, from + 1));
            monotone(smooth(k), chords)
        }
    };
    let (a, b) = (next - 1, next);
    let length = frames[b].time - frames[a].time;
    let s = (time - frames[a].time) / length;
    let (s2, s3) = (s * s, s * s * s);
    split(
        (2.0 * s3 - 3.0 * s2 + 1.0) * value(a)
            + length * (s3 - 2.0 * s2 + s) * slope(a)
            + (3.0 * s2 - 2.0 * s3) * value(b)
            + length * (s3 - s2) * slope(b),
    )
}

/// Slope at a keyframe with which the curves on both sides stay between their ends: 0 where the chords change their sign, and
/// at most three times the flatter one (Fritsch, Carlson 1980).
fn monotone(slope: glam::DVec4, [before, after]: [glam::DVec4; 2]) -> glam::DVec4 {
    glam::DVec4::from_array(std::array::from_fn(|axis| {
        let (slope, before, after) = (slope[axis], before[axis], after[axis]);
        if before * after <= 0.0 {
            return 0.0;
        }
        let most = 3.0 * before.abs().min(after.abs());
        slope.clamp(-most, most)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Pose = Pose { position: DVec3::X, rotation: DQuat::IDENTITY };

    #[test]
    fn velocities_are_those_of_the_formulas() {
        let sway = [Motion::Sway { amplitude: [0.0, 0.2, 0.0], period: 2.0, phase: 0.0 }];
        let now = movement_at(&sway, START, 1.0);
        assert!((now.velocity - DVec3::new(0.0, -0.2 * TAU / 2.0, 0.0)).length() < 1e-8);
        // α (2π/T) cos(2πt/T + φ): at rest at the start, fastest after a quarter of the period.
        let (axis, angle) = ([0.0, 0.0, 1.0], 30.0);
        let rock = [Motion::Rock { center: None, axis, angle, period: 2.0, phase: -90.0 }];
        let [start, quarter] = [0.0, 0.5].map(|time| movement_at(&rock, START, time));
        assert!(start.angular_velocity.length() < 1e-6, "{start:?}");
        let fastest = 30_f64.to_radians() * TAU / 2.0;
        assert!((quarter.angular_velocity.z - fastest).abs() < 1e-6, "{quarter:?}");
        let wheel = [Motion::Rotate { center: Some([0.0; 3]), axis: [0.0, 0.0, 2.0], speed: 3.0 }];
        let now = movement_at(&wheel, START, 0.0);
        assert!((now.velocity - DVec3::new(0.0, 3.0, 0.0)).length() < 1e-8, "{now:?}");
        assert!((now.angular_velocity - DVec3::new(0.0, 0.0, 3.0)).length() < 1e-8);
    }

    #[test]
    fn a_frame_ends_where_the_next_begins_however_fast_the_wheel() {
        for speed in [0.1, 30.0, 400.0, -900.0] {
            let wheel = [Motion::Rotate { center: None, axis: [0.0, 1.0, 0.0], speed }];
            let frame = for_frame(&wheel, START, 0.3, 0.02, DVec3::ZERO, DVec3::ZERO);
            assert!(
                (f64::from(frame.turn.y) - 0.02 * speed).abs() < 1e-5 * speed.abs(),
                "{frame:?}"
            );
        }
    }

    #[test]
    fn keyframes_are_met_and_the_ends_are_at_rest() {
        let frame = |time, x, angle| Keyframe { time, position: [x, 0.0, 0.0], angle };
        let frames = vec![frame(1.0, 0.0, 0.0), frame(2.0, 1.0, 90.0), frame(4.0, 0.0, 720.0)];
        let motion = [through(&frames, Interpolation::Smooth)];
        for key in &frames {
            let pose = pose_at(&motion, START, key.time);
            assert!((pose.position.x - 1.0 - key.position[0]).abs() < 1e-12);
        }
        for end in [0.5, 1.0, 4.0, 9.0] {
            let now = movement_at(&motion, START, end);
            assert!(now.velocity.length() < 1e-4 && now.angular_velocity.length() < 1e-3, "{end}");
        }
    }

    /// Motion through keyframes.
    fn through(frames: &[Keyframe], interpolation: Interpolation) -> Motion {
        let (axis, frames) = ([0.0, 0.0, 1.0], frames.to_vec());
        Motion::Keyframes { interpolation, center: None, axis, frames }
    }

    #[test]
    fn monotone_motion_stays_between_its_keyframes_and_rests_between_equal_ones() {
        let frame = |time, x, angle| Keyframe { time, position: [x, 0.0, -x], angle };
        let frames = [
            frame(0.2, 0.0, 0.0),
            frame(1.2, -0.22, 90.0),
            frame(2.2, -0.22, 90.0),
            frame(2.3, -0.2, 100.0),
            frame(3.2, 0.5, 40.0),
            frame(3.5, 0.6, 39.0),
        ];
        let overshoot = |interpolation| {
            let motion = through(&frames, interpolation);
            let mut most = 0.0_f64;
            for pair in frames.windows(2) {
                for k in 0..=100 {
                    let time = pair[0].time + 0.01 * f64::from(k) * (pair[1].time - pair[0].time);
                    let at = time.clamp(pair[0].time, pair[1].time);
                    let (turn, _, offset) = transform(&motion, DVec3::ZERO, at);
                    let angle = turn.to_scaled_axis().z.to_degrees();
                    let found = [offset.x, offset.z, angle / 100.0];
                    let ends =
                        |key: &Keyframe| [key.position[0], key.position[2], key.angle / 100.0];
                    for ((x, a), b) in found.into_iter().zip(ends(&pair[0])).zip(ends(&pair[1])) {
                        most = most.max(a.min(b) - x).max(x - a.max(b));
                    }
                }
            }
            most
        };
        assert!(overshoot(Interpolation::Monotone) < 1e-12);
        // The fault that the default had.
        assert!(overshoot(Interpolation::Smooth) > 0.02);
        // Between equal slopes both are the same line.
        let line: Vec<_> = (0..5).map(f64::from).map(|t| frame(t, 0.1 * t, t)).collect();
        let [a, b] = [Interpolation::Monotone, Interpolation::Smooth]
            .map(|one| pose_at(&[through(&line, one)], START, 2.3));
        assert_eq!(a, b);
    }

    #[test]
    fn a_table_of_a_sway_moves_as_the_sway() {
        let sway = [Motion::Sway { amplitude: [0.2, 0.1, 0.0], period: 2.0, phase: -90.0 }];
        let nowhere = Pose { position: DVec3::ZERO, rotation: DQuat::IDENTITY };
        let row = |k: u32| {
            let time = 0.02 * f64::from(k);
            let position = pose_at(&sway, nowhere, time).position.to_array();
            Keyframe { time, position, angle: 10.0 * time }
        };
        let table = [Motion::table((0..=200).map(row).collect(), None, [0.0, 0.0, 1.0])];
        for k in 1..397 {
            let time = 0.01 * f64::from(k);
            let [a, b] = [&sway, &table].map(|motion| movement_at(motion, START, time));
            // Cubic curves: 1e-6 m and 1e-3 m/s at 100 rows a period.
            assert!(a.pose.position.distance(b.pose.position) < 3e-6, "{time}: {a:?} {b:?}");
            assert!(a.velocity.distance(b.velocity) < 3e-3, "{time}: {a:?} {b:?}");
            assert!((b.angular_velocity.z - 10_f64.to_radians()).abs() < 1e-6, "{b:?}");
        }
        // It stays where it ends.
        assert_eq!(pose_at(&table, START, 9.0), pose_at(&table, START, 4.0));
        assert_eq!(pose_at(&table, START, -1.0), pose_at(&table, START, 0.0));
    }
}
