//! Rows with a label and a widget.

use std::ops::RangeInclusive;

use egui::{Response, Slider, Ui, Widget, emath::Numeric};

/// Width of the labels in points.
const NAME: f32 = 104.0;
/// Width in points for a value and its unit.
const VALUE: f32 = 100.0;

/// A row with a label on the left and other widgets on the right.
pub(super) fn row<R>(ui: &mut Ui, name: &str, hint: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let size = egui::vec2(NAME, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(NAME);
            let label = ui.add(egui::Label::new(name).wrap());
            if !hint.is_empty() {
                label.on_hover_text(hint);
            }
        });
        add(ui)
    })
    .inner
}

/// A slider with a label.
pub(super) struct Knob<'a, T> {
    name: &'a str,
    hint: &'a str,
    unit: &'a str,
    value: &'a mut T,
    range: RangeInclusive<T>,
    logarithmic: Option<f64>,
    decimals: Option<usize>,
}

impl<'a, T: Numeric> Knob<'a, T> {
    pub(super) fn new(name: &'a str, value: &'a mut T, range: RangeInclusive<T>) -> Self {
        Self { name, hint: "", unit: "", value, range, logarithmic: None, decimals: None }
    }

    /// Sets the unit, with a leading space.
    pub(super) fn unit(mut self, unit: &'a str) -> Self {
        self.unit = unit;
        self
    }

    pub(super) fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// Makes the slider logarithmic; `smallest` is the first value above 0.
    pub(super) fn logarithmic(mut self, smallest: f64) -> Self {
        self.logarithmic = Some(smallest);
        self
    }

    pub(super) fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = Some(decimals);
        self
    }
}

impl<T: Numeric> Widget for Knob<'_, T> {
    fn ui(self, ui: &mut Ui) -> Response {
        row(ui, self.name, self.hint, |ui| {
            let mut slider = Slider::new(self.value, self.range)
                .suffix(self.unit)
                .clamping(egui::SliderClamping::Edits);
            if let Some(smallest) = self.logarithmic {
                slider = slider.logarithmic(true).smallest_positive(smallest);
            }
            if let Some(decimals) = self.decimals {
                slider = slider.max_decimals(decimals);
            } else {
                slider = slider.custom_formatter(|value, _| digits(value));
            }
            ui.spacing_mut().slider_width = (ui.available_width() - VALUE).clamp(40.0, 220.0);
            ui.add(slider)
        })
    }
}

/// Three significant digits.
pub(super) fn digits(value: f64) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".into(),
        _ if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        _ => {
            let decimals = (2.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
            let text = format!("{value:.decimals$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn values_have_three_digits() {
        let shown = [0.0, 9.81, -9.81, 1000.0, 0.0125, 3929.4, 1e-9, 0.5].map(digits);
        assert_eq!(shown, ["0", "9.81", "-9.81", "1000", "0.0125", "3929", "1.00e-9", "0.5"]);
    }
}
