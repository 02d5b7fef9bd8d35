//! Golden images: each view mode draws three particle sets, or smoke, given by formulas, and the
//! results are compared perceptually with small committed images.
//!
//! `MENISCUS_BLESS=1` rewrites the references in `tests/golden/`.
//!
//! Both images are halved to 320 × 180, blurred over 5 × 5 pixels, since drivers differ in which
//! samples of an edge they cover, and compared in CIELAB. They count as equal if their mean
//! difference is at most [`MEAN`] and all but 1 in 1,000 pixels differ by at most [`WORST`]; a ΔE
//! of 2.3 is just noticeable in a flat area (M. Mahy et al., 1994). Lavapipe and `SwiftShader`,
//! which share no code, differ by at most 0.15 and 0.97, in a slice by 0.24 and 1.28. An image shifted by one of its 640 pixels,
//! one with a channel 4 % brighter, and one without one drop of 14 are rejected.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start},
};
use glam::{UVec3, Vec3};
use image::{Rgb, RgbImage, imageops};
use meniscus::{
    FluidMesh, Gpu, Scene, Shaders, Simulation, Splats, SurfaceOptions,
    scene::{
        Boundary, Capsule, Cuboid, Cylinder, Emitter, Fluid as Body, Material, Mouth, Plane,
        Response, Shape, Side, Sphere,
    },
};
use meniscus_render::{FluidBuffers, MeshBuffers, Mode, Offscreen, Renderer, SplatBuffers, View};

/// Largest mean ΔE. Drivers round a flat colour that lies between two levels differently: 0.24 in a slice.
const MEAN: f64 = 0.30;
/// Largest ΔE of all but 1 in 1,000 pixels.
const WORST: f64 = 1.34;

const SIZE: [u32; 2] = [640, 360];

fn body(shape: Shape, velocity: [f64; 3]) -> Body {
    Body { velocity, ..Body::new(shape) }
}

fn boundary(shape: Shape, side: Side) -> Boundary {
    let response = Some(Response::Reflect { restitution: 0.0, friction: 0.0 });
    Boundary { side, response, ..Boundary::container(shape) }
}

fn scene(fluids: Vec<Body>, boundaries: Vec<Boundary>, particle_radius: f64) -> Scene {
    let water = Material::new("water");
    let mut scene = Scene::default();
    scene.solver = "muller".into();
    scene.particle_radius = particle_radius;
    scene.fluids = fluids;
    scene.boundaries = boundaries;
    scene.materials = vec![water];
    scene
}

/// A column in a tank, next to obstacles of every shape.
fn column() -> Scene {
    let water = Shape::Box(Cuboid { min: [0.0, 0.0, 0.0], max: [0.4, 0.5, 0.4] });
    let tank = Shape::Box(Cuboid { min: [0.0, 0.0, 0.0], max: [1.3, 0.7, 0.4] });
    let obstacles = [
        Shape::Box(Cuboid { min: [0.58, 0.0, 0.06], max: [0.68, 0.12, 0.16] }),
        Shape::Sphere(Sphere { center: [0.66, 0.08, 0.28], radius: 0.08 }),
        Shape::Cylinder(Cylinder { start: [0.88, 0.0, 0.2], end: [0.88, 0.3, 0.2], radius: 0.06 }),
        Shape::Capsule(Capsule { start: [1.08, 0.06, 0.1], end: [1.14, 0.2, 0.3], radius: 0.05 }),
    ];
    let obstacles = obstacles.map(|shape| boundary(shape, Side::Outside));
    let mut boundaries = vec![boundary(tank, Side::Inside)];
    boundaries.extend(obstacles);
    // Slightly perturbed, so that there are pressures.
    let shaken = Body { jitter: 0.25, ..body(water, [0.0; 3]) };
    scene(vec![shaken], boundaries, 0.0125)
}

/// A ball above the floor, in a glass.
fn ball() -> Scene {
    let water = Shape::Sphere(Sphere { center: [0.0, 0.34, 0.0], radius: 0.22 });
    let glass = Shape::Cylinder(Cylinder { start: [0.0; 3], end: [0.0, 0.8, 0.0], radius: 0.3 });
    scene(vec![body(water, [0.0, -1.0, 0.0])], vec![boundary(glass, Side::Inside)], 0.0125)
}

