//! Sums and prefix sums in two levels (`wgsl/reduce/`), over `stage.element_count` elements.

use crate::World;

/// Elements per block.
pub const BLOCK: usize = 4096;

/// Sets every element to 0.
pub(crate) fn clear(world: &mut World) {
    let count = world.stage.element_count as usize;
    world.values[..count].fill(0);
}

/// Adds up each block.
pub(crate) fn sum(world: &mut World) {
    let values = &world.values[..world.stage.element_count as usize];
    for (total, block) in world.totals.iter_mut().zip(values.chunks(BLOCK)) {
        *total = block.iter().fold(0, |sum: u32, value| sum.wrapping_add(*value));
    }
}

/// Exclusive prefix sums inside each block, from the block's offset; block 0 starts from 0.
pub(crate) fn scan(world: &mut World) {
    let mut sum: u32 = 0;
    for i in 0..world.stage.element_count as usize {
        if i > 0 && i.is_multiple_of(BLOCK) {
            sum = world.offsets[i / BLOCK];
        }
        world.scanned[i] = sum;
        sum = sum.wrapping_add(world.values[i]);
    }
}
