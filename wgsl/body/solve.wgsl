// Impacts and contacts of free bodies, in one workgroup: projected Gauss–Seidel over the manifolds, colour by colour (Catto 2005).
// Impacts come first, one pair after another, each with the velocities that those before have left, so that a row of balls passes a
// hit on and no pair gains energy. Then joints hold, and contacts take the impulses that give their least normal velocities, never pulling in
// total, and friction within Coulomb's cone.
//!include common/control
//!include common/colliders
//!include common/impulses
//!include common/joints
//!include shared/touch
//!include common/contact_place
//!include common/manifolds
//!include common/worlds

//!read colliders model_position
//!write bodies contacts manifolds manifold_order body_colours

// Rounds of impacts, and iterations within a pair.
const ROUNDS = 16u;
const INNER = 8u;
// Most iterations of contacts, and the change of velocity at which they end, relative to what gravity adds in a step and to a
// spacing a step.
const ITERATIONS = 60u;
const ENOUGH = vec2<f32>(1e-3, 1e-5);
const LANES = 64u;

// First place of each colour in the order of manifolds, and the end.
var<workgroup> starts: array<u32, 33>;
var<workgroup> cursors: array<u32, 32>;
// Colours up to the last one that is used.
var<workgroup> used_colours: u32;
// Largest change of velocity in an iteration in m/s, by its bits, or whether there was an impact.
var<workgroup> largest: atomic<u32>;
var<workgroup> goes_on: u32;

// Colours of joints and then of manifolds, smallest first, by one invocation: their order is that of the scene and of the bodies.
fn order_manifolds() {
    for (var colour = 0u; colour <= COLOURS; colour++) { starts[colour] = 0u; }
    for (var c = params.counts.driven; c < params.counts.colliders; c++) { body_colours[c] = 0u; }
    used_colours = 0u;
    for (var j = 0u; HAS_JOINTS && j < params.counts.joints; j++) {
        let a = first_of(joints[j]);
        let b = second_of(joints[j]);
        var used = 0u;
        if (a >= params.counts.driven) { used |= body_colours[a]; }
        if (b >= params.counts.driven && b != WORLD) { used |= body_colours[b]; }
        let colour = firstTrailingBit(~used | (1u << (COLOURS - 1u)));
        joints[j].who.w = f32(colour);
        used_colours = max(used_colours, colour + 1u);
        if (colour == COLOURS - 1u) { continue; }
        if (a >= params.counts.driven) { body_colours[a] |= 1u << colour; }
        if (b >= params.counts.driven && b != WORLD) { body_colours[b] |= 1u << colour; }
    }
    for (var own = params.counts.driven; own < params.counts.colliders; own++) {
        for (var m = MANIFOLDS * own; m < MANIFOLDS * (own + 1u); m++) {
            // Those without points are the last ones of a body.
            if (manifolds[m][2] == 0u) { break; }
            let other = manifolds[m][1];
            var used = body_colours[own];
            if (other >= params.counts.driven) { used |= body_colours[other]; }
            let colour = firstTrailingBit(~used | (1u << (COLOURS - 1u)));
            manifolds[m][3] = colour;
            starts[colour + 1u] += 1u;
            used_colours = max(used_colours, colour + 1u);
            if (colour == COLOURS - 1u) { continue; }
            body_colours[own] |= 1u << colour;
            if (other >= params.counts.driven) { body_colours[other] |= 1u << colour; }
        }
    }
    for (var colour = 0u; colour < COLOURS; colour++) {
        cursors[colour] = starts[colour];
        starts[colour + 1u] += starts[colour];
    }
    for (var own = params.counts.driven; own < params.counts.colliders; own++) {
        for (var m = MANIFOLDS * own; m < MANIFOLDS * (own + 1u); m++) {
            if (manifolds[m][2] == 0u) { break; }
            let colour = manifolds[m][3];
            manifold_order[cursors[colour]] = m;
            cursors[colour] += 1u;
        }
    }
}

