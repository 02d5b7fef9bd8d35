//! `meniscus import`: converts a scene of another program.

use meniscus_formats::{load_scene, native_scene, write_whole};

use crate::{Failure, arguments::Import, terminal};

pub(crate) fn import(arguments: &Import) -> Result<(), Failure> {
    let loaded = load_scene(&arguments.source, &arguments.options())?;
    for warning in &loaded.warnings {
        terminal::complain("warning", &format!("{}: {warning}", loaded.source));
    }
    let text = native_scene(&loaded)?;
    write_whole(&arguments.out, |file| file.write_all(text.as_bytes()))?;
    Ok(())
}
