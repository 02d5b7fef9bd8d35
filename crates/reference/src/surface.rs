//! Surface mesh and splats (`wgsl/surface/`): blocks of cells near the surface, the colour field (M
//! 15) at their nodes, marching cubes (Lorensen, Cline 1987).

use std::collections::HashMap;

use glam::{DMat3, DVec3, IVec3, UVec3};
use meniscus_model::Params;
use meniscus_model::geometry::principal_axes;
use meniscus_model::marching_cubes::{edge_axis, edge_corner, triangles};
use meniscus_model::params::{KIND_BOUNDARY, KIND_FLUID, LOOK_LIQUID};
use meniscus_model::surface::{INSIDE, OUTSIDE, SurfaceControl};

use crate::World;
use crate::kernels::Kernels;
use crate::pairs::Pair;
use crate::space::{clamped_cell, displacement, in_cells, with_w, wrap, xyz};
use crate::world::is_kind;

/// Nodes along an edge of a tile.
const TILE: i32 = 4;
pub(crate) const NODES: usize = 64;
/// Workgroups per row of an indirect dispatch.
const ROW: u32 = 64;
/// Vertices per workgroup.
const VERTICES: u32 = 64;
/// Tiles per workgroup of `surface/field`.
const FIELD_TILES: u32 = 4;
/// Bit of a cell's state: one of its particles is near the surface.
pub(crate) const SHALLOW: u32 = 256;
/// Particles with at least this share of their rest density are deep in the fluid.
const DEEP: f64 = 0.9;
/// λ of Yu and Turk's (6).
const SMOOTHING: f64 = 0.9;
/// Mean offset of a particle of a flat surface, in h.
const FLAT: f64 = 0.16;
/// Variance per axis in a full neighbourhood, in h².
const FULL: f64 = 0.15;
/// Largest ratio of a kernel's length to its width.
const LARGEST_RATIO: f64 = 4.0;
/// Least radius of a kernel, relative to h.
const SMALLEST: f64 = 0.125;
/// With fewer neighbours, including itself, a particle's kernel is round.
const FEW: usize = 6;
/// Radius of a round kernel, relative to h.
const LONE: f64 = 0.5;
/// Distance of vertices from the ends of an edge, relative to its length.
const MARGIN: f64 = 1e-3;

/// V = m/ρ of each fluid particle; less than 0 for the others than that of which the surface is.
pub(crate) fn volume(world: &mut World) {
    let only = world.surface_control.material;
    for s in world.sorted_fluid() {
        let who = world.sorted_identity[s];
        let mass = f64::from(world.material(who).mass);
        let volume = mass / world.position[world.order[s] as usize][3];
        let is_other = only != 0 && (who[1] >> 8 & 255) + 1 != only;
        world.sorted_position[s][3] = if is_other { -volume } else { volume };
    }
}

/// Coordinates of a cell in the box.
fn cell_at(params: &Params, number: usize) -> IVec3 {
    let size = params.grid.size.as_ivec3();
    let number = number as i32;
    IVec3::new(number % size.x, number / size.x % size.y, number / (size.x * size.y))
}

/// Index of a cell, unless it is beyond the box.
fn cell_number(params: &Params, cell: IVec3) -> Option<usize> {
    let size = params.grid.size.as_ivec3();
    let within = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(size).all();
    within.then(|| (cell.x + size.x * (cell.y + size.y * cell.z)) as usize)
}

