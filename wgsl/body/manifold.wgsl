// Manifolds of each free body: its contacts with one solid in one direction, of which at most four stand for all: the one that will be
// deepest at the end of the step, the farthest from it, the farthest from the line through both, and the farthest on its other side. Those
// that carried an impulse in the last step are preferred among equals, so that they are the same in the next.
//!include common/control
//!include common/colliders
//!include common/contacts
//!include common/body_lane
//!include common/manifolds

//!read colliders model_position contacts contact_other
//!write manifolds

// Lead of what carried an impulse in the last step, in spacings of depth and as a factor of squared distances.
const LEAD = 0.02;
const AHEAD = 1.1;
// Depth within which contacts are of one manifold, and least distance of its points, in spacings.
const LEVEL = 0.2;
const APART = 0.5;
// More than the distances of contacts, in spacings, so that depths are positive.
const MOST = 1000.0;
// Cosine of the largest angle between normals of one manifold.
const ALIKE = 0.9;

// Steps of depths and squared distances, by the spacing: what differs by rounding is equal, and the first is taken.
const STEPS = 1000.0;

// A contact and how much is to be said for it.
struct Candidate {
    value: f32,
    k: u32,
}

var<workgroup> candidates: array<Candidate, 64>;

fn better(a: Candidate, b: Candidate) -> Candidate {
    if (b.value > a.value || (b.value == a.value && b.k < a.k)) { return b; }
    return a;
}

// The best of a body's invocations; in uniform control flow.
fn best_of(own: Candidate, local: u32, width: u32) -> Candidate {
    workgroupBarrier(); // the last one has been read
    candidates[local] = own;
    for (var half = width / 2u; half > 0u; half /= 2u) {
        workgroupBarrier(); // the halves that the next line compares are complete
        if (local % width < half) { candidates[local] = better(candidates[local], candidates[local + half]); }
    }
    workgroupBarrier(); // the first has the best
    return candidates[local - local % width];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let width = stage.element_count / params.counts.colliders;
    let own = body_lane(element(global_id), local, width);
    let body = colliders[own.solid];
    let spacing = 2.0 * params.world.particle_radius;
    let is_free = own.solid >= params.counts.driven;
    let particles = select(0u, body.particle_count, is_free);
    var others: array<u32, MANIFOLDS>;
    var normals: array<vec3<f32>, MANIFOLDS>;
    for (var m = 0u; m < MANIFOLDS; m++) {
        var points = vec4<u32>(NONE);
        var count = 0u;
        var depth = 0.0;
        // Places of the points so far.
        var p: array<vec3<f32>, 3>;
        others[m] = NONE;
        for (var find = 0u; find < 4u; find++) {
            var found = Candidate(0.0, NONE);
            // After a manifold without points there are no more, and a ball has one point.
            let looks = select(count == find && body.ball == 0.0, m == 0u || others[max(m, 1u) - 1u] != NONE, find == 0u);
            for (var at = own.lane; at < select(0u, particles, looks); at += width) {
                let k = body.first_particle + at;
                let other = contact_other[k].y;
                if (other == NONE || (find > 0u && other != others[m])) { continue; }
                let touch = contacts[k];
                let carried = touch.total.w != 0.0;
                if (find == 0u) {
                    var is_new = true;
                    for (var before = 0u; before < m; before++) {
                        is_new = is_new && !(other == others[before] && dot(touch.plane.xyz, normals[before]) > ALIKE);
                    }
                    if (!is_new) { continue; }
                    let depth = MOST - touch.change.x / spacing + select(0.0, LEAD, carried);
                    found = better(found, Candidate(round(STEPS * depth), k));
                    continue;
                }
                if (dot(touch.plane.xyz, normals[m]) <= ALIKE || touch.change.x > depth + LEVEL * spacing) { continue; }
                let x = model_position[k].xyz;
                var away = x - p[0];
                var square = dot(away, away);
                if (find > 1u) {
                    let line = p[1] - p[0];
                    let across = cross(line, away);
                    square = dot(across, across) / dot(line, line);
                    if (find == 3u && dot(across, cross(line, p[2] - p[0])) > 0.0) { continue; }
                }
                if (square > APART * APART * spacing * spacing) {
                    let far = square / (spacing * spacing) * select(1.0, AHEAD, carried);
                    found = better(found, Candidate(round(STEPS * far), k));
                }
            }
            let best = best_of(found, local, width);
            if (best.k != NONE) {
                points[count] = best.k;
                if (count < 3u) { p[count] = model_position[best.k].xyz; }
                count += 1u;
                if (find == 0u) {
                    others[m] = contact_other[best.k].y;
                    normals[m] = contacts[best.k].plane.xyz;
                    depth = max(contacts[best.k].change.x, 0.0);
                }
            }
        }
        if (own.first && is_free) {
            manifolds[MANIFOLDS * own.solid + m] =
                array<u32, 8>(own.solid, others[m], count, 0u, points.x, points.y, points.z, points.w);
        }
    }
}
