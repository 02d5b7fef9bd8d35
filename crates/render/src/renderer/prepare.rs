//! Uniforms, textures and bind groups of one picture.

use std::sync::Arc;

use encase::{StorageBuffer, UniformBuffer};
use meniscus::{methods::quantity::Form, raw::Params};
use wgpu::BufferUsages;

use super::{Bound, BoundLegend, BoundSmoke, BoundTargets, Drawn, Renderer, Scene};
use crate::{
    Error, FluidBuffers, Mode, View,
    fluid::is_level,
    frame::Frame,
    legend::Legend,
    pipelines::{Group, LIGHT},
    solids::{edges, mesh},
    targets::{Layout, Targets},
};

impl Renderer {
    pub(super) fn write_uniforms(&self, params: &Params, frame: &Frame) {
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(params).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.params, 0, &bytes.into_inner());
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(frame).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.frame, 0, &bytes.into_inner());
    }

    pub(super) fn prepare_fluid(&mut self, fluid: &FluidBuffers, quantity: &wgpu::Buffer) {
        let buffers = [&fluid.control, &fluid.position, &fluid.velocity, &fluid.identity, quantity];
        let same = |bound: &Bound| {
            bound.buffers.iter().eq(buffers)
                && bound.splat_buffers == fluid.splats
                && bound.foam_buffers == fluid.foam
                && bound.mesh_buffers == fluid.surfaces
        };
        if self.fluid.as_ref().is_some_and(same) {
            return;
        }
        let bind = |group, buffers: &[&wgpu::Buffer]| {
            let resources: Vec<_> = buffers.iter().map(|b| b.as_entire_binding()).collect();
            self.pipelines.bind(group, &resources)
        };
        let [control, position, velocity, identity, quantity] = buffers;
        self.fluid = Some(Bound {
            buffers: buffers.map(Clone::clone),
            splat_buffers: fluid.splats.clone(),
            foam_buffers: fluid.foam.clone(),
            mesh_buffers: fluid.surfaces.clone(),
            common: self.pipelines.bind(
                Group::Common,
                &[
                    self.params.as_entire_binding(),
                    control.as_entire_binding(),
                    self.frame.as_entire_binding(),
                    wgpu::BindingResource::TextureView(self.sky.view()),
                    wgpu::BindingResource::Sampler(self.sky.sampler()),
                ],
            ),
            particles: bind(Group::Particles, &[position, velocity, identity, quantity]),
            splats: fluid.splats.as_ref().map(|s| {
                bind(Group::Splats, &[&s.splat_position, &s.splat_normal, &s.splat_material])
            }),
            foam: fluid
                .foam
                .as_ref()
                .map(|f| bind(Group::Foam, &[&f.position, &f.velocity, &f.identity, &f.state])),
            surfaces: fluid
                .surfaces
                .iter()
                .map(|m| {
                    let number = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                        label: Some("number"),
                        size: 16,
                        usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    });
                    self.gpu.queue().write_buffer(&number, 0, &m.material.to_le_bytes());
                    bind(Group::Mesh, &[&m.surface_position, &m.surface_normal, &number])
                })
                .collect(),
        });
    }

    pub(super) fn prepare_smoke(
        &mut self,
        fluid: &FluidBuffers,
        quantity: &wgpu::Buffer,
    ) -> Result<(), Error> {
        let Some(buffers) = &fluid.smoke else { return Ok(()) };
        let size = fluid.params.grid.size.to_array();
        let same = |bound: &BoundSmoke| {
            bound.buffers == *buffers && bound.quantity == *quantity && bound.size == size
        };
        if self.smoke.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.pipelines.smoke_light()?;
        let [width, height, depth_or_array_layers] = size;
        let texture = self.gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("smoke"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D3,
            format: LIGHT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let picture = wgpu::BindingResource::TextureView(&view);
        let sampler = wgpu::BindingResource::Sampler(&self.sampler);
        let [smoke, share] =
            [&buffers.smoke, &buffers.solid_share].map(wgpu::Buffer::as_entire_binding);
        self.smoke = Some(BoundSmoke {
            make: self.pipelines.bind(Group::CellsToField, &[smoke, picture.clone()]),
            field: self.pipelines.bind(Group::Field, &[picture, sampler]),
            cells: self.pipelines.bind(Group::Cells, &[quantity.as_entire_binding(), share]),
            buffers: buffers.clone(),
            quantity: quantity.clone(),
            size,
        });
        Ok(())
    }

    pub(super) fn prepare_targets(&mut self, layout: Layout) {
        if self.targets.as_ref().is_some_and(|bound| bound.targets.layout == layout) {
            return;
        }
        let targets = Targets::new(self.gpu.device(), layout);
        let view = wgpu::BindingResource::TextureView;
        let bind =
            |group, resources: &[wgpu::BindingResource<'_>]| self.pipelines.bind(group, resources);
        let sampler = wgpu::BindingResource::Sampler(&self.sampler);
        let water = targets.behind.as_ref().zip(targets.thickness.as_ref());
        let water = water.map(|([light, depth], thickness)| {
            let resources =
                [view(&targets.shadow), sampler.clone(), view(light), view(depth), view(thickness)];
            bind(Group::Water, &resources)
        });
        self.targets = Some(BoundTargets {
            environment: bind(Group::Environment, &[view(&targets.shadow), sampler.clone()]),
            water,
            behind: targets.behind.as_ref().map(|[_, depth]| bind(Group::Behind, &[view(depth)])),
            air: targets.behind.as_ref().map(|[_, depth]| {
                bind(Group::Air, &[view(&targets.shadow), sampler.clone(), view(depth)])
            }),
            distances: targets
                .distances
                .as_ref()
                .map(|both| both.each_ref().map(|one| bind(Group::Picture, &[view(one)]))),
            nearest: targets.distances.as_ref().zip(targets.numbers.as_ref()).map(
                |([smoothed, _], numbers)| bind(Group::Pictures, &[view(smoothed), view(numbers)]),
            ),
            sums: targets.sums.as_ref().map(|sums| bind(Group::Sums, &sums.each_ref().map(view))),
            light: bind(Group::Picture, &[view(&targets.light)]),
            picture: layout.is_layer.then(|| {
                let depth = targets.nearest_depth.as_ref().unwrap_or(&targets.depth);
                bind(Group::WithDepth, &[view(&targets.light), view(depth)])
            }),
            samples: targets
                .nearest_depth
                .as_ref()
                .map(|_| bind(Group::Samples, &[view(&targets.depth)])),
            targets,
        });
    }

    /// Writes colliders and edges. Returns the colliders by how they are drawn.
    pub(super) fn prepare_solids(&mut self, fluid: &FluidBuffers, view: &View) -> Scene {
        let mut scene = Scene::default();
        if !view.boundaries {
            return scene;
        }
        let flat = fluid.params.world.dimensions == 2;
        let up = fluid.up();
        let mut segments = Vec::new();
        self.prepare_meshes(fluid);
        for (number, collider) in fluid.colliders.iter().enumerate() {
            if fluid.params.is_parked(collider.position) {
                continue;
            }
            let own = self.meshes.iter().find(|(of, ..)| *of == number as u32);
            let range = match own {
                Some((.., range)) => range.clone(),
                None => self.shapes.range(collider.shape),
            };
            let draw = Drawn { collider: number as u32, vertices: range, mesh: own.is_some() };
            // The floor replaces the planes that it lies on.
            let floor = view.ground && is_level(collider, up);
            if collider.inside != 0 || flat {
                let solid = own.map(|(_, solid, _)| &**solid);
                segments.extend(edges(collider, flat, solid));
            }
            match (collider.inside != 0, flat || floor) {
                (_, true) => {}
                (true, false) => scene.glass.push(draw),
                (false, false) => scene.solid.push(draw),
            }
        }
        scene.segments = segments.len() as u32;
        let pairs = segments.iter().flatten().map(|p| <[f32; 4]>::from(p.extend(1.0)));
        let pairs: Vec<_> = pairs.collect();
        self.segments.write(&self.gpu, bytemuck::cast_slice(&pairs));
        if !fluid.colliders.is_empty() {
            let mut bytes = StorageBuffer::new(Vec::new());
            bytes.write(&fluid.colliders).expect("a Vec grows");
            self.colliders.write(&self.gpu, &bytes.into_inner());
            if self.colliders.group.is_none() {
                let resource = self.colliders.buffer.as_entire_binding();
                self.colliders.group = Some(self.pipelines.bind(Group::Solids, &[resource]));
            }
        }
        scene
    }

    /// Writes the triangles of meshes if they have changed.
    pub(super) fn prepare_meshes(&mut self, fluid: &FluidBuffers) {
        let same =
            self.meshes.len() == fluid.meshes.len()
                && self.meshes.iter().zip(&fluid.meshes).all(
                    |((number, mesh, _), (other, own))| number == other && Arc::ptr_eq(mesh, own),
                );
        if same {
            return;
        }
        let mut vertices = Vec::new();
        self.meshes.clear();
        for (number, solid) in &fluid.meshes {
            let first = vertices.len() as u32;
            vertices.extend(mesh(solid));
            self.meshes.push((*number, solid.clone(), first..vertices.len() as u32));
        }
        self.mesh_vertices.write(&self.gpu, bytemuck::cast_slice(&vertices));
    }

    pub(super) fn prepare_legend(&mut self, fluid: &FluidBuffers, view: &View) {
        let Some(targets) = self.targets.as_ref().map(|bound| &bound.targets) else { return };
        let layout = targets.layout;
        let size = layout.size;
        // Colours of materials are those of things.
        let has_legend = view.legend && view.color.form != Form::Material;
        if !has_legend || !matches!(layout.mode, Mode::Particles | Mode::Slice) {
            self.legend = None;
            return;
        }
        let range = view.range.unwrap_or_else(|| fluid.default_range(&view.color));
        let legend = Legend { color: view.color, range, height: size[1] };
        if self.legend.as_ref().is_some_and(|b| b.legend == legend && b.layout == layout) {
            return;
        }
        let picture = legend.draw();
        let device = self.gpu.device();
        let extent = wgpu::Extent3d {
            width: picture.width,
            height: picture.height,
            depth_or_array_layers: 1,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("legend"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        self.gpu.queue().write_texture(
            texture.as_image_copy(),
            bytemuck::cast_slice(&picture.pixels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * picture.width),
                rows_per_image: None,
            },
            extent,
        );
        // In the upper right corner, where most scenes show sky.
        let margin = (size[1] / 36).max(6) as f32;
        let place = [
            size[0] as f32 - margin - picture.width as f32,
            margin,
            picture.width as f32,
            picture.height as f32,
        ];
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("legend"),
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.gpu.queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&place));
        let texture = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let [picture, light] = [&texture, &targets.light].map(wgpu::BindingResource::TextureView);
        let resources = [uniform.as_entire_binding(), picture, light];
        let group = self.pipelines.bind(Group::Legend, &resources);
        self.legend = Some(BoundLegend { legend, layout, group });
    }
}
