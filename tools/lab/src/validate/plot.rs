//! Plots as PNG files, without fonts of the system.

use std::{path::Path, sync::Once};

use anyhow::{Result, anyhow};
use conformance::physics::{Case, Plot};
use meniscus::{Registry, methods::Axis};
use plotters::{prelude::*, style::register_font};

use super::Row;

const SIZE: (u32, u32) = (1120, 600);
/// Width of the legend, in pixels.
const LEGEND: i32 = 230;
/// Size of labels in pixels.
const TEXT: u32 = 20;

/// Colours that are distinct with any colour vision (Okabe and Ito 2008), in the order of the
/// solvers.
const COLORS: [RGBColor; 5] = [
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(86, 180, 233),
    RGBColor(0, 114, 178),
];

/// Colours of curves that have names of their own.
const LABELLED: [RGBColor; 3] = [RGBColor(0, 0, 0), RGBColor(213, 94, 0), RGBColor(120, 60, 20)];

/// Pixels of the dashes of expected lines, and of the gaps between them.
const DASHES: [(u32, u32); 3] = [(8, 6), (2, 4), (18, 6)];

/// The colour of a solver: its own, or the next one that no solver before it in the plot has.
fn color(solver: &str, rows: &[Row]) -> RGBColor {
    let names = Registry::standard().names(Axis::Solver);
    let mut taken = Vec::new();
    for row in rows {
        let own = names.iter().position(|name| *name == row.solver).unwrap_or(0);
        let mut free = (own..own + COLORS.len()).map(|k| k % COLORS.len());
        let found = free.find(|k| !taken.contains(k)).unwrap_or(own % COLORS.len());
        if row.solver == solver {
            return COLORS[found];
        }
        taken.push(found);
    }
    COLORS[0]
}

/// Name of a plot's file.
pub(super) fn file(case: &Case, plot: &Plot) -> String {
    format!("{}_{}.png", case.name, plot.name)
}

/// Writes each plot of the case.
pub(super) fn draw(case: &Case, rows: &[Row], folder: &Path) -> Result<()> {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // The font is a common one and cannot be malformed.
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        let _ = register_font("sans-serif", FontStyle::Normal, font);
    });
    for plot in case.plots {
        let mut pixels = vec![0; 3 * (SIZE.0 * SIZE.1) as usize];
        paint(plot, rows, &mut pixels).map_err(|error| anyhow!("{}: {error}", plot.title))?;
        let picture = image::RgbImage::from_raw(SIZE.0, SIZE.1, pixels)
            .ok_or_else(|| anyhow!("a picture has the size of its pixels"))?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png)?;
        let path = folder.join(file(case, plot));
        std::fs::create_dir_all(folder)?;
        meniscus_formats::write_whole(&path, |file| file.write_all(bytes.get_ref()))?;
    }
    Ok(())
}

fn paint(plot: &Plot, rows: &[Row], pixels: &mut [u8]) -> Result<(), Box<dyn std::error::Error>> {
    let expected: Vec<_> = plot.expected.iter().map(|e| (e, (e.points)())).collect();
    let curves: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.solver, row.result.as_ref().ok()?)))
        .flat_map(|(solver, outcome)| outcome.curves.iter().map(move |curve| (solver, curve)))
        .filter(|(_, curve)| curve.plot == plot.name)
        .collect();
    let all = expected.iter().flat_map(|(_, points)| points);
    let all = all.chain(curves.iter().flat_map(|(_, curve)| &curve.points));
    let finite = all.filter(|(x, y)| x.is_finite() && y.is_finite());
    let start = [f64::MAX, f64::MIN, f64::MAX, f64::MIN];
    let [x0, x1, y0, y1] =
        finite.fold(start, |[a, b, c, d], (x, y)| [a.min(*x), b.max(*x), c.min(*y), d.max(*y)]);
    if x0 > x1 {
        return Err("there is nothing to draw".into());
    }
    let margin = 0.04 * (y1 - y0).max(1e-9);

    let root = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(plot.title, ("sans-serif", 26))
        .margin(14)
        .margin_right(LEGEND as u32)
        .x_label_area_size(54)
        .y_label_area_size(84)
        .build_cartesian_2d(x0..x1, y0 - margin..y1 + margin)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc(plot.x)
        .y_desc(plot.y)
        .label_style(("sans-serif", TEXT))
        .axis_desc_style(("sans-serif", TEXT))
        .draw()?;
    // Next to the axes, where it hides nothing.
    let mut legend = Legend { at: (SIZE.0 as i32 - LEGEND + 16, 60) };
    let mut named = Vec::new();
    let mut labelled = 0;
    for (solver, curve) in curves {
        let label = match curve.label {
            "" => solver.to_uppercase(),
            label => label.to_owned(),
        };
        // A solver with several curves is named once, unless they have names.
        let is_new = !named.contains(&label);
        if is_new {
            named.push(label.clone());
        }
        let own = match curve.label {
            "" => color(solver, rows),
            _ => {
                labelled += usize::from(is_new);
                LABELLED[(labelled - 1) % LABELLED.len()]
            }
        };
        let style = own.stroke_width(2);
        if plot.scattered {
            let inside = |(_, y): &&(f64, f64)| (y0..=y1).contains(y);
            let dots = curve.points.iter().filter(inside);
            chart.draw_series(dots.map(|at| Circle::new(*at, 2, own.filled())))?;
        } else if curve.dashed {
            chart.draw_series(DashedLineSeries::new(curve.points.iter().copied(), 8, 6, style))?;
        } else {
            chart.draw_series(LineSeries::new(curve.points.iter().copied(), style))?;
        }
        if is_new {
            let (x, y) = legend.entry(&root, &label)?;
            root.draw(&PathElement::new([(x, y), (x + 24, y)], style))?;
        }
    }
    for (number, (expected, points)) in expected.iter().enumerate() {
        let style = data_color(number, plot.expected.len()).stroke_width(2);
        let thin = BLACK.stroke_width(1);
        let (dash, gap) = DASHES[number % DASHES.len()];
        if expected.line {
            let line = points.iter().copied();
            chart.draw_series(DashedLineSeries::new(line, dash, gap, thin))?;
        } else {
            chart.draw_series(points.iter().map(|at| Circle::new(*at, 4, style)))?;
        }
        if expected.label.is_empty() {
            continue;
        }
        let (x, y) = legend.entry(&root, expected.label)?;
        if expected.line {
            for start in (0..24).step_by((dash + gap) as usize) {
                let (from, to) = (x + start, x + (start + dash as i32).min(24));
                root.draw(&PathElement::new([(from, y), (to, y)], thin))?;
            }
        } else {
            root.draw(&Circle::new((x + 12, y), 4, style))?;
        }
    }
    root.present()?;
    Ok(())
}

/// Position of the legend's next line.
struct Legend {
    at: (i32, i32),
}

impl Legend {
    /// Writes a line; returns the left end of its sample.
    fn entry<B: DrawingBackend>(
        &mut self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        text: &str,
    ) -> Result<(i32, i32), DrawingAreaErrorKind<B::ErrorType>> {
        let (x, y) = self.at;
        self.at.1 += 30;
        let style = ("sans-serif", TEXT - 2).into_text_style(root);
        root.draw(&Text::new(text.to_owned(), (x + 34, y - 9), style))?;
        Ok((x, y))
    }
}

/// A single data set is black; several, of a program with these solvers, have the solvers' colours.
fn data_color(number: usize, of: usize) -> RGBColor {
    let solvers = &COLORS[1..];
    if of == solvers.len() { solvers[number] } else { BLACK }
}
