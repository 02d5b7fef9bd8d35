//! The floor of pictures.

use std::fs;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start},
};
use glam::DVec3;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_render::{Camera, FluidBuffers, Offscreen, View};

/// A pyramid 0.4 m high, whose centre of mass is at a quarter of that.
const PYRAMID: &str = "v -0.2 0 -0.2\nv 0.2 0 -0.2\nv 0.2 0 0.2\nv -0.2 0 0.2\nv 0 0.4 0\n\
    f 1 2 3\nf 1 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n";

const DROP: &str = r#"
solver = "dfsph"
particle_radius = 0.02
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [-0.1, 0.6, -0.1], max = [0.1, 0.7, 0.1] }
"#;
const PLANE: &str =
    "[[boundary]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }\n";
const TANK: &str = "[[boundary]]\nshape.box = { min = [-0.5, 0.0, -0.5], max = [0.5, 1.0, 0.5] }\n";

fn statue(kind: &str, height: f64) -> String {
    let more = if kind == "boundary" { "side = \"outside\"" } else { "density = 500.0" };
    format!(
        "[[{kind}]]\n{more}\nshape.mesh = {{ file = \"pyramid.obj\", translation = [0.0, {height:?}, 0.0] }}\n"
    )
}

fn slab(low: f64, high: f64) -> String {
    format!(
        "[[boundary]]\nside = \"outside\"\nshape.box = {{ min = [-0.3, {low:?}, -0.3], max = [0.3, {high:?}, 0.3] }}\n"
    )
}

/// The floor is where what stands on it ends, and hides what is sunk into it.
#[test]
fn the_floor_is_under_what_stands_on_it() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("pyramid.obj"), PYRAMID).expect("written");
    let floor_of = |parts: &[&str]| {
        let path = folder.path().join("scene.toml");
        fs::write(&path, [DROP, &parts.concat()].concat()).expect("written");
        let loaded = load_scene(&path.display().to_string(), &LoadOptions::default());
        let simulation = start(gpu, &loaded.expect("sound").scene);
        let fluid = FluidBuffers::of(&simulation);
        f64::from(fluid.floor) + fluid.center.y
    };
    let statue = |height| statue("boundary", height);
    for (parts, due) in [
        // A mesh ends where its vertices do.
        (&[&statue(0.0)[..]][..], 0.0),
        (&[PLANE, &statue(0.0)], 0.0),
        (&[PLANE, &self::statue("body", 0.0)], 0.0),
        (&[TANK, &statue(0.0)], 0.0),
        // What is sunk into the floor has its foot hidden.
        (&[PLANE, &statue(-0.1)], 0.0),
        (&[TANK, &slab(-0.1, 0.15)], 0.0),
        // What is below stands on the floor.
        (&[PLANE, &slab(-0.1, -0.01)], -0.1),
        (&[TANK, &slab(-0.1, 0.0)], -0.1),
        (&[&statue(0.0), &slab(-0.1, 0.0)], -0.1),
        (&[PLANE, &PLANE.replace("point = [0.0, 0.0", "point = [0.0, 0.1")], 0.1),
    ] {
        let found = floor_of(parts);
        assert!((found - due).abs() < 1e-6, "{found} for {due}: {parts:?}");
    }
}

/// A ball on a slab, which is the scene's own floor, has its shadow there: seen from above, the slab is darker on the side away
/// from the sun than as far on the other.
#[test]
fn what_stands_on_a_slab_has_its_shadow_there() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let ball = "[[boundary]]\nside = \"outside\"\nshape.sphere = { center = [0.0, 0.1, 0.0], radius = 0.1 }\n";
    let drop = DROP.replace(
        "[-0.1, 0.6, -0.1], max = [0.1, 0.7, 0.1]",
        "[-0.6, 0.0, -0.6], max = [-0.5, 0.1, -0.5]",
    );
    let slab = slab(-0.1, 0.0).replace("0.3", "0.7");
    let simulation = start(gpu, &parse(&[&drop[..], ball, &slab].concat()));
    let fluid = FluidBuffers::of(&simulation);
    let mut offscreen = Offscreen::new(gpu, [101, 101]).expect("a target");
    // A picture of 0.5 × 0.5 m.
    let camera = Camera {
        eye: DVec3::new(0.0, 2.0, 0.0),
        target: DVec3::ZERO,
        up: DVec3::NEG_Z,
        fov_y: 2.0 * (0.25_f64 / 2.0).atan(),
    };
    let view = View { camera, legend: false, ..View::default() };
    let picture = block_on(gpu, offscreen.picture(&fluid, &view)).expect("a picture");
    let light = |x: f64, z: f64| {
        let pixel = |at: f64| (50.5 + 100.0 * at / 0.5) as u32;
        picture.get_pixel(pixel(x), pixel(z)).0[..3].iter().map(|c| f64::from(*c)).sum::<f64>()
    };
    // The sun is at (0.5, 1, 0.22), so the ball's shadow reaches to x = −0.16.
    let (shade, sun) = (light(-0.12, -0.05), light(0.12, 0.05));
    assert!(shade < 0.9 * sun, "{shade} in the shadow, {sun} in the sun");
}
