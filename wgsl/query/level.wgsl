// Height of the fluid's surface above points of a program, against gravity, or less than 0 below them: on the line through the point, the
// highest place of which half of the greatest share on it, or ½, is filled. A workgroup looks at places a quarter of a spacing apart.
//!include common/control
//!include common/diagnostics
//!include common/kernels
//!include common/neighbours

//!gather sorted_position
//!read query_point diagnostics
//!write query_level

// Places that are looked at, at most: those at the top.
const MOST_PLACES = 8192;

// The first place, in steps from the point, and the number of places.
var<workgroup> line: vec2<i32>;
var<workgroup> greatest: atomic<u32>;
// The highest place that is filled, by its number from 1.
var<workgroup> highest: atomic<u32>;

var<private> share: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    share += select(0.0, max(neighbour.position.w, 0.0), mine) * density_kernel(dot(offset, offset));
}

fn share_at(x: vec3<f32>, counts: bool) -> f32 {
    share = 0.0;
    for_each_candidate(0u, wrap_position(x), counts);
    return share;
}

fn up() -> vec3<f32> {
    let g = params.world.gravity;
    return -g / max(length(g), 1e-20);
}

fn line_of(x: vec3<f32>, apart: f32) -> vec2<i32> {
    let all = diagnostics[0];
    let u = up();
    if (all.count <= 0.0 || dot(u, u) < 0.5) { return vec2<i32>(0); }
    let ends = vec2<f32>(dot(vec3<f32>(1.0), min(u * all.bounds_min, u * all.bounds_max)) - kernel.support_radius,
                         dot(vec3<f32>(1.0), max(u * all.bounds_min, u * all.bounds_max)) + kernel.support_radius);
    let places = vec2<i32>(clamp(floor((ends - dot(u, x)) / apart) + vec2<f32>(0.0, 1.0), vec2<f32>(-1e8), vec2<f32>(1e8)));
    let first = max(places.x, places.y + 1 - MOST_PLACES);
    return vec2<i32>(first, places.y + 1 - first);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let k = element(global_id) / 64u;
    let point = query_point[min(k, arrayLength(&query_point) - 1u)];
    let asked = k < stage.element_count && point.w > 0.0;
    let apart = 0.5 * params.world.particle_radius;
    if (local == 0u) {
        line = select(vec2<i32>(0), line_of(point.xyz, apart), asked);
        atomicStore(&greatest, 0u);
        atomicStore(&highest, 0u);
    }
    let places = workgroupUniformLoad(&line);
    let turns = (places.y + 63) / 64;
    let way = apart * up();
    var most = 0.0;
    for (var turn = 0; turn < turns; turn++) {
        let n = 64 * turn + i32(local);
        most = max(most, share_at(point.xyz + f32(places.x + n) * way, n < places.y));
    }
    atomicMax(&greatest, bitcast<u32>(most));
    workgroupBarrier(); // every share is in
    let full = 0.5 * min(bitcast<f32>(atomicLoad(&greatest)), 1.0);
    var top = 0u;
    for (var turn = 0; turn < turns; turn++) {
        let n = 64 * turn + i32(local);
        let here = share_at(point.xyz + f32(places.x + n) * way, n < places.y);
        top = select(top, u32(n) + 1u, here >= full && here > 0.0);
    }
    atomicMax(&highest, top);
    workgroupBarrier(); // every place is in
    let last = i32(atomicLoad(&highest)) - 1;
    let x = point.xyz + f32(places.x + last) * way;
    let here = share_at(x, last >= 0);
    let above = share_at(x + way, last >= 0);
    if (local > 0u || !asked) { return; }
    let part = select(0.0, (here - full) / max(here - above, 1e-20), here > above);
    query_level[k] = select(NO_LEVEL, (f32(places.x + last) + part) * apart, last >= 0);
}
