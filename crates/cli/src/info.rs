//! `meniscus info`: lists the adapters, and whether meniscus can use them.

use meniscus::{AdapterSummary, blocking};

use crate::{
    Failure, adapter,
    terminal::{print, table},
};

pub(crate) fn info() -> Result<(), Failure> {
    let adapters = blocking::adapters();
    if adapters.is_empty() {
        return Err(adapter::none());
    }
    let head = [
        "",
        "adapter",
        "type",
        "backend",
        "driver",
        "timestamps",
        "subgroups",
        "buffer",
        "binding",
        "workgroups",
        "usable",
    ];
    let mut text = table(head, &[0, 7, 8, 9], adapters.iter().map(row));
    text += "\nbuffer, binding: largest sizes; workgroups: most per dimension.\n";
    for refusal in adapters.iter().filter_map(|adapter| adapter.refusal.as_ref()) {
        text += &format!("{refusal}\n");
    }
    print(&text)?;
    if adapters.iter().all(|adapter| adapter.refusal.is_some()) {
        let hint = adapter::HOW_TO_GET_ONE;
        return Err(Failure::NoAdapter(format!("none of these adapters can be used; {hint}")));
    }
    Ok(())
}

fn row(adapter: &AdapterSummary) -> [String; 11] {
    let (info, limits) = (&adapter.info, &adapter.limits);
    let driver = format!("{} {}", info.driver, info.driver_info);
    let kind = match info.device_type {
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Other => "other",
    };
    [
        adapter.index.to_string(),
        info.name.clone(),
        kind.to_owned(),
        info.backend.to_string(),
        driver.trim().to_owned(),
        yes(adapter.timestamps),
        yes(adapter.subgroups),
        size(limits.max_buffer_size),
        size(limits.max_storage_buffer_binding_size),
        limits.max_compute_workgroups_per_dimension.to_string(),
        yes(adapter.refusal.is_none()),
    ]
}

fn yes(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        mib if mib >= 1 << 20 => format!("{} TiB", mib >> 20),
        mib if mib >= 1 << 10 => format!("{} GiB", mib >> 10),
        mib => format!("{mib} MiB"),
    }
}
