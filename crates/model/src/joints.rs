//! Joints between bodies and mooring lines in the form that passes read.

use glam::{DQuat, DVec3, Vec4};
use meniscus_scene::{JointKind, Motor, Scene};
use meniscus_shared::{shared, shared_constants};

use crate::{
    Setup,
    params::{Body, Collider},
};

shared_constants! {
    joints {
        /// Joint of two points.
        JOINT_BALL: u32 = 0;
        /// Joint of two axes.
        JOINT_HINGE: u32 = 1;
        /// Joint along an axis.
        JOINT_SLIDER: u32 = 2;
        /// Joint without freedom.
        JOINT_FIXED: u32 = 3;
        /// Spring or rope between two points.
        JOINT_SPAN: u32 = 4;
        /// Mooring line, the first body's.
        JOINT_MOORING: u32 = 5;
    }
}

/// Length in terms of a mooring line's at which it is taut: its pull as a catenary is up to 6.5 times its weight there, w L/√(24 ε).
const TAUT: f64 = 0.999;
/// Beyond any angle, way or length.
const FREE: f32 = 1e30;

shared! {
    /// Joint of two bodies, or of one with the world, and what it carries.
    struct Joint {
        /// One of the `JOINT_…` constants; the first body; the second, or −1 for the world; colour.
        who: Vec4,
        /// Point of the first body, in its own axes, in m; in w the length of a spring without force, or of a mooring line, in m.
        anchor_a: Vec4,
        /// Point of the second body or of the world, relative to the domain's centre, in m; in w the stiffness in N/m.
        anchor_b: Vec4,
        /// Unit vector of the axis in the first body's axes; in w the damping in N s/m.
        axis_a: Vec4,
        /// The same in the second body's axes; in w the weight of a mooring line in N/m.
        axis_b: Vec4,
        /// Rotation from the first body's axes to the second's at the start, a unit quaternion.
        turn: Vec4,
        /// Least and largest angle in rad, way or length in m; the motor's speed in rad/s or m/s, and its largest torque in N m or
        /// force in N.
        bounds: Vec4,
        /// Impulse of the last step on the first body's point, in N s; in w the length of that step in s.
        push: Vec4,
        /// Angular impulse of the last step on the first body, in N m s; in w the length of a spring before that step in m.
        twist: Vec4,
        /// Impulses of the last step along or about the axis, by limits, the motor and a spring; in w the angle, way or length.
        along: Vec4,
        /// Impulse on the first body since the start of the frame, in N s.
        impulse: Vec4,
        /// Angular impulse on the first body since the start of the frame, beside that of the impulse, in N m s.
        angular_impulse: Vec4,
    }
}

impl Joint {
    /// Bytes of a joint in its array, and offset of its motor's speed and strength, two floats.
    pub const BYTES: u64 = Self::STRUCT.size;
    /// See [`Joint::BYTES`].
    pub const MOTOR: u64 = 4 * 26;
}

/// What is drawn of joints where bodies are: polylines of springs, ropes and mooring lines.
#[must_use]
pub fn lines(joints: &[Joint], bodies: &[Body], gravity: DVec3) -> Vec<Vec<DVec3>> {
    let point = |number: f32, anchor: Vec4| {
        let anchor = anchor.truncate().as_dvec3();
        match bodies.get(number as usize).filter(|_| number >= 0.0) {
            None => anchor,
            Some(body) => {
                let turn = DQuat::from_vec4(body.rotation.as_dvec4()).normalize();
                body.position.truncate().as_dvec3() + turn * anchor
            }
        }
    };
    let drawn = joints.iter().filter(|joint| joint.who.x as u32 >= JOINT_SPAN);
    let line = |joint: &Joint| {
        let ends = [point(joint.who.y, joint.anchor_a), point(joint.who.z, joint.anchor_b)];
        match joint.who.x as u32 {
            JOINT_MOORING => hanging(ends, -gravity.normalize_or_zero(), joint.anchor_a.w.into()),
            _ => ends.to_vec(),
        }
    };
    drawn.map(line).collect()
}

