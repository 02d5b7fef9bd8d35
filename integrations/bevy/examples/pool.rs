//! A pool into which a column of water falls, with crates that float in it: see [`stage`].

mod stage;

use bevy::prelude::*;
use bevy_meniscus::{
    WaterBody,
    meniscus::scene::{Boundary, Fluid, Scene},
};
use stage::cuboid;

/// Corners of the pool in m.
const POOL: [[f32; 3]; 2] = [[-1.0, 0.0, -0.6], [1.0, 0.9, 0.6]];
const WALL: f32 = 0.06;
/// Corners of the crates in m, and their mass by volume in kg/m³.
const CRATES: [([[f32; 3]; 2], f64); 2] = [
    ([[0.1, 0.02, -0.4], [0.4, 0.32, -0.1]], 300.0),
    ([[0.45, 0.02, 0.1], [0.75, 0.42, 0.4]], 500.0),
];

fn main() -> AppExit {
    let mut app = App::new();
    app.add_systems(Startup, fill);
    stage::run(app, [Vec3::new(0.3, 1.9, 3.0), Vec3::new(0.0, 0.2, 0.0)])
}

fn fill(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let [low, high] = POOL.map(|corner| corner.map(f64::from));
    let scene = Scene::new(0.025)
        .with_fluid(Fluid::block(low, [-0.4, 0.8, high[2]]))
        .with_boundary(Boundary::tank(low, [high[0], 2.0, high[2]]));
    let [wood, stone, tiles] = [(0.55, 0.32, 0.14), (0.75, 0.72, 0.68), (0.35, 0.5, 0.35)]
        .map(|(r, g, b)| materials.add(Color::srgb(r, g, b)));
    let [[x0, y0, z0], [x1, y1, z1]] = POOL;
    let walls = [
        [[x0 - WALL, y0 - WALL, z0 - WALL], [x1 + WALL, y0, z1 + WALL]],
        [[x0 - WALL, y0, z0 - WALL], [x0, y1, z1 + WALL]],
        [[x1, y0, z0 - WALL], [x1 + WALL, y1, z1 + WALL]],
        [[x0, y0, z0 - WALL], [x1, y1, z0]],
        // The front is lower.
        [[x0, y0, z1], [x1, y0 + 0.15, z1 + WALL]],
    ];
    let turned = Transform::from_rotation(Quat::from_rotation_y(0.35));
    commands.spawn((stage::water(scene), turned)).with_children(|pool| {
        for ends in walls {
            pool.spawn(cuboid(&mut meshes, &stone, ends));
        }
        for (ends, density) in CRATES {
            pool.spawn((cuboid(&mut meshes, &wood, ends), WaterBody { density }));
        }
    });
    commands.spawn(cuboid(&mut meshes, &tiles, [[-8.0, -0.2, -8.0], [8.0, -WALL, 8.0]]));
}
