//! Sources of smoke and vortices, as passes read them.

use glam::DVec3;
use meniscus_scene::{Motion, Scene, Source, Vortex};

use crate::{colliders::plane, params::Grid};

/// Latest time that passes compare with, in s.
const NEVER: f64 = 1e30;

/// Floats of `source_values` and `vortices`, each with its name; of those that the scene has.
pub(crate) fn arrays(scene: &Scene, center: DVec3) -> Vec<(&'static str, Vec<f32>)> {
    let sources = scene.sources.iter().flat_map(|source| source_values(scene, source));
    let vortices = scene.vortices.iter().flat_map(|vortex| vortex_values(vortex, center));
    let all = [("source_values", sources.collect::<Vec<_>>()), ("vortices", vortices.collect())];
    all.into_iter().filter(|(_, floats)| !floats.is_empty()).collect()
}

/// Floats of `smoke` and `face` before the first step, where the scene has a file of them.
pub(crate) fn initial(scene: &Scene, grid: &Grid, center: DVec3) -> Vec<(&'static str, Vec<f32>)> {
    let Some(fields) = scene.initial.as_ref().and_then(|initial| initial.fields.get()) else {
        return Vec::new();
    };
    let low = grid.origin.as_dvec3() + center;
    let [nx, ny, nz] = grid.size.to_array();
    let at = |cell: [u32; 3], shift: [f64; 3]| {
        let place = DVec3::from(cell.map(f64::from)) + DVec3::from(shift);
        fields.at((low + f64::from(grid.cell) * place).into())
    };
    let (mut smoke, mut face) = (Vec::new(), Vec::new());
    for cell in (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z]))) {
        let [values, _] = at(cell, [0.5; 3]);
        smoke.extend(values.map(|value| value as f32).into_iter().chain([0.0]));
        for axis in 0..3 {
            let mut shift = [0.5; 3];
            shift[axis] = 0.0;
            let within = axis < scene.dimensions as usize;
            face.push(if within { at(cell, shift)[1][axis] as f32 } else { 0.0 });
        }
        face.push(0.0);
    }
    vec![("smoke", smoke), ("face", face)]
}

/// Numbers of a source in the array `source_values`.
pub(crate) const SOURCE_FLOATS: usize = 20;

/// Velocity in m/s and whether it is set; density, temperature in K, fuel, 0; start and end in s, 0, 0; of its motion the
/// velocity in m/s, 0; the amplitude of its sway in m and the angular frequency in rad/s; the phase in rad (in the third).
fn source_values(scene: &Scene, source: &Source) -> [f32; SOURCE_FLOATS] {
    let v = plane(scene, DVec3::from(source.velocity.unwrap_or_default()).as_vec3());
    let sets = if source.velocity.is_some() { 1.0 } else { 0.0 };
    let times = [source.start, source.end.min(NEVER)].map(|time| time as f32);
    let [s, t, fuel] = [source.density, source.temperature, source.fuel].map(|value| value as f32);
    let (mut drift, mut amplitude, mut frequency, mut angle) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    for motion in &source.motion {
        match motion {
            Motion::Translate { velocity } => drift = DVec3::from(*velocity),
            Motion::Sway { amplitude: own, period, phase } => {
                amplitude = DVec3::from(*own);
                (frequency, angle) = (std::f64::consts::TAU / period, phase.to_radians());
            }
            // Checks refuse others.
            _ => {}
        }
    }
    let [u, a] = [drift, amplitude].map(|vector| plane(scene, vector.as_vec3()));
    let (frequency, angle) = (frequency as f32, angle as f32);
    [
        [v.x, v.y, v.z, sets],
        [s, t, fuel, 0.0],
        [times[0], times[1], angle, 0.0],
        [u.x, u.y, u.z, 0.0],
        [a.x, a.y, a.z, frequency],
    ]
    .as_flattened()
    .try_into()
    .unwrap_or([0.0; SOURCE_FLOATS])
}

/// Centre relative to the domain's and radius of the circle in m, 0 of a column; unit axis and core δ in m;
/// circulation in m²/s.
fn vortex_values(vortex: &Vortex, center: DVec3) -> [f32; 12] {
    let (at, axis, radius, core, circulation) = match *vortex {
        Vortex::Ring { center, axis, radius, core, circulation } => {
            (center, DVec3::from(axis).normalize_or(DVec3::Y), radius, core, circulation)
        }
        Vortex::Column { center, core, circulation } => (center, DVec3::Z, 0.0, core, circulation),
    };
    let x = (DVec3::from(at) - center).as_vec3();
    let n = axis.as_vec3();
    let (radius, core, circulation) = (radius as f32, core as f32, circulation as f32);
    [x.x, x.y, x.z, radius, n.x, n.y, n.z, core, circulation, 0.0, 0.0, 0.0]
}
