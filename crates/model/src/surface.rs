//! Data that the surface passes share with the host.

use meniscus_shared::{shared, shared_constants};

shared_constants! {
    surface_blocks {
        /// An entry of `surface_block`: the cell has no block, and the field is 0 on all of its nodes.
        OUTSIDE: u32 = 0xffff_ffff;
        /// An entry of `surface_block`: the cell has no block, and the field is 1 on all of its nodes.
        INSIDE: u32 = 0xffff_fffe;
    }
}

shared! {
    /// The single element of `surface_control`: the first five members and the last are
    /// written by the host, the others by passes.
    struct SurfaceControl {
        /// Value of the colour field on the surface.
        iso: f32,
        /// Nodes along a cell's edge, divided by 4.
        fineness: u32,
        /// Capacity in blocks.
        block_capacity: u32,
        /// Capacity in vertices.
        vertex_capacity: u32,
        /// Capacity in indices.
        index_capacity: u32,
        /// Blocks needed by the particles.
        block_count: u32,
        /// Vertices needed by the blocks; 0 if the blocks do not fit.
        vertex_count: u32,
        /// Indices needed by the blocks; 0 if the blocks do not fit.
        index_count: u32,
        /// 1: something did not fit, and no mesh was written.
        overflow: u32,
        /// Tiles that the surface cuts.
        cut_count: u32,
        /// Keeps the size a multiple of 16 bytes.
        reserved: u32,
        /// 0: the surface of all fluid; else of the material of this number, from 1, alone.
        material: u32,
    }
}
