//! Somebody walks through knee-deep water, and waves go out from him: see [`stage`].

mod stage;

use bevy::prelude::*;
use bevy_meniscus::{
    WaterCollider,
    meniscus::scene::{Boundary, Fluid, Scene},
};
use stage::cuboid;

/// Corners of the pond in m, and how deep it is.
const POND: [[f32; 3]; 2] = [[-1.4, 0.0, -0.7], [1.4, 0.5, 0.7]];
const DEPTH: f64 = 0.3;
/// Half the way that he walks to and fro in m, and the time that this takes in s.
const WAY: f32 = 0.9;
const PERIOD: f32 = 4.0;

/// Who walks.
#[derive(Component)]
struct Walker;

fn main() -> AppExit {
    let mut app = App::new();
    app.add_systems(Startup, fill).add_systems(Update, walk);
    stage::run(app, [Vec3::new(0.6, 2.0, 2.9), Vec3::new(0.0, 0.25, 0.0)])
}

fn fill(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let [low, high] = POND.map(|corner| corner.map(f64::from));
    let scene = Scene::new(0.025)
        .with_fluid(Fluid::block(low, [high[0], DEPTH, high[2]]))
        .with_boundary(Boundary::tank(low, [high[0], 2.0, high[2]]));
    let [cloth, stone, ground] = [(0.7, 0.25, 0.2), (0.7, 0.68, 0.64), (0.45, 0.42, 0.35)]
        .map(|(r, g, b)| materials.add(Color::srgb(r, g, b)));
    commands.spawn(stage::water(scene));
    for ends in stage::rim(POND, 0.33) {
        commands.spawn(cuboid(&mut meshes, &stone, ends));
    }
    commands.spawn((
        Mesh3d(meshes.add(Capsule3d::new(0.16, 0.7))),
        MeshMaterial3d(cloth),
        Transform::from_xyz(-WAY, 0.53, 0.0),
        WaterCollider,
        Walker,
    ));
    commands.spawn(cuboid(&mut meshes, &ground, [[-8.0, -0.2, -8.0], [8.0, -0.01, 8.0]]));
}

fn walk(time: Res<Time>, mut walker: Single<&mut Transform, With<Walker>>) {
    walker.translation.x = -WAY * (std::f32::consts::TAU * time.elapsed_secs() / PERIOD).cos();
}
