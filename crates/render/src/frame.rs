//! The uniform of every drawing shader (`wgsl/render/frame.wgsl`).

use encase::ShaderType;
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use meniscus::{
    methods::quantity::{Form, round_number},
    raw::model::params::{LOOK_LIQUID, MAX_MATERIALS, MaterialParams},
};

use crate::{
    FluidBuffers, Mode, Quantity, View,
    color::{self, STOPS},
    layer::Placing,
};

/// Width and height of the shadow map in pixels.
pub(crate) const SHADOW_SIZE: u32 = 512;
/// Optical depth of dense smoke as long as the scene.
const OPACITY: f32 = 60.0;
/// Share of light that smoke scatters, of scenes whose material has no colour.
const SMOKE: f32 = 0.88;
/// Light of the sun and of the sky.
const SUN_LIGHT: Vec3 = Vec3::new(2.6, 2.45, 2.2);
pub(crate) const SKY_LIGHT: Vec3 = Vec3::new(0.62, 0.72, 0.86);
/// Most discs drawn into the shadow map.
const SHADOW_DISCS: u32 = 1 << 17;

/// Uniform data, equal field by field to the struct in the shaders.
#[derive(Clone, Debug, ShaderType)]
pub(crate) struct Frame {
    clip: Mat4,
    eye: Vec3,
    near: f32,
    right: Vec3,
    width: f32,
    above: Vec3,
    height: f32,
    forward: Vec3,
    middle: f32,
    sun: Vec3,
    exposure: f32,
    up: Vec3,
    ground: f32,
    tangent: Vec3,
    tile: f32,
    bitangent: Vec3,
    size: f32,
    shadow_corner: Vec2,
    shadow_scale: Vec2,
    range: Vec2,
    form: u32,
    samples: u32,
    radius: f32,
    spacing: f32,
    pub(crate) shadow_stride: u32,
    has_ground: u32,
    encode: u32,
    pub(crate) flat: u32,
    pub(crate) thickness_scale: f32,
    splat_threshold: f32,
    froth_speed: f32,
    stride: u32,
    lane: u32,
    lanes: u32,
    shade: Vec3,
    slice_axis: u32,
    low: Vec3,
    slice_at: f32,
    high: Vec3,
    extinction: f32,
    smoke_color: Vec3,
    spheres: u32,
    liquids: u32,
    blur: f32,
    has_foam: u32,
    sun_light: Vec3,
    backdrop: u32,
    sky_light: Vec3,
    sky: f32,
    background: Vec3,
    sunlight: f32,
    image_ahead: Vec3,
    in_pass: u32,
    depth_ends: Vec2,
    is_hdr: u32,
    world: u32,
    absorption: [Vec4; MAX_MATERIALS],
    glow: [Vec4; MAX_MATERIALS],
    palette: [Vec4; STOPS],
}

