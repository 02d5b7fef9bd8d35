//! Textures from which passes gather elements of arrays: see [`super::bindings`].

/// Elements in a row of a texture. With 8,192 rows, WebGPU's limit, it holds 33 million.
pub(crate) const WIDTH: u32 = 4096;

/// End of the names of textures in WGSL.
const SUFFIX: &str = "_image";

/// Format of a texture in place of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    element: &'static str,
    format: &'static str,
    /// Lanes of a texel that are those of an element.
    lanes: &'static str,
}

const IMAGES: [Image; 5] = [
    Image { element: "f32", format: "r32float", lanes: "x" },
    Image { element: "u32", format: "r32uint", lanes: "x" },
    Image { element: "vec2<u32>", format: "rg32uint", lanes: "xy" },
    Image { element: "vec4<f32>", format: "rgba32float", lanes: "xyzw" },
    Image { element: "vec4<u32>", format: "rgba32uint", lanes: "xyzw" },
];

impl Image {
    /// Texture for elements of this type in WGSL, if there is one.
    pub(super) fn of_element(element: &str) -> Option<Self> {
        IMAGES.into_iter().find(|image| image.element == element)
    }

    /// Declaration of the array's texture, without its binding.
    pub(super) fn declaration(&self, array: &str, write: bool) -> String {
        let access = if write { "write" } else { "read" };
        format!("var {array}{SUFFIX}: texture_storage_2d<{}, {access}>;", self.format)
    }

    /// Element `index` of the array.
    pub(super) fn load(&self, array: &str, index: &str) -> String {
        format!("textureLoad({array}{SUFFIX}, {}).{}", place(index), self.lanes)
    }

    /// Statement that stores a value as element `index` of the array.
    pub(super) fn store(&self, array: &str, index: &str, value: &str) -> String {
        let scalar = if self.format.ends_with("uint") { "u32" } else { "f32" };
        let texel = match self.lanes.len() {
            4 => value.to_owned(),
            2 => format!("vec4<{scalar}>({value}, 0, 0)"),
            _ => format!("vec4<{scalar}>({value}, 0, 0, 0)"),
        };
        format!(" textureStore({array}{SUFFIX}, {}, {texel});", place(index))
    }
}

/// Coordinates of an element's texel.
fn place(index: &str) -> String {
    format!("vec2<u32>({index} & {}u, {index} >> {}u)", WIDTH - 1, WIDTH.trailing_zeros())
}

/// The array whose elements the texture `variable` has, with the format and the bytes of an
/// element; `None` for another format.
pub(super) fn array_of(
    variable: &str,
    format: naga::StorageFormat,
) -> Option<(String, wgpu::TextureFormat, u32)> {
    use naga::StorageFormat as From;
    use wgpu::TextureFormat as To;

    let (format, bytes) = match format {
        From::R32Float => (To::R32Float, 4),
        From::R32Uint => (To::R32Uint, 4),
        From::Rg32Uint => (To::Rg32Uint, 8),
        From::Rgba32Float => (To::Rgba32Float, 16),
        From::Rgba32Uint => (To::Rgba32Uint, 16),
        _ => return None,
    };
    Some((variable.strip_suffix(SUFFIX)?.to_owned(), format, bytes))
}
