//! Pictures with an image in place of the sky.

use std::sync::Arc;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start},
};
use meniscus::{
    SurfaceOptions,
    scene::{Panorama, Texels},
};
use meniscus_render::{Camera, Light, Mode, Offscreen, Studio, View};

/// A shallow pool.
const POOL: &str = r#"
particle_radius = 0.025
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 0.1, 0.6] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 0.6, 0.6] }
"#;

const SIZE: [u32; 2] = [48, 32];

/// Quarters of the horizon from the left to the right of the image, and the ground below each.
const QUARTERS: [[u8; 3]; 4] = [[200, 40, 40], [40, 180, 60], [50, 70, 190], [170, 160, 30]];
const GROUND: [u8; 3] = [20, 30, 90];

fn quarters() -> Arc<Panorama> {
    let row = |of: fn(usize) -> [u8; 3]| (0..64).map(move |column| of(column / 16));
    let above = (0..16).flat_map(|_| row(|quarter| QUARTERS[quarter]));
    let below = (0..16).flat_map(|_| row(|_| GROUND));
    Arc::new(Panorama { size: [64, 32], texels: Texels::Screen(above.chain(below).collect()) })
}

fn uniform(color: [u8; 3]) -> Arc<Panorama> {
    Arc::new(Panorama { size: [2, 1], texels: Texels::Screen(vec![color; 2]) })
}

fn near(found: [u8; 3], expected: [u8; 3]) -> bool {
    found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2)
}

/// What the camera looks at has the image's colour, wherever it looks and however the image is turned.
#[test]
fn a_camera_sees_the_image_where_it_looks() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let simulation = start(gpu, &parse(POOL));
    let fluid = meniscus_render::FluidBuffers::of(&simulation);
    let mut offscreen = Offscreen::new(gpu, SIZE).expect("a target");
    let mut seen = |direction: [f64; 3], sky_rotation: f32, ground: bool| {
        let eye = glam::DVec3::new(0.3, 4.0, 0.3);
        let camera =
            Camera { eye, target: eye + glam::DVec3::from(direction), ..Camera::default() };
        let light = Light { sky_image: Some(quarters()), sky_rotation, ..Light::default() };
        let view = View { light, camera, ground, legend: false, ..View::default() };
        let picture = block_on(gpu, offscreen.picture(&fluid, &view)).expect("a picture");
        let [r, g, b, _] = picture.get_pixel(SIZE[0] / 2, SIZE[1] / 2).0;
        [r, g, b]
    };
    // The middle of the image, between its second and third quarter, is at −z; to the right, at x, come the third and fourth.
    let toward = |degrees: f64, height: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [sin, height, -cos]
    };
    for (quarter, degrees) in [(0, -135.0), (1, -45.0), (2, 45.0), (3, 135.0)] {
        for (turn, rotation) in [(0, 0.0), (1, 90.0), (2, -180.0), (3, 270.0)] {
            // Counter-clockwise from above: to the left.
            let expected = QUARTERS[(quarter + turn) % 4];
            let found = seen(toward(degrees, 0.4), rotation, true);
            assert!(near(found, expected), "{degrees}°, turned by {rotation}°: {found:?}");
        }
        let found = seen(toward(degrees, -0.4), 0.0, false);
        assert!(near(found, GROUND), "{degrees}°, below the horizon: {found:?}");
    }
}

/// Water mirrors the image, and all that is lit takes the image's light.
#[test]
fn what_is_seen_takes_the_colors_of_the_image() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let simulation = start(gpu, &parse(POOL));
    // Only the pool and the floor are in the picture.
    let eye = glam::DVec3::new(0.3, 0.5, 1.0);
    let camera = Camera { eye, target: glam::DVec3::new(0.3, 0.1, 0.3), ..Camera::default() };
    for mode in Mode::OF_PARTICLES {
        let mut studio = Studio::new(gpu, &simulation, SIZE, *mode, &SurfaceOptions::default())
            .expect("a studio");
        let mut center = |image: Option<[u8; 3]>| {
            let light = Light { sky_image: image.map(uniform), ..Light::default() };
            let view = View { mode: *mode, light, camera, legend: false, ..View::default() };
            let picture = block_on(gpu, studio.picture(&simulation, &view)).expect("a picture");
            picture.get_pixel(SIZE[0] / 2, SIZE[1] / 2).0.map(i32::from)
        };
        let usual = center(None);
        let (red, green) = (center(Some([220, 30, 30])), center(Some([30, 220, 30])));
        assert!(red[0] > green[0] + 5 && green[1] > red[1] + 5, "{mode:?}: {red:?}, {green:?}");
        assert_eq!(center(None), usual, "{mode:?}: the sky again");
    }
}
