//! Markers of the level set (`wgsl/eulerian/`), by tests of all of them.

use crate::World;
use crate::faces::{axes, cells, element, path, set};
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::smoke::{field_at, is_inner};
use crate::space::{clamped_cell, displacement, with_w, wrap, xyz};
use crate::surface_level::{BAND, LEAST, at, level};

/// Most markers of a cell.
const SLOTS: usize = 16;
/// Cells from the surface within which there are markers.
const MARKED: f64 = 3.0;
/// Steps between those that seed some.
const EVERY: u32 = 20;

fn marker(world: &World, i: usize) -> [f64; 4] {
    element(world, "level_markers", i)
}

/// Motion of the markers.
pub(crate) fn drift(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for i in 0..SLOTS * cells(world) {
        let own = marker(world, i);
        if own[3] != 0.0 {
            let place = wrap(&world.params, path(world, xyz(own), dt, field_at));
            set(world, "level_markers", i, with_w(place, own[3]));
        }
    }
}

/// Offsets from a cell to those around it, in their order; `None` beyond an end of the box.
fn around(world: &World, c: usize) -> Vec<usize> {
    let params = &world.params;
    let size = params.grid.size.as_i64vec3();
    let reach = |axis: usize| if axis < axes(params) { -1..=1 } else { 0..=0 };
    let mut found = Vec::new();
    for z in reach(2) {
        for y in reach(1) {
            for x in reach(0) {
                let other = coordinates(params, c) + glam::I64Vec3::new(x, y, z);
                let is_there = (0..3).all(|axis| {
                    params.grid.period[axis] > 0.0 || (0..size[axis]).contains(&other[axis])
                });
                if is_there {
                    let other = other.rem_euclid(size);
                    found.push((other.x + size.x * (other.y + size.y * other.z)) as usize);
                }
            }
        }
    }
    found
}

/// Markers by cells.
pub(crate) fn settle(world: &mut World) {
    let axes = axes(&world.params);
    for c in busy_cells(world) {
        let own = coordinates(&world.params, c);
        let mut found = Vec::new();
        let near = level(world, c).abs() < BAND;
        for other in around(world, c).into_iter().filter(|_| near) {
            for slot in 0..SLOTS {
                let marker = marker(world, SLOTS * other + slot);
                let place = clamped_cell(&world.params, xyz(marker));
                if marker[3] != 0.0 && (0..axes).all(|axis| place[axis] == own[axis]) {
                    found.push(marker);
                }
            }
        }
        found.resize(SLOTS, [0.0; 4]);
        for (slot, marker) in found.into_iter().enumerate() {
            set(world, "level_markers_other", SLOTS * c + slot, marker);
        }
    }
}

/// Whether a marker is on the wrong side.
fn has_escaped(world: &World, marker: [f64; 4]) -> bool {
    marker[3] != 0.0 && marker[3].signum() * at(world, xyz(marker)).0 < -marker[3].abs()
}

/// Bits of the markers on the wrong side.
pub(crate) fn escape(world: &mut World) {
    for c in busy_cells(world) {
        let escaped = (0..SLOTS).filter(|k| has_escaped(world, marker(world, SLOTS * c + k)));
        let bits = escaped.fold(0, |bits, k| bits | 1 << k);
        world.words_mut("level_escaped")[c] = bits;
    }
}

/// Level set by the markers on the wrong side.
pub(crate) fn correct(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let x = center(&params, coordinates(&params, c));
        let own = level(world, c);
        let (mut liquid, mut air) = (own, own);
        for other in around(world, c).into_iter().filter(|_| own.abs() < BAND) {
            let bits = world.words("level_escaped")[other];
            for slot in (0..SLOTS).filter(|slot| bits >> slot & 1 == 1) {
                let marker = marker(world, SLOTS * other + slot);
                let away = displacement(&params, x, xyz(marker)).length() / edge(&params);
                let inside = marker[3].abs() - away;
                match marker[3] > 0.0 {
                    true => air = air.max(inside),
                    false => liquid = liquid.min(-inside),
                }
            }
        }
        let nearer = if air.abs() < liquid.abs() { air } else { liquid };
        set(world, "level_set_other", c, [if nearer == 0.0 { LEAST } else { nearer }]);
    }
}

/// A permuted congruential generator's output (Jarzynski, Olano 2020).
fn hash(x: u32) -> u32 {
    let state = x.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Radii, and new markers.
pub(crate) fn seed(world: &mut World) {
    let params = world.params;
    let axes = axes(&params);
    let step = world.control.step;
    for c in busy_cells(world) {
        let free = is_inner(&params, c) && element::<1>(world, "solid_share", c)[0] >= 0.5;
        let seeds = step.is_multiple_of(EVERY) && level(world, c).abs() < MARKED;
        for i in SLOTS * c..SLOTS * (c + 1) {
            let mut own: [f64; 4] = element(world, "level_markers_other", i);
            let seeded = own[3] == 0.0 && seeds;
            if seeded {
                let mut x = hash(i as u32) ^ step;
                let corner = center(&params, coordinates(&params, c)) - 0.5 * edge(&params);
                for axis in 0..3 {
                    x = hash(x);
                    let part = if axis < axes { f64::from(x >> 8) / 16_777_216.0 } else { 0.5 };
                    own[axis] = corner[axis] + part * edge(&params);
                }
            }
            let mut kept = [0.0; 4];
            if free && (seeded || own[3] != 0.0) {
                let (d, _) = at(world, xyz(own));
                let side = match (seeded, d < 0.0) {
                    (true, true) => -1.0,
                    (true, false) => 1.0,
                    _ => own[3].signum(),
                };
                let escaped = !seeded && has_escaped(world, own);
                let radius = if escaped { own[3].abs() } else { side * d };
                if d.abs() < MARKED {
                    kept = with_w(xyz(own), side * radius.clamp(0.1, 0.5));
                }
            }
            set(world, "level_markers", i, kept);
        }
    }
}
