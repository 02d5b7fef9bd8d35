//! Water in the main pass of a camera, between what is opaque and what is transparent.

use bevy::{
    camera::{Camera3d, MainPassResolutionOverride},
    math::{Mat3A, Vec3A},
    prelude::*,
    render::{
        camera::ExtractedCamera,
        render_resource::{
            Extent3d, RenderPassDescriptor, StoreOp, Texture, TextureDescriptor, TextureDimension,
            TextureUsages,
        },
        renderer::{RenderContext, RenderDevice, ViewQuery},
        texture::{CachedTexture, TextureCache},
        view::{ExtractedView, Msaa, ViewDepthStencilTexture, ViewTarget},
    },
};
use meniscus::Gpu;
use meniscus_render::{Behind, FluidBuffers, Layer, Renderer, Target};

use crate::waters::{Placed, Waters};

/// Most that the axes of a transform may differ from those of one without scale.
const RIGID: f32 = 1e-3;

/// Depths are copied, which Bevy's textures otherwise do not allow.
pub(crate) fn let_depths_be_copied(mut cameras: Query<&mut Camera3d>) {
    for mut camera in &mut cameras {
        let usages = TextureUsages::from(camera.depth_texture_usages);
        camera.depth_texture_usages = (usages | TextureUsages::COPY_SRC).into();
    }
}

pub(crate) fn draw(
    camera: ViewQuery<(
        &ExtractedCamera,
        &ExtractedView,
        &ViewTarget,
        &ViewDepthStencilTexture,
        &Msaa,
        Has<MainPassResolutionOverride>,
    )>,
    mut waters: ResMut<Waters>,
    mut textures: ResMut<TextureCache>,
    device: Res<RenderDevice>,
    mut context: RenderContext,
) {
    let entity = camera.entity();
    let (extracted, view, target, depth, msaa, has_other_size) = camera.into_inner();
    let Waters { gpu: Ok(gpu), all } = &mut *waters else { return };
    let all = all.iter_mut().filter(|(_, water)| water.is_visible);
    let lacks = match (msaa, &extracted.viewport, has_other_size) {
        (Msaa::Off, None, false) => None,
        (Msaa::Off, _, true) => Some("its camera has a resolution of its own for the main pass"),
        (Msaa::Off, Some(_), _) => Some("its camera has a viewport"),
        _ => Some("its camera needs `Msaa::Off`"),
    };
    for (number, water) in all {
        if water.simulation().is_none() {
            continue;
        }
        if let Some(lacks) = lacks {
            water.complain(*number, lacks.into());
            continue;
        }
        let [color, depths] = [target.main_texture(), depth.texture()]
            .map(|texture| copy(texture, &mut textures, &device, &mut context));
        let behind = Behind { color: &color.default_view, depth: &depths.default_view };
        let layer = water.layer(gpu, entity, view, target.main_texture(), behind, &mut context);
        match layer {
            Ok(layer) => {
                let mut pass = context.command_encoder().begin_render_pass(&RenderPassDescriptor {
                    label: Some("water"),
                    color_attachments: &[Some(target.get_color_attachment())],
                    depth_stencil_attachment: Some(depth.get_attachment(StoreOp::Store)),
                    ..default()
                });
                layer.draw(&mut pass);
            }
            Err(why) => water.complain(*number, why),
        }
    }
}

/// A copy of a whole texture, for what is behind the water.
fn copy(
    texture: &Texture,
    textures: &mut TextureCache,
    device: &RenderDevice,
    context: &mut RenderContext<'_, '_>,
) -> CachedTexture {
    let size = Extent3d { width: texture.width(), height: texture.height(), ..default() };
    let copy = textures.get(
        device,
        TextureDescriptor {
            label: Some("behind water"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format: texture.format(),
            usage: TextureUsages::COPY_DST | TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
    );
    let [from, to] = [texture, &copy.texture].map(|one| one.as_image_copy());
    context.command_encoder().copy_texture_to_texture(from, to, size);
    copy
}

impl Placed {
    /// Records the passes of its picture.
    fn layer(
        &mut self,
        gpu: &Gpu,
        camera: Entity,
        view: &ExtractedView,
        target: &Texture,
        behind: Behind<'_>,
        context: &mut RenderContext<'_, '_>,
    ) -> Result<Layer, String> {
        let affine = self.world_from_water.affine();
        let scale = self.world_from_water.scale();
        let unit = affine.matrix3 * affine.matrix3.transpose();
        if !unit.abs_diff_eq(Mat3A::IDENTITY, RIGID) || affine.matrix3.determinant() < 0.0 {
            return Err(format!(
                "its transform has the scale {scale}, and must have none: the scene is in metres"
            ));
        }
        let view_from_water = view.world_from_view.affine().inverse() * affine;
        let target = Target {
            size: [target.width(), target.height()],
            samples: 1,
            depth_format: Some(behind.depth.texture().format()),
            view: Mat4::from(view_from_water).to_cols_array_2d(),
            projection: view.clip_from_view.to_cols_array_2d(),
            behind: Some(behind),
        };
        let mut look = self.look.clone();
        look.light.sun = look.light.sun.map(|sun| {
            let turned = affine.matrix3.transpose() * Vec3A::from(sun.to_array());
            meniscus::glam::Vec3::from(turned.to_array())
        });
        let key = (camera, view.target_format);
        if !self.renderers.contains_key(&key) {
            let renderer = Renderer::new(gpu, view.target_format);
            self.renderers.insert(key, renderer.map_err(|error| error.to_string())?);
        }
        let Some(fluid) = self.simulation().map(|simulation| FluidBuffers::of(simulation)) else {
            return Err("it does not run".into());
        };
        let renderer = self.renderers.get_mut(&key).expect("it was inserted");
        let layer = renderer.layer(context.command_encoder(), &fluid, &look, &target);
        layer.map_err(|error| error.to_string())
    }
}