impl Frame {
    /// `sky_light` is the light from all of the sky on a level face, before the view's factor.
    pub(crate) fn new(
        fluid: &FluidBuffers,
        view: &View,
        sky_light: Vec3,
        size: [u32; 2],
        samples: u32,
        encode: bool,
        placing: Option<Placing>,
    ) -> Self {
        let [width, height] = size.map(|n| n as f32);
        let aspect = f64::from(width) / f64::from(height);
        let camera = &view.camera;
        let basis = camera.basis();
        let tan = (camera.fov_y / 2.0).tan();
        let eye = (camera.eye - fluid.center).as_vec3();
        let forward = -basis.z_axis.as_vec3();

        let up = fluid.up();
        let (tangent, bitangent) = if up.z.abs() > 0.5 {
            (Vec3::X, Vec3::NEG_Y * up.z.signum())
        } else if up.x.abs() > 0.5 {
            (Vec3::NEG_Y * up.x.signum(), Vec3::Z)
        } else {
            (Vec3::X, Vec3::Z)
        };
        let flat = fluid.params.world.dimensions == 2;
        let [min, max] = fluid.bounds;
        let extent = (max - min).max(Vec3::splat(1e-6));
        let mean = size_of(fluid);
        // Slightly below anything that stands on the floor.
        let ground = fluid.floor - 2e-3 * mean;
        let sun = view.light.sun.and_then(Vec3::try_normalize);
        let sun = sun.unwrap_or((1.0 * up + 0.50 * tangent + 0.22 * bitangent).normalize());

        // Corners of everything that casts a shadow, projected along the light onto the floor.
        let margin = 0.25 * extent.max_element();
        let on_floor = |p: Vec3| {
            let foot = p - (p.dot(up) - ground) / sun.dot(up) * sun;
            Vec2::new(foot.dot(tangent), foot.dot(bitangent))
        };
        let corners = (0..8).map(|k| {
            let pick = |bit: u32, a: f32, b: f32| if k & bit == 0 { a } else { b };
            on_floor(Vec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z)))
        });
        let none = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let (low, high) = corners.fold(none, |(a, b), p| (a.min(p), b.max(p)));
        let (low, high) = (low - margin, high + margin);

        // The container bounds the planes in the picture as well.
        let held = fluid.colliders.iter().any(|c| c.inside != 0);
        let slack = Vec3::splat(1e-3 * mean);
        let (low_end, high_end) =
            if held { (min - slack, max + slack) } else { (Vec3::MIN, Vec3::MAX) };

        let color = &view.color;
        let range = view.range.unwrap_or_else(|| fluid.default_range(color));
        let stop = |k: usize| color::linear(color.map, k as f64 / (STOPS - 1) as f64).extend(1.0);
        let clarity = clarity(fluid, view);
        let slice = view.slice.unwrap_or_else(|| fluid.middle());
        let looks = fluid.params.materials.each_ref().map(liquid);
        Self {
            clip: camera.projection(aspect) * camera.view(fluid.center),
            eye,
            near: camera.near() as f32,
            right: (basis.x_axis * tan * aspect).as_vec3(),
            width,
            above: (basis.y_axis * tan).as_vec3(),
            height,
            forward,
            middle: -eye.dot(forward),
            sun,
            exposure: view.exposure,
            up,
            ground,
            tangent,
            tile: round_number(f64::from(mean / 8.0)) as f32,
            bitangent,
            size: mean,
            shadow_corner: low,
            shadow_scale: 1.0 / (high - low),
            range: Vec2::from(range),
            form: match view.mode {
                Mode::Particles | Mode::Slice | Mode::Smoke => form(color),
                Mode::Splats | Mode::Surface | Mode::ScreenSpace => form(&Quantity::MATERIAL),
            },
            samples,
            radius: fluid.params.world.particle_radius,
            spacing: 2.0 * fluid.params.world.particle_radius,
            shadow_stride: fluid.capacity.div_ceil(SHADOW_DISCS).max(1),
            has_ground: u32::from(view.ground && !flat),
            encode: u32::from(encode),
            flat: u32::from(flat),
            thickness_scale: 1.0,
            splat_threshold: fluid.params.sph.surface_threshold,
            froth_speed: fluid.params.world.expected_speed.max(1e-6),
            stride: color.stride() as u32,
            lane: color.scalars().start as u32,
            lanes: color.scalars().len() as u32,
            shade: match view.mode {
                Mode::Particles | Mode::Splats | Mode::Slice | Mode::Smoke => Vec3::splat(0.12),
                Mode::Surface
                    if !fluid.surfaces.iter().any(|one| is_liquid(fluid, one.material)) =>
                {
                    Vec3::splat(0.12)
                }
                Mode::Surface | Mode::ScreenSpace => Vec3::new(0.62, 0.76, 0.80),
            },
            slice_axis: slice.axis,
            low: low_end,
            slice_at: slice.at as f32 - fluid.center.as_vec3()[slice.axis as usize],
            high: high_end,
            extinction: OPACITY * view.density / extent.max_element(),
            smoke_color: match fluid.params.materials[0].color.truncate() {
                Vec3::ZERO => Vec3::splat(SMOKE),
                own => own,
            },
            spheres: spheres(fluid, view.mode),
            liquids: materials(fluid, |number| is_liquid(fluid, number)),
            blur: view.blur,
            has_foam: u32::from(fluid.foam.is_some() && view.foam),
            sun_light: view.light.sunlight * SUN_LIGHT,
            backdrop: match (&view.light.sky_image, view.light.background) {
                (Some(_), _) => 2,
                (None, Some(_)) => 1,
                (None, None) => 0,
            },
            sky_light: view.light.sky * sky_light,
            sky: view.light.sky,
            background: light_of(view.light.background.unwrap_or_default().into(), view.exposure),
            sunlight: view.light.sunlight,
            image_ahead: Quat::from_axis_angle(up, view.light.sky_rotation.to_radians())
                * -bitangent,
            in_pass: placing.map_or(0, |placing| 1 + u32::from(placing.has_behind)),
            depth_ends: placing.map_or(Vec2::ZERO, |placing| placing.ends()),
            is_hdr: u32::from(placing.is_some_and(|placing| placing.is_hdr)),
            world: fluid.world,
            absorption: looks.map(|(absorption, _)| absorption / clarity),
            glow: std::array::from_fn(|number| {
                looks[number].1.truncate().extend(view.light.refraction[number])
            }),
            palette: std::array::from_fn(stop),
        }
    }
}

