//! What the surface passes share with the host (`wgsl/common/surface.wgsl`).

use encase::ShaderType;

/// An entry of `surface_block`: the cell has no block, and the field is 0 on all of its nodes.
pub const OUTSIDE: u32 = 0xffff_ffff;
/// An entry of `surface_block`: the cell has no block, and the field is 1 on all of its nodes.
pub const INSIDE: u32 = 0xffff_fffe;

/// The one element of `surface_control`: the first five members are the host's, the others what
/// the passes found.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct SurfaceControl {
    /// Value of the colour field on the surface.
    pub iso: f32,
    /// Nodes along a cell's edge, divided by 4.
    pub fineness: u32,
    /// Blocks that fit.
    pub block_capacity: u32,
    /// Vertices that fit.
    pub vertex_capacity: u32,
    /// Indices that fit.
    pub index_capacity: u32,
    /// Blocks that the particles need.
    pub block_count: u32,
    /// Vertices that the blocks need; 0 where the blocks do not fit.
    pub vertex_count: u32,
    /// Indices that the blocks need; 0 where the blocks do not fit.
    pub index_count: u32,
    /// 1: something did not fit, and no mesh was written.
    pub overflow: u32,
    /// Keeps the size a multiple of 16 bytes.
    pub reserved_1: u32,
    /// See `reserved_1`.
    pub reserved_2: u32,
    /// See `reserved_1`.
    pub reserved_3: u32,
}
