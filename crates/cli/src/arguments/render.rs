//! Options of `meniscus render`.

use std::path::PathBuf;

use clap::Args;
use meniscus::Registry;
use meniscus_render::Mode;

use super::{Scene, SurfaceArguments, frame_rate, named, quantities};

/// Arguments of `meniscus render`.
#[derive(Debug, Args)]
#[command(after_help = RENDER_EXAMPLES)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) scene: Scene,
    /// Scene of what is drawn, where SCENE is the folder of a run or its checkpoint [default: run.toml in the folder, which
    /// `meniscus run` leaves; the checkpoint's own].
    #[arg(long = "scene", value_name = "FILE")]
    pub(crate) beside: Option<String>,
    /// Output: FILE.png for an image of the last frame; FILE.mp4, .webp or .gif for a video; a name
    /// without extension for a folder of images, frame_00000.png, …
    ///
    /// MP4 and WebP need ffmpeg on the PATH; without it, the images are written to a folder.
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) out: PathBuf,
    /// Go on with a film that was interrupted, from the checkpoint beside it (FILE.checkpoint), which interrupted films leave;
    /// begin it if there is none.
    ///
    /// Without the checkpoint the simulation begins anew, but only what the
    /// film does not have is drawn.
    #[arg(long = "continue")]
    pub(crate) go_on: bool,
    /// Image size in pixels.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// View mode of the fluid.
    ///
    /// particles: lit spheres, coloured by --color; splats: a surface of blended discs; surface:
    /// the surface mesh, as water; screen_space: water from the particles' depth [default: surface;
    /// particles in 2-D and of jelly, snow and sand].
    #[arg(long, value_name = "MODE", value_parser = named(Mode::ALL))]
    pub(crate) view: Option<Mode>,
    /// Quantity that colours the particles [default: material where materials have colours, else speed].
    #[arg(long, value_name = "QUANTITY")]
    #[arg(long_help = quantities(
        "Quantity that colours the particles [default: material where materials have colours, else speed]."
    ))]
    pub(crate) color: Option<String>,
    /// Range of the colour map, as in 0,3 [default: from the scene].
    #[arg(long, value_name = "MIN,MAX", value_parser = range, allow_hyphen_values = true)]
    pub(crate) range: Option<[f32; 2]>,
    /// End time of the simulation, in s [default: the scene's].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Simulated time of the video's first image, in s [default: the first].
    #[arg(long, value_name = "S")]
    pub(crate) from: Option<f64>,
    /// Images per simulated second [default: the scene's].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) fps: Option<f64>,
    /// Images per second of video, for slow or fast motion [default: same as --fps].
    #[arg(long, alias = "film-fps", value_name = "N", allow_negative_numbers = true, value_parser = frame_rate)]
    pub(crate) video_fps: Option<f64>,
    /// Position of the camera in m, as in -1.5,1.8,4 [default: the scene's, or one that shows the
    /// whole scene].
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) eye: Option<[f64; 3]>,
    /// Point that the camera looks at, in m.
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) target: Option<[f64; 3]>,
    /// Vertical field of view in degrees.
    #[arg(long, value_name = "DEGREES", value_parser = angle)]
    pub(crate) fov: Option<f64>,
    /// Rotation of the camera around its target, in degrees per simulated second.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) turn: f64,
    /// Brightness factor.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) exposure: f32,
    /// Direction towards the sun, as in 1,2,0.5 [default: the scene's, or obliquely from above].
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    pub(crate) sun: Option<[f64; 3]>,
    /// Factor on the light of the sun [default: the scene's, or 1].
    #[arg(long, value_name = "FACTOR")]
    pub(crate) sunlight: Option<f64>,
    /// Factor on the light of the sky [default: the scene's, or 1].
    #[arg(long, value_name = "FACTOR")]
    pub(crate) sky: Option<f64>,
    /// Colour behind everything in place of the sky or of the scene's image, as in #f0f0f0.
    #[arg(long, value_name = "COLOR")]
    pub(crate) background: Option<String>,
    /// Image of everything around the scene in place of the sky, twice as wide as high: PNG, JPEG or Radiance HDR.
    #[arg(long, value_name = "FILE")]
    pub(crate) sky_image: Option<PathBuf>,
    /// Angle by which that image is turned about the upward direction, counter-clockwise from above.
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) sky_rotation: Option<f64>,
    /// Do not draw the floor.
    #[arg(long)]
    pub(crate) no_floor: bool,
    /// Do not draw containers and obstacles.
    #[arg(long)]
    pub(crate) no_boundaries: bool,
    /// Foam, spray and bubbles also in a scene without a table [foam].
    #[arg(long, conflicts_with = "no_foam")]
    pub(crate) foam: bool,
    /// Do not draw foam, spray and bubbles.
    #[arg(long)]
    pub(crate) no_foam: bool,
    /// Do not draw the legend.
    #[arg(long)]
    pub(crate) no_legend: bool,
    #[command(flatten)]
    pub(crate) surface_options: SurfaceArguments,
    /// Print only warnings and errors, no progress.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl Render {
    /// Whether one image is made, rather than a video.
    pub(crate) fn is_image(&self) -> bool {
        self.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
    }

    /// Light and background as keys of the scene.
    pub(crate) fn light(&self) -> impl Iterator<Item = String> {
        let sun = self.sun.map(|sun| format!("light.sun={sun:?}"));
        let sunlight = self.sunlight.map(|factor| format!("light.sunlight={factor:?}"));
        let sky = self.sky.map(|factor| format!("light.sky={factor:?}"));
        let background =
            self.background.as_ref().map(|color| format!("light.background={color:?}"));
        // From the folder of the command, not of the scene; a colour is seen where there is no image.
        let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let image = self.sky_image.as_ref().map(absolute);
        let image = image.or_else(|| self.background.as_ref().map(|_| PathBuf::new()));
        let image = image.map(|file| format!("light.sky_image={:?}", file.display().to_string()));
        let rotation = self.sky_rotation.map(|angle| format!("light.sky_rotation={angle:?}"));
        let floor = self.no_floor.then(|| "light.floor=false".to_owned());
        [sun, sunlight, sky, background, image, rotation, floor].into_iter().flatten()
    }

    /// The view mode, that which suits the scene if none is given.
    pub(crate) fn mode(&self, scene: &meniscus::Scene) -> Mode {
        let chosen = Registry::standard().choose(scene);
        let usual = || chosen.map(|chosen| Mode::usual(scene, &chosen)).unwrap_or_default();
        self.view.unwrap_or_else(usual)
    }
}

