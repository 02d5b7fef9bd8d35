//! Recording of stages.

use super::{
    BoundStage, Dispatch, Machine,
    images::{Fresh, Images},
};
use crate::Timings;

/// Recorder of a list's stages. They share a compute pass, unless each is timed or an array is
/// copied to its texture: on software Vulkan, a compute pass for each stage costs 30 µs.
pub(super) struct Recorder<'a> {
    machine: &'a Machine,
    encoder: &'a mut wgpu::CommandEncoder,
    timings: Option<&'a Timings>,
    pass: Option<wgpu::ComputePass<'static>>,
    fresh: Fresh,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        machine: &'a Machine,
        encoder: &'a mut wgpu::CommandEncoder,
        timings: Option<&'a Timings>,
    ) -> Self {
        Self { machine, encoder, timings, pass: None, fresh: Fresh::new() }
    }

    pub(super) fn record(&mut self, stage: &BoundStage) {
        let machine = self.machine;
        let stale = Images::stale(stage, &self.fresh);
        if !stale.is_empty() {
            self.pass = None;
        }
        for array in stale {
            machine.images.copy(array, &machine.buffers, self.encoder);
        }
        stage.age(&mut self.fresh);
        if let Some(timings) = self.timings {
            timings.pass(&stage.label, self.encoder, |pass| machine.dispatch(stage, pass));
            return;
        }
        let pass = self.pass.get_or_insert_with(|| {
            let descriptor = wgpu::ComputePassDescriptor::default();
            self.encoder.begin_compute_pass(&descriptor).forget_lifetime()
        });
        pass.insert_debug_marker(&stage.label);
        machine.dispatch(stage, pass);
    }
}

impl Machine {
    pub(super) fn dispatch(&self, stage: &BoundStage, pass: &mut wgpu::ComputePass<'_>) {
        let common = &self.common[usize::from(stage.pass.reflection.writes_control)];
        pass.set_pipeline(&stage.pass.pipeline);
        pass.set_bind_group(0, common, &[stage.offset]);
        pass.set_bind_group(1, &stage.group, &[]);
        match &stage.dispatch {
            Dispatch::Direct([x, y]) => pass.dispatch_workgroups(*x, *y, 1),
            Dispatch::Indirect(buffer, at, _) => pass.dispatch_workgroups_indirect(buffer, *at),
        }
    }
}
