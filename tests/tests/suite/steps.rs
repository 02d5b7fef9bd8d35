//! Whole steps side by side: neighbour lists that grow, and a difference that is named.

use conformance::{
    device::{Flavour, gpu},
    scenes::parse,
    side_by_side::SideBySide,
};
use meniscus::shaders::Shaders;
use meniscus_model::Scene;

fn block() -> Scene {
    parse(
        r#"
solver = "muller"
particle_radius = 0.05
[time]
fps = 50.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }
jitter = 0.1
"#,
    )
}

/// If the neighbour lists have too little room, the step stalls until there is more.
#[test]
fn room_for_neighbours_grows() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut both = SideBySide::new(gpu, &block(), &Shaders::standard()).unwrap();
    both.replica_mut().world.neighbours.truncate(10);
    for _ in 0..2 {
        let difference = both.step().unwrap();
        if let Some(difference) = difference {
            panic!("{difference}");
        }
    }
    let world = &both.replica().world;
    assert!(world.neighbours.len() > 10, "10 entries sufficed");
}

/// A shader with a slightly wrong constant is found, and the pass and array are named.
#[test]
fn a_changed_shader_is_named() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut shaders = Shaders::standard();
    let text = meniscus_wgsl::file("sph/density").expect("the pass");
    let changed = text.replacen("* sum *", "* 1.00001 * sum *", 1);
    assert_ne!(changed, text, "sph/density no longer says `* sum *`");
    shaders.insert("sph/density", changed);
    let mut both = SideBySide::new(gpu, &block(), &shaders).unwrap();
    let difference = both.step().unwrap().expect("an error of 1e-5 is found");
    assert_eq!((difference.stage.as_str(), difference.array.as_str()), ("sph/density", "density"));
    assert!(difference.id.is_some(), "{difference}");
}
