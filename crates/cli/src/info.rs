//! `meniscus info`: lists the adapters, and whether meniscus can use them.

use meniscus::{AdapterSummary, Error, GpuOptions, blocking};
use serde_json::{Value, json};

use crate::{
    Failure, adapter,
    terminal::{print, table},
};

pub(crate) fn info(as_json: bool) -> Result<(), Failure> {
    let adapters = blocking::adapters();
    if as_json {
        print(&format!("{:#}\n", report(&adapters)?))?;
    }
    if adapters.is_empty() {
        return Err(adapter::none());
    }
    if !as_json {
        print(&list(&adapters))?;
    }
    if adapters.iter().all(|adapter| adapter.refusal.is_some()) {
        let hint = adapter::HOW_TO_GET_ONE;
        return Err(Failure::NoAdapter(format!("none of these adapters can be used; {hint}")));
    }
    Ok(())
}

/// The adapters, and the one that is chosen where none is named, which is null if none can be used.
fn report(adapters: &[AdapterSummary]) -> Result<Value, Failure> {
    let chosen = match blocking::open(&GpuOptions::default()) {
        Ok(gpu) => described(gpu.info()),
        Err(Error::NoAdapter(_) | Error::Unsuitable(_)) => Value::Null,
        Err(error) => return Err(error.into()),
    };
    let one = |adapter: &AdapterSummary| {
        let mut one = described(&adapter.info);
        one["index"] = adapter.index.into();
        one["timestamps"] = adapter.timestamps.into();
        one["subgroups"] = adapter.subgroups.into();
        one["largest_buffer"] = adapter.limits.max_buffer_size.into();
        one["largest_binding"] = adapter.limits.max_storage_buffer_binding_size.into();
        one["most_workgroups"] = adapter.limits.max_compute_workgroups_per_dimension.into();
        one["refusal"] = adapter.refusal.clone().into();
        one
    };
    Ok(json!({ "adapters": adapters.iter().map(one).collect::<Vec<_>>(), "chosen": chosen }))
}

fn described(info: &wgpu::AdapterInfo) -> Value {
    json!({
        "name": info.name,
        "type": kind(info),
        "backend": info.backend.to_string(),
        "driver": info.driver,
        "driver_info": info.driver_info,
    })
}

fn list(adapters: &[AdapterSummary]) -> String {
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
    text
}

fn row(adapter: &AdapterSummary) -> [String; 11] {
    let (info, limits) = (&adapter.info, &adapter.limits);
    let driver = format!("{} {}", info.driver, info.driver_info);
    [
        adapter.index.to_string(),
        info.name.clone(),
        kind(info).to_owned(),
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

fn kind(info: &wgpu::AdapterInfo) -> &'static str {
    match info.device_type {
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Other => "other",
    }
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