/// A thin sheet surrounded by a ring of 14 drops, each faster than the last.
fn drops() -> Scene {
    let sheet = Shape::Box(Cuboid { min: [-0.3, 0.0, -0.3], max: [0.3, 0.05, 0.3] });
    let mut fluids = vec![body(sheet, [0.0; 3])];
    for k in 0..14 {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 14.0).sin_cos();
        let height = 0.22 + 0.08 * (3.0 * f64::from(k)).sin();
        let drop =
            Shape::Sphere(Sphere { center: [0.42 * cos, height, 0.42 * sin], radius: 0.045 });
        fluids.push(body(drop, [0.1 * f64::from(k) * cos, 0.0, 0.1 * f64::from(k) * sin]));
    }
    // A single particle.
    let lone = Shape::Sphere(Sphere { center: [0.0, 0.3, 0.0], radius: 0.0095 });
    fluids.push(body(lone, [0.0, -1.0, 0.0]));
    let floor = Shape::Plane(Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] });
    scene(fluids, vec![boundary(floor, Side::Inside)], 0.009)
}

/// Air around a ball, over a floor.
const AIR: &str = r#"
solver = "stable_fluids"
[domain]
min = [-0.8, 0.0, -0.4]
max = [0.8, 1.0, 0.4]
[smoke]
cell = 0.025
[[source]]
shape.sphere = { center = [0.0, 0.2, 0.0], radius = 0.1 }
start = 1.0
[[boundary]]
shape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }
[[boundary]]
shape.sphere = { center = [0.42, 0.3, 0.1], radius = 0.14 }
side = "outside"
"#;

/// Density and temperature in K of smoke at a place in m from the domain's centre: puffs, the last before the ball.
fn puffs(x: Vec3) -> [f32; 2] {
    let puffs = [
        (Vec3::new(-0.5, -0.15, 0.0), 0.16, 60.0),
        (Vec3::new(-0.22, 0.12, 0.1), 0.13, 35.0),
        (Vec3::new(0.12, 0.24, -0.1), 0.1, 15.0),
        (Vec3::new(0.3, -0.3, 0.2), 0.1, 25.0),
    ];
    let share = |(place, radius, _): &(Vec3, f32, f32)| {
        // The edge is some cells wide and wavy.
        let wave = 0.12 * (18.0 * (x.x + 0.6 * x.y)).sin() * (15.0 * x.z + 11.0 * x.y).cos();
        (3.0 * (1.0 + wave - place.distance(x) / radius)).clamp(0.0, 1.0)
    };
    let density = puffs.iter().map(share).fold(0.0, f32::max);
    [density, puffs.iter().map(|puff| share(puff) * puff.2).fold(0.0, f32::max)]
}

/// A scene, and the quantity that colours it.
type Set = (&'static str, fn() -> Scene, &'static str);

const SETS: [Set; 3] =
    [("column", column, "pressure"), ("ball", ball, "id"), ("drops", drops, "speed")];

/// A scene at time 0 with the data of all modes.
struct Still {
    simulation: Simulation,
    fluid: FluidBuffers,
}

impl Still {
    fn new(gpu: &Gpu, scene: &Scene) -> Self {
        let simulation = block_on(gpu, Simulation::new(gpu, scene)).expect("the scene runs");
        let options = SurfaceOptions { smoothing: 4, ..Default::default() };
        let mut surface = FluidMesh::new(gpu, &simulation, &options).expect("a surface");
        block_on(gpu, surface.fit(&simulation)).expect("it fits");
        let mut splats = Splats::new(&simulation).expect("splats");
        splats.extract(&simulation).expect("splats");
        let fluid = FluidBuffers::of(&simulation)
            .with_surfaces(vec![MeshBuffers::of(&surface)])
            .with_splats(Some(SplatBuffers::of(&splats)));
        Self { simulation, fluid }
    }

    fn smoke(gpu: &Gpu) -> Self {
        let simulation = start(gpu, &parse(AIR));
        let grid = simulation.setup().params.grid;
        let of_cell = |c: u32| {
            let [nx, ny, _] = grid.size.to_array();
            let cell = UVec3::new(c % nx, c / nx % ny, c / (nx * ny)).as_vec3();
            let [density, temperature] = puffs(grid.origin + (cell + 0.5) * grid.cell);
            [density, temperature, 0.0, 0.0]
        };
        let smoke: Vec<_> = (0..grid.cell_count).map(of_cell).collect();
        simulation.machine().write("smoke", bytemuck::cast_slice(&smoke)).expect("room");
        let fluid = FluidBuffers::of(&simulation);
        Self { simulation, fluid }
    }

