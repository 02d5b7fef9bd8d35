// The equation of pressure of a cell for P = Δt p/ρ0 in m²/s, Σ a_f (P_c − P_n) = −Δx² D, with D the divergence and a_f the
// open share of each face (Batty, Bertails, Bridson 2007), and P = 0 in air at the distance θΔx, which divides that face's a_f
// by θ (Gibou et al. 2002).
//!include common/open_faces

//!read cover

// Least coefficient of air or an open side, beyond rounding.
const BOUNDED = 0.01;

// Least θ.
const LEAST_PART = 0.05;

// Cover above which a cell is liquid: its centre is below the surface.
const HALF_FULL = 0.5;

// Part θ of the way from the centre of a liquid cell to that of its neighbour in air at which the surface is: the covers of both
// sum up to ½ + θ below a plane across the way, 1 − ½ (1 − θ)² and ½ θ².
fn surface_part(c: u32, air: vec3<i32>) -> f32 {
    if (!is_inner(air)) { return 0.5; }
    return clamp(cover[c] + cover[cell_number(air)] - HALF_FULL, LEAST_PART, 1.0);
}