impl Setup {
    /// Joints and mooring lines of the scene, whose bodies are there.
    pub(crate) fn add_joints(&mut self, scene: &Scene) {
        for ((_, number), group) in self.bodies.iter().zip(groups(scene)) {
            self.colliders[*number as usize].group = group;
        }
        self.joints = all(scene, &self.bodies, &self.colliders, self.center);
        let joints = scene.joints.iter().enumerate().map(|(k, joint)| joint.name_or_number(k));
        let moorings = scene.moorings.iter().enumerate().map(|(k, line)| line.name_or_number(k));
        self.joint_names = joints.chain(moorings).collect();
    }
}

/// A free body's group, which its joints hold together: bodies of one group do not touch. 0 where there is none.
fn groups(scene: &Scene) -> Vec<u32> {
    let mut of: Vec<_> = (0..scene.bodies.len()).collect();
    let mut is_held = vec![false; of.len()];
    for joint in scene.joints.iter().filter(|joint| !joint.touches()) {
        let named = joint.bodies.iter().filter_map(|name| Some(scene.body(name)?.0));
        let sides: Vec<_> = named.collect();
        if let [first, second] = sides[..] {
            let [into, from] = [of[first], of[second]];
            of.iter_mut().filter(|group| **group == from).for_each(|group| *group = into);
            (is_held[first], is_held[second]) = (true, true);
        }
    }
    of.into_iter()
        .zip(is_held)
        .map(|(group, held)| if held { group as u32 + 1 } else { 0 })
        .collect()
}

/// A solid's place at the start, for points and directions in its axes.
struct Frame {
    position: DVec3,
    rotation: DQuat,
}

impl Frame {
    fn point(&self, world: DVec3) -> DVec3 {
        self.rotation.inverse() * (world - self.position)
    }

    fn direction(&self, world: DVec3) -> DVec3 {
        self.rotation.inverse() * world
    }
}

/// Joints and mooring lines of a scene whose bodies are these colliders, with the centre of its domain.
fn all(
    scene: &Scene,
    bodies: &[(String, u32)],
    colliders: &[Collider],
    center: DVec3,
) -> Vec<Joint> {
    let side = |name: &str| {
        let (index, _) = scene.body(name)?;
        let number = bodies[index].1;
        let collider = &colliders[number as usize];
        let position = collider.position.as_dvec3();
        let rotation = DQuat::from_vec4(collider.rotation.as_dvec4()).normalize();
        Some((number as f32, Frame { position, rotation }))
    };
    let world = || (-1.0, Frame { position: DVec3::ZERO, rotation: DQuat::IDENTITY });
    let place = |point: DVec3| if scene.dimensions == 2 { point.with_z(0.0) } else { point };
    let with = |v: DVec3, w: f64| v.as_vec3().extend(w as f32);
    let mut all = Vec::new();
    for joint in &scene.joints {
        let Some((a, first)) = joint.bodies.first().and_then(|name| side(name)) else { continue };
        let (b, second) = joint.bodies.get(1).and_then(|name| side(name)).unwrap_or_else(world);
        let ends = joint.kind.ends(first.position + center).map(|end| place(end - center));
        let way = ends[0].distance(ends[1]);
        let open = [-FREE, FREE];
        let turn = |limits: Option<[f64; 2]>, unit: f64| {
            limits.map_or(open, |limits| limits.map(|limit| (unit * limit) as f32))
        };
        let (kind, axis, [low, high], motor) = match &joint.kind {
            JointKind::Ball { .. } => (JOINT_BALL, [0.0; 3], open, None),
            JointKind::Fixed {} => (JOINT_FIXED, [0.0; 3], open, None),
            JointKind::Hinge { axis, limits, motor, .. } => {
                (JOINT_HINGE, *axis, turn(*limits, 1.0_f64.to_radians()), *motor)
            }
            JointKind::Slider { axis, limits, motor } => {
                (JOINT_SLIDER, *axis, turn(*limits, 1.0), *motor)
            }
            JointKind::Spring { limits, .. } => (JOINT_SPAN, [0.0; 3], turn(*limits, 1.0), None),
            JointKind::Rope { length, .. } => {
                (JOINT_SPAN, [0.0; 3], [-FREE, length.unwrap_or(way) as f32], None)
            }
        };
        let (stiffness, damping, length) = match joint.kind {
            JointKind::Spring { stiffness, damping, length, .. } => {
                (stiffness, damping, length.unwrap_or(way))
            }
            _ => (0.0, 0.0, 0.0),
        };
        let axis = DVec3::from(axis).normalize_or_zero();
        let Motor { speed, most } = motor.unwrap_or(Motor { speed: 0.0, most: 0.0 });
        all.push(Joint {
            who: Vec4::new(kind as f32, a, b, 0.0),
            anchor_a: with(first.point(ends[0]), length),
            anchor_b: with(second.point(ends[1]), stiffness),
            axis_a: with(first.direction(axis), damping),
            axis_b: with(second.direction(axis), 0.0),
            turn: Vec4::from((second.rotation.inverse() * first.rotation).as_quat()),
            bounds: Vec4::new(low, high, speed as f32, most as f32),
            along: Vec4::new(0.0, 0.0, 0.0, if kind == JOINT_SPAN { way as f32 } else { 0.0 }),
            ..Joint::default()
        });
    }
    for line in &scene.moorings {
        let Some((a, body)) = side(&line.body) else { continue };
        let [fairlead, anchor] =
            [line.fairlead, line.anchor].map(|point| place(DVec3::from(point) - center));
        let way = fairlead.distance(anchor);
        all.push(Joint {
            who: Vec4::new(JOINT_MOORING as f32, a, -1.0, 0.0),
            anchor_a: with(body.point(fairlead), line.length),
            anchor_b: with(anchor, 0.0),
            axis_b: with(DVec3::ZERO, line.weight),
            turn: Vec4::W,
            bounds: Vec4::new(-FREE, (TAUT * line.length).max(way) as f32, 0.0, 0.0),
            along: Vec4::new(0.0, 0.0, 0.0, way as f32),
            ..Joint::default()
        });
    }
    all
}

