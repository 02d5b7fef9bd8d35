// Signed distances of the nodes of a grid from a mesh, computed once before the first step. The
// point of a triangle nearest to p is on its face if p projects into it, or else on an edge; the
// sign is that of (p − point)·n, with n the mean normal of the faces that meet there, weighted at
// corners by their angles (Bærentzen, Aanæs 2005). Triangles are in a tree of boxes without parent
// links: a box that is too far away names the next one outside it. They are processed in batches,
// small enough to keep each invocation short. Between batches, nodes hold how far within the band
// they are, signed by side: 0 if nothing was found yet.
//!include common/fields
//!include shared/field_box
//!include shared/field_triangle

//!read field_boxes field_triangles

const FACE = 6u;

// Vector from the nearest point of a triangle to p, and the index of the normal there.
struct Away {
    way: vec3<f32>,
    part: u32,
}

fn away_from_edge(p: vec3<f32>, t: u32, k: u32) -> Away {
    let next = (k + 1u) % 3u;
    let a = field_triangles[t].corners[k];
    let edge = field_triangles[t].corners[next] - a;
    let share = clamp(dot(p - a, edge) / max(dot(edge, edge), 1e-37), 0.0, 1.0);
    return Away(p - a - share * edge, select(select(3u + k, next, share == 1.0), k, share == 0.0));
}

fn nearer(a: Away, b: Away) -> Away {
    if (dot(b.way, b.way) < dot(a.way, a.way)) { return b; }
    return a;
}

fn away_from_triangle(p: vec3<f32>, t: u32) -> Away {
    let a = field_triangles[t].corners[0];
    let b = field_triangles[t].corners[1];
    let c = field_triangles[t].corners[2];
    // The host provides the normal, so slivers need no special care.
    let n = field_triangles[t].normals[FACE];
    let above = dot(cross(n, b - a), p - a) >= 0.0
        && dot(cross(n, c - b), p - b) >= 0.0
        && dot(cross(n, a - c), p - c) >= 0.0;
    if (above) { return Away(dot(n, p - a) * n, FACE); }
    return nearer(nearer(away_from_edge(p, t, 0u), away_from_edge(p, t, 1u)), away_from_edge(p, t, 2u));
}

fn gap(p: vec3<f32>, box: FieldBox) -> f32 {
    return length(max(max(box.low - p, p - box.high), vec3<f32>(0.0)));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let field = distance_field[0];
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let row = i / field.size.x;
    let node = field.low + vec3<u32>(i % field.size.x, row % field.size.y, row / field.size.y);
    let p = field.cell * vec3<f32>(node) - field.half_extents;
    let at = field.first + 3u + node.x + field.nodes.x * (node.y + field.nodes.y * node.z);
    let known = distances[at];
    var least = field.band - abs(known);
    var side = select(1.0, -1.0, known < 0.0);
    // Of equally near points the front one counts: blades thinner than rounding have no inside.
    let rounding = 4e-7 * max(field.half_extents.x, max(field.half_extents.y, field.half_extents.z));
    var b = 0u;
    loop {
        let box = field_boxes[b];
        let near = gap(p, box) < least + rounding;
        var t = box.leaf / 16u;
        let end = t + select(0u, box.leaf % 16u, near);
        while (t < end) {
            let away = away_from_triangle(p, t);
            let distance = length(away.way);
            let front = dot(away.way, field_triangles[t].normals[away.part]) >= 0.0;
            if (distance < least - rounding || (front && distance < least + rounding)) {
                side = select(-1.0, 1.0, front);
            }
            least = min(least, distance);
            t += 1u;
        }
        b = select(box.past, b + 1u, near);
        if (b >= field.box_count) { break; }
    }
    // At the very end of the band, solid/flood decides the side.
    let within = field.band - least;
    distances[at] = select(0.0, side * within, within > rounding);
    if (i < 3u) { distances[field.first + i] = field.half_extents[i]; }
}
