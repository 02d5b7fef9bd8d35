//! What the examples share: the command line, light, and pictures without a window.
//!
//!     cargo run --release --example pool -- --headless --frames 60 --out picture.png
//!
//! `--hdr` draws with a camera of high dynamic range. With the feature `window` and without `--headless` it opens a window.

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
    MeniscusPlugin, Status, Water, WaterState,
    meniscus::{self, Budget, Scene},
};

/// Direction to the sun.
const SUN: Vec3 = Vec3::new(0.5, 1.0, 0.4);
/// Time between frames without a window.
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Frames in which Bevy compiles its pipelines before a picture is taken.
const WARM_UP: u32 = 10;

/// What was asked for on the command line.
#[derive(Clone, Resource)]
struct Options {
    eye: [Vec3; 2],
    is_hdr: bool,
    frames: u32,
    out: String,
}

/// Runs an example, seen from the first of these points towards the second.
pub(crate) fn run(mut app: App, eye: [Vec3; 2]) -> AppExit {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let value = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1))
    };
    let options = Options {
        eye,
        is_hdr: has("--hdr"),
        frames: value("--frames").map_or(60, |n| n.parse().expect("--frames needs a number")),
        out: value("--out").map_or("picture.png", |out| out).into(),
    };
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
        .add_systems(Startup, light)
        .run()
}

fn light(options: Res<Options>, mut commands: Commands) {
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::from_translation(SUN).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let [from, to] = options.eye;
    let mut camera = commands.spawn((
        Camera3d::default(),
        Msaa::Off,
        Tonemapping::AcesFitted,
        Transform::from_translation(from).looking_at(to, Vec3::Y),
    ));
    if options.is_hdr {
        camera.insert(Hdr);
    }
}

/// Water under the sun.
pub(crate) fn water(scene: Scene) -> Water {
    let mut water = Water::new(scene);
    water.look.light.sun = Some(meniscus::glam::Vec3::from(SUN.to_array()));
    water
}

/// Corners of the four walls, so thick and so high in m, around a basin between two corners.
#[allow(dead_code, reason = "not every example has one")]
pub(crate) fn rim([[x0, y0, z0], [x1, _, z1]]: [[f32; 3]; 2], height: f32) -> [[[f32; 3]; 2]; 4] {
    let (thick, top) = (0.06, y0 + height);
    [
        [[x0 - thick, y0, z0 - thick], [x0, top, z1 + thick]],
        [[x1, y0, z0 - thick], [x1 + thick, top, z1 + thick]],
        [[x0, y0, z0 - thick], [x1, top, z0]],
        [[x0, y0, z1], [x1, top, z1 + thick]],
    ]
}

/// A box between two corners.
pub(crate) fn cuboid(
    meshes: &mut Assets<Mesh>,
    material: &Handle<StandardMaterial>,
    corners: [[f32; 3]; 2],
) -> impl Bundle {
    let [low, high] = corners.map(Vec3::from);
    (
        Mesh3d(meshes.add(Cuboid::from_size(high - low))),
        MeshMaterial3d(material.clone()),
        Transform::from_translation(0.5 * (low + high)),
    )
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
