//! Level sets at the start.

use glam::DVec3;
use meniscus_methods::{Chosen, liquid};
use meniscus_scene::{Boundary, Fluid, Scene, Shape};

use crate::params::Grid;

/// Distance in cells from the surface within which a level set is one.
const BAND: f64 = 4.0;
/// Cells from the sides of fluids and walls within which another fluid or a wall may be in place of air.
const BESIDE: f64 = 1.5;
/// Least size: 0 is of cells that have none yet.
const LEAST: f64 = 1e-6;

/// Floats of `level_set` before the first step where surface tension acts on one: distances of the shapes of the fluid, smoother than
/// what its particles cover; 0, by which a cell begins with that, where fluids meet or touch walls. Lists of particles have no shape.
pub(crate) fn initial(
    scene: &Scene,
    chosen: &Chosen,
    grid: &Grid,
    center: DVec3,
) -> Option<(&'static str, Vec<f32>)> {
    let name = liquid::LEVEL_SET.name;
    let tense = scene.materials.iter().any(|material| material.surface_tension > 0.0);
    if !liquid::has_level_set(chosen)
        || !tense
        || scene.fluids.iter().any(|fluid| fluid.shape.is_list())
    {
        return None;
    }
    let edge = f64::from(grid.cell);
    let low = grid.origin.as_dvec3() + center + 0.5 * edge;
    let within = BAND * edge;
    // Where the fluid is, over the ends of periodic axes.
    let images = |x: DVec3| {
        let ways = |axis: usize| {
            let period = f64::from(grid.period[axis]);
            if period > 0.0 { vec![0.0, -period, period] } else { vec![0.0] }
        };
        let mut all = vec![x];
        for axis in 0..3 {
            let moved =
                |x: DVec3| ways(axis).into_iter().map(move |way| x + way * DVec3::AXES[axis]);
            all = all.into_iter().flat_map(moved).collect();
        }
        all
    };
    let depth = |shape: &Shape, x: DVec3| {
        let (middle, half) = shape.bounds();
        let mut out = (x - middle).abs() - half;
        if scene.dimensions == 2 {
            out.z = 0.0;
        }
        if out.max_element() > within { -within } else { shape.depth(x, scene.dimensions) }
    };
    let beside_walls = |x: DVec3| {
        let near = |wall: &Boundary| wall.shape.depth(x, scene.dimensions).abs() < BESIDE * edge;
        scene.boundaries.iter().any(near)
    };
    let [nx, ny, nz] = grid.size.to_array();
    let all = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
    let value = |cell: [u32; 3]| {
        let x = low + edge * DVec3::from(cell.map(f64::from));
        let images = images(x);
        let of_image = |fluid: &Fluid, x: DVec3| {
            let holes = fluid.holes.iter().map(|hole| -depth(hole, x));
            holes.fold(depth(&fluid.shape, x), f64::min)
        };
        let of = |fluid: &Fluid| images.iter().map(|x| of_image(fluid, *x)).collect::<Vec<_>>();
        let depths = scene.fluids.iter().flat_map(of);
        let (mut deepest, mut second) = (-within, -within);
        for depth in depths {
            (deepest, second) = (depth.max(deepest), second.max(depth.min(deepest)));
        }
        // Where fluids meet each other, themselves or a wall, a side of one may be no surface.
        let meets = second > -BESIDE * edge || deepest > -within && beside_walls(x);
        let away = (-deepest / edge).clamp(-BAND, BAND);
        match meets {
            true => 0.0,
            false if away.abs() < LEAST => -LEAST as f32,
            false => away as f32,
        }
    };
    Some((name, all.map(value).collect()))
}
