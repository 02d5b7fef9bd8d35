//! Adapters of the system, and whether they can run meniscus.

use super::{Gpu, Subgroups};
use crate::Error;

/// Summary of an adapter, as `meniscus info` lists it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// Number for `--adapter`.
    pub index: usize,
    /// Name, backend and driver.
    pub info: wgpu::AdapterInfo,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Whether it has subgroup operations.
    pub subgroups: bool,
    /// Limits of the adapter.
    pub limits: wgpu::Limits,
    /// Reason why meniscus cannot use it, if there is one.
    pub refusal: Option<String>,
}

/// Instance of wgpu without a display: it opens adapters, not windows. Its indirect dispatches are
/// not validated, which would cost another pass for each of them: passes write only numbers of
/// workgroups within the limits.
pub(super) fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    wgpu::Instance::new(descriptor)
}

pub(super) fn backends() -> wgpu::Backends {
    wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all())
}

/// Storage buffers of a pass on software adapters, with that of what bounds loops.
pub(super) const WITH_BOUNDS: u32 = 9;

/// Limits requested from a device: WebGPU's defaults, but the adapter's buffer sizes, and its number
/// of storage textures, of which only software adapters need more (`//!gather` in shaders), as they do a storage buffer.
pub(super) fn wanted_limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let (has, defaults) = (adapter.limits(), wgpu::Limits::default());
    wgpu::Limits {
        max_buffer_size: has.max_buffer_size,
        max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
        max_storage_textures_per_shader_stage: has.max_storage_textures_per_shader_stage,
        max_storage_buffers_per_shader_stage: match adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => has
                .max_storage_buffers_per_shader_stage
                .clamp(defaults.max_storage_buffers_per_shader_stage, WITH_BOUNDS),
            _ => defaults.max_storage_buffers_per_shader_stage,
        },
        ..defaults
    }
}

/// Features requested from a device, as far as the adapter has them: timestamps, and subgroups where pair passes use them.
pub(super) fn wanted_features(adapter: &wgpu::Adapter, subgroups: Subgroups) -> wgpu::Features {
    let (has, info) = (adapter.features(), adapter.get_info());
    let subgroups = has.contains(wgpu::Features::SUBGROUP)
        && info.subgroup_min_size == 8
        && info.subgroup_max_size == 8
        && match subgroups {
            Subgroups::Auto => info.device_type == wgpu::DeviceType::Cpu,
            Subgroups::On => true,
            Subgroups::Off => false,
        };
    let mut features = has & wgpu::Features::TIMESTAMP_QUERY;
    features.set(wgpu::Features::SUBGROUP, subgroups);
    features
}

/// Message that names what an adapter lacks, or `None` if it is suitable.
pub(super) fn refusal(adapter: &wgpu::Adapter) -> Option<String> {
    unsuitable(adapter, "", &wanted_limits(adapter), &adapter.limits())
}

/// Message that names what another program's device lacks, or `None` if it is suitable. What only decides how large a scene may
/// be, or what a picture needs, is not missing.
pub(super) fn lacking(adapter: &wgpu::Adapter, device: &wgpu::Device) -> Option<String> {
    let (has, defaults) = (device.limits(), wgpu::Limits::default());
    // Passes with subgroups gather from textures.
    let textures = match device.features().contains(wgpu::Features::SUBGROUP) {
        true => wanted_limits(adapter).max_storage_textures_per_shader_stage,
        false => has.max_storage_textures_per_shader_stage,
    };
    let wanted = wgpu::Limits {
        max_bind_groups: defaults.max_bind_groups,
        max_bindings_per_bind_group: defaults.max_bindings_per_bind_group,
        max_dynamic_uniform_buffers_per_pipeline_layout: defaults
            .max_dynamic_uniform_buffers_per_pipeline_layout,
        max_storage_buffers_per_shader_stage: defaults.max_storage_buffers_per_shader_stage,
        max_storage_textures_per_shader_stage: textures,
        max_uniform_buffers_per_shader_stage: defaults.max_uniform_buffers_per_shader_stage,
        max_uniform_buffer_binding_size: defaults.max_uniform_buffer_binding_size,
        min_uniform_buffer_offset_alignment: defaults.min_uniform_buffer_offset_alignment,
        max_compute_workgroup_storage_size: defaults.max_compute_workgroup_storage_size,
        max_compute_invocations_per_workgroup: defaults.max_compute_invocations_per_workgroup,
        max_compute_workgroup_size_x: defaults.max_compute_workgroup_size_x,
        max_compute_workgroup_size_y: defaults.max_compute_workgroup_size_y,
        max_compute_workgroup_size_z: defaults.max_compute_workgroup_size_z,
        max_compute_workgroups_per_dimension: defaults.max_compute_workgroups_per_dimension,
        ..has.clone()
    };
    unsuitable(adapter, "the given device of ", &wanted, &has)
}

