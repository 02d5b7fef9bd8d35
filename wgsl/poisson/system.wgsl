// Matrix of the pressure Poisson equation, Σ of the fluxes a_f (P_c − P_n) through a cell's faces (common/poisson): a_f, the
// open shares of the lower faces between liquid cells, and the diagonal, 0 where there is no liquid. A cell with a particle
// and an open face is liquid, and one that a wall cuts if it is covered, since what is left of it may hold no particle; where next
// to nothing is left, not even covers tell, but cells beside it do. In air the pressure is 0. In stages of the level 1 a level set gives the cover, and cells more than half covered are
// liquid.
//!include common/control
//!include common/poisson
//!include common/busy

//!read cell_start solid_share
//!write coefficient solution

// Free share of the hat of a cell with a wall less than half a cell from its centre, ⅞, without rounding.
const CUT = 0.87;
// That of a cell with its centre more than a third of a cell in the wall.
const ALL_BUT_CLOSED = 0.2;

fn has_fluid(c: u32) -> bool {
    if (stage.level == 1u) { return cover[c] > HALF_FULL; }
    if (holds_particle(c)) { return true; }
    if (solid_share[c] < ALL_BUT_CLOSED) { return touches_fluid(c); }
    return solid_share[c] < CUT && cover[c] > HALF_FULL;
}

fn holds_particle(c: u32) -> bool {
    return cell_start[c + 1u] > cell_start[c];
}

// Whether a cell beyond an open face holds a particle.
fn touches_fluid(c: u32) -> bool {
    let cell = cell_at(c);
    if (!is_inner(cell)) { return false; }
    for (var axis = 0u; axis < axes(); axis++) {
        let above = cell_number(wrap_next(cell + along(axis)));
        if (open_share(c, axis) > 0.0 && holds_particle(cell_number(wrap_next(cell - along(axis))))) { return true; }
        if (open_share(above, axis) > 0.0 && holds_particle(above)) { return true; }
    }
    return false;
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