// A point of a manifold.
struct Point {
    k: u32,
    // Solids, and vectors to the point from their centres.
    a: u32,
    b: u32,
    arm_a: vec3<f32>,
    arm_b: vec3<f32>,
    normal: vec3<f32>,
}

fn point_of(m: u32, p: u32) -> Point {
    let k = manifolds[m][4u + p];
    let a = manifolds[m][0];
    let b = manifolds[m][1];
    let normal = contacts[k].plane.xyz;
    let arm = contact_place(colliders[a], rotate(bodies[a].rotation, model_position[k].xyz), normal);
    let apart = displacement(bodies[a].position.xyz, bodies[b].position.xyz);
    return Point(k, a, b, arm, arm + apart, normal);
}

fn approach(point: Point) -> vec3<f32> {
    return velocity_at(bodies[point.a], point.arm_a) - velocity_at(bodies[point.b], point.arm_b);
}

fn yields(point: Point, n: vec3<f32>) -> f32 {
    return yielding(point.a, point.arm_a, n) + yielding(point.b, point.arm_b, n);
}

fn act(point: Point, impulse: vec3<f32>) {
    give(point.a, point.arm_a, impulse);
    give(point.b, point.arm_b, -impulse);
}

// The total impulse with which a point has a normal velocity, from the total so far; its change acts on the bodies.
fn solved(point: Point, wanted: f32, before: vec3<f32>) -> vec3<f32> {
    let n = point.normal;
    let relative = approach(point);
    let v_n = dot(relative, n);
    let slip = relative - v_n * n;
    let speed = length(slip);
    let pressed = dot(before, n);
    let normal = max(pressed + (wanted - v_n) / yields(point, n), 0.0);
    var along = before - pressed * n;
    if (speed > 0.0) { along -= slip / yields(point, slip / speed); }
    let most = max(colliders[point.a].friction, colliders[point.b].friction) * normal;
    let length_along = length(along);
    if (length_along > most) { along *= most / length_along; }
    let total = normal * n + along;
    act(point, total - before);
    return total;
}

// Speed in m/s after an impact: e times that before it, of which the step's fall is no part; with an acceleration g towards a wall, so
// that the energy at the end of the step, v²/2 + g (gap + Δt v), is e² times that at its start.
fn rebound(e: f32, speed: f32, g: f32, gap: f32) -> f32 {
    let by_step = g * control.dt;
    let start = max(speed - by_step, 0.0);
    let height = 2.0 * g * max(gap, 0.0);
    let square = by_step * by_step + e * e * (start * start + height) - height;
    return max(sqrt(max(square, 0.0)) - by_step, 0.0);
}

// The impact of a pair, and whether there is one.
fn hit(m: u32) -> bool {
    let restitution = max(colliders[manifolds[m][0]].restitution, colliders[manifolds[m][1]].restitution);
    if (restitution == 0.0) { return false; }
    enter_solid(manifolds[m][0]);
    let slow = SLOW * control.dt * length(gravity());
    // Of what the fall to the wall would still give, and the rise from it take away: an impact comes up to a step too early.
    let by_wall = manifolds[m][1] < params.counts.driven;
    var wanted: array<f32, 4>;
    var totals: array<vec3<f32>, 4>;
    var any = false;
    let count = manifolds[m][2];
    for (var p = 0u; p < count; p++) {
        let point = point_of(m, p);
        let v_n = dot(approach(point), point.normal);
        let hits = contacts[point.k].change.y + control.dt * v_n < 0.0 && v_n < -slow;
        let fall = select(0.0, max(-dot(gravity(), point.normal), 0.0), by_wall);
        wanted[p] = select(0.0, rebound(restitution, -v_n, fall, contacts[point.k].change.y), hits);
        totals[p] = vec3<f32>(0.0);
        any = any || wanted[p] > 0.0;
        if (hits) { contacts[point.k].change.z = 1.0; }
    }
    if (!any) { return false; }
    for (var inner = 0u; inner < INNER; inner++) {
        for (var p = 0u; p < count; p++) {
            if (wanted[p] > 0.0) { totals[p] = solved(point_of(m, p), wanted[p], totals[p]); }
        }
    }
    return true;
}

