//! Structs and constants that Rust and WGSL share, each declared once.
//!
//! [`shared!`] declares structs: one declaration generates the Rust type with its layout (by
//! `encase`) and default, and the WGSL text with the same comments. [`shared_constants!`] does the
//! same for numbers. Both also declare a table, `STRUCTS` or `CONSTANTS`; [`files`] converts tables
//! to the texts that shaders include: `//!include shared/collider` for a struct `Collider`,
//! `//!include shared/shapes` for a group of constants `shapes`.
//!
//! This crate must not depend on any particular struct, nor on the GPU.

mod bytes;
mod text;

pub use bytes::{decode, encode, encode_uniform};
pub use text::{Wgsl, WgslScalar, files};

/// A struct in shaders.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by `shared!`")]
pub struct Struct {
    /// Name in Rust and in WGSL.
    pub name: &'static str,
    /// Lines of its comment.
    pub doc: &'static [&'static str],
    /// Fields in order.
    pub fields: &'static [Field],
    /// Offset of each field in bytes, by `encase`.
    pub offsets: &'static [u64],
    /// Size in bytes, by `encase`.
    pub size: u64,
    /// Whether the struct is a uniform, with each field aligned to 16 bytes.
    pub uniform: bool,
    /// Rust file that declares it.
    pub file: &'static str,
}

impl Struct {
    /// Name under which shaders include it: `shared/loop_report` for `LoopReport`.
    #[must_use]
    pub fn include(&self) -> String {
        text::include_name(self.name)
    }
}

/// A field of a [`Struct`].
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by `shared!`")]
pub struct Field {
    /// Name in Rust and in WGSL.
    pub name: &'static str,
    /// Lines of its comment.
    pub doc: &'static [&'static str],
    /// Type in WGSL.
    pub ty: fn() -> String,
    /// Name of the struct that is its type or its element type.
    pub part: Option<&'static str>,
    /// Whether passes that write the struct access it atomically.
    pub atomic: bool,
}

/// Constants that shaders include together.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by `shared_constants!`")]
pub struct Constants {
    /// Name of the group: shaders include `shared/NAME`.
    pub name: &'static str,
    /// Constants in order.
    pub constants: &'static [Constant],
    /// Rust file that declares them.
    pub file: &'static str,
}

/// A number with a name.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by `shared_constants!`")]
pub struct Constant {
    /// Name in Rust and in WGSL.
    pub name: &'static str,
    /// Lines of its comment.
    pub doc: &'static [&'static str],
    /// Value as a WGSL literal.
    pub value: fn() -> String,
}

/// Declares structs that Rust and WGSL share, and their table `STRUCTS`: at most one call in a module.
///
/// ```
/// use glam::Vec3;
///
/// meniscus_shared::shared! {
///     /// Sphere that pulls particles.
///     struct Magnet {
///         /// Centre in m.
///         center: Vec3,
///         /// Radius in m.
///         radius: f32 = 0.5,
///         /// Particles within it.
///         count: u32 as atomic,
///     }
/// }
///
/// assert_eq!(Magnet::default().radius, 0.5);
/// let files = meniscus_shared::files(&[STRUCTS], &[]);
/// assert!(files["shared/magnet"].contains("    center: vec3<f32>,\n    // Radius in m.\n"));
/// assert!(files["shared/magnet_write"].contains("    count: atomic<u32>,\n"));
/// ```
///
/// * `= VALUE` sets the default of a field; otherwise it is that of the type.
/// * `as atomic` makes a field atomic in `shared/NAME_write`, the text for passes that write the struct.
/// * `struct NAME in uniform` aligns each field to 16 bytes, as uniforms require of members that
///   are structs.
#[macro_export]
macro_rules! shared {
    ($(
        $(#[doc = $doc:literal])*
        struct $name:ident $(in $space:ident)? {
            $( $(#[doc = $field_doc:literal])*
            $field:ident: $ty:ty $(as $access:ident)? $(= $default:expr)? ),* $(,)?
        }
    )*) => {
        /// Structs of this module that shaders include.
        pub const STRUCTS: &[$crate::Struct] = &[$( $name::STRUCT ),*];
        $(
            $crate::shared! {
                @rust [$($space)?] [$($doc)*] $name
                [$( [$($field_doc)*] $field: $ty ),*]
            }

            impl $name {
                /// The struct in shaders.
                pub const STRUCT: $crate::Struct = $crate::Struct {
                    name: stringify!($name),
                    doc: &[$($doc),*],
                    fields: &[$( $crate::Field {
                        name: stringify!($field),
                        doc: &[$($field_doc),*],
                        ty: <$ty as $crate::Wgsl>::wgsl,
                        part: <$ty as $crate::Wgsl>::PART,
                        atomic: $crate::shared!(@given $($access)?),
                    } ),*],
                    offsets: &<$name as encase::ShaderType>::METADATA.extra.offsets,
                    size: <$name as encase::ShaderType>::METADATA.min_size.0.get(),
                    uniform: $crate::shared!(@given $($space)?),
                    file: file!(),
                };
            }

            impl $crate::Wgsl for $name {
                const PART: Option<&'static str> = Some(stringify!($name));

                fn wgsl() -> String {
                    stringify!($name).to_owned()
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self { $( $field: $crate::shared!(@default $($default)?) ),* }
                }
            }
        )*
    };
    (@rust [] [$($doc:literal)*] $name:ident
        [$( [$($field_doc:literal)*] $field:ident: $ty:ty ),*]
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, encase::ShaderType)]
        pub struct $name { $( $(#[doc = $field_doc])* pub $field: $ty ),* }
    };
    (@rust [uniform] [$($doc:literal)*] $name:ident
        [$( [$($field_doc:literal)*] $field:ident: $ty:ty ),*]
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, encase::ShaderType)]
        pub struct $name { $( $(#[doc = $field_doc])* #[shader(align(16))] pub $field: $ty ),* }
    };
    (@default) => { Default::default() };
    (@default $value:expr) => { $value };
    (@given) => { false };
    (@given atomic) => { true };
    (@given uniform) => { true };
}

/// Declares groups of constants that Rust and WGSL share, and their table `CONSTANTS`: at most one call in a
/// module.
///
/// ```
/// meniscus_shared::shared_constants! {
///     colours {
///         /// The colour of water.
///         BLUE: u32 = 0x0000_ffff;
///     }
/// }
///
/// let files = meniscus_shared::files(&[], &[CONSTANTS]);
/// assert!(files["shared/colours"].ends_with("// The colour of water.\nconst BLUE = 65535u;\n"));
/// ```
#[macro_export]
macro_rules! shared_constants {
    ($(
        $group:ident {
            $( $(#[doc = $doc:literal])* $name:ident: $ty:ty = $value:expr; )*
        }
    )*) => {
        /// Groups of constants of this module that shaders include.
        pub const CONSTANTS: &[$crate::Constants] = &[$( $crate::Constants {
            name: stringify!($group),
            constants: &[$( $crate::Constant {
                name: stringify!($name),
                doc: &[$($doc),*],
                value: || $crate::WgslScalar::literal($name),
            } ),*],
            file: file!(),
        } ),*];
        $( $( $(#[doc = $doc])* pub const $name: $ty = $value; )* )*
    };
}
