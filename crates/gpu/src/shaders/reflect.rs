//! Reflection: the interface of a pass, read from its shader by naga.

use super::{Composed, ShaderError, images};

/// An array of a pass, in a storage buffer or a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Name of the array.
    pub name: String,
    /// `@binding` in `@group(1)`.
    pub index: u32,
    /// Whether the pass only reads it.
    pub read_only: bool,
    /// Whether the pass loads from it (an atomic does both).
    pub reads: bool,
    /// Bytes of one element of its array.
    pub stride: u32,
    /// Format, if this is the copy of the array in a texture.
    pub image: Option<wgpu::TextureFormat>,
}

/// The interface of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection {
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Whether it includes `common/control_write`.
    pub writes_control: bool,
    /// Buffers of the pass, by binding.
    pub bindings: Vec<Binding>,
}

impl Reflection {
    /// Number of storage buffers that the pass binds, including Control if it is written.
    #[must_use]
    pub fn storage_buffers(&self) -> usize {
        let buffers = self.bindings.iter().filter(|binding| binding.image.is_none());
        buffers.count() + usize::from(self.writes_control)
    }

    /// Reads the interface of a parsed pass.
    ///
    /// # Errors
    /// No entry point `main`, a group 1 variable that is not an array in storage or in a texture, or
    /// workgroups that are not one-dimensional.
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
        let loads = loaded(module);
        for (handle, variable) in module.global_variables.iter() {
            let Some(place) = &variable.binding else { continue };
            let name = variable.name.clone().unwrap_or_default();
            if let naga::TypeInner::Image {
                class: naga::ImageClass::Storage { format, access },
                ..
            } = module.types[variable.ty].inner
            {
                let (name, format, stride) = images::array_of(&name, format)
                    .ok_or_else(|| error(format!("`{name}` is not the texture of an array")))?;
                reflection.bindings.push(Binding {
                    name,
                    index: place.binding,
                    read_only: !access.contains(naga::StorageAccess::STORE),
                    reads: access.contains(naga::StorageAccess::LOAD),
                    stride,
                    image: Some(format),
                });
                continue;
            }
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
                reads: loads.contains(&handle),
                stride,
                image: None,
            });
        }
        reflection.bindings.sort_by_key(|binding| binding.index);
        Ok(reflection)
    }
}

/// Global variables that some function loads from: a buffer that is only stored to is accessed
/// through pointers without a load.
fn loaded(module: &naga::Module) -> Vec<naga::Handle<naga::GlobalVariable>> {
    use naga::{Expression, Statement};

    let root = |function: &naga::Function, mut pointer: naga::Handle<Expression>| loop {
        match function.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => {
                pointer = base;
            }
            Expression::GlobalVariable(variable) => return Some(variable),
            _ => return None,
        }
    };
    let mut found = Vec::new();
    let entries = module.entry_points.iter().map(|entry| &entry.function);
    for function in module.functions.iter().map(|(_, function)| function).chain(entries) {
        for (_, expression) in function.expressions.iter() {
            if let Expression::Load { pointer } = expression {
                found.extend(root(function, *pointer));
            }
        }
        let mut blocks = vec![&function.body];
        while let Some(block) = blocks.pop() {
            for statement in block {
                match statement {
                    Statement::Atomic { pointer, .. } => found.extend(root(function, *pointer)),
                    Statement::Block(inner) => blocks.push(inner),
                    Statement::If { accept, reject, .. } => blocks.extend([accept, reject]),
                    Statement::Switch { cases, .. } => blocks.extend(cases.iter().map(|c| &c.body)),
                    Statement::Loop { body, continuing, .. } => blocks.extend([body, continuing]),
                    _ => {}
                }
            }
        }
    }
    found
}
