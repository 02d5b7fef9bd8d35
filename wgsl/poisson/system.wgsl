// Matrix of the pressure Poisson equation, Σ of the fluxes a_f (P_c − P_n) through a cell's faces (common/poisson): a_f, the
// open shares of the lower faces between liquid cells, and the diagonal, 0 where there is no liquid. Cells more than half covered
// are liquid, whatever particles others have: with a cell of its own for each particle the surface would be at the centre of the
// highest such cell wherever in its lower half it is, and waves would lose an eighth of their height a period. Where walls leave next
// to nothing of a cell, its cover tells little, and cells beside it do. Where there is no liquid, the pressure is 0: spray flies.
//!include common/control
//!include common/poisson
//!include common/busy

//!read solid_share
//!write coefficient solution

// Free share of the hat of a cell with its centre more than a third of a cell in a wall.
const ALL_BUT_CLOSED = 0.2;

fn has_fluid(c: u32) -> bool {
    let cell = cell_at(c);
    if (cover[c] > HALF_FULL) { return true; }
    if (solid_share[c] >= ALL_BUT_CLOSED || !is_inner(cell)) { return false; }
    for (var axis = 0u; axis < axes(); axis++) {
        let above = cell_number(wrap_next(cell + along(axis)));
        let below = cell_number(wrap_next(cell - along(axis)));
        if (open_share(c, axis) > 0.0 && is_covered(below)) { return true; }
        if (open_share(above, axis) > 0.0 && is_covered(above)) { return true; }
    }
    return false;
}

fn is_covered(c: u32) -> bool {
    return cover[c] > HALF_FULL && solid_share[c] >= ALL_BUT_CLOSED;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var a = vec4<f32>(0.0);
    if (has_fluid(c)) {
        for (var axis = 0u; axis < axes(); axis++) {
            let below = wrap_next(cell - along(axis));
            let above = wrap_next(cell + along(axis));
            let wet = has_fluid(cell_number(below));
            let open = open_share(c, axis);
            a[axis] = select(0.0, open, wet);
            a.w += select(open / surface_part(c, below), open, wet);
            let open_above = open_share(cell_number(above), axis);
            a.w += select(open_above / surface_part(c, above), open_above, has_fluid(cell_number(above)));
        }
    }
    coefficient[c] = a;
    if (a.w == 0.0) { solution[c] = vec2<f32>(0.0); }
}
