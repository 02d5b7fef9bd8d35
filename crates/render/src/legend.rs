//! The legend as a small image: title and unit, colour map, ticks.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use meniscus::methods::quantity::Form;

use crate::{
    Quantity,
    color::{id_color, map_color},
};

/// Image in 8-bit sRGB with straight alpha.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<[u8; 4]>,
}

/// Letters that fit below the colour map.
const LETTERS: usize = 25;
const PANEL: [u8; 4] = [18, 26, 36, 176];
const TEXT: [u8; 3] = [240, 244, 248];
const QUIET: [u8; 3] = [196, 206, 216];

impl Picture {
    fn panel(width: u32, height: u32, corner: f32) -> Self {
        let mut picture = Self { width, height, pixels: Vec::new() };
        for y in 0..height {
            for x in 0..width {
                // Antialiased rounded corners.
                let inset = |x: u32, n: u32| {
                    let d = (x as f32 + 0.5).min(n as f32 - x as f32 - 0.5);
                    (corner - d).max(0.0)
                };
                let out = inset(x, width).hypot(inset(y, height)) - corner;
                let cover = (0.5 - out).clamp(0.0, 1.0);
                let [r, g, b, a] = PANEL;
                picture.pixels.push([r, g, b, (f32::from(a) * cover) as u8]);
            }
        }
        picture
    }

    fn blend(&mut self, x: i64, y: i64, color: [u8; 3], cover: u8) {
        let (w, h) = (i64::from(self.width), i64::from(self.height));
        if cover == 0 || x < 0 || y < 0 || x >= w || y >= h {
            return;
        }
        let pixel = &mut self.pixels[(y * w + x) as usize];
        let [source, under] = [f32::from(cover) / 255.0, f32::from(pixel[3]) / 255.0];
        let alpha = source + under * (1.0 - source);
        for (channel, new) in pixel.iter_mut().zip(color) {
            let old = f32::from(*channel) * under * (1.0 - source);
            *channel = ((f32::from(new) * source + old) / alpha + 0.5) as u8;
        }
        pixel[3] = (255.0 * alpha + 0.5) as u8;
    }

