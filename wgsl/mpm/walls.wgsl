// Walls near each node: those that may hold it (common/held), and whether they may hold nodes around it; and the share of the
// node's spline that is in front of them, as planes.
//!include common/held
//!include common/bodies
//!include common/block_solids
//!include shared/walls

//!read distances bodies
//!write hold open_share

// Share of nodes beside bodies and obstacles, whose corners no planes tell: they count no volume (mpm/mirror).
const UNCOUNTED = 1000.0;
// In cells, less than the spline's half width: walls on faces of cells are that far away.
const BESIDE = 1.4995;
// The walls of containers and planes are planes.
const ENDLESS = 1e29;

// ∫ of the quadratic spline (common/spline) up to a distance in cells.
fn in_front(d: f32) -> f32 {
    let a = min(abs(d), 1.5);
    let outer = (1.5 - a) * (1.5 - a) * (1.5 - a) / 6.0;
    let beyond = select(outer, 0.5 - a * (0.75 - a * a / 3.0), a < 0.5);
    return select(beyond, 1.0 - beyond, d > 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let x = cell_center(cell);
    let edge = params.grid.cell;
    var found = array<vec4<f32>, 3>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    var solids = vec3<f32>(0.0);
    var count = 0u;
    var near = 0u;
    // Normals and distances of up to three walls in reach of the spline that face different ways.
    var sides = array<vec4<f32>, 3>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    var facing = 0u;
    var is_beside = false;
    let block = block_of(cell);
    for (var at = 0u; at < solids_near(block); at++) {
        let k = solid_near(block, at);
        let collider = posed(colliders[k], bodies[k]);
        let walls = walls_of(collider);
        for (var wall = 0u; wall < walls.distinct; wall++) {
            let contact = wall_contact(collider, to_local(collider, x), wall);
            let d = contact.distance;
            let n = rotate(collider.rotation, contact.normal);
            is_beside = is_beside || (collider.reach < ENDLESS && d < BESIDE * edge);
            if (d < 1.5 * edge) {
                var alike = facing;
                for (var w = 0u; w < facing; w++) {
                    if (dot(n, sides[w].xyz) > 0.9) { alike = w; }
                }
                if (alike < 3u && (alike == facing || d < sides[alike].w)) { sides[alike] = vec4<f32>(n, d); }
                if (alike == facing && facing < 3u) { facing++; }
            }
            if (d < (HELD + 1.0) * edge) { near |= sides_of(-n) | 64u; }
            if (d >= HELD * edge || d < DEEP * edge) { continue; }
            // Of walls that face the same way the one further ahead.
            var twin = 3u;
            for (var w = 0u; w < count; w++) {
                if (dot(n, found[w].xyz) > 0.9) { twin = w; }
            }
            if (twin == 3u) {
                if (count == 3u) { continue; }
                twin = count;
                count++;
            } else if (found[twin].w <= d) {
                continue;
            }
            found[twin] = vec4<f32>(n, d);
            solids[twin] = f32(k + 1u);
        }
    }
    var share = select(1.0, UNCOUNTED, is_beside);
    for (var w = 0u; w < facing; w++) { share *= select(in_front(sides[w].w / edge), 1.0, is_beside); }
    open_share[cell_number(cell)] = share;
    hold[cell_number(cell)] = array<vec4<f32>, 4>(found[0], found[1], found[2], vec4<f32>(solids, f32(near)));
}
