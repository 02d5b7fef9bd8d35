//! What a scene may have, but hardly anybody means: a sentence for each.

use std::collections::BTreeMap;

use glam::DVec3;
use meniscus_methods::Registry;
use meniscus_model::{
    Scene,
    scene::{Boundary, Probe, Side},
};

use crate::solids;

/// Rest densities in kg/m³ of no liquid; lighter ones are chosen to make numbers simple in scenes without units.
const LIGHT: [f64; 2] = [0.5, 20.0];
/// Viscosity in Pa·s below which it is likely to be in m²/s: those of liquids begin at 10⁻⁴.
const THIN: f64 = 1e-5;

/// Size of a mesh in particle radii that is doubted, and the least radius in m of which that is said.
const LARGE_MESH: f64 = 2000.0;
const SMALL_RADIUS: f64 = 0.01;
/// Particles of a wall from which on its size is doubted: to place them takes half a minute.
const MANY: f64 = 2e6;

/// Doubts about a valid scene.
pub(crate) fn of(scene: &Scene) -> Vec<String> {
    let mut doubts = Vec::new();
    if scene.gravity[1] > 0.0 {
        doubts.push(format!("gravity = {:?} points upwards: y is up", scene.gravity));
    }
    for (number, material) in scene.materials.iter().enumerate() {
        let density = material.rest_density;
        if (LIGHT[0]..LIGHT[1]).contains(&density) && !scene.fluids.is_empty() {
            doubts.push(format!("material[{number}].rest_density = {density} kg/m³ is that of no liquid; water has 1000"));
        }
        if let Some(viscosity) =
            material.viscosity.filter(|viscosity| *viscosity > 0.0 && *viscosity < THIN)
        {
            doubts.push(format!(
                "material[{number}].viscosity = {viscosity} Pa·s is far below water's, 0.001: is it a kinematic one in m²/s? \
                 Times rest_density that is {} Pa·s",
                viscosity * density
            ));
        }
    }
    let falls =
        scene.gravity != [0.0; 3] && (!scene.fluids.is_empty() || !scene.emitters.is_empty());
    let has_box = Registry::standard().choose(scene).is_ok_and(|chosen| chosen.sph().is_none());
    if falls
        && scene.boundaries.is_empty()
        && scene.bodies.is_empty()
        && scene.drains.is_empty()
        && !has_box
    {
        doubts
            .push("nothing holds the fluid, which falls for ever: there is no [[boundary]]".into());
    }
    doubts.extend(outside(scene));
    if !has_box {
        doubts.extend(statues(scene));
    }
    doubts
}

/// Suction in Pa that holds a film of water of a few spacings on a statue: 2 m/s round a radius of 7 cm with 8 mm.
const SUCTION: f64 = 1000.0;

/// Warnings of jets onto meshes that are half as high as wide or higher, which a film leaves where they bend away.
fn statues(scene: &Scene) -> Vec<String> {
    let gravity = DVec3::from(scene.gravity);
    let Some(down) = gravity.try_normalize().filter(|_| scene.dimensions == 3) else {
        return Vec::new();
    };
    let is_statue = |wall: &Boundary| {
        let (_, half) = wall.shape.bounds();
        let height = (half * down).abs().element_sum();
        let width = (half - half * down.abs()).max_element();
        wall.side == Side::Outside
            && wall.shape.mesh().is_some()
            && !wall.shape.is_sheet()
            && 2.0 * height >= width
            && wall.suction.is_none()
            && wall.contact_angle.is_none()
    };
    let walls = scene.boundaries.iter().enumerate().filter(|(_, wall)| is_statue(wall));
    let met = walls.filter(|(_, wall)| {
        scene.emitters.iter().any(|emitter| {
            let (start, velocity) = (DVec3::from(emitter.center), DVec3::from(emitter.velocity));
            let (middle, half) = wall.shape.bounds();
            // As far as it is away, in steps of a spacing.
            let way = start.distance(middle) + half.length();
            let (mut time, mut gone) = (0.0, 0.0);
            for _ in 0..JET_STEPS {
                let place = start + velocity * time + 0.5 * gravity * time * time;
                if (place - middle).abs().cmple(half).all() && wall.shape.depth(place, 3) > 0.0 {
                    return true;
                }
                if gone > way {
                    break;
                }
                let step = scene.spacing().max(way / f64::from(JET_STEPS));
                time += step / (velocity + gravity * time).length().max(1e-3);
                gone += step;
            }
            false
        })
    });
    met.map(|(number, _)| {
        format!(
            "boundary[{number}].suction: a film that runs down this mesh flies off where the mesh bends away; \
             boundary[{number}].suction = {SUCTION:?} holds it"
        )
    })
    .collect()
}

/// Steps in which the way of a jet is followed.
const JET_STEPS: u32 = 500;

/// Meshes that are large for their particles, or walls of very many of them: files of other programs are often in
/// millimetres or centimetres.
pub(crate) fn sizes(scene: &Scene, registry: &Registry) -> Vec<String> {
    let radius = scene.particle_radius.max(SMALL_RADIUS);
    let crowded: BTreeMap<_, _> = solids::sampled(scene, registry)
        .into_iter()
        .filter(|(.., count)| *count > MANY)
        .map(|(i, _, _, count)| (format!("boundary[{i}].shape"), count))
        .collect();
    let mut scene = scene.clone();
    let meshes = scene.shapes_mut().filter_map(|(path, shape)| {
        let (low, high) = shape.mesh()?.mesh().bounds();
        let size = high - low;
        let crowd = crowded.get(&path);
        let is_large = size.max_element() > LARGE_MESH * radius;
        (is_large || crowd.is_some()).then(|| {
            let needs = crowd.map_or(String::new(), |count| {
                format!(" and needs {:.0} million boundary particles", count / 1e6)
            });
            // (In metres a thing of a hundred metres is rarer than one of a few.)
            let (unit, scale) = if is_large { ("millimetres", "0.001") } else { ("centimetres", "0.01") };
            format!(
                "{path}.{} measures {:.4} × {:.4} × {:.4} m{needs}; if its file is in {unit}, scale = {scale} makes it metres",
                shape.kind().key,
                size.x, size.y, size.z
            )
        })
    });
    meshes.collect()
}

/// Points at which probes never find fluid: outside of all containers.
fn outside(scene: &Scene) -> Vec<String> {
    let inside = scene.boundaries.iter().filter(|boundary| boundary.side == Side::Inside);
    let boxes: Vec<_> = inside
        .filter(|it| it.shape.bulk(scene.dimensions).is_some())
        .map(|it| it.shape.bounds())
        .collect();
    let is_open = scene.boundaries.len() > boxes.len() || boxes.is_empty();
    let place = |probe: &Probe| match probe {
        Probe::Point { at, .. } | Probe::Gauge { at, .. } => Some(DVec3::from(*at)),
        _ => None,
    };
    let is_out = |at: DVec3| {
        let away = |(center, half): &(DVec3, DVec3)| {
            let flat = if scene.dimensions == 2 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
            (((at - center) * flat).abs() - half - scene.particle_radius).max_element() > 0.0
        };
        !is_open && boxes.iter().all(away)
    };
    let probes = scene.probes.iter().enumerate();
    let lost = probes.filter(|(_, probe)| place(probe).is_some_and(is_out));
    lost.map(|(number, probe)| {
        format!(
            "probe[{number}], {:?}, is outside of every container: it will have no values",
            probe.name()
        )
    })
    .collect()
}