/// Pull along the floor and down, in terms of the weight per length, of a line of this length whose upper end is `rise` above its
/// anchor and `x` beside it: the parameter a of the catenary by which it is as long as it is.
#[must_use]
pub fn catenary(x: f64, rise: f64, length: f64) -> [f64; 2] {
    let h = rise.max(1e-3 * length);
    if x <= length - h {
        return [0.0, h];
    }
    let bisect = |mut low: f64, mut high: f64, is_below: &dyn Fn(f64) -> bool| {
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if is_below(middle) { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    let whole = ((length * length - h * h) / (2.0 * h)).max(1e-6 * length);
    let hung = |a: f64| (h * (h + 2.0 * a)).sqrt();
    let reach = |a: f64| length - hung(a) + a * (hung(a) / a).asinh();
    if x < reach(whole) {
        let a = bisect(0.0, whole, &|a| reach(a) < x);
        return [a, hung(a)];
    }
    let across = (length * length - h * h).max(0.0).sqrt().max((1.0 + 1e-5) * x);
    // 2 a sinh(x/2a) falls with a.
    let a = bisect(0.0, 1e4 * length, &|a| 2.0 * a * (x / (2.0 * a)).sinh() > across);
    [a, 0.5 * (length + h / (x / (2.0 * a)).tanh())]
}

/// Points of a line of this length between an anchor and a higher point, from the latter on, for pictures.
fn hanging([top, anchor]: [DVec3; 2], up: DVec3, length: f64) -> Vec<DVec3> {
    let way = anchor - top;
    let level = way.reject_from_normalized(up);
    let along = level.normalize_or_zero();
    let [a, down] = catenary(level.length(), -way.dot(up), length);
    if a <= 1e-3 * length {
        return vec![top, top - down * up, anchor];
    }
    // Slopes sinh u along the catenary, to the floor or to the end of the line.
    let first = (down / a).asinh();
    // Of what hangs as a whole the pull down is at least its weight.
    let last = ((down - length).max(0.0) / a).asinh();
    let point = |k: u32| {
        let u = first + f64::from(k) / 24.0 * (last - first);
        top + a * (first - u) * along - a * (first.cosh() - u.cosh()) * up
    };
    (0..=24).map(point).chain([anchor]).collect()
}
