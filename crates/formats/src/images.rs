//! Images: PNG.

use std::{
    io::{self},
    path::Path,
};

use image::RgbaImage;

use crate::error::Error;
use crate::write::write_whole;

/// Writes a PNG file.
///
/// # Errors
///
/// [`Error::Write`]; an existing file is then unchanged.
pub fn write_png(path: &Path, picture: &RgbaImage) -> Result<(), Error> {
    write_whole(path, |writer| writer.write_all(&png_bytes(picture)?))
}

/// The bytes of the file that [`write_png`] writes.
///
/// # Errors
///
/// A picture without pixels.
pub fn png_bytes(picture: &RgbaImage) -> io::Result<Vec<u8>> {
    let mut bytes = io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}