/// Content of each cell: bit x + 2y + 4z for each octant with a particle in it or within a quarter
/// of a cell, and `SHALLOW` if one of the cell's particles is near the surface or of
/// another material. Counts particles beyond the box.
pub(crate) fn mark(world: &mut World) {
    world.surface_state.fill(0);
    let mut others = Vec::new();
    for s in world.sorted_fluid() {
        let x = xyz(world.sorted_position[s]);
        let cell = clamped_cell(&world.params, x);
        let number = cell_number(&world.params, cell.as_ivec3());
        if world.sorted_position[s][3] <= 0.0 {
            others.extend(number);
            continue;
        }
        let Some(number) = number else {
            world.surface_outside[0] += 1;
            continue;
        };
        // In f32 like the cell, so that the GPU finds the same octants.
        let within = in_cells(&world.params, x) - cell.as_vec3();
        let reaches = |octant: &usize| {
            (0..3).all(|axis| match octant >> axis & 1 {
                0 => within[axis] < 0.75,
                _ => within[axis] >= 0.25,
            })
        };
        let octants = (0..8).filter(reaches).fold(0, |bits, octant| bits | 1 << octant);
        let rest_volume = f64::from(world.material(world.sorted_identity[s]).rest_volume);
        let deep = DEEP * world.sorted_position[s][3] <= rest_volume;
        world.surface_state[number] |= octants | if deep { 0 } else { SHALLOW };
    }
    for number in others {
        if world.surface_state[number] > 0 {
            world.surface_state[number] |= SHALLOW;
        }
    }
}

/// A cell gets a block if a particle is in it or within three quarters of a cell, unless it is deep
/// in the fluid: then all 27 cells hold particles, none near the surface. Beyond the box there is
/// nothing, except that particles are near across the ends of periodic axes.
pub(crate) fn touch(world: &mut World) {
    let size = world.params.grid.size.as_ivec3();
    for number in 0..world.surface_flag.len() {
        let cell = cell_at(&world.params, number);
        let state = |cell| cell_number(&world.params, cell).map(|i| world.surface_state[i]);
        let wrapped = |mut cell: IVec3| {
            for axis in (0..3).filter(|&axis| world.params.grid.period[axis] > 0.0) {
                cell[axis] = cell[axis].rem_euclid(size[axis]);
            }
            cell
        };
        let steps = || (0..27).map(|k| in_cube(k, 3) - 1);
        let touched = steps().any(|step| {
            let state = state(wrapped(cell + step)).unwrap_or(0);
            // Octants of a neighbour that face this cell.
            let faces = |octant: usize, axis: usize| match step[axis] {
                0 => true,
                step => (corner(octant)[axis] == 1) == (step < 0),
            };
            let near = |octant: &usize| (0..3).all(|axis| faces(*octant, axis));
            (0..8).filter(near).any(|octant| state >> octant & 1 == 1)
        });
        let all_deep = |state: u32| state > 0 && state & SHALLOW == 0;
        let deep = steps().all(|step| state(cell + step).is_some_and(all_deep));
        world.surface_flag[number] = u32::from(touched && !deep);
    }
}

/// Numbers the blocks and their tiles, and sets the constant field of cells without a block.
pub(crate) fn list(world: &mut World) {
    let (capacity, fineness) =
        (world.surface_control.block_capacity, world.surface_control.fineness as i32);
    let per_block = fineness.pow(3);
    let mut count = 0;
    for cell in 0..world.surface_flag.len() {
        world.surface_block[cell] = if world.surface_flag[cell] == 1 {
            if count < capacity {
                let [x, y, z] = cell_at(&world.params, cell).to_array();
                for tile in 0..per_block {
                    let place = in_cube(tile, fineness);
                    let number = count as i32 * per_block + tile;
                    let packed = place.x | place.y << 2 | place.z << 4 | number << 6;
                    world.surface_tiles[number as usize] =
                        [x, y, z, packed].map(|word| word as u32);
                }
            }
            count += 1;
            count - 1
        } else if world.surface_state[cell] == 0 {
            OUTSIDE
        } else {
            INSIDE
        };
    }
    world.surface_control.block_count = count;
    let tiles = if count <= capacity { tiles(world) } else { 0 };
    let field = tiles.div_ceil(FIELD_TILES).div_ceil(ROW);
    world.surface_dispatch[..6].copy_from_slice(&[ROW, field, 1, ROW, tiles.div_ceil(ROW), 1]);
}

