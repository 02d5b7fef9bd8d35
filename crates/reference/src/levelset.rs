//! The level set of the free surface, and the share of kernels that is full (`wgsl/levelset/`): 4 nodes per cell and axis.

use glam::{DVec3, IVec3};

use meniscus_methods::passes::INDIRECT_ROW;
use meniscus_model::params::{RESPONSE_PARTICLES, RESPONSE_VOLUME};

use crate::World;
use crate::body::posed;
use crate::kernels::Kernels;
use crate::solid::beyond;
use crate::space::{cell, displacement, xyz};
use crate::tension::vector;

/// Nodes along an edge of a cell.
const NODES: i32 = 4;
/// Columns of nodes in a cell.
const COLUMNS: usize = 16;

/// Cells along each axis.
fn size(world: &World) -> IVec3 {
    world.params.grid.size.as_ivec3()
}

fn cell_at(world: &World, number: usize) -> IVec3 {
    let (size, number) = (size(world), number as i32);
    IVec3::new(number % size.x, number / size.x % size.y, number / (size.x * size.y))
}

/// Index of a cell, by its image on periodic axes; none beyond the box.
fn cell_number(world: &World, mut cell: IVec3) -> Option<usize> {
    let size = size(world);
    for axis in (0..3).filter(|axis| world.params.grid.period[*axis] > 0.0) {
        cell[axis] = cell[axis].rem_euclid(size[axis]);
    }
    let within = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(size).all();
    within.then(|| (cell.x + size.x * (cell.y + size.y * cell.z)) as usize)
}

fn is_flat(world: &World) -> bool {
    world.params.world.dimensions == 2
}

/// Distance of nodes along each axis in m.
fn spacing(world: &World) -> DVec3 {
    0.25 / world.params.grid.inverse_cell.as_dvec3()
}

/// Place in m of a node by its coordinates.
fn node(world: &World, at: IVec3) -> DVec3 {
    let place = world.params.grid.origin.as_dvec3() + spacing(world) * at.as_dvec3();
    // In 2-D nodes are in the plane of the particles.
    if is_flat(world) { DVec3::new(place.x, place.y, 0.0) } else { place }
}

/// Numbers of particles of the surface in cells.
pub(crate) fn mark(world: &mut World) {
    for number in 0..world.params.grid.cell_count as usize {
        let slots = world.cell_start[number] as usize..world.cell_start[number + 1] as usize;
        let count = slots.filter(|j| world.words("tension_class")[*j] >= 2).count();
        world.words_mut("levelset_count")[number] = count as u32;
    }
    *world.words_mut("levelset_count").last_mut().expect("an element more than cells") = 0;
}

/// Slots of the particles of the surface, by cell, and the cells near them.
pub(crate) fn list(world: &mut World) {
    let end = world.cell_start[world.params.grid.cell_count as usize] as usize;
    let slots: Vec<_> = (0..end).filter(|j| world.words("tension_class")[*j] >= 2).collect();
    for (place, slot) in slots.into_iter().enumerate() {
        world.words_mut("levelset_slot")[place] = slot as u32;
    }
    let flagged = |number: &usize| world.words("levelset_flag")[*number] == 1;
    let cells: Vec<_> = (0..world.params.grid.cell_count as usize).filter(flagged).collect();
    let groups = (cells.len() as u32).div_ceil(4);
    let size = [groups.min(INDIRECT_ROW), groups.div_ceil(INDIRECT_ROW), 1, cells.len() as u32];
    world.words_mut("levelset_dispatch").copy_from_slice(&size);
    for (place, number) in cells.into_iter().enumerate() {
        world.words_mut("levelset_cells")[place] = number as u32;
    }
}

/// Cells near particles of the surface, on the torus.
pub(crate) fn touch(world: &mut World) {
    let size = size(world);
    for number in 0..world.words("levelset_flag").len() {
        let touched = (0..27).any(|k| {
            let near = cell_at(world, number) + IVec3::new(k % 3, k / 3 % 3, k / 9) - 1;
            let near = near.rem_euclid(size);
            let number = near.x + size.x * (near.y + size.y * near.z);
            world.words("levelset_count")[number as usize] > 0
        });
        world.words_mut("levelset_flag")[number] = u32::from(touched);
    }
}

/// Depth in m of a place in the fluid.
fn depth(world: &World, fluid: &[usize], place: DVec3) -> f64 {
    let h = f64::from(world.params.kernel.support_radius);
    let own = |name: &str| world.number(&format!("tension_free_surface.{name}"));
    let offset = |j: usize| displacement(&world.params, place, xyz(world.sorted_position[j]));
    let near: Vec<_> = fluid.iter().copied().filter(|j| offset(*j).length() < h).collect();
    let class = |j: usize| world.words("tension_class")[j];
    let nearest = |wanted: u32| {
        let these = near.iter().copied().filter(|j| class(*j) == wanted);
        these.min_by(|a, b| offset(*a).length().total_cmp(&offset(*b).length()))
    };
    let flat =
        nearest(2).map(|j| own("offset") - offset(j).dot(vector(world, "tension_normal", j)));
    let round = nearest(3).map(|j| own("ball") - offset(j).length());
    let away = if near.is_empty() { -h } else { h };
    flat.into_iter().chain(round).reduce(f64::max).unwrap_or(away)
}

