//! Recording the passes of one picture.

use wgpu::{CommandEncoder, LoadOp, RenderPass, TextureView};

use super::{Bound, BoundSmoke, BoundTargets, Drawn, Renderer, Scene};
use crate::{
    FluidBuffers, FoamBuffers, Mode,
    frame::{Frame, is_liquid, spheres},
    pipelines::Draw,
};

/// Iterations of smoothing, each horizontal and vertical.
const SMOOTHINGS: usize = 2;

/// A picture being recorded.
pub(super) struct Picture<'a> {
    pub(super) renderer: &'a Renderer,
    pub(super) fluid: &'a FluidBuffers,
    /// Foam to draw.
    pub(super) foam: Option<&'a FoamBuffers>,
    pub(super) bound: &'a Bound,
    pub(super) targets: &'a BoundTargets,
    pub(super) scene: &'a Scene,
    pub(super) samples: u32,
    /// A program's picture so far.
    pub(super) behind: Option<&'a wgpu::BindGroup>,
}

impl Picture<'_> {
    /// Records the passes of the picture's light.
    pub(super) fn record(&self, encoder: &mut CommandEncoder, mode: Mode, frame: &Frame) {
        let targets = &self.targets.targets;
        let smoke = self.renderer.smoke.as_ref().filter(|_| mode == Mode::Smoke);
        if let Some(smoke) = smoke {
            self.light_smoke(encoder, smoke);
        }
        if frame.flat == 0 {
            let mut pass = begin(encoder, "render/shadow", &[Some((&targets.shadow, None))], None);
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::ParticleShadow, 1, frame.shadow_stride);
            self.solids(&mut pass, Draw::SolidShadow, 1, &self.scene.solid);
            if let Some(smoke) = smoke {
                pass.set_pipeline(self.renderer.pipelines.get(Draw::SmokeShadow, 1));
                pass.set_bind_group(1, &smoke.field, &[]);
                pass.draw(0..3, 0..1);
            }
        }
        if let Some([light, depth]) = &targets.behind {
            let mut pass =
                begin(encoder, "render/behind", &[Some((light, None))], Some((depth, true)));
            self.set_common(&mut pass);
            self.scenery(&mut pass, mode, true);
        }
        match mode {
            Mode::Particles | Mode::Slice | Mode::Smoke => {}
            Mode::Splats => self.sum_splats(encoder),
            Mode::Surface => self.measure_mesh(encoder),
            Mode::ScreenSpace => self.smooth_depths(encoder),
        }
        {
            let (color, resolve) = match &targets.samples {
                Some(samples) => (samples, Some(&targets.light)),
                None => (&targets.light, None),
            };
            let depth = Some((&targets.depth, targets.layout.is_layer));
            let mut pass = begin(encoder, "render/main", &[Some((color, resolve))], depth);
            self.set_common(&mut pass);
            self.scenery(&mut pass, mode, false);
            self.fluid(&mut pass, mode);
            self.foam(&mut pass, Draw::Foam, self.samples);
            self.solids(&mut pass, Draw::Glass, self.samples, &self.scene.glass);
            if self.scene.segments > 0 {
                pass.set_pipeline(self.renderer.pipelines.get(Draw::Edges, self.samples));
                pass.set_vertex_buffer(0, self.renderer.segments.buffer.slice(..));
                pass.draw(0..6, 0..self.scene.segments);
            }
            if let Some(smoke) = smoke {
                pass.set_pipeline(self.renderer.pipelines.get(Draw::Smoke, self.samples));
                pass.set_bind_group(1, &smoke.field, &[]);
                pass.set_bind_group(2, self.targets.air.as_ref(), &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    /// Records the colours of the picture's light.
    pub(super) fn tone(&self, encoder: &mut CommandEncoder, target: &TextureView) {
        let mut pass = begin(encoder, "render/tone", &[Some((target, None))], None);
        self.set_common(&mut pass);
        pass.set_pipeline(self.renderer.pipelines.get(Draw::Tone, 1));
        pass.set_bind_group(1, &self.targets.light, &[]);
        pass.draw(0..3, 0..1);
        if let Some(legend) = &self.renderer.legend {
            pass.set_pipeline(self.renderer.pipelines.get(Draw::Legend, 1));
            pass.set_bind_group(1, &legend.group, &[]);
            pass.draw(0..4, 0..1);
        }
    }

    /// Records the nearest of each pixel's depths, of layers with several samples.
    pub(super) fn find_nearest_depth(&self, encoder: &mut CommandEncoder) {
        let Some(nearest) = &self.targets.targets.nearest_depth else { return };
        let mut pass = begin(encoder, "render/nearest_depth", &[], Some((nearest, true)));
        self.set_common(&mut pass);
        pass.set_pipeline(self.renderer.pipelines.get(Draw::NearestDepth, 1));
        pass.set_bind_group(1, self.targets.samples.as_ref(), &[]);
        pass.draw(0..3, 0..1);
    }

    /// Makes the texture of smoke with its light.
    fn light_smoke(&self, encoder: &mut CommandEncoder, smoke: &BoundSmoke) {
        let Some(pipeline) = self.renderer.pipelines.light() else { return };
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("render/smoke_light"),
            timestamp_writes: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.bound.common, &[]);
        pass.set_bind_group(1, &smoke.make, &[]);
        let [x, y, z] = smoke.size.map(|n| n.div_ceil(4));
        pass.dispatch_workgroups(x, y, z);
    }

    fn set_common(&self, pass: &mut RenderPass<'_>) {
        pass.set_bind_group(0, &self.bound.common, &[]);
    }

    /// Sky and floor or what a program has drawn, obstacles, and materials through which no light passes.
    fn scenery(&self, pass: &mut RenderPass<'_>, mode: Mode, is_behind: bool) {
        let samples = if is_behind { 1 } else { self.samples };
        let pipelines = &self.renderer.pipelines;
        if let Some(behind) = self.behind {
            let draw = if is_behind { Draw::Behind } else { Draw::DepthBehind };
            pass.set_pipeline(pipelines.get(draw, samples));
            pass.set_bind_group(1, behind, &[]);
            pass.draw(0..3, 0..1);
        } else if !self.targets.targets.layout.is_layer {
            pass.set_pipeline(pipelines.get(Draw::Backdrop, samples));
            pass.set_bind_group(2, &self.targets.environment, &[]);
            pass.draw(0..3, 0..1);
        }
        self.solids(pass, Draw::Solids, samples, &self.scene.solid);
        let is_mixed = matches!(mode, Mode::Splats | Mode::Surface | Mode::ScreenSpace);
        if is_mixed && spheres(self.fluid, mode) != 0 {
            self.particles(pass, Draw::Particles, samples, 1);
        }
        if mode == Mode::Surface {
            self.meshes(pass, Draw::Matter, samples, Some(&self.targets.environment));
        }
        self.foam(pass, Draw::Bubbles, samples);
    }

    /// Foam and spray, or bubbles.
    fn foam(&self, pass: &mut RenderPass<'_>, draw: Draw, samples: u32) {
        let Some(foam) = self.foam else { return };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, self.bound.foam.as_ref(), &[]);
        pass.set_bind_group(2, &self.targets.environment, &[]);
        pass.draw(0..3 * foam.capacity.min(u32::MAX / 3), 0..1);
    }

    fn solids(&self, pass: &mut RenderPass<'_>, draw: Draw, samples: u32, which: &[Drawn]) {
        let Some(group) = self.renderer.colliders.group.as_ref().filter(|_| !which.is_empty())
        else {
            return;
        };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, group, &[]);
        if draw != Draw::SolidShadow {
            pass.set_bind_group(2, &self.targets.environment, &[]);
        }
        for Drawn { collider, vertices, mesh } in which {
            let buffer = match mesh {
                true => &self.renderer.mesh_vertices.buffer,
                false => &self.renderer.shape_vertices,
            };
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(vertices.clone(), *collider..collider + 1);
        }
    }

    /// A triangle for every `stride`th slot.
    fn particles(&self, pass: &mut RenderPass<'_>, draw: Draw, samples: u32, stride: u32) {
        let group = match draw {
            Draw::SplatNearest | Draw::SplatSum => self.bound.splats.as_ref(),
            _ => Some(&self.bound.particles),
        };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, group, &[]);
        // Vertex numbers are 32 bits: 1.4 billion slots are more than a buffer can hold.
        let triangles = self.fluid.capacity.div_ceil(stride).min(u32::MAX / 3);
        pass.draw(0..3 * triangles, 0..1);
    }

    fn fluid(&self, pass: &mut RenderPass<'_>, mode: Mode) {
        let samples = self.samples;
        let pipelines = &self.renderer.pipelines;
        match mode {
            Mode::Particles => {
                pass.set_bind_group(2, &self.targets.environment, &[]);
                self.particles(pass, Draw::Particles, samples, 1);
            }
            Mode::Slice => {
                let cells = self.renderer.smoke.as_ref().map(|smoke| &smoke.cells);
                pass.set_pipeline(pipelines.get(Draw::Slice, samples));
                pass.set_bind_group(1, cells, &[]);
                pass.draw(0..3, 0..1);
            }
            // After glass and edges.
            Mode::Smoke => {}
            Mode::Splats => {
                pass.set_pipeline(pipelines.get(Draw::SplatSurface, samples));
                pass.set_bind_group(1, self.targets.sums.as_ref(), &[]);
                pass.set_bind_group(2, &self.targets.environment, &[]);
                pass.draw(0..3, 0..1);
                self.particles(pass, Draw::Droplets, samples, 1);
            }
            Mode::Surface => {
                // Draw the depth first, so that only visible fragments are shaded, which costs far
                // more.
                self.meshes(pass, Draw::MeshDepth, samples, None);
                self.meshes(pass, Draw::Mesh, samples, self.targets.water.as_ref());
            }
            Mode::ScreenSpace => {
                pass.set_pipeline(pipelines.get(Draw::ScreenSpace, samples));
                pass.set_bind_group(1, self.targets.nearest.as_ref(), &[]);
                pass.set_bind_group(2, self.targets.water.as_ref(), &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    /// Surfaces of liquids or, by [`Draw::Matter`], of all else.
    fn meshes(
        &self,
        pass: &mut RenderPass<'_>,
        draw: Draw,
        samples: u32,
        textures: Option<&wgpu::BindGroup>,
    ) {
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        if textures.is_some() {
            pass.set_bind_group(2, textures, &[]);
        }
        for (mesh, group) in self.fluid.surfaces.iter().zip(&self.bound.surfaces) {
            if is_liquid(self.fluid, mesh.material) == (draw == Draw::Matter) {
                continue;
            }
            pass.set_bind_group(1, group, &[]);
            pass.set_index_buffer(mesh.surface_index.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed_indirect(&mesh.surface_draw, 0);
        }
    }

    fn measure_mesh(&self, encoder: &mut CommandEncoder) {
        let Some(thickness) = &self.targets.targets.thickness else { return };
        let mut pass = begin(encoder, "render/thickness", &[Some((thickness, None))], None);
        self.set_common(&mut pass);
        self.meshes(&mut pass, Draw::MeshThickness, 1, self.targets.behind.as_ref());
    }

    fn smooth_depths(&self, encoder: &mut CommandEncoder) {
        let targets = &self.targets.targets;
        let (Some(views), Some(groups)) = (&targets.distances, &self.targets.distances) else {
            return;
        };
        {
            let depth = targets.particle_depth.as_ref().map(|depth| (depth, false));
            let into = [Some((&views[0], None)), targets.numbers.as_ref().map(|view| (view, None))];
            let mut pass = begin(encoder, "render/sphere_depth", &into, depth);
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::SphereDepth, 1, 1);
        }
        if let Some(thickness) = &targets.thickness {
            let label = "render/sphere_thickness";
            let mut pass = begin(encoder, label, &[Some((thickness, None))], None);
            self.set_common(&mut pass);
            pass.set_bind_group(2, self.targets.behind.as_ref(), &[]);
            self.particles(&mut pass, Draw::SphereThickness, 1, 1);
        }
        for _ in 0..SMOOTHINGS {
            for (from, draw) in [(0, Draw::SmoothAcross), (1, Draw::SmoothAlong)] {
                let into = &views[1 - from];
                let mut pass = begin(encoder, "render/smooth_depth", &[Some((into, None))], None);
                self.set_common(&mut pass);
                pass.set_pipeline(self.renderer.pipelines.get(draw, 1));
                pass.set_bind_group(1, &groups[from], &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    fn sum_splats(&self, encoder: &mut CommandEncoder) {
        let targets = &self.targets.targets;
        let (Some(sums), Some(depth)) = (&targets.sums, &targets.particle_depth) else {
            return;
        };
        {
            let mut pass = begin(encoder, "render/splats nearest", &[], Some((depth, true)));
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::SplatNearest, 1, 1);
        }
        let into = sums.each_ref().map(|sum| Some((sum, None)));
        let mut pass = begin_loading_depth(encoder, "render/splats sum", &into, depth);
        self.set_common(&mut pass);
        self.particles(&mut pass, Draw::SplatSum, 1, 1);
    }
}

type Attachment<'a> = Option<(&'a TextureView, Option<&'a TextureView>)>;

/// Begins a pass that clears its targets; `depth` says whether the depth is stored.
fn begin<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: Option<(&TextureView, bool)>,
) -> RenderPass<'e> {
    let depth = depth.map(|(view, keep)| {
        let store = if keep { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
        (view, wgpu::Operations { load: LoadOp::Clear(0.0), store })
    });
    begin_with(encoder, label, colors, depth)
}

fn begin_loading_depth<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: &TextureView,
) -> RenderPass<'e> {
    let keep = wgpu::Operations { load: LoadOp::Load, store: wgpu::StoreOp::Store };
    begin_with(encoder, label, colors, Some((depth, keep)))
}

fn begin_with<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: Option<(&TextureView, wgpu::Operations<f32>)>,
) -> RenderPass<'e> {
    let color_attachments: Vec<_> = colors
        .iter()
        .map(|attachment| {
            attachment.map(|(view, resolve_target)| wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: match resolve_target {
                        Some(_) => wgpu::StoreOp::Discard,
                        None => wgpu::StoreOp::Store,
                    },
                },
            })
        })
        .collect();
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &color_attachments,
        depth_stencil_attachment: depth.map(|(view, ops)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(ops),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