/// Number of tiles of all blocks needed.
fn tiles(world: &World) -> u32 {
    world.surface_control.block_count * world.surface_control.fineness.pow(3)
}

/// Stored nodes.
struct Nodes {
    /// Coordinates of the node in the box, by slot; node 0 is the corner of cell 0.
    places: Vec<IVec3>,
    slots: HashMap<IVec3, usize>,
    /// Number of nodes along an edge of a cell.
    per_cell: i32,
    params: Params,
    block: Vec<u32>,
}

impl Nodes {
    /// Nodes of all blocks; none if these do not fit.
    fn of(world: &World) -> Self {
        let control = world.surface_control;
        let fineness = control.fineness as i32;
        let fits = control.block_count <= control.block_capacity;
        let live = if fits { tiles(world) as usize } else { 0 };
        let mut places = Vec::new();
        for &[x, y, z, place] in &world.surface_tiles[..live] {
            let cell = UVec3::new(x, y, z).as_ivec3();
            let tile = UVec3::new(place & 3, place >> 2 & 3, place >> 4 & 3).as_ivec3();
            let nodes = (0..NODES as i32).map(|node| in_cube(node, TILE));
            places.extend(nodes.map(|node| TILE * (fineness * cell + tile) + node));
        }
        let slots = places.iter().enumerate().map(|(slot, &place)| (place, slot)).collect();
        let (params, block) = (world.params, world.surface_block.clone());
        Self { places, slots, per_cell: TILE * fineness, params, block }
    }

    /// Nodes of all blocks if the mesh fits; else none.
    fn that_fit(world: &World) -> Self {
        let mut nodes = Self::of(world);
        if world.surface_control.overflow == 1 {
            nodes.places.clear();
        }
        nodes
    }

    /// Field in a cell without a block.
    fn constant(&self, cell: IVec3) -> Option<f64> {
        match cell_number(&self.params, cell).map(|number| self.block[number]) {
            None | Some(OUTSIDE) => Some(0.0),
            Some(INSIDE) => Some(1.0),
            Some(_) => None,
        }
    }

    /// Field at a node.
    fn value(&self, world: &World, node: IVec3) -> f64 {
        match self.slots.get(&node) {
            Some(&slot) => world.surface_field[slot],
            None => {
                let cell = node.div_euclid(IVec3::splat(self.per_cell));
                self.constant(cell).expect("a block's nodes are stored")
            }
        }
    }

    /// Whether a node is inside.
    fn inside(&self, world: &World, node: IVec3) -> bool {
        self.value(world, node) > f64::from(world.surface_control.iso)
    }

    /// Length of a cube's edges in m.
    fn edge(&self) -> DVec3 {
        1.0 / (f64::from(self.per_cell) * self.params.grid.inverse_cell.as_dvec3())
    }

    /// Vertex on the edge that starts at `node`.
    fn vertex(&self, world: &World, node: IVec3, axis: usize) -> u32 {
        let slot = self.slots[&node];
        let (crossing, before, _) = unpack(world.surface_nodes[slot]);
        let lower_axes = crossing & ((1 << axis) - 1);
        world.tile_vertex_start[slot / NODES] + before + lower_axes.count_ones()
    }
}

/// Coordinates of the `number`-th element of a cube, x first.
fn in_cube(number: i32, side: i32) -> IVec3 {
    IVec3::new(number % side, number / side % side, number / (side * side))
}

/// Crossing edges, and numbers of vertices and triangles before, of an element of `surface_nodes`.
fn unpack(word: u32) -> (u32, u32, u32) {
    (word >> 8 & 7, word >> 11 & 255, word >> 19)
}

/// Coordinates of a cube's corner.
fn corner(number: usize) -> IVec3 {
    IVec3::from_array([0, 1, 2].map(|axis| (number >> axis & 1) as i32))
}