/// Depth in m over which nodes become full.
fn width(world: &World) -> f64 {
    let edges = spacing(world);
    if is_flat(world) { edges.x.min(edges.y) } else { edges.min_element() }
}

/// The first node of a column.
fn column(world: &World, word: usize) -> IVec3 {
    let (number, column) = (word / COLUMNS, (word % COLUMNS) as i32);
    NODES * cell_at(world, number) + IVec3::new(column % NODES, column / NODES, 0)
}

/// Words of the cells near the surface.
fn words(world: &World) -> Vec<usize> {
    let count = world.words("levelset_dispatch")[3] as usize;
    let cells = world.words("levelset_cells")[..count].iter();
    cells.flat_map(|cell| (0..COLUMNS).map(move |k| COLUMNS * *cell as usize + k)).collect()
}

/// Empty shares at the nodes.
pub(crate) fn field(world: &mut World) {
    let fluid = world.sorted_fluid();
    let width = width(world);
    for word in words(world) {
        let first = column(world, word);
        let empty = |k: i32| {
            let place = node(world, first + IVec3::new(0, 0, k));
            let share = (0.5 - depth(world, &fluid, place) / width).clamp(0.0, 1.0);
            ((255.0 * share + 0.5).floor() as u32) << (8 * k)
        };
        let packed = (0..NODES).map(empty).sum();
        world.words_mut("levelset_empty")[word] = packed;
    }
}

/// Nodes within solids that are part of the density are full.
pub(crate) fn solid(world: &mut World) {
    let all = (0..world.params.counts.colliders as usize).map(|number| posed(world, number));
    let solids: Vec<_> = all
        .filter(|s| [RESPONSE_PARTICLES, RESPONSE_VOLUME].contains(&s.collider.response))
        .collect();
    let width = width(world);
    for word in words(world) {
        let first = column(world, word);
        let mut bytes = world.words("levelset_empty")[word].to_le_bytes();
        for (k, byte) in (0..).zip(&mut bytes) {
            let place = node(world, first + IVec3::new(0, 0, k));
            let depths = solids.iter().map(|solid| beyond(world, solid, place));
            let deepest = depths.fold(f64::NEG_INFINITY, f64::max);
            let share = (0.5 - deepest / width).clamp(0.0, 1.0);
            *byte = (255.0 * share.min(f64::from(*byte) / 255.0) + 0.5).floor() as u8;
        }
        world.words_mut("levelset_empty")[word] = u32::from_le_bytes(bytes);
    }
}

/// The share of each particle's kernel that is full.
pub(crate) fn fill(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    let h = f64::from(world.params.kernel.support_radius);
    let (edges, flat) = (spacing(world), is_flat(world));
    let volume = edges.x * edges.y * if flat { 1.0 } else { edges.z };
    let [nodes, own] =
        ["nodes", "own"].map(|name| world.number(&format!("tension_free_surface.{name}")));
    for i in world.sorted_fluid() {
        let x = xyz(world.sorted_position[i]);
        let mut home = cell(&world.params, x).as_ivec3();
        // In 2-D there is one layer of cells, wherever it begins.
        home.z *= i32::from(!flat);
        let inside = cell_number(world, home).is_some();
        let mut empty = 0.0;
        if world.floats("tension_gradient")[4 * i + 3] < h && inside {
            let from_origin = x - world.params.grid.origin.as_dvec3();
            let mut low = ((from_origin - h) / edges).floor().as_ivec3();
            let mut high = ((from_origin + h) / edges).ceil().as_ivec3();
            if flat {
                (low.z, high.z) = (0, 0);
            }
            for z in low.z..=high.z {
                for (y, across) in
                    (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| (y, x)))
                {
                    let at = IVec3::new(across, y, z);
                    let cell = IVec3::from_array(at.to_array().map(|k| k.div_euclid(NODES)));
                    let Some(number) = cell_number(world, cell) else { continue };
                    let place = at - NODES * cell;
                    let word = COLUMNS * number + (place.x + NODES * place.y) as usize;
                    let byte = world.words("levelset_empty")[word] >> (8 * place.z) & 255;
                    let r = (x - node(world, at)).length();
                    empty += f64::from(byte) / 255.0 * kernels.density(r.min(h));
                }
            }
        }
        let share = (1.0 - nodes * volume * empty).max(own);
        let rest_density = f64::from(world.material(world.sorted_identity[i]).rest_density);
        world.floats_mut("tension_fill")[2 * i..2 * i + 2].copy_from_slice(&[share, rest_density]);
    }
}