    fn picture(&self, gpu: &Gpu, offscreen: &mut Offscreen, mode: Mode, color: &str) -> RgbImage {
        assert_eq!(self.simulation.control().step, 0, "nothing was stepped");
        let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
        let color = self.simulation.setup().chosen.quantity(color).expect("a quantity");
        let view = View { mode, color, camera: self.fluid.camera(aspect), ..View::default() };
        let picture = block_on(gpu, offscreen.picture(&self.fluid, &view)).expect("a picture");
        assert_eq!(picture.dimensions(), (SIZE[0], SIZE[1]));
        small(&image::DynamicImage::ImageRgba8(picture).into_rgb8())
    }
}

/// Halves the image by averaging 2 × 2 pixels, rounded to even numbers, which makes the files a
/// quarter smaller.
fn small(picture: &RgbImage) -> RgbImage {
    RgbImage::from_fn(picture.width() / 2, picture.height() / 2, |x, y| {
        let mean = |c: usize| {
            let at = |dx, dy| u32::from(picture.get_pixel(2 * x + dx, 2 * y + dy)[c]);
            ((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 4) / 8 * 2).min(254) as u8
        };
        Rgb([mean(0), mean(1), mean(2)])
    })
}

/// CIELAB (D65) of linear light.
fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let x = (0.412_456 * r + 0.357_576 * g + 0.180_437 * b) / 0.950_47;
    let y = 0.212_673 * r + 0.715_152 * g + 0.072_175 * b;
    let z = (0.019_334 * r + 0.119_192 * g + 0.950_304 * b) / 1.088_83;
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
}

/// The image in CIELAB, blurred over 5 × 5 pixels in linear light.
fn perceived(picture: &RgbImage) -> Vec<[f64; 3]> {
    let linear = |v: u8| {
        let v = f64::from(v) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    let table: Vec<f64> = (0..=255).map(linear).collect();
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    let at = |x: i64, y: i64, c: usize| {
        let pixel = picture.get_pixel(x.clamp(0, width - 1) as u32, y.clamp(0, height - 1) as u32);
        table[usize::from(pixel[c])]
    };
    let mut all = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let mean = |c| {
                let near = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dx, dy)));
                near.map(|(dx, dy)| at(x + dx, y + dy, c)).sum::<f64>() / 25.0
            };
            all.push(lab([mean(0), mean(1), mean(2)]));
        }
    }
    all
}

/// Mean ΔE, and the ΔE that 1 in 1,000 pixels exceeds.
fn difference(a: &RgbImage, b: &RgbImage) -> (f64, f64) {
    assert_eq!(a.dimensions(), b.dimensions());
    let (a, b) = (perceived(a), perceived(b));
    let distance = |(a, b): (&[f64; 3], &[f64; 3])| {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let mut all: Vec<f64> = a.iter().zip(&b).map(distance).collect();
    all.sort_by(f64::total_cmp);
    (all.iter().sum::<f64>() / all.len() as f64, all[all.len() - 1 - all.len() / 1000])
}

fn same((mean, worst): (f64, f64)) -> bool {
    mean <= MEAN && worst <= WORST
}

/// The references embedded when the test was built, so that the binary needs no source tree.
macro_rules! references {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../golden/", $name, ".png")).as_slice())),*]
    };
}

fn references() -> BTreeMap<&'static str, &'static [u8]> {
    BTreeMap::from(references![
        "particles_column",
        "particles_ball",
        "particles_drops",
        "splats_column",
        "splats_ball",
        "splats_drops",
        "surface_column",
        "surface_ball",
        "surface_drops",
        "screen_space_column",
        "screen_space_ball",
        "screen_space_drops",
        "smoke_puffs",
        "slice_puffs",
    ])
}