const RENDER_EXAMPLES: &str = "\
Examples:
  An image of the water after half a second:
    meniscus render dam_break --until 0.5 --out dam.png
  A video of the particles, coloured by speed, in slow motion:
    meniscus render dam_break --view particles --fps 60 --video-fps 30 --out dam.mp4
  A small looping animation for a web page:
    meniscus render pour --set particle_radius=0.004 --size 480x360 --fps 20 --out pour.gif
  A film of what a run has left, from another side, without simulating again:
    meniscus run pour --particles vtk --out pour
    meniscus render pour/ --eye 0.3,0.5,0.3 --target 0,0.05,0 --out side.mp4
  A picture of a checkpoint:
    meniscus render pour.checkpoint --out pour.png";

fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let size = parts.filter(|size| size.iter().all(|pixels| (1..=16384).contains(pixels)));
    size.ok_or_else(|| "expected WIDTHxHEIGHT in pixels, each 1 to 16384, as in 1280x720".into())
}

pub(super) fn vector(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let vector = <[f64; 3]>::try_from(numbers).ok().filter(|v| v.iter().all(|x| x.is_finite()));
    vector.ok_or_else(|| "expected three numbers, as in -1.5,1.8,4".into())
}

fn range(text: &str) -> Result<[f32; 2], String> {
    let ends = text.split_once(',');
    let ends = ends.and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    let range = ends.filter(|[a, b]: &[f32; 2]| a.is_finite() && b.is_finite() && a < b);
    range.ok_or_else(|| "expected two numbers, the smaller one first, as in 0,3".into())
}

fn angle(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|degrees| (1.0..=170.0).contains(degrees));
    number.ok_or_else(|| "expected 1 to 170 degrees".into())
}

fn factor(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|factor: &f32| factor.is_finite() && *factor > 0.0);
    number.ok_or_else(|| "expected a number greater than 0".into())
}
