// Nodes at walls. Those nearer to a wall than half a cell, and behind it, are held: they have no velocity of their own, but the
// one that the field of the free nodes around them has there if its normal part grows linearly with the distance d from the
// wall, from the wall's own velocity u on (with sticky walls all parts):
//   v(d) = u + n (d/d_k) n·(v_k − u) + (1 − n nᵀ) v_k                                      of the free node k at distance d_k
// so that stresses of particles at the wall act as if their mirror image pressed from the other side.
//!include common/control
//!include common/busy
//!include shared/collider
//!include shared/responses

//!read colliders

// Nodes nearer than this are held, and those this far behind are not reached by the fluid; in cells. Of the free nodes only the
// first layer, up to a cell further, has held ones that follow it: up to two cells away.
const HELD = 0.4995;
const DEEP = -1.6;

// Rows of `hold`: normal and distance of up to three walls; numbers of their solids, from 1 on, and in w of a held node the
// weight of the free nodes around it, of a free one the sides on which held ones may be (sides_of).
struct Hold {
    walls: array<vec4<f32>, 3>,
    solids: vec3<f32>,
    weight: f32,
}

fn hold_from(rows: array<vec4<f32>, 4>) -> Hold {
    return Hold(array<vec4<f32>, 3>(rows[0], rows[1], rows[2]), rows[3].xyz, rows[3].w);
}

fn least_mass() -> f32 {
    return LEAST_MASS * params.materials[0].rest_density * cell_volume();
}

// Sides to which a direction leads, one bit each: −x, −y, −z, x, y, z.
fn sides_of(n: vec3<f32>) -> u32 {
    let low = dot(select(vec3<u32>(0u), vec3<u32>(1u, 2u, 4u), n < vec3<f32>(-0.25)), vec3<u32>(1u));
    let high = dot(select(vec3<u32>(0u), vec3<u32>(8u, 16u, 32u), n > vec3<f32>(0.25)), vec3<u32>(1u));
    return low | high;
}

// Sides of the free nodes around a held one.
fn open_sides(hold: Hold) -> u32 {
    var sides = 0u;
    for (var w = 0u; w < 3u; w++) {
        if (hold.solids[w] > 0.0) { sides |= sides_of(hold.walls[w].xyz); }
    }
    return sides;
}

// Cells around one in which nodes may belong to it, from the first to the last: a cell away, two to these sides.
fn first_around(sides: u32) -> vec3<i32> {
    let bits = vec3<i32>(vec3<u32>(sides, sides >> 1u, sides >> 2u) & vec3<u32>(1u));
    return (-1 - bits) * vec3<i32>(1, 1, params.grid.z_reach);
}

fn last_around(sides: u32) -> vec3<i32> {
    return -first_around(sides >> 3u);
}

// Some of the cells around one, a bit each: few of them belong to it, and what is done with those is long.
var<private> chosen: vec4<u32>;
var<private> chosen_low: vec3<i32>;
var<private> chosen_size: vec3<i32>;
// Of these the ones that keep_last kept, and the last one.
var<private> kept: vec4<u32>;
var<private> last_word: u32;
var<private> last_bit: u32;

// None yet, of the cells from low to high.
fn choose_none(low: vec3<i32>, high: vec3<i32>) {
    chosen = vec4<u32>(0u);
    kept = vec4<u32>(0u);
    chosen_low = low;
    chosen_size = high - low + 1;
}

fn choose(offset: vec3<i32>) {
    let at = offset - chosen_low;
    let k = u32(at.x + chosen_size.x * (at.y + chosen_size.y * at.z));
    chosen[k >> 5u] |= 1u << (k & 31u);
}

fn any_chosen() -> bool {
    return any(chosen != vec4<u32>(0u));
}

// The first of them, by its offset in cells, which is then none of them.
fn next_chosen() -> vec3<i32> {
    let word = select(select(select(3u, 2u, chosen.z != 0u), 1u, chosen.y != 0u), 0u, chosen.x != 0u);
    let bits = chosen[word];
    chosen[word] = bits & (bits - 1u);
    last_word = word;
    last_bit = bits ^ chosen[word];
    let k = i32(32u * word + firstTrailingBit(bits));
    let row = k / chosen_size.x;
    let layer = row / chosen_size.y;
    return chosen_low + vec3<i32>(k - row * chosen_size.x, row - layer * chosen_size.y, layer);
}

fn keep_last() {
    kept[last_word] |= last_bit;
}

// Chooses the cells of which a free node may answer for one with these walls.
fn choose_free(hold: Hold) {
    let sides = open_sides(hold);
    let low = first_around(sides);
    let high = last_around(sides);
    choose_none(low, high);
    for (var z = low.z; z <= high.z; z++) {
        for (var y = low.y; y <= high.y; y++) {
            for (var x = low.x; x <= high.x; x++) {
                let offset = vec3<i32>(x, y, z);
                if (answers(hold, vec3<f32>(offset) * params.grid.cell) > 0.0) { choose(offset); }
            }
        }
    }
}

// How much of a node with these walls a free node at this offset (m) answers for, 1 − l of the distance l in cells off the
// normals; as (1 − l²)/(1 + l), since l may be nearly 1.
fn answers(hold: Hold, offset: vec3<f32>) -> f32 {
    var along = round(offset / params.grid.cell);
    var left = 1.0 - dot(along, along);
    for (var w = 0u; w < 3u; w++) {
        if (hold.solids[w] == 0.0) { continue; }
        let n = hold.walls[w].xyz;
        let cells = (hold.walls[w].w + dot(n, offset)) / params.grid.cell;
        if (cells < HELD || cells >= HELD + 1.0) { return 0.0; }
        let part = dot(n, along);
        left += part * part;
        along -= part * n;
    }
    return max(0.0, left) / (1.0 + sqrt(max(0.0, 1.0 - left)));
}

// Outer product n mᵀ.
fn outer(n: vec3<f32>, m: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(n * m.x, n * m.y, n * m.z);
}

// Distance from wall w over that of a free node at this offset.
fn lever(hold: Hold, w: u32, offset: vec3<f32>) -> f32 {
    let d = hold.walls[w].w;
    return d / max(d + dot(hold.walls[w].xyz, offset), HELD * params.grid.cell);
}

// 1 − lever, without the difference of nearly equal numbers.
fn rest(hold: Hold, w: u32, offset: vec3<f32>) -> f32 {
    let d = hold.walls[w].w;
    let further = dot(hold.walls[w].xyz, offset);
    let least = HELD * params.grid.cell;
    return max(further, least - d) / max(d + further, least);
}

// How a held node follows a free one at this offset: v = A v_k, besides what its walls add (common/ties).
fn follows(hold: Hold, offset: vec3<f32>) -> mat3x3<f32> {
    var a = mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
    for (var w = 0u; w < 3u; w++) {
        if (hold.solids[w] == 0.0) { continue; }
        let n = hold.walls[w].xyz;
        let f = lever(hold, w, offset);
        if (colliders[u32(hold.solids[w]) - 1u].response == RESPONSE_STICKY) {
            a = f * a;
        } else {
            a += (f - 1.0) * outer(n, transpose(a) * n);
        }
    }
    return a;
}

// Whether walls hold a node.
fn is_held(hold: Hold) -> bool {
    return any(hold.solids > vec3<f32>(0.0));
}