// An iteration of a pair's contacts: the largest change of velocity in m/s.
fn press(m: u32) -> f32 {
    var most = 0.0;
    for (var p = 0u; p < manifolds[m][2]; p++) {
        let point = point_of(m, p);
        let before = contacts[point.k].total.xyz;
        let total = solved(point, contacts[point.k].plane.w, before);
        contacts[point.k].total = vec4<f32>(total, f32(point.b + 1u));
        let change = total - before;
        most = max(most, length(change) * yields(point, point.normal));
    }
    return most;
}

// The impulses of the last step.
fn begin(m: u32) {
    for (var p = 0u; p < manifolds[m][2]; p++) {
        let point = point_of(m, p);
        act(point, contacts[point.k].total.xyz);
    }
}

fn end(m: u32) {
    for (var p = 0u; p < manifolds[m][2]; p++) {
        let k = manifolds[m][4u + p];
        // What an impact needs is no start for the next step.
        contacts[k].change.w = select(control.dt, 0.0, contacts[k].change.z != 0.0);
    }
}

const IMPACTS = 0u;
const START = 1u;
const CONTACTS = 2u;

// All joints and manifolds once, colour by colour; whether it goes on. In uniform control flow.
fn all_pairs(what: u32, local: u32, enough: f32) -> bool {
    if (local == 0u) { atomicStore(&largest, 0u); }
    workgroupBarrier(); // nothing is counted yet
    let colours = workgroupUniformLoad(&used_colours);
    for (var colour = 0u; colour < colours; colour++) {
        // Those of the last colour may share bodies: one after another.
        let width = select(LANES, 1u, colour == COLOURS - 1u);
        if (HAS_JOINTS && local < width && what != IMPACTS) {
            for (var j = local; j < params.counts.joints; j += width) {
                if (u32(joints[j].who.w) != colour) { continue; }
                if (what == START) { begin_joint(j); } else { atomicMax(&largest, bitcast<u32>(hold(j))); }
            }
        }
        if (local < width) {
            for (var at = starts[colour] + local; at < starts[colour + 1u]; at += width) {
                let m = manifold_order[at];
                var change = 0.0;
                if (what == IMPACTS) { change = select(0.0, 1.0, hit(m)); }
                if (what == START) { begin(m); }
                if (what == CONTACTS) { change = press(m); }
                atomicMax(&largest, bitcast<u32>(change));
            }
        }
        storageBarrier(); // the bodies of this colour have their velocities
    }
    workgroupBarrier(); // all are counted
    if (local == 0u) { goes_on = select(0u, 1u, bitcast<f32>(atomicLoad(&largest)) > enough); }
    return workgroupUniformLoad(&goes_on) != 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active() || control.dt == 0.0) { return; }
    if (local == 0u) { order_manifolds(); }
    storageBarrier(); // the order is complete
    workgroupBarrier(); // and so is where colours begin
    for (var round = 0u; round < ROUNDS; round++) {
        if (!all_pairs(IMPACTS, local, 0.0)) { break; }
    }
    all_pairs(START, local, 0.0);
    let spacing = 2.0 * params.world.particle_radius;
    let enough = dot(ENOUGH, vec2<f32>(control.dt * length(params.world.gravity), spacing / control.dt));
    for (var iteration = 0u; iteration < ITERATIONS; iteration++) {
        if (!all_pairs(CONTACTS, local, enough)) { break; }
    }
    for (var at = local; at < starts[COLOURS]; at += LANES) { end(manifold_order[at]); }
    for (var j = local; HAS_JOINTS && j < params.counts.joints; j += LANES) { end_joint(j); }
}
