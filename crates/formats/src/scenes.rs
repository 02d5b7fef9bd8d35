//! Bundled scenes.

/// A bundled scene.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BundledScene {
    /// Name, which [`load_scene`](crate::load_scene) accepts in place of a path.
    pub name: &'static str,
    /// TOML text.
    pub text: &'static str,
}

impl BundledScene {
    /// Name and text of each mesh that it reads.
    pub fn meshes(&self) -> impl Iterator<Item = (&'static str, &'static [u8])> {
        let text = self.text;
        let reads = move |name: &str| {
            // Frames of a motion are named by a pattern, fish_*.obj.
            let number =
                name.trim_end_matches(".obj").trim_end_matches(|c: char| c.is_ascii_digit());
            [name.to_owned(), format!("{number}*.obj")]
                .iter()
                .any(|file| text.contains(&format!("\"{file}\"")))
        };
        MESHES.iter().copied().filter(move |(name, _)| reads(name))
    }
}

macro_rules! bundle {
    ($($name:literal),* $(,)?) => {
        &[$(BundledScene {
            name: $name,
            text: include_str!(concat!("../scenes/", $name, ".toml")),
        }),*]
    };
}

/// All bundled scenes (`crates/formats/scenes`), beginning with the one to try first.
pub const SCENES: &[BundledScene] = bundle![
    "dam_break",
    "double_dam_break",
    "breaker",
    "waterfall",
    "fountain",
    "glass",
    "ring",
    "glass_swirl",
    "splash",
    "pour",
    "honey",
    "honey_balls",
    "mayonnaise",
    "jelly_splash",
    "mpm88",
    "mpm_all",
    "snowball",
    "sand_column",
    "sand_paddles",
    "sand_stir",
    "sand_sweep",
    "water_wheel",
    "debris_flow",
    "cheese",
    "jelly_meshes",
    "crawler",
    "dam_pic",
    "dam_flip",
    "dam_apic",
    "dam_polypic",
    "dam_eulerian",
    "pool_levelset",
    "flip_dam",
    "flip_crates",
    "flip_fountain",
    "rain",
    "plume_sphere",
    "campfire",
    "convection",
    "vortex_rings",
    "ink",
    "zero_g_cube",
    "droplet_cube",
    "four_drops",
    "wetting",
    "drip",
    "bust",
    "bust_honey",
    "bust_chocolate",
    "chocolate_hare",
    "water_hare",
    "crown",
    "hydrostatic",
    "two_fluids",
    "martin_moyce",
    "tank_with_crates",
    "floating_bodies",
    "swimmer",
    "wave_maker",
    "moored_box",
    "pile",
    "mixer",
    "tan_2011",
    "showcase",
];

/// Meshes of bundled scenes, by file name.
const MESHES: &[(&str, &[u8])] = &[
    ("glass.obj", include_bytes!("../scenes/glass.obj")),
    ("ring.obj", include_bytes!("../scenes/ring.obj")),
    ("wedge.obj", include_bytes!("../scenes/wedge.obj")),
    ("needle.obj", include_bytes!("../scenes/needle.obj")),
    ("pendant.obj", include_bytes!("../scenes/pendant.obj")),
    ("hare.obj", include_bytes!("../scenes/hare.obj")),
    ("bust.obj", include_bytes!("../scenes/bust.obj")),
    ("banana.obj", include_bytes!("../scenes/banana.obj")),
    ("armadillo.obj", include_bytes!("../scenes/armadillo.obj")),
    ("wheel.obj", include_bytes!("../scenes/wheel.obj")),
    ("paddle.obj", include_bytes!("../scenes/paddle.obj")),
    ("fish_01.obj", include_bytes!("../scenes/fish_01.obj")),
    ("fish_02.obj", include_bytes!("../scenes/fish_02.obj")),
    ("fish_03.obj", include_bytes!("../scenes/fish_03.obj")),
    ("fish_04.obj", include_bytes!("../scenes/fish_04.obj")),
    ("fish_05.obj", include_bytes!("../scenes/fish_05.obj")),
    ("fish_06.obj", include_bytes!("../scenes/fish_06.obj")),
    ("fish_07.obj", include_bytes!("../scenes/fish_07.obj")),
    ("fish_08.obj", include_bytes!("../scenes/fish_08.obj")),
    ("fish_09.obj", include_bytes!("../scenes/fish_09.obj")),
    ("fish_10.obj", include_bytes!("../scenes/fish_10.obj")),
    ("fish_11.obj", include_bytes!("../scenes/fish_11.obj")),
    ("fish_12.obj", include_bytes!("../scenes/fish_12.obj")),
];

/// Bundled mesh with this name.
pub(crate) fn mesh_of(name: &str) -> Option<&'static [u8]> {
    MESHES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Names of all bundled meshes.
pub(crate) fn mesh_names() -> impl Iterator<Item = &'static str> {
    MESHES.iter().map(|(name, _)| *name)
}

/// Text of the bundled scene with this name.
pub(crate) fn text_of(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|scene| scene.name == name).map(|scene| scene.text)
}