fn unsuitable(
    adapter: &wgpu::Adapter,
    whose: &str,
    wanted: &wgpu::Limits,
    has: &wgpu::Limits,
) -> Option<String> {
    let mut missing = Vec::new();
    wanted.check_limits_with_fail_fn(has, false, |name, wanted, has| {
        missing.push(format!("{name} is {has}, {wanted} needed"));
    });
    let flags = adapter.get_downlevel_capabilities().flags;
    if !flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        missing.push("it has no compute shaders".into());
    }
    let name = adapter.get_info().name;
    (!missing.is_empty())
        .then(|| format!("{whose}adapter {name} cannot run meniscus: {}", missing.join("; ")))
}

/// A PCI address whose domain has four digits, as adapters tell it: nvidia-smi writes eight.
fn four_digits(address: &str) -> &str {
    let short = address.strip_prefix("0000");
    short.filter(|short| short.find(':') == Some(4)).unwrap_or(address)
}

/// Adapter with a number or at a PCI address, or the first whose name contains `wanted`.
pub(super) fn choose(adapters: Vec<wgpu::Adapter>, wanted: &str) -> Result<wgpu::Adapter, Error> {
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let low = wanted.to_lowercase();
    let found = match (wanted.parse::<usize>(), low.strip_prefix("pci:")) {
        (Ok(index), _) => Some(index),
        (_, Some(address)) => {
            let address = four_digits(address);
            adapters.iter().position(|adapter| adapter.get_info().device_pci_bus_id == address)
        }
        _ => names.iter().position(|name| name.to_lowercase().contains(&low)),
    };
    let list: Vec<_> = names.iter().enumerate().map(|(i, name)| format!("{i}: {name}")).collect();
    let list = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    found.and_then(|index| adapters.into_iter().nth(index)).ok_or_else(|| {
        Error::NoAdapter(format!(
            "no GPU adapter has the name or number `{wanted}`; available: {list}"
        ))
    })
}

impl Gpu {
    /// Adapters of the system, in the order of the numbers that `--adapter` takes.
    pub async fn adapters() -> Vec<AdapterSummary> {
        let adapters = instance().enumerate_adapters(backends()).await;
        let summary = |(index, adapter): (usize, &wgpu::Adapter)| AdapterSummary {
            index,
            info: adapter.get_info(),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            subgroups: adapter.features().contains(wgpu::Features::SUBGROUP),
            limits: adapter.limits(),
            refusal: refusal(adapter),
        };
        adapters.iter().enumerate().map(summary).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::four_digits;

    #[test]
    fn addresses_of_nvidia_smi_are_those_of_adapters() {
        for address in ["0000:65:00.0", "00000000:65:00.0"] {
            assert_eq!(four_digits(address), "0000:65:00.0");
        }
        assert_eq!(four_digits("00000001:65:00.0"), "0001:65:00.0");
        for address in ["00010000:65:00.0", "0000", "", "0000é:1"] {
            assert_eq!(four_digits(address), address);
        }
    }
}
