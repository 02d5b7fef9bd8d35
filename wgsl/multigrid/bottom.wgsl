// The coarsest level: sweeps of damped Jacobi from z = 0, twice as many as cells along the longest axis, by one workgroup.
//!include common/control
//!include common/levels

//!read odd_coefficient odd_remainder
//!write odd_u

// Cells besides the ring, of which the host leaves no more: 10 along each axis.
const MOST = 1000u;

var<workgroup> z: array<f32, 1000>;

// Number of a cell among those besides the ring.
fn inner_number(inner: vec3<i32>, cell: vec3<i32>) -> u32 {
    return u32(cell.x + inner.x * (cell.y + inner.y * cell.z));
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let level = level_of(stage.level);
    let ring = level_ring();
    let inner = level.size - 2 * ring;
    let count = min(u32(inner.x * inner.y * inner.z), MOST);
    for (var k = local; k < MOST; k += 256u) { z[k] = 0.0; }
    let sweeps = 2 * max(inner.x, max(inner.y, inner.z));
    for (var sweep = 0; sweep < sweeps; sweep++) {
        workgroupBarrier(); // the last sweep is complete
        var next = array<f32, 4>();
        for (var i = 0u; i < 4u; i++) {
            let k = local + 256u * i;
            if (k >= count) { continue; }
            let size = vec3<u32>(inner);
            let place = vec3<i32>(vec3<u32>(k % size.x, k / size.x % size.y, k / (size.x * size.y)));
            let cell = place + ring;
            let c = level_index(level, cell);
            let own = odd_coefficient[c];
            if (own.w == 0.0) { continue; }
            var r = odd_remainder[c].x - own.w * z[k];
            for (var axis = 0u; axis < params.world.dimensions; axis++) {
                let step = vec3<i32>(vec3<u32>(0u, 1u, 2u) == vec3<u32>(axis));
                // Without a ring the ends meet; with one, the coefficient beyond the end is 0.
                if (own[axis] != 0.0) { r += own[axis] * z[inner_number(inner, (place - step + inner) % inner)]; }
                let a = odd_coefficient[level_index(level, level_beside(level, cell, axis, 1))][axis];
                if (a != 0.0) { r += a * z[inner_number(inner, (place + step) % inner)]; }
            }
            next[i] = z[k] + RELAX * r / own.w;
        }
        workgroupBarrier(); // everything of the last sweep was read
        for (var i = 0u; i < 4u; i++) {
            let k = local + 256u * i;
            if (k < count) { z[k] = next[i]; }
        }
    }
    for (var k = local; k < count; k += 256u) {
        let size = vec3<u32>(inner);
        let place = vec3<i32>(vec3<u32>(k % size.x, k / size.x % size.y, k / (size.x * size.y)));
        odd_u[level_index(level, place + ring)] = z[k]; // each wrote its own last
    }
}
