//! Water that falls over steps of rock into a basin: see [`stage`].

mod stage;

use bevy::prelude::*;
use bevy_meniscus::{
    WaterCollider,
    meniscus::scene::{Boundary, Emitter, Fluid, Mouth, Scene},
};
use stage::cuboid;

/// Corners of the basin in m.
const BASIN: [[f32; 3]; 2] = [[-0.9, 0.0, -0.5], [0.9, 0.25, 0.5]];
/// Corners of the rocks in m; the water comes out above the highest.
const ROCKS: [[[f32; 3]; 2]; 4] = [
    [[-0.9, 0.0, -0.5], [-0.45, 1.1, 0.5]],
    [[-0.45, 0.0, -0.5], [-0.2, 0.75, 0.5]],
    [[-0.2, 0.0, -0.3], [0.05, 0.4, 0.25]],
    [[0.35, 0.0, -0.1], [0.5, 0.2, 0.1]],
];

fn main() -> AppExit {
    let mut app = App::new();
    app.add_systems(Startup, fill);
    stage::run(app, [Vec3::new(2.2, 1.5, 2.2), Vec3::new(-0.1, 0.45, 0.0)])
}

fn fill(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let [low, high] = BASIN.map(|corner| corner.map(f64::from));
    let mouth = Mouth::Rectangle { width: 0.6, height: 0.1 };
    let spring = Emitter::new(mouth, [-0.8, 1.18, 0.0], [1.0, 0.0, 0.0]);
    let scene = Scene::new(0.02)
        .with_fluid(Fluid::block([0.06, 0.0, low[2]], [high[0], 0.1, high[2]]))
        .with_boundary(Boundary::tank(low, [high[0], 2.0, high[2]]))
        .with_emitter(spring);
    let [rock, ground] =
        [(0.42, 0.4, 0.38), (0.35, 0.5, 0.35)].map(|(r, g, b)| materials.add(Color::srgb(r, g, b)));
    commands.spawn(stage::water(scene));
    for ends in stage::rim(BASIN, 0.15) {
        commands.spawn(cuboid(&mut meshes, &rock, ends));
    }
    for ends in ROCKS {
        commands.spawn((cuboid(&mut meshes, &rock, ends), WaterCollider));
    }
    commands.spawn(cuboid(&mut meshes, &ground, [[-8.0, -0.2, -8.0], [8.0, -0.01, 8.0]]));
}