/// Light that tone mapping (`wgsl/render/tone_map.wgsl`) turns into a colour of the screen, at an exposure.
fn light_of(color: Vec3, exposure: f32) -> Vec3 {
    let linear = color.to_array().map(|channel| meniscus::scene::to_linear(channel.into()) as f32);
    unmapped(linear.into()) / exposure
}

/// The inverse of tone mapping, of a colour from 0 to 1, not encoded.
pub(crate) fn unmapped(color: Vec3) -> Vec3 {
    // Nothing that is lit is quite white.
    let mapped = color.min(Vec3::splat(0.97));
    let (start, desaturation) = (0.8 - 0.04, 0.15);
    let top = mapped.max_element();
    let color = if top < start {
        mapped
    } else {
        let d = 1.0 - start;
        let peak = d * d / (1.0 - top) - d + start;
        let share = 1.0 - 1.0 / (desaturation * (peak - top) + 1.0);
        (mapped - share * top) / (1.0 - share) * (peak / top)
    };
    let low = color.min_element();
    let offset = if low < 0.04 { 0.4 * low.max(0.0).sqrt() - low } else { 0.04 };
    color + offset
}

/// Characteristic length of the scene in m.
fn size_of(fluid: &FluidBuffers) -> f32 {
    let [min, max] = fluid.bounds;
    let extent = (max - min).max(Vec3::splat(1e-6));
    match fluid.params.world.dimensions {
        2 => (extent.x * extent.y).sqrt(),
        _ => extent.element_product().cbrt(),
    }
}

/// Length in m over which liquids absorb light as numbers of [`liquid`] say: relative to the scene's size rather than
/// per metre, since a glass of real water would be clear, and nothing would be visible.
fn clarity(fluid: &FluidBuffers, view: &View) -> f32 {
    size_of(fluid) * view.clarity.max(1e-3)
}

/// Whether light passes through a material.
pub(crate) fn is_liquid(fluid: &FluidBuffers, number: u32) -> bool {
    fluid.params.materials[number as usize].look == LOOK_LIQUID
}

/// A bit for each of these materials.
fn materials(fluid: &FluidBuffers, which: impl Fn(u32) -> bool) -> u32 {
    let all = 0..fluid.params.materials.len() as u32;
    all.filter(|number| which(*number)).fold(0, |bits, number| bits | 1 << number)
}

/// A bit for each material that a mode draws as spheres: all as particles, else those through which no light passes and
/// which have no surface.
pub(crate) fn spheres(fluid: &FluidBuffers, mode: Mode) -> u32 {
    let has_surface = |number| fluid.surfaces.iter().any(|one| one.material == number);
    match mode {
        Mode::Particles | Mode::Slice | Mode::Smoke => u32::MAX,
        Mode::Surface => materials(fluid, |k| !is_liquid(fluid, k) && !has_surface(k)),
        Mode::Splats | Mode::ScreenSpace => materials(fluid, |k| !is_liquid(fluid, k)),
    }
}

/// Absorption and, in w, scattering of light as long as the scene, and the share that the liquid scatters back: of water,
/// where red is absorbed first, or of a material in its own colour.
fn liquid(material: &MaterialParams) -> (Vec4, Vec4) {
    let own = material.color;
    if own.w == 0.0 {
        return (Vec4::new(2.6, 0.72, 0.20, 0.4), Vec4::new(0.003, 0.025, 0.085, 0.0));
    }
    let color = own.truncate();
    let absorption = -color.max(Vec3::splat(0.01)).map(f32::ln);
    let opacity = own.w;
    // Of a thin layer, and of one through which no light passes.
    let back = 0.8 - 0.64 / opacity.max(1.0);
    (opacity * (2.5 * absorption).extend(4.0), (back * color).extend(0.0))
}

/// Number of a quantity's form in `wgsl/render/particles.wgsl`.
fn form(quantity: &Quantity) -> u32 {
    match quantity.form {
        Form::Material => 4,
        Form::Number if quantity.is_whole() => 1,
        Form::Number | Form::Sum => 0,
        Form::Excess => 2,
        Form::Label => 3,
    }
}
