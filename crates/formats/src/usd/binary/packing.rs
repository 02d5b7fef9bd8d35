//! Integers and blocks of bytes as crate files of USD have them.

use std::collections::HashMap;

/// Bytes as a block of LZ4 that repeats nothing, after the number 0 of further blocks.
pub(super) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0, (bytes.len().min(15) as u8) << 4];
    if let Some(mut more) = bytes.len().checked_sub(15) {
        while more >= 255 {
            block.push(255);
            more -= 255;
        }
        block.push(more as u8);
    }
    block.extend(bytes);
    block
}

/// Integers as their differences: the most usual one, two bits for each that say of how many bytes it is (of none, the most usual
/// one), and these; as a block with its length before it.
pub(super) fn packed(values: &[i32]) -> Vec<u8> {
    let before = [0].iter().chain(values);
    let steps: Vec<i32> =
        values.iter().zip(before).map(|(x, last)| x.wrapping_sub(*last)).collect();
    let mut counts: HashMap<i32, u32> = HashMap::new();
    for step in &steps {
        *counts.entry(*step).or_default() += 1;
    }
    let usual =
        counts.into_iter().max_by_key(|(step, count)| (*count, *step)).map_or(0, |(step, _)| step);
    let mut bytes = usual.to_le_bytes().to_vec();
    let first = bytes.len();
    bytes.resize(first + steps.len().div_ceil(4), 0);
    for (number, step) in steps.iter().enumerate() {
        let code = match *step {
            step if step == usual => 0,
            step if i8::try_from(step).is_ok() => 1,
            step if i16::try_from(step).is_ok() => 2,
            _ => 3,
        };
        bytes[first + number / 4] |= code << (2 * (number % 4));
        bytes.extend(&step.to_le_bytes()[..[0, 1, 2, 4][usize::from(code)]]);
    }
    let block = stored(&bytes);
    [&(block.len() as u64).to_le_bytes()[..], &block].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a block of literals.
    fn unpacked(block: &[u8]) -> &[u8] {
        assert_eq!(block[0], 0, "one block");
        let (mut length, mut at) = (usize::from(block[1] >> 4), 2);
        while length >= 15 && (at == 2 || block[at - 1] == 255) {
            length += usize::from(block[at]);
            at += 1;
        }
        assert_eq!(block.len() - at, length);
        &block[at..]
    }

    #[test]
    fn blocks_are_one_run_of_literals() {
        for length in [0, 1, 14, 15, 16, 269, 270, 271, 1000] {
            let bytes: Vec<u8> = (0..length).map(|k| (k % 251) as u8).collect();
            assert_eq!(unpacked(&stored(&bytes)), bytes, "{length}");
        }
    }

    #[test]
    fn integers_are_differences_of_few_bytes() {
        let values = [0, 1, 2, 3, -5, 70_000, 70_001, 70_300, i32::MAX, i32::MIN, i32::MIN];
        let block = packed(&values);
        assert_eq!(block[..8], (block.len() as u64 - 8).to_le_bytes());
        let bytes = unpacked(&block[8..]);
        let usual = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        assert_eq!(usual, 1);
        let (codes, mut rest) = bytes[4..].split_at(values.len().div_ceil(4));
        let (mut last, mut found) = (0i32, Vec::new());
        for k in 0..values.len() {
            let length = [0, 1, 2, 4][usize::from(codes[k / 4] >> (2 * (k % 4)) & 3)];
            let (own, after) = rest.split_at(length);
            rest = after;
            let step = match *own {
                [] => usual,
                [a] => i32::from(i8::from_le_bytes([a])),
                [a, b] => i32::from(i16::from_le_bytes([a, b])),
                _ => i32::from_le_bytes([own[0], own[1], own[2], own[3]]),
            };
            last = last.wrapping_add(step);
            found.push(last);
        }
        assert_eq!((&found[..], rest.len()), (&values[..], 0));
    }
}