    fn text(&mut self, x: i64, y: i64, text: &str, font: Font, color: [u8; 3]) {
        for (k, c) in text.chars().enumerate() {
            let glyph = get_raster(c, font.weight, font.size);
            let glyph = glyph.or_else(|| get_raster('?', font.weight, font.size));
            let left = x + (k * font.width()) as i64;
            for (row, line) in glyph.iter().flat_map(|glyph| glyph.rows().enumerate()) {
                for (column, cover) in line.iter().enumerate() {
                    self.blend(left + column as i64, y + row as i64, color, *cover);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Font {
    weight: FontWeight,
    size: RasterHeight,
}

impl Font {
    fn width(self) -> usize {
        get_raster_width(self.weight, self.size)
    }
}

/// Content of a legend. Equal contents need not be drawn again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Legend {
    pub(crate) color: Quantity,
    pub(crate) range: [f32; 2],
    /// Height in pixels of the picture that shows the legend.
    pub(crate) height: u32,
}

impl Legend {
    pub(crate) fn draw(&self) -> Picture {
        let size = match self.height {
            0..600 => RasterHeight::Size16,
            600..1200 => RasterHeight::Size20,
            _ => RasterHeight::Size32,
        };
        let line = size.val() as i64;
        let plain = Font { weight: FontWeight::Regular, size };
        #[cfg(not(target_family = "wasm"))]
        let bold = Font { weight: FontWeight::Bold, size };
        #[cfg(target_family = "wasm")]
        let bold = plain;
        let (pad, bar) = (line * 5 / 8, line * 3 / 4);
        let width = (LETTERS * plain.width()) as i64;
        let has_ticks = self.color.form != Form::Label;
        let height = 2 * pad + line + line / 4 + bar + if has_ticks { line * 5 / 4 } else { 0 };
        let full = width + 2 * pad;
        let mut picture = Picture::panel(full as u32, height as u32, line as f32 / 2.0);

        let (title, unit) = (self.color.title.replace('_', " "), self.color.unit());
        picture.text(pad, pad, &title, bold, TEXT);
        let end = pad + width - (unit.chars().count() * plain.width()) as i64;
        picture.text(end, pad, unit, plain, QUIET);

        let top = pad + line + line / 4;
        let swatch = width / 20;
        for x in 0..width {
            let color = match self.color.form {
                Form::Label => id_color((x / swatch) as u32),
                _ => map_color(self.color.map, (x as f64 + 0.5) / width as f64),
            };
            for y in 0..bar {
                picture.blend(pad + x, top + y, color, 255);
            }
        }
        if has_ticks {
            for (k, (value, label)) in labels(self.range).iter().enumerate() {
                let at =
                    (value - f64::from(self.range[0])) / f64::from(self.range[1] - self.range[0]);
                let x = pad + (at * (width - 1) as f64) as i64;
                for y in 0..line / 4 {
                    picture.blend(x, top + bar + y, TEXT, 255);
                }
                let wide = (label.chars().count() * plain.width()) as i64;
                // Keep the outermost labels within the bar.
                let left = match k {
                    _ if at < 0.05 => pad,
                    _ if at > 0.95 => pad + width - wide,
                    _ => x - wide / 2,
                };
                picture.text(left, top + bar + line / 4, label, plain, TEXT);
            }
        }
        picture
    }
}

/// Three to five round values in a range.
fn ticks([low, high]: [f32; 2]) -> Vec<f64> {
    let (low, high) = (f64::from(low), f64::from(high));
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    let power = 10f64.powf((span / 4.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0].map(|step| step * power);
    let count = |step: f64| (high / step + 1e-6).floor() - (low / step - 1e-6).ceil() + 1.0;
    // Choose the step whose ends come closest to the ends of the range.
    let fit = |step: &&f64| {
        let end = (high / **step + 1e-6).floor() * **step;
        (3.0..=5.0).contains(&count(**step)).then_some(high - end)
    };
    let best = steps.iter().filter_map(|step| Some((fit(&step)?, *step)));
    let best = best.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(span / 2.0, |(_, step)| step);
    let first = (low / best - 1e-6).ceil();
    (0..count(best) as i64).map(|k| (first + k as f64) * best).collect()
}

/// Ticks with their labels: every other one where they would overlap.
fn labels(range: [f32; 2]) -> Vec<(f64, String)> {
    let label = |value: f64| (value, format_tick(value, range));
    let all: Vec<_> = ticks(range).into_iter().map(label).collect();
    let longest = all.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    // The first label begins at its tick, the next one is centred.
    let overlap = 3 * longest * all.len().saturating_sub(1) > 2 * LETTERS;
    all.into_iter().step_by(if overlap { 2 } else { 1 }).collect()
}

/// Labels with as few digits as needed to tell ticks apart; k and M for thousands and millions.
fn format_tick(value: f64, [low, high]: [f32; 2]) -> String {
    let top = f64::from(low.abs().max(high.abs()));
    let (scale, letter) = match top {
        t if t >= 2e6 => (1e6, "M"),
        t if t >= 2e3 => (1e3, "k"),
        t if t < 0.02 => (1e-3, "m"),
        _ => (1.0, ""),
    };
    let scaled = value / scale;
    if scaled == 0.0 {
        return "0".into();
    }
    let text = format!("{scaled:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{letter}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_ends() {
        assert_eq!(ticks([0.0, 5.0]), [0.0, 2.5, 5.0]);
        assert_eq!(ticks([0.0, 2.0]), [0.0, 0.5, 1.0, 1.5, 2.0]);
        let two = ticks([0.0, 20000.0]);
        assert_eq!((two[0], two[two.len() - 1]), (0.0, 20000.0));
        assert!(ticks([1.0, 1.0]).is_empty());
        assert!(ticks([0.0, f32::NAN]).is_empty());
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(format_tick(0.0, [0.0, 5.0]), "0");
        assert_eq!(format_tick(2.5, [0.0, 5.0]), "2.5");
        assert_eq!(format_tick(15000.0, [0.0, 20000.0]), "15k");
        assert_eq!(format_tick(0.005, [0.0, 0.01]), "5m");
    }

    #[test]
    fn long_labels_do_not_overlap() {
        let text = |range| labels(range).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(text([-0.05, 0.05]), ["-0.05", "0", "0.05"]);
        assert_eq!(text([0.0, 2.0]), ["0", "0.5", "1", "1.5", "2"]);
    }

    #[test]
    fn every_legend_can_be_drawn_at_every_size() {
        for color in Quantity::COMMON {
            for height in [1, 360, 720, 2160] {
                let picture = Legend { color: *color, range: [0.0, 2.0], height }.draw();
                assert_eq!(picture.pixels.len() as u32, picture.width * picture.height);
                assert!(
                    picture.pixels.iter().any(|p| p[..3] == TEXT),
                    "{} has no text",
                    color.name
                );
            }
        }
    }
}