fn reference(name: &str) -> RgbImage {
    let bytes = references()[name];
    image::load_from_memory(bytes).unwrap_or_else(|e| panic!("{name}.png: {e}")).into_rgb8()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Writes an image as a small file.
fn bless(name: &str, picture: &RgbImage) {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(encoder).expect("a Vec grows");
    assert!(bytes.len() < 60_000, "{name}.png would have {} bytes", bytes.len());
    fs::write(folder().join(format!("{name}.png")), bytes).expect("the golden folder is writable");
    eprintln!("blessed {name}.png");
}

/// Saves an image for inspection.
fn keep(name: &str, picture: &RgbImage) -> PathBuf {
    let path = env::temp_dir().join(format!("meniscus_{name}.png"));
    picture.save(&path).expect("the temporary folder is writable");
    path
}

#[test]
fn each_mode_draws_its_golden_pictures() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let rewrite = env::var("MENISCUS_BLESS").is_ok_and(|value| value == "1");
    let mut offscreen = Offscreen::new(gpu, SIZE).expect("an offscreen target");
    let mut pictures = Vec::new();
    for (set, make, color) in SETS {
        let still = Still::new(gpu, &make());
        for mode in Mode::OF_PARTICLES {
            let picture = still.picture(gpu, &mut offscreen, *mode, color);
            pictures.push((format!("{}_{set}", mode.name()), picture));
        }
    }
    let still = Still::smoke(gpu);
    for mode in Mode::OF_SMOKE {
        let picture = still.picture(gpu, &mut offscreen, *mode, "temperature");
        pictures.push((format!("{}_puffs", mode.name()), picture));
    }
    let mut wrong = Vec::new();
    for (name, picture) in pictures {
        if rewrite {
            bless(&name, &picture);
            continue;
        }
        let found = difference(&picture, &reference(&name));
        eprintln!("{name}: mean ΔE {:.3}, 99.9 % below {:.2}", found.0, found.1);
        if !same(found) {
            let path = keep(&name, &picture);
            wrong.push(format!(
                "{name}: mean ΔE {:.3} (at most {MEAN}), 99.9 % below {:.2} (at most {WORST}); drawn: {}",
                found.0,
                found.1,
                path.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "on {}:\n{}", gpu.info().name, wrong.join("\n"));
}

#[test]
fn golden_pictures_are_the_same_on_swiftshader() {
    let places = [
        env::var("MENISCUS_SWIFTSHADER").unwrap_or_default(),
        "/usr/lib/chromium/vk_swiftshader_icd.json".into(),
    ];
    let Some(driver) = places.iter().find(|place| Path::new(place).is_file()) else {
        eprintln!("SKIPPED: no SwiftShader at {places:?} (Debian: package chromium)");
        return;
    };
    if env::var("MENISCUS_GPU").is_ok_and(|mode| mode == "off") {
        eprintln!("SKIPPED: MENISCUS_GPU=off");
        return;
    }
    // The Vulkan loader reads its environment once, so another process is needed.
    let this = env::current_exe().expect("the test has a file");
    let output = Command::new(this)
        .args(["golden::each_mode_draws_its_golden_pictures", "--exact", "--nocapture"])
        .env("VK_ICD_FILENAMES", driver)
        .env("VK_DRIVER_FILES", driver)
        .env("MENISCUS_GPU", "require")
        .env_remove("MENISCUS_BLESS")
        .output()
        .expect("the test starts again");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("SwiftShader"), "it ran on another device: {said}");
    eprintln!("{said}");
}

/// The image shifted to the right by half of its own pixels, one of those drawn.
fn shifted(picture: &RgbImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let (a, b) = (picture.get_pixel(x, y), picture.get_pixel(x.saturating_sub(1), y));
        Rgb([0, 1, 2].map(|c| u16::midpoint(u16::from(a[c]), u16::from(b[c])) as u8))
    })
}

#[test]
fn the_comparison_refuses_changed_pictures() {
    let mut accepted = Vec::new();
    for name in references().into_keys() {
        let original = reference(name);
        assert!(same(difference(&original, &original)));
        let recoloured = |channel: usize| {
            let mut changed = original.clone();
            for pixel in changed.pixels_mut() {
                pixel[channel] = (f64::from(pixel[channel]) * 1.04).min(255.0) as u8;
            }
            changed
        };
        let blank = RgbImage::from_pixel(original.width(), original.height(), Rgb([128; 3]));
        let changes = [
            ("shifted", shifted(&original)),
            ("redder", recoloured(0)),
            ("bluer", recoloured(2)),
            ("mirrored", imageops::flip_horizontal(&original)),
            ("blank", blank),
        ];
        for (what, changed) in changes {
            let found = difference(&changed, &original);
            if same(found) {
                accepted.push(format!("{name} {what}: {found:?}"));
            }
        }
    }
    assert!(accepted.is_empty(), "accepted:\n{}", accepted.join("\n"));
}

#[test]
fn the_comparison_misses_no_drop() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut without = drops();
    // Remove one at the side; the single particle is the last.
    without.fluids.remove(5);
    let still = Still::new(gpu, &without);
    let mut offscreen = Offscreen::new(gpu, SIZE).expect("an offscreen target");
    for mode in Mode::OF_PARTICLES {
        let mode_name = mode.name();
        let picture = still.picture(gpu, &mut offscreen, *mode, "speed");
        let found = difference(&picture, &reference(&format!("{mode_name}_drops")));
        assert!(!same(found), "{mode_name} without a drop is accepted: {found:?}");
    }
}

