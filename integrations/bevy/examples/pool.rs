//! A pool into which a column of water falls, with two crates in it.
//!
//!     cargo run --release --example pool -- --headless --frames 60 --out picture.png
//!
//! `--hdr` draws it with a camera of high dynamic range. With the feature `window` and without `--headless` it opens a window.

use std::time::Duration;

use bevy::{
    app::ScheduleRunnerPlugin,
    camera::{Hdr, RenderTarget},
    core_pipeline::tonemapping::Tonemapping,
    prelude::*,
    render::{
        render_resource::TextureFormat,
        view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
};
use bevy_meniscus::{
    MeniscusPlugin, Status, Water, WaterCollider, WaterState,
    meniscus::{
        self, Budget,
        scene::{Boundary, Fluid, Scene},
    },
};

/// Corners of the pool in m.
const POOL: [[f32; 3]; 2] = [[-1.0, 0.0, -0.6], [1.0, 0.9, 0.6]];
const WALL: f32 = 0.06;
/// Corners of the crates in m.
const CRATES: [[[f32; 3]; 2]; 2] =
    [[[0.1, 0.0, -0.4], [0.4, 0.3, -0.1]], [[0.45, 0.0, 0.1], [0.75, 0.45, 0.4]]];
/// Direction to the sun.
const SUN: Vec3 = Vec3::new(0.5, 1.0, 0.4);
/// Time between frames without a window.
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Frames in which Bevy compiles its pipelines before a picture is taken.
const WARM_UP: u32 = 10;

/// What was asked for on the command line.
#[derive(Clone, Resource)]
struct Options {
    is_hdr: bool,
    frames: u32,
    out: String,
}

fn main() -> AppExit {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1))
    };
    let options = Options {
        is_hdr: has("--hdr"),
        frames: value("--frames").map_or(60, |n| n.parse().expect("--frames needs a number")),
        out: value("--out").map_or("pool.png", |out| out).into(),
    };
    let mut app = App::new();
    if cfg!(feature = "window") && !has("--headless") {
        app.add_plugins(DefaultPlugins);
    } else {
        let window = WindowPlugin {
            primary_window: None,
            exit_condition: ExitCondition::DontExit,
            ..default()
        };
        let plugins = DefaultPlugins.set(window);
        #[cfg(feature = "window")]
        let plugins = plugins.disable::<bevy::winit::WinitPlugin>();
        app.add_plugins((plugins, ScheduleRunnerPlugin::run_loop(Duration::ZERO)))
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .add_systems(PostStartup, aim_at_image)
            .add_systems(Update, take_picture);
    }
    app.add_plugins(MeniscusPlugin)
        .insert_resource(ClearColor(Color::srgb(0.55, 0.7, 0.85)))
        .insert_resource(GlobalAmbientLight { brightness: 1500.0, ..default() })
        .insert_resource(options)
        .add_systems(Startup, fill)
        .run()
}

fn fill(
    options: Res<Options>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let corner = |corner: [f32; 3]| corner.map(f64::from);
    let [low, high] = POOL.map(corner);
    let scene = Scene::new(0.025)
        .with_fluid(Fluid::block(low, [-0.4, 0.8, high[2]]))
        .with_boundary(Boundary::tank(low, [high[0], 2.0, high[2]]));
    let mut water = Water::new(scene);
    water.look.light.sun = Some(meniscus::glam::Vec3::from(SUN.to_array()));

    let [wood, stone, tiles] = [(0.55, 0.32, 0.14), (0.75, 0.72, 0.68), (0.35, 0.5, 0.35)]
        .map(|(r, g, b)| materials.add(Color::srgb(r, g, b)));
    let mut cuboid = |[low, high]: [[f32; 3]; 2], material: &Handle<StandardMaterial>| {
        let [low, high] = [low, high].map(Vec3::from);
        (
            Mesh3d(meshes.add(Cuboid::from_size(high - low))),
            MeshMaterial3d(material.clone()),
            Transform::from_translation(0.5 * (low + high)),
        )
    };
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
    commands.spawn((water, turned)).with_children(|pool| {
        for ends in walls {
            pool.spawn(cuboid(ends, &stone));
        }
        for ends in CRATES {
            pool.spawn((cuboid(ends, &wood), WaterCollider));
        }
    });
    commands.spawn(cuboid([[-8.0, -0.2, -8.0], [8.0, -WALL, 8.0]], &tiles));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::from_translation(SUN).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let mut camera = commands.spawn((
        Camera3d::default(),
        Msaa::Off,
        Tonemapping::AcesFitted,
        Transform::from_xyz(0.3, 1.9, 3.0).looking_at(Vec3::new(0.0, 0.2, 0.0), Vec3::Y),
    ));
    if options.is_hdr {
        camera.insert(Hdr);
    }
}

/// Points the camera at an image, which is the picture without a window.
fn aim_at_image(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    camera: Single<Entity, With<Camera3d>>,
) {
    let image = Image::new_target_texture(960, 540, TextureFormat::Rgba8UnormSrgb, None);
    commands.entity(*camera).insert(RenderTarget::Image(images.add(image).into()));
}

/// Lets a frame pass once the water is where the last one ended, so that the picture is the same on slow devices, and draws at the end.
fn take_picture(
    options: Res<Options>,
    water: Single<(&mut Water, &WaterState)>,
    camera: Single<(&mut Camera, &RenderTarget)>,
    mut time: ResMut<Time<Virtual>>,
    mut passed: Local<u32>,
    mut commands: Commands,
) {
    let ((mut water, state), (mut camera, target)) = (water.into_inner(), camera.into_inner());
    water.budget = Budget::steps(8);
    camera.is_active = *passed > options.frames;
    time.pause();
    let reached = f64::from((*passed).min(options.frames)) * FRAME.as_secs_f64() - 1e-5;
    match state.status() {
        Status::Failed(error) => {
            error!("{error}");
            commands.write_message(AppExit::error());
        }
        Status::Running(progress) if progress.time > reached => {
            *passed += 1;
            if *passed <= options.frames {
                time.unpause();
            } else if *passed == options.frames + WARM_UP
                && let RenderTarget::Image(image) = target
            {
                info!("a picture at {:.3} s", progress.time);
                commands
                    .spawn(Screenshot::image(image.handle.clone()))
                    .observe(save_to_disk(options.out.clone()))
                    .observe(|_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                        exit.write(AppExit::Success);
                    });
            }
        }
        _ => {}
    }
}