/// Fluid within h of x: slot and distance in m.
pub(crate) fn near(world: &World, x: DVec3) -> impl Iterator<Item = (usize, f64)> {
    let h = f64::from(world.params.kernel.support_radius);
    world.sorted_fluid().into_iter().filter_map(move |j| {
        let r2 = displacement(&world.params, x, xyz(world.sorted_position[j])).length_squared();
        (r2 < h * h).then(|| (j, r2.sqrt()))
    })
}

/// The colour field, `c(x) = Σ V_j W_poly6(x − x_j)` (M 15), calibrated.
pub(crate) fn field(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    of_particles(world, |world, x| {
        near(world, x).map(|(j, r)| (world.sorted_position[j][3], kernels.density(r))).collect()
    });
}

/// The colour field with `W_j(r) = det(A_j) W_poly6(|A_j r|)` (Yu, Turk 2013, 11).
pub(crate) fn field_anisotropic(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    of_particles(world, |world, x| {
        let term = |j: usize| {
            let [xx, yy, zz, det, yz, xz, xy, _] = world.surface_shape[world.order[j] as usize];
            let a = DMat3::from_cols_array_2d(&[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            let r = displacement(&world.params, x, xyz(world.sorted_position[j]));
            (world.sorted_position[j][3], det * kernels.density((a * r).length()))
        };
        world.sorted_fluid().into_iter().map(term).collect()
    });
}

/// Writes a calibrated field of volumes and kernels to the nodes of all blocks.
fn of_particles(world: &mut World, field: impl Fn(&World, DVec3) -> Vec<(f64, f64)>) {
    on_nodes(world, |world, x| {
        let terms = field(world, x);
        let scale = f64::from(world.params.kernel.density_calibration);
        let own = scale * terms.iter().map(|(volume, w)| volume * w).sum::<f64>();
        let whole = scale * terms.iter().map(|(volume, w)| volume.abs() * w).sum::<f64>();
        let SurfaceControl { iso, material, .. } = world.surface_control;
        // Of one material: that of all, or where it is as much as the others.
        if material == 0 { own } else { whole.min(f64::from(iso) + 0.5 * own) }
    });
}

/// Writes a field to the nodes of all blocks. Nodes on the lower faces of a block that also belong to a cell without a block
/// get that cell's constant, 0 or 1.
pub(crate) fn on_nodes(world: &mut World, field: impl Fn(&World, DVec3) -> f64) {
    let nodes = Nodes::of(world);
    let origin = world.params.grid.origin.as_dvec3();
    for (slot, &node) in nodes.places.iter().enumerate() {
        let cell = node.div_euclid(IVec3::splat(nodes.per_cell));
        let place = node - cell * nodes.per_cell;
        let shared = (1..8).map(corner).filter(|&step| step * place == IVec3::ZERO);
        let mut constants = shared.filter_map(|step| nodes.constant(cell - step));
        world.surface_field[slot] = if let Some(value) = constants.next() {
            assert!(constants.all(|other| other == value), "inside and outside meet at {node}");
            value
        } else {
            field(world, origin + node.as_dvec3() * nodes.edge())
        };
    }
}

/// Smoothed centre of each particle and stretch of its kernel (Yu, Turk 2013, 6 and 9–14), by
/// unsorted slot.
pub(crate) fn shape(world: &mut World) {
    let h = f64::from(world.params.kernel.support_radius);
    world.find_pairs_with(0);
    for i in world.handled() {
        let fluid = |p: &&Pair| is_kind(world.sorted_identity[p.j], KIND_FLUID);
        let pairs: Vec<_> = world.pairs.of(i).iter().filter(fluid).collect();
        let weight = |r: f64| 1.0 - (r / h).powi(3);
        let weights: f64 = pairs.iter().map(|p| weight(p.r)).sum();
        let weights = if weights > 0.0 { weights } else { 1.0 };
        let mean = pairs.iter().map(|p| -weight(p.r) * p.offset).sum::<DVec3>() / weights;
        let covariance = pairs.iter().fold(DMat3::ZERO, |sum, p| {
            let from_mean = -p.offset - mean;
            sum + outer(from_mean) * (weight(p.r) / weights)
        });
        let (variances, axes) = principal_axes(covariance);
        let full = FULL * h * h;
        let least = variances.max_element() / LARGEST_RATIO;
        let sizes = variances.to_array().map(|variance| {
            let size = (variance.max(least) / full).clamp(SMALLEST, 1.0);
            if pairs.len() < FEW { LONE } else { size }
        });
        let a = (0..3).fold(DMat3::ZERO, |a, k| a + outer(axes.col(k)) * (1.0 / sizes[k]));
        let det = 1.0 / (sizes[0] * sizes[1] * sizes[2]);
        let (x, y, z) = (a.x_axis, a.y_axis, a.z_axis);
        let slot = world.order[i] as usize;
        world.surface_shape[slot] = [x.x, y.y, z.z, det, y.z, x.z, x.y, 0.0];
        let volume = world.sorted_position[i][3];
        let wall = is_kind(world.sorted_identity[i], KIND_BOUNDARY);
        // A particle of a flat surface keeps its place, and those below it do.
        let (offset, flat) = (mean.length(), FLAT * h);
        let part = (offset - flat) / offset.max(flat) * (4.0 * offset / flat - 2.0).clamp(0.0, 1.0);
        let shift = if wall { DVec3::ZERO } else { SMOOTHING * part * mean };
        let center = xyz(world.sorted_position[i]) + shift;
        let kept = if wall { -volume } else { 0.0 };
        world.smoothed_position[slot] = with_w(wrap(&world.params, center), kept);
    }
}

/// v vᵀ.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

/// Cube and three edges of each node: case, crossing edges, and numbers of vertices and triangles
/// before it in its tile.
pub(crate) fn classify(world: &mut World) {
    let nodes = Nodes::of(world);
    for (tile, places) in nodes.places.chunks(NODES).enumerate() {
        let (mut vertices, mut count) = (0, 0);
        for (local, &node) in places.iter().enumerate() {
            let inside = |k: usize| u32::from(nodes.inside(world, node + corner(k)));
            let case: u32 = (0..8).map(|k| inside(k) << k).sum();
            let crossing: u32 = (0..3).map(|axis| (inside(0) ^ inside(1 << axis)) << axis).sum();
            world.surface_nodes[NODES * tile + local] =
                case | crossing << 8 | vertices << 11 | count << 19;
            vertices += crossing.count_ones();
            count += triangles(case as u8).len() as u32;
        }
        world.tile_vertices[tile] = vertices;
        world.tile_triangles[tile] = count;
    }
}

/// Size of the mesh, whether it fits, and the arguments of dispatches and draws if it does.
pub(crate) fn draw(world: &mut World) {
    let control = world.surface_control;
    let fits = control.block_count <= control.block_capacity;
    let tiles = if fits { tiles(world) } else { 0 };
    let end = |starts: &[u32], counts: &[u32]| {
        tiles.checked_sub(1).map_or(0, |last| starts[last as usize] + counts[last as usize])
    };
    let vertices = end(&world.tile_vertex_start, &world.tile_vertices);
    let indices = 3 * end(&world.tile_triangle_start, &world.tile_triangles);
    let all_fit = fits && vertices <= control.vertex_capacity && indices <= control.index_capacity;
    world.surface_control.vertex_count = vertices;
    world.surface_control.index_count = indices;
    world.surface_control.overflow = u32::from(!all_fit);
    let rows = |workgroups: u32| if all_fit { workgroups.div_ceil(ROW) } else { 0 };
    let groups = vertices.div_ceil(VERTICES);
    world.surface_dispatch[9..].copy_from_slice(&[ROW, rows(groups), 1]);
    if all_fit {
        world.surface_draw.copy_from_slice(&[indices, 1, 0, 0, 0]);
    }
}

/// 1 for tiles with vertices or triangles.
pub(crate) fn cut(world: &mut World) {
    for i in 0..world.stage.element_count as usize {
        world.tile_cut[i] = u32::from(world.tile_vertices[i] | world.tile_triangles[i] != 0);
    }
}

/// List of these tiles and their workgroups, neither if the mesh does not fit.
pub(crate) fn cut_list(world: &mut World) {
    let fits = world.surface_control.overflow == 0;
    let tiles = 0..world.stage.element_count as usize;
    for i in tiles.clone().filter(|i| fits && world.tile_cut[*i] == 1) {
        world.cut_tiles[world.tile_cut_start[i] as usize] = world.surface_tiles[i];
    }
    if let Some(last) = tiles.last() {
        let count = world.tile_cut_start[last].wrapping_add(world.tile_cut[last]);
        world.surface_control.cut_count = count;
        let rows = if fits { count.div_ceil(ROW) } else { 0 };
        world.surface_dispatch[6..9].copy_from_slice(&[ROW, rows, 1]);
    }
}

/// Vertices where the field, interpolated linearly along the edge, equals the surface's value; the
/// normal points to where the field decreases.
pub(crate) fn vertices(world: &mut World) {
    let nodes = Nodes::that_fit(world);
    let iso = f64::from(world.surface_control.iso);
    let (origin, edge) = (world.params.grid.origin.as_dvec3(), nodes.edge());
    for (slot, &node) in nodes.places.iter().enumerate() {
        let (crossing, ..) = unpack(world.surface_nodes[slot]);
        for axis in (0..3).filter(|axis| crossing >> axis & 1 == 1) {
            let end = node + IVec3::AXES[axis];
            let (a, b) = (nodes.value(world, node), nodes.value(world, end));
            let t = ((iso - a) / (b - a)).clamp(MARGIN, 1.0 - MARGIN);
            let gradient = |node: IVec3| {
                let difference = |axis: usize| {
                    let step = IVec3::AXES[axis];
                    nodes.value(world, node + step) - nodes.value(world, node - step)
                };
                DVec3::new(difference(0), difference(1), difference(2)) / (2.0 * edge)
            };
            let rising = gradient(node).lerp(gradient(end), t);
            let normal = if rising.length() > 0.0 { -rising.normalize() } else { DVec3::Y };
            let place = node.as_dvec3() + t * IVec3::AXES[axis].as_dvec3();
            let vertex = nodes.vertex(world, node, axis) as usize;
            world.surface_position[vertex] = with_w(origin + place * edge, 0.0);
            world.surface_normal[vertex] = with_w(normal, 0.0);
        }
    }
}

/// The triangles of each cube.
pub(crate) fn indices(world: &mut World) {
    let nodes = Nodes::that_fit(world);
    for (slot, &node) in nodes.places.iter().enumerate() {
        let word = world.surface_nodes[slot];
        let (_, _, before) = unpack(word);
        let first = 3 * (world.tile_triangle_start[slot / NODES] + before) as usize;
        for (k, &edge) in triangles(word as u8).as_flattened().iter().enumerate() {
            let start = node + corner(edge_corner(edge.into()));
            world.surface_index[first + k] = nodes.vertex(world, start, edge_axis(edge.into()));
        }
    }
}

/// Neighbours of each vertex, one in each of the four faces that its edge lies in: towards the next
/// axis but one, up and down, and the one after that.
pub(crate) fn ring(world: &mut World) {
    let nodes = Nodes::that_fit(world);
    for (slot, &node) in nodes.places.iter().enumerate() {
        let (crossing, ..) = unpack(world.surface_nodes[slot]);
        for axis in (0..3).filter(|axis| crossing >> axis & 1 == 1) {
            let sides = [(1, 1), (1, -1), (2, 1), (2, -1)];
            let next = sides.map(|(later, sign)| {
                next_vertex(world, &nodes, node, axis, (axis + later) % 3, sign)
            });
            let vertex = nodes.vertex(world, node, axis) as usize;
            world.surface_ring[vertex] = next;
        }
    }
}

/// The edge where the surface leaves the face spanned by the edge from `node` along `axis` and
/// another direction: the only other edge that it crosses or, if it crosses all four, the one at
/// the same inside corner.
fn next_vertex(
    world: &World,
    nodes: &Nodes,
    node: IVec3,
    axis: usize,
    across: usize,
    sign: i32,
) -> u32 {
    let step = sign * IVec3::AXES[across];
    let ends = [node, node + IVec3::AXES[axis]];
    let crossed = |a: IVec3, b: IVec3| nodes.inside(world, a) != nodes.inside(world, b);
    let beside = |end: IVec3| (end.min(end + step), across);
    let sides: Vec<_> = ends.into_iter().filter(|&end| crossed(end, end + step)).collect();
    let (start, axis) = match sides[..] {
        [] => (node + step, axis),
        [end] => beside(end),
        _ => beside(if nodes.inside(world, ends[0]) { ends[0] } else { ends[1] }),
    };
    nodes.vertex(world, start, axis)
}

/// Half an iteration of Taubin's smoothing: x + factor · (mean of the four neighbours − x).
pub(crate) fn smooth(world: &mut World) {
    for i in vertices_that_fit(world) {
        let x = xyz(world.surface_position[i]);
        let around = world.surface_ring[i].map(|j| xyz(world.surface_position[j as usize]));
        let mean = around.into_iter().sum::<DVec3>() / 4.0;
        let smoothed = x + world.taubin_factor[0] * (mean - x);
        world.surface_smoothed[i] = with_w(smoothed, world.surface_position[i][3]);
    }
}

fn vertices_that_fit(world: &World) -> std::ops::Range<usize> {
    let control = world.surface_control;
    0..if control.overflow == 1 { 0 } else { control.vertex_count as usize }
}

/// `Σ V_j v_j W / Σ V_j W` at each vertex; 0 if no particle is near.
pub(crate) fn velocity(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    for i in vertices_that_fit(world) {
        let (mut momentum, mut weights) = (DVec3::ZERO, 0.0);
        for (j, r) in near(world, xyz(world.surface_position[i])) {
            let weight = world.sorted_position[j][3].max(0.0) * kernels.density(r);
            momentum += weight * xyz(world.sorted_velocity[j]);
            weights += weight;
        }
        let mean = if weights > 0.0 { momentum / weights } else { DVec3::ZERO };
        world.surface_velocity[i] = with_w(mean, 0.0);
    }
}

/// Position and |n|, outward normal −n/|n| and speed, with `n = Σ V_j ∇W_poly6` (M 16), calibrated.
pub(crate) fn splat(world: &mut World) {
    let kernels = Kernels::of(&world.params);
    world.find_pairs_with(0);
    for i in world.particles() {
        let term = |volume: f64, offset| volume * kernels.density_gradient(offset);
        let terms = world.pairs.of(i).iter();
        // Only fluid has a volume above 0.
        let volume = |j: usize| world.sorted_position[j][3].max(0.0);
        let sum: DVec3 = terms.map(|p| term(volume(p.j), p.offset)).sum();
        let n = f64::from(world.params.kernel.density_calibration) * sum;
        let outward = if n.length() > 0.0 { -n.normalize() } else { DVec3::Y };
        let fluid = world.sorted_position[i][3] > 0.0;
        let is_liquid = world.material(world.sorted_identity[i]).look == LOOK_LIQUID;
        let steepness = if fluid && is_liquid { n.length() } else { 0.0 };
        world.splat_position[i] = with_w(xyz(world.sorted_position[i]), steepness);
        world.splat_normal[i] = with_w(outward, xyz(world.sorted_velocity[i]).length());
        world.splat_material[i] = world.sorted_identity[i][1] >> 8 & 255;
    }
}
