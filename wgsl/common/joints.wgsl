// Joints of bodies, and mooring lines. A joint's impulses are those for which it holds at the end of the step: points that are held
// together are in one place then, axes in one direction, ways within their limits (SHAKE: Ryckaert, Ciccotti & Berendsen 1977, with
// the arms at the place where forces act). Springs take the mean force of three steps, ¼ ½ ¼, which is stable for any stiffness and
// takes no energy (Newmark 1959, β = ¼), and dampers the velocity after the step.
//!include common/control
//!include common/drift
//!include common/impulses
//!include common/torus
//!include common/catenary
//!include common/fall
//!include shared/joint
//!include shared/joints

//!write joints

const WORLD = 0xffffffffu;

fn first_of(joint: Joint) -> u32 { return u32(joint.who.y); }
fn second_of(joint: Joint) -> u32 { return select(u32(max(joint.who.z, 0.0)), WORLD, joint.who.z < 0.0); }

// A body now; the world at rest.
fn now_of(c: u32) -> Body {
    if (c == WORLD) {
        return Body(vec4<f32>(0.0), vec4<f32>(0.0, 0.0, 0.0, 1.0), vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    }
    return bodies[c];
}

// The same after a whole step with its velocities.
fn end_of(c: u32) -> Body {
    if (c == WORLD) { return now_of(c); }
    let body = bodies[c];
    if (colliders[c].inverse_mass > 0.0) { return drifted(body, colliders[c].inverse_inertia, control.dt); }
    var next = body;
    next.position += vec4<f32>(control.dt * body.velocity.xyz, 0.0);
    next.rotation = turned(body.rotation, control.dt * body.angular_velocity.xyz);
    return next;
}

fn outer(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(a * b.x, a * b.y, a * b.z);
}

// Angular velocity for a unit angular impulse.
fn turning(c: u32) -> mat3x3<f32> {
    if (c == WORLD) { return mat3x3<f32>(); }
    let q = bodies[c].rotation;
    let i = select(vec3<f32>(0.0), colliders[c].inverse_inertia, colliders[c].inverse_mass > 0.0);
    return mat3x3<f32>(spin_of(q, vec3<f32>(1.0, 0.0, 0.0), i), spin_of(q, vec3<f32>(0.0, 1.0, 0.0), i),
                       spin_of(q, vec3<f32>(0.0, 0.0, 1.0), i));
}

// Velocity of a body's point for a unit impulse there.
fn moving(c: u32, arm: vec3<f32>) -> mat3x3<f32> {
    if (c == WORLD) { return mat3x3<f32>(); }
    let spins = turning(c);
    let m = colliders[c].inverse_mass;
    let x = spins * cross(arm, vec3<f32>(1.0, 0.0, 0.0));
    let y = spins * cross(arm, vec3<f32>(0.0, 1.0, 0.0));
    let z = spins * cross(arm, vec3<f32>(0.0, 0.0, 1.0));
    return mat3x3<f32>(cross(x, arm) + vec3<f32>(m, 0.0, 0.0), cross(y, arm) + vec3<f32>(0.0, m, 0.0),
                       cross(z, arm) + vec3<f32>(0.0, 0.0, m));
}

// The x for which k x = b, both across the unit vector n, or anywhere if n is 0.
fn across(k: mat3x3<f32>, n: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let size = k[0].x + k[1].y + k[2].z;
    if (size <= 0.0) { return vec3<f32>(0.0); }
    let kn = k * n;
    let free = dot(n, kn) + size;
    // Where nothing moves, as across the plane in 2-D, there is nothing to hold either.
    let still = 1e-6 * size * mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    let m = (1.0 / size) * (k - outer(n, kn) - outer(kn, n) + free * outer(n, n) + still);
    let minor = cross(m[1], m[2]);
    let x = vec3<f32>(dot(b, minor), dot(m[0], cross(b, m[2])), dot(m[0], cross(m[1], b))) / dot(m[0], minor);
    return (x - dot(x, n) * n) / size;
}

// A joint's bodies at one time.
struct Pair {
    a: Body,
    b: Body,
    // From the second body's point to the first's.
    apart: vec3<f32>,
    // The axis in the second body, and its angle, or the way or length.
    axis: vec3<f32>,
    way: f32,
    // Rotation vector of the first body from where it should be.
    tilt: vec3<f32>,
}

fn pair_of(joint: Joint, a: Body, b: Body) -> Pair {
    let kind = u32(joint.who.x);
    let apart = displacement(a.position.xyz, b.position.xyz) + rotate(a.rotation, joint.anchor_a.xyz)
        - rotate(b.rotation, joint.anchor_b.xyz);
    if (kind >= JOINT_SPAN) {
        let length = length(apart);
        return Pair(a, b, apart, select(apart / length, vec3<f32>(0.0, 1.0, 0.0), length == 0.0), length, vec3<f32>(0.0));
    }
    let axis = rotate(b.rotation, joint.axis_b.xyz);
    let off = compose(a.rotation, inverse_of(compose(b.rotation, joint.turn)));
    if (kind == JOINT_HINGE) {
        // From −π to π.
        let half = select(off, -off, off.w < 0.0);
        let angle = 2.0 * atan2(dot(half.xyz, axis), half.w);
        return Pair(a, b, apart, axis, angle, cross(axis, rotate(a.rotation, joint.axis_a.xyz)));
    }
    return Pair(a, b, apart, axis, dot(axis, apart), 2.0 * select(off.xyz, -off.xyz, off.w < 0.0));
}

fn ends_of(joint: Joint) -> Pair {
    return pair_of(joint, end_of(first_of(joint)), end_of(second_of(joint)));
}

// Impulse at the first body's point, and its opposite at the same place, or at the other end of a spring or line.
fn pull(joint: Joint, now: Pair, impulse: vec3<f32>) {
    let arm = rotate(now.a.rotation, joint.anchor_a.xyz);
    give(first_of(joint), arm, impulse);
    if (second_of(joint) != WORLD) { give(second_of(joint), arm_b_of(joint, now), -impulse); }
}

fn arm_b_of(joint: Joint, now: Pair) -> vec3<f32> {
    let at = rotate(now.b.rotation, joint.anchor_b.xyz);
    return select(at + now.apart, at, u32(joint.who.x) >= JOINT_SPAN);
}

fn twist(joint: Joint, impulse: vec3<f32>) {
    strike(first_of(joint), vec3<f32>(0.0), impulse);
    if (second_of(joint) != WORLD) { strike(second_of(joint), vec3<f32>(0.0), -impulse); }
}

// The impulse of limits from the one so far, with the way at the end of the step for it.
fn limited(joint: Joint, way: f32, per_impulse: f32) -> f32 {
    let rate = 1.0 / (control.dt * per_impulse);
    let up = max(joint.along.x + rate * (joint.bounds.x - way), 0.0);
    let down = min(joint.along.x + rate * (joint.bounds.y - way), 0.0);
    return select(down, up, up > 0.0);
}

fn is_limited(joint: Joint) -> bool {
    return joint.bounds.x > -1e30 || joint.bounds.y < 1e30;
}

// The impulses of the last step; of mooring lines, of their weight.
fn begin_joint(j: u32) {
    var joint = joints[j];
    let kind = u32(joint.who.x);
    let now = pair_of(joint, now_of(first_of(joint)), now_of(second_of(joint)));
    let last = joint.push.w;
    let part = select(0.0, min(control.dt / last, 1.0), last > 0.0);
    joint.push = vec4<f32>(part * joint.push.xyz, last);
    joint.twist = vec4<f32>(part * joint.twist.xyz, joint.twist.w);
    joint.along = vec4<f32>(part * joint.along.xyz, joint.along.w);
    if (kind >= JOINT_SPAN) {
        if (kind == JOINT_MOORING) {
            let up = -direction_of(params.world.gravity);
            let rise = dot(now.apart, up);
            let level = now.apart - rise * up;
            let weight = pull_of(length(level), rise, joint.anchor_a.w);
            let along = select(level / length(level), vec3<f32>(0.0), length(level) == 0.0);
            joint.push = vec4<f32>(-control.dt * joint.axis_b.w * (weight.x * along + weight.y * up), last);
        }
        if (last == 0.0) { joint.twist.w = now.way; }
        pull(joint, now, joint.push.xyz + (joint.along.x + joint.along.z) * now.axis);
    } else {
        let axial = (joint.along.x + joint.along.y) * now.axis;
        pull(joint, now, joint.push.xyz + select(vec3<f32>(0.0), axial, kind == JOINT_SLIDER));
        twist(joint, joint.twist.xyz + select(vec3<f32>(0.0), axial, kind == JOINT_HINGE));
    }
    joints[j] = joint;
}

// Parts of an iteration of a joint: its motor, spring or damper, its limits, its directions and its point.
const DRIVE = 0u;
const LIMITS = 1u;
const TURN = 2u;
const POINT = 3u;

// An iteration of a joint: the largest change of velocity in m/s. Compilers write out what is called, so what the parts share is
// called once for all of them.
fn hold(j: u32) -> f32 {
    var joint = joints[j];
    let kind = u32(joint.who.x);
    let a = first_of(joint);
    let b = second_of(joint);
    let dt = control.dt;
    let now = pair_of(joint, now_of(a), now_of(b));
    let arm_a = rotate(now.a.rotation, joint.anchor_a.xyz);
    let arm_b = arm_b_of(joint, now);
    let n = now.axis;
    var most = 0.0;
    let linear = moving(a, arm_a) + moving(b, arm_b);
    let angular = turning(a) + turning(b);
    let reach = max(length(arm_a), 2.0 * params.world.particle_radius);
    let spans = kind >= JOINT_SPAN;
    let is_hinge = kind == JOINT_HINGE;
    let is_slider = kind == JOINT_SLIDER;
    let stiffness = joint.anchor_b.w;
    let damping = joint.axis_a.w;
    let k = dot(n, select(linear * n, angular * n, is_hinge));
    let drives = select(joint.bounds.w > 0.0 && k > 0.0, stiffness > 0.0 || damping > 0.0, spans);
    let limits = is_limited(joint) && (spans || k > 0.0);
    let last = select(POINT, LIMITS, spans);
    for (var part = DRIVE; part <= last; part++) {
        if ((part == DRIVE && !drives) || (part == LIMITS && !limits) || (part == TURN && kind == JOINT_BALL)) { continue; }
        let end = ends_of(joint);
        let turns = part == TURN || (is_hinge && part != POINT);
        var change = vec3<f32>(0.0);
        if (part == DRIVE && spans) {
            let stretch = 0.25 * (end.way + 2.0 * now.way + joint.twist.w) - joint.anchor_a.w;
            let due = dt * stiffness * stretch + damping * (end.way - now.way);
            let more = -(joint.along.z + due) / (1.0 + k * dt * (0.25 * stiffness * dt + damping));
            joint.along.z += more;
            change = more * n;
        } else if (part == DRIVE) {
            let v = velocity_at(now.a, arm_a) - velocity_at(now.b, arm_b);
            let spin = now.a.angular_velocity.xyz - now.b.angular_velocity.xyz;
            let most_impulse = dt * joint.bounds.w;
            let wanted = joint.along.y + (joint.bounds.z - dot(n, select(v, spin, is_hinge))) / k;
            let total = clamp(wanted, -most_impulse, most_impulse);
            change = (total - joint.along.y) * n;
            joint.along.y = total;
        } else if (part == LIMITS) {
            let total = limited(joint, end.way, k);
            change = (total - joint.along.x) * n;
            joint.along.x = total;
        } else {
            let apart = end.apart - select(0.0, dot(end.apart, end.axis), is_slider) * end.axis;
            let free = select(vec3<f32>(0.0), n, select(is_slider, is_hinge, turns));
            var per_impulse = linear;
            if (turns) { per_impulse = angular; }
            change = -across(per_impulse, free, select(apart, end.tilt, turns)) / dt;
            if (turns) { joint.twist += vec4<f32>(change, 0.0); } else { joint.push += vec4<f32>(change, 0.0); }
        }
        if (turns) { twist(joint, change); } else { pull(joint, now, change); }
        var speed = length(change) * k * select(1.0, reach, is_hinge);
        if (part == TURN) { speed = length(angular * change) * reach; }
        if (part == POINT) { speed = length(linear * change); }
        most = max(most, speed);
    }
    joints[j] = joint;
    return most;
}

// What a joint carried in the step, and in the frame. Bodies that it pulls do not fall freely (common/fall).
fn end_joint(j: u32) {
    var joint = joints[j];
    let kind = u32(joint.who.x);
    let now = pair_of(joint, now_of(first_of(joint)), now_of(second_of(joint)));
    let end = ends_of(joint);
    let axial = (joint.along.x + joint.along.y + joint.along.z) * now.axis;
    let push = joint.push.xyz + select(axial, vec3<f32>(0.0), kind == JOINT_HINGE);
    let twist = joint.twist.xyz + select(vec3<f32>(0.0), axial, kind == JOINT_HINGE);
    joint.push.w = control.dt;
    joint.twist.w = now.way;
    joint.along.w = end.way;
    if (control.steps_in_frame == 0u) {
        joint.impulse = vec4<f32>(0.0);
        joint.angular_impulse = vec4<f32>(0.0);
    }
    joint.impulse += vec4<f32>(push, 0.0);
    joint.angular_impulse += vec4<f32>(twist, 0.0);
    joints[j] = joint;
    for (var side = 0u; side < 2u; side++) {
        let c = select(first_of(joint), second_of(joint), side == 1u);
        if (c == WORLD || colliders[c].inverse_mass == 0.0) { continue; }
        let falls = length(push) * colliders[c].inverse_mass < 1e-4 * control.dt * length(params.world.gravity);
        if (!falls) { bodies[c].position.w = along_gravity(bodies[c].velocity.xyz); }
    }
}
