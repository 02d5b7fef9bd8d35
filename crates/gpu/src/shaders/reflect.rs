//! What the host needs to know of a pass, read from the shader by naga.

use super::{Composed, ShaderError};

/// A storage buffer of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable's, and so the buffer's, name.
    pub name: String,
    /// `@binding` in `@group(1)`.
    pub index: u32,
    /// Whether the pass only reads it.
    pub read_only: bool,
    /// Bytes of one element of its array.
    pub stride: u32,
}

/// The interface of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Whether it includes `common/control_write`.
    pub writes_control: bool,
    /// Its buffers, by binding.
    pub bindings: Vec<Binding>,
}

impl Reflection {
    /// Storage buffers that the pass binds, Control included where it is written.
    #[must_use]
    pub fn storage_buffers(&self) -> usize {
        self.bindings.len() + usize::from(self.writes_control)
    }

    /// Reads the interface of a parsed pass.
    ///
    /// # Errors
    /// No entry point `main`, a group 1 variable that is not an array in storage, or workgroups
    /// that are not one-dimensional.
    pub fn of(composed: &Composed, module: &naga::Module) -> Result<Self, ShaderError> {
        let error = |message: String| ShaderError { file: composed.name.clone(), line: 1, message };
        let entry = match module.entry_points.as_slice() {
            [entry] if entry.name == "main" => entry,
            _ => return Err(error("a pass has exactly one entry point, main".into())),
        };
        let [workgroup_size, 1, 1] = entry.workgroup_size else {
            return Err(error("workgroups are one-dimensional".into()));
        };
        let mut reflection = Self { workgroup_size, writes_control: false, bindings: Vec::new() };
        for (_, variable) in module.global_variables.iter() {
            let Some(place) = &variable.binding else { continue };
            let name = variable.name.clone().unwrap_or_default();
            let naga::AddressSpace::Storage { access } = variable.space else {
                if place.group != 0 {
                    return Err(error(format!("`{name}`: uniforms belong into group 0")));
                }
                continue;
            };
            if place.group == 0 {
                reflection.writes_control = true;
                continue;
            }
            let naga::TypeInner::Array { stride, .. } = module.types[variable.ty].inner else {
                return Err(error(format!("`{name}` is not an array")));
            };
            reflection.bindings.push(Binding {
                name,
                index: place.binding,
                read_only: !access.contains(naga::StorageAccess::STORE),
                stride,
            });
        }
        reflection.bindings.sort_by_key(|binding| binding.index);
        Ok(reflection)
    }
}
