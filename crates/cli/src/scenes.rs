//! `meniscus scenes`: lists the bundled scenes.

use meniscus::model::{Setup, params::KIND_FLUID};
use meniscus_formats::{LoadOptions, SCENES, load_scene};

use crate::{
    Failure,
    terminal::{print, table},
};

pub(crate) fn scenes() -> Result<(), Failure> {
    let mut rows = Vec::new();
    for bundled in SCENES {
        let scene = load_scene(bundled.name, &LoadOptions::default())?.scene;
        let setup = Setup::new(&scene).map_err(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            Failure::Input(format!("{}: {}", bundled.name, problems.join("; ")))
        })?;
        let fluid = |who: &&[u32; 2]| who[1] & 0xff == KIND_FLUID;
        let start = setup.identity.iter().filter(fluid).count();
        let emitted = match setup.capacity() as usize - setup.position.len() {
            0 => String::new(),
            more => format!("+ {more}"),
        };
        rows.push([bundled.name.to_owned(), start.to_string(), emitted, scene.title]);
    }
    print(&table(["scene", "particles", "emitted", ""], &[1, 2], rows))
}
