//! The image of the sky that a scene refers to.

use std::io::Cursor;

use image::{DynamicImage, ImageReader};
use meniscus_model::Scene;
use meniscus_model::scene::{Content, Panorama, Problem, Texels};

use crate::solids::Files;

/// Most pixels on a side; larger images are reduced.
const LARGEST: u32 = 4096;

/// Reads the image that a scene's light names, if it names one.
pub(crate) fn fill_in(scene: &mut Scene, files: &Files) -> Option<Problem> {
    let light = scene.light.as_mut().filter(|light| !light.sky_image.is_empty())?;
    match read(files, &light.sky_image) {
        Ok(panorama) => light.panorama = Content::of(panorama),
        Err(message) => return Some(Problem::new("light.sky_image".to_owned(), message)),
    }
    None
}

/// A warning about an image that is not twice as wide as high.
pub(crate) fn stretched(scene: &Scene) -> Option<String> {
    let light = scene.light.as_ref()?;
    let [width, height] = light.panorama.get()?.size;
    let name = &light.sky_image;
    (width.abs_diff(2 * height) > 1 + width / 50).then(|| {
        format!(
            "light.sky_image: {name:?} is {:.2} times as wide as high; an image of all directions is twice as wide as high, so \
             this one is stretched",
            f64::from(width) / f64::from(height)
        )
    })
}

fn read(files: &Files, name: &str) -> Result<Panorama, String> {
    // What reads them would make the page, which has no files, larger by a twentieth.
    if cfg!(target_family = "wasm") {
        return Err(format!("image {name:?}: there are no images as sky in a browser"));
    }
    let bytes = files.read(name)?;
    let reader = ImageReader::new(Cursor::new(&*bytes)).with_guessed_format();
    let reader = reader.map_err(|error| format!("image {name:?}: {error}"))?;
    if reader.format().is_none() {
        return Err(format!("{name:?} is not an image: expected PNG, JPEG or Radiance HDR"));
    }
    let mut image = reader.decode().map_err(|error| format!("image {name:?}: {error}"))?;
    let sides = image.width().max(image.height());
    if sides > LARGEST {
        let reduced =
            |side: u32| (u64::from(side) * u64::from(LARGEST)).div_ceil(u64::from(sides)) as u32;
        image = image.thumbnail_exact(reduced(image.width()), reduced(image.height()));
    }
    let size = [image.width(), image.height()];
    if size.contains(&0) {
        return Err(format!("image {name:?} has no pixels"));
    }
    let texels = match image {
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            // (Of NaN, too, there is no light.)
            let light = |x: f32| if x > 0.0 { x.min(f32::MAX) } else { 0.0 };
            let light = |texel: &image::Rgb<f32>| texel.0.map(light);
            Texels::Light(image.into_rgb32f().pixels().map(light).collect())
        }
        screen => Texels::Screen(screen.into_rgb8().pixels().map(|texel| texel.0).collect()),
    };
    Ok(Panorama { size, texels })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, bytes) in files {
            std::fs::write(folder.path().join(name), bytes).expect("a file");
        }
        let files = Files::Folder(folder.path().to_owned());
        (folder, files)
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let gradient = |x: u32, y: u32| image::Rgba([(x % 256) as u8, (y % 256) as u8, 7, 255]);
        crate::png_bytes(&image::RgbaImage::from_fn(width, height, gradient)).expect("an image")
    }

    #[test]
    fn images_are_read_from_the_top_whatever_the_name_says() {
        // Radiance HDR: a picture of one pixel of light 1, ½, 0, whose exponent is 129 − 128 = 1.
        let hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x00\x81";
        let (_folder, files) = folder(&[("sky.jpg", &png(4, 2)), ("sky.hdr", hdr)]);
        let read_png = read(&files, "sky.jpg").expect("an image");
        let Texels::Screen(colors) = &read_png.texels else { panic!("of a screen") };
        assert_eq!((read_png.size, colors[0], colors[7]), ([4, 2], [0, 0, 7], [3, 1, 7]));
        let light = read(&files, "sky.hdr").expect("an image");
        assert_eq!(light.texels, Texels::Light(vec![[1.0, 0.5, 0.0]]));
    }

    #[test]
    fn large_images_are_reduced_and_others_refused_with_the_reason() {
        let torn = &png(64, 32)[..100];
        let (_folder, files) =
            folder(&[("wide.png", &png(8194, 4)), ("torn.png", torn), ("text.png", b"no image")]);
        assert_eq!(read(&files, "wide.png").expect("an image").size, [4096, 2]);
        for (name, words) in [
            ("torn.png", "image \"torn.png\": "),
            ("text.png", "\"text.png\" is not an image: expected PNG, JPEG or Radiance HDR"),
            ("none.png", "there is no file \"none.png\""),
        ] {
            let error = read(&files, name).expect_err(name);
            assert!(error.starts_with(words), "{error}");
        }
    }
}
