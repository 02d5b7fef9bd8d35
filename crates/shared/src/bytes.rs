//! Shared structs as bytes, and back.

use encase::{
    ShaderSize, ShaderType, StorageBuffer, UniformBuffer,
    internal::{CreateFrom, Result, WriteInto},
};

/// Elements of a storage array as bytes.
#[must_use]
pub fn encode<T: ShaderType + ShaderSize + WriteInto + Clone>(elements: &[T]) -> Vec<u8> {
    let mut buffer = StorageBuffer::new(Vec::new());
    buffer.write(&elements.to_vec()).expect("a Vec grows");
    buffer.into_inner()
}

/// A uniform as bytes.
#[must_use]
pub fn encode_uniform<T: ShaderType + WriteInto>(value: &T) -> Vec<u8> {
    let mut buffer = UniformBuffer::new(Vec::new());
    buffer.write(value).expect("a Vec grows");
    buffer.into_inner()
}

/// All elements of a storage array from its bytes.
///
/// # Errors
/// A truncated element.
pub fn decode<T: ShaderType + ShaderSize + CreateFrom>(bytes: &[u8]) -> Result<Vec<T>> {
    StorageBuffer::new(bytes).create()
}
