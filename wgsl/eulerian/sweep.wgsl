// Distance a layer of cells further from the surface: |∇φ| = 1 by the upwind differences of Godunov, of all cells at once; those
// beside the surface stay (Rouy, Tourin 1992).
//!include common/control
//!include common/level_set

//!write level_set_other

// u of Σ max(0, u − a)² = 1 over the axes, of values in ascending order; 2-D has no third.
fn solved(a: vec3<f32>) -> f32 {
    var u = a.x + 1.0;
    if (u > a.y) {
        let d = a.y - a.x;
        u = 0.5 * (a.x + a.y + sqrt(2.0 - d * d));
    }
    if (u > a.z) {
        let sum = a.x + a.y + a.z;
        u = (sum + sqrt(max(sum * sum - 3.0 * (dot(a, a) - 1.0), 0.0))) / 3.0;
    }
    return u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = level_set[c];
    var away = abs(own);
    if (!is_near(cell)) {
        var a = vec3<f32>(1e3);
        for (var axis = 0u; axis < axes(); axis++) {
            a[axis] = min(abs(level_set[beside(cell, -along(axis))]), abs(level_set[beside(cell, along(axis))]));
        }
        let low = min(a.x, min(a.y, a.z));
        let high = max(a.x, max(a.y, a.z));
        let middle = max(min(a.x, a.y), min(max(a.x, a.y), a.z));
        away = min(away, solved(vec3<f32>(low, middle, high)));
    }
    level_set_other[c] = select(away, -away, own < 0.0);
}
