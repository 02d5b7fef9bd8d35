//! Sums over the fluid for the log (`wgsl/diagnostics/`). Six rows of four are the members of
//! [`Diagnostics`](meniscus_model::diagnostics::Diagnostics).

use glam::{DVec3, DVec4};
use meniscus_model::params::KIND_FLUID;

use crate::space::xyz;
use crate::{World, body, solid};

/// Number of blocks summed first: particle i is in block (i/64) mod 256.
pub const BLOCKS: usize = 256;

/// vec4s per block.
const ROWS: usize = 6;

/// Bounds of an empty set, in m.
const FAR: f64 = 3.0e38_f32 as f64;

pub(crate) type Rows = [DVec4; ROWS];

pub(crate) const NOTHING: Rows = [
    DVec4::ZERO,
    DVec4::ZERO,
    DVec4::ZERO,
    DVec4::new(FAR, FAR, FAR, 0.0),
    DVec4::new(-FAR, -FAR, -FAR, 0.0),
    DVec4::ZERO,
];

/// Sums each block.
pub(crate) fn partial(world: &mut World) {
    let mut blocks = [NOTHING; BLOCKS];
    for i in world.particles().filter(|&i| world.identity[i][1] & 255 == KIND_FLUID) {
        let block = &mut blocks[i / 64 % BLOCKS];
        *block = combine(*block, particle(world, i));
    }
    world.diagnostics_partial = blocks.map(scalars).to_vec();
}

/// Combines the blocks.
pub(crate) fn total(world: &mut World) {
    let blocks = world.diagnostics_partial.iter();
    let rows = blocks.map(|block| std::array::from_fn(|row| DVec4::from_slice(&block[4 * row..])));
    world.diagnostics = vec![scalars(rows.fold(NOTHING, combine))];
}

/// The scalars of `Diagnostics`, in its order.
fn scalars(rows: Rows) -> [f64; 4 * ROWS] {
    std::array::from_fn(|k| rows[k / 4][k % 4])
}

/// The diagnostics of two sets of particles together.
fn combine(a: Rows, b: Rows) -> Rows {
    let lower = a[3].min(b[3]).truncate().extend(a[3].w.max(b[3].w));
    let last = (a[5] + b[5]).truncate().extend(a[5].w.max(b[5].w));
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], lower, a[4].max(b[4]), last]
}

/// Sums each block of the cells of smoke (`wgsl/smoke/partial`).
pub(crate) fn cells(world: &mut World) {
    let mut blocks = [NOTHING; BLOCKS];
    for c in 0..world.params.grid.cell_count as usize {
        if let Some(rows) = crate::smoke::cell(world, c) {
            let block = &mut blocks[c / 64 % BLOCKS];
            *block = combine(*block, rows);
        }
    }
    world.diagnostics_partial = blocks.map(scalars).to_vec();
}

/// The diagnostics of one particle.
fn particle(world: &World, i: usize) -> Rows {
    let material = world.material(world.identity[i]);
    let mass = f64::from(material.mass);
    let (x, v) = (xyz(world.position[i]), xyz(world.velocity[i]));
    let error = (world.position[i][3] / f64::from(material.rest_density) - 1.0).max(0.0);
    [
        (mass * v).extend(mass),
        (mass * x.cross(v)).extend(0.5 * mass * v.length_squared()),
        (mass * x).extend(error),
        x.extend(error),
        x.extend(v.length()),
        DVec4::new(1.0, if lost(world, x) { 1.0 } else { 0.0 }, 0.0, 0.0),
    ]
}

/// Whether x is more than a particle radius beyond a closed wall.
fn lost(world: &World, x: DVec3) -> bool {
    let params = &world.params;
    (0..params.counts.driven as usize).any(|number| {
        world.colliders[number].closed == 1
            && solid::beyond(world, &body::posed(world, number), x)
                > f64::from(params.world.particle_radius)
    })
}