/// Draws into a separate target and reads it back.
fn drawn_into(
    gpu: &Gpu,
    format: wgpu::TextureFormat,
    fluid: &FluidBuffers,
    view: &View,
) -> Vec<u8> {
    let [width, height] = SIZE;
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let target = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("target"),
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let rows = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("rows"),
        size: u64::from(4 * width * height),
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut renderer = Renderer::new(gpu, format).expect("a renderer");
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    let onto = target.create_view(&Default::default());
    renderer.draw(&mut encoder, &onto, SIZE, fluid, view).expect("a picture");
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * width),
        rows_per_image: None,
    };
    let into = wgpu::TexelCopyBufferInfo { buffer: &rows, layout };
    encoder.copy_texture_to_buffer(target.as_image_copy(), into, extent);
    gpu.queue().submit([encoder.finish()]);
    block_on(gpu, gpu.read(&[&rows])).expect("it is read back").swap_remove(0)
}

#[test]
fn targets_that_do_not_encode_srgb_show_the_same_colours() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let still = Still::new(gpu, &ball());
    for antialias in [true, false] {
        let camera = still.fluid.camera(16.0 / 9.0);
        let view = View { camera, antialias, ..View::default() };
        let formats = [wgpu::TextureFormat::Rgba8UnormSrgb, wgpu::TextureFormat::Rgba8Unorm];
        let [a, b] = formats.map(|format| drawn_into(gpu, format, &still.fluid, &view));
        let worst = a.iter().zip(&b).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst <= Some(1), "antialias {antialias}: {worst:?} steps apart");
    }
}

#[test]
fn pictures_of_impossible_sizes_are_refused() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for size in [[0, 10], [10, 0], [1_000_000, 10]] {
        let error = Offscreen::new(gpu, size).expect_err("it cannot be drawn").to_string();
        assert!(error.contains(&format!("{} × {}", size[0], size[1])), "{error}");
    }
}

#[test]
fn every_mode_draws_scenes_without_particles_in_2d_and_at_odd_sizes() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut empty = column();
    empty.fluids.clear();
    empty.emitters.push(Emitter {
        start: 1.0,
        end: 2.0,
        max_particles: Some(500),
        ..Emitter::new(Mouth::Circle { radius: 0.1 }, [0.2, 0.5, 0.2], [1.0, 0.0, 0.0])
    });
    let mut flat = column();
    flat.dimensions = 2;
    flat.boundaries.truncate(1);
    flat.fluids[0].shape = Shape::Box(Cuboid { min: [0.0; 3], max: [0.2, 0.2, 0.0] });
    for scene in [empty, flat] {
        let simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("the scene runs");
        let fluid = FluidBuffers::of(&simulation);
        let mut offscreen = Offscreen::new(gpu, [67, 41]).expect("an offscreen target");
        for mode in Mode::ALL {
            for antialias in [true, false] {
                let camera = fluid.camera(67.0 / 41.0);
                let view = View { mode: *mode, camera, antialias, ..View::default() };
                let picture = block_on(gpu, offscreen.picture(&fluid, &view)).expect("a picture");
                assert!(picture.pixels().all(|pixel| pixel[3] == 255), "{mode:?} left holes");
            }
        }
    }
}

/// Files of `wgsl/render` that have entry points.
fn drawing_shaders() -> Vec<meniscus::raw::Composed> {
    let shaders = Shaders::standard();
    let names = meniscus_wgsl::files().iter().filter(|(name, text)| {
        name.starts_with("render/") && text.lines().any(|line| line.starts_with("@fragment"))
    });
    names.map(|(name, _)| shaders.compose(name, false).expect("it composes")).collect()
}

#[test]
fn every_drawing_shader_parses_and_binds_at_most_8_storage_buffers() {
    let shaders = drawing_shaders();
    assert!(shaders.len() >= 15, "only {} were found", shaders.len());
    for shader in &shaders {
        let module = shader.parse().unwrap_or_else(|error| panic!("{error}"));
        let storage =
            |v: &naga::GlobalVariable| matches!(v.space, naga::AddressSpace::Storage { .. });
        let count = module.global_variables.iter().filter(|(_, v)| storage(v)).count();
        assert!(count <= 8, "{} binds {count} storage buffers", shader.name);
    }
}

#[test]
fn every_drawing_shader_passes_tint_where_it_is_installed() {
    if Command::new("tint").arg("--help").output().is_err() {
        eprintln!("SKIPPED: tint is not on the PATH");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for shader in drawing_shaders() {
        let file = folder.path().join("shader.wgsl");
        fs::write(&file, shader.for_browser()).expect("it is writable");
        let written = folder.path().join("written.wgsl");
        let arguments = ["--format", "wgsl", "--output-name"];
        let output = Command::new("tint").args(arguments).arg(written).arg(&file).output();
        let output = output.expect("tint runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{said}", shader.name);
    }
}
