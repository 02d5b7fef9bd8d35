//! The floor of pictures.

use std::fs;

use conformance::{
    device::{Flavour, gpu},
    scenes::start,
};
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_render::Fluid;

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
        let fluid = Fluid::of(&simulation);
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
