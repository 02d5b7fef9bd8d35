//! Quantities of particles: numbers that can colour the particles, be columns of particle files,
//! and be logged.

use crate::{
    arrays::{ARRAYS, Row},
    space::{CELLS, PARTICLES},
};

/// A quantity of each particle, read from the lanes of an array at the end of a step.
///
/// The array must have an element per particle in the order of `position`: the persistent arrays of
/// particles, and those that a step writes in cell order. `sorted_position`, `sorted_velocity`,
/// `sorted_identity` and `order` are not: extracting a surface sorts them again. A simulation
/// resumed from a checkpoint has arrays that are not persistent only after its first step.
/// While a step is stalled (`Control::stalled`), which only a window sees, arrays in cell order may
/// be ahead of `position`.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "a method's file builds it")]
pub struct Quantity {
    /// Name on command lines, in menus, files and logs.
    pub name: &'static str,
    /// Title of the legend; `_` stands for a space.
    pub title: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// The array.
    pub array: Row,
    /// Lanes of an element, as in [`crate::arrays::Lane`]: one lane, or up to three whose length
    /// counts; `1w` is that of its second vector.
    pub lanes: &'static str,
    /// Conversion of the lanes.
    pub form: Form,
    /// Default range of the colour map.
    pub range: fn(&SceneScale) -> [f64; 2],
    /// Colour map.
    pub map: ColorMap,
}

/// Conversion of an array's lanes to a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "shaders and host do every kind")]
pub enum Form {
    /// The number, or the length of several lanes.
    Number,
    /// A share of a sum, as an energy: every line of the log has the sum over the particles.
    Sum,
    /// max(0, ρ/ρ0 − 1) in percent, for a density ρ and the rest density ρ0 of the material.
    Excess,
    /// A whole number that names something, such as an id: drawn in a colour of its own. It has no
    /// mean.
    Label,
    /// The number of the material in a word of `identity.y`: drawn in the material's colour. It has no
    /// mean.
    Material,
}

/// A colour map from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the renderer has colours for each")]
pub enum ColorMap {
    /// From deep blue to foam white along a line in Oklab, with evenly increasing lightness.
    Ocean,
    /// Viridis of matplotlib (N. Smith, S. van der Walt; CC0), without the darkest eighth, on which
    /// shading would not show.
    Viridis,
    /// Turbo (A. Mikhailov, Google; Apache-2.0), without the nearly black ends.
    Turbo,
}

/// Scale of a scene, from which the default ranges of quantities follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct SceneScale {
    /// Expected largest speed in m/s.
    pub speed: f64,
    /// Rest density of the first material in kg/m³ (kg/m² in 2-D).
    pub rest_density: f64,
    /// Support radius h in m.
    pub support_radius: f64,
    /// |g| in m/s².
    pub gravity: f64,
    /// Coldest and warmest temperature in K above the ambient's.
    pub temperatures: [f64; 2],
}

impl Quantity {
    /// |v|.
    pub const SPEED: Self = Self::new("speed", table("velocity"), "xyz", "|v|")
        .range(|scene| up_to(0.6 * scene.speed))
        .map(ColorMap::Ocean);

    /// Number of the material, in its colour.
    pub const MATERIAL: Self = Self::new(
        "material",
        table("identity"),
        "y",
        "number of the material, drawn in its colour",
    )
    .form(Form::Material);

    /// Quantities of SPH's methods, besides those.
    pub const SPH: &[Self] = &[Self::new(
        "acceleration",
        table("acceleration"),
        "xyz",
        "by forces between particles, without gravity and iterated pressures",
    )
    .range(|scene| {
        up_to(5.0 * scene.gravity.max(0.01 * scene.speed * scene.speed / scene.support_radius))
    })
    .map(ColorMap::Turbo)];

    /// Quantities of all methods with particles, in the order of menus.
    pub const COMMON: &[Self] = &[
        Self::SPEED,
        Self::new("density_error", table("position"), "w", "max(0, ρ/ρ0 − 1)")
            .form(Form::Excess)
            .range(|_| [0.0, 5.0]),
        Self::new("pressure", table("velocity"), "w", "p, which grows with compression")
            .of_pressure(),
        Self::new("density", table("position"), "w", "ρ")
            .range(|scene| [0.9 * scene.rest_density, 1.1 * scene.rest_density]),
        Self::new("id", table("identity"), "x", "tells neighbours apart and shows mixing")
            .title("particle id")
            .form(Form::Label),
        Self::MATERIAL,
    ];

    /// What files of particles have besides places and velocities: of several materials the material's number, without
    /// which pictures made of the files would not know what is what.
    #[must_use]
    pub fn of_files(scene: &meniscus_scene::Scene) -> Vec<Self> {
        if scene.materials.len() > 1 { vec![Self::MATERIAL] } else { Vec::new() }
    }

    /// A number, drawn from 0 to 1 in Viridis unless a range or a map is given.
    #[must_use]
    pub const fn new(
        name: &'static str,
        array: Row,
        lanes: &'static str,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            title: name,
            help,
            array,
            lanes,
            form: Form::Number,
            range: |_| [0.0, 1.0],
            map: ColorMap::Viridis,
        }
    }

    /// Quantity with another title.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// Quantity with another conversion of lanes to a number.
    #[must_use]
    pub const fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Quantity with another default range of the colour map.
    #[must_use]
    pub const fn range(self, range: fn(&SceneScale) -> [f64; 2]) -> Self {
        Self { range, ..self }
    }

    /// Quantity with another colour map.
    #[must_use]
    pub const fn map(self, map: ColorMap) -> Self {
        Self { map, ..self }
    }

    /// Quantity with the range in Pa and the map of a pressure, up to ½ ρ0 v² of the expected speed v.
    #[must_use]
    pub const fn of_pressure(self) -> Self {
        self.range(|scene| up_to(0.5 * scene.rest_density * scene.speed * scene.speed))
            .map(ColorMap::Turbo)
    }

    /// SI unit of the array's lanes, `%` of an excess; empty for labels and ratios.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let lane = self.array.lanes.iter().find(|lane| lane.lanes.contains(self.lanes));
        match self.form {
            Form::Number | Form::Sum => lane.map_or("", |lane| lane.unit),
            Form::Excess => "%",
            Form::Label | Form::Material => "",
        }
    }

    /// Number of 32-bit scalars of an element.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.array.width(&|_| None).unwrap_or(1) as usize
    }

    /// Vector of the element, and its lanes.
    fn parts(&self) -> (usize, &'static str) {
        self.lanes.strip_prefix('1').map_or((0, self.lanes), |lanes| (1, lanes))
    }

    /// The scalars of an element that count.
    #[must_use]
    pub fn scalars(&self) -> std::ops::Range<usize> {
        let (part, lanes) = self.parts();
        let first = 4 * part + "xyzw".find(lanes).unwrap_or(0);
        first..first + lanes.len()
    }

    /// Whether the scalars are whole numbers (u32) rather than f32.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.array.tokens.contains("u32")
    }

    /// Value of an element's 32-bit scalars, for a particle of a material with this rest density in
    /// kg/m³.
    #[must_use]
    pub fn value(&self, element: &[u32], rest_density: f64) -> f64 {
        let words = element.get(self.scalars()).unwrap_or_default();
        let number = |word: &u32| match self.is_whole() {
            true => f64::from(*word),
            false => f64::from(f32::from_bits(*word)),
        };
        let value = match words {
            [one] => number(one),
            several => several.iter().map(|word| number(word).powi(2)).sum::<f64>().sqrt(),
        };
        match self.form {
            Form::Excess => 100.0 * (value / rest_density - 1.0).max(0.0),
            Form::Number | Form::Sum | Form::Label => value,
            Form::Material => f64::from(words.first().map_or(0, |word| word >> 8 & 255)),
        }
    }

    /// Problem of the declaration.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let Self { name, array, lanes, .. } = self;
        let has = |text: &str| array.element().contains(text);
        let problem = if array.name.starts_with("sorted_") {
            format!("array `{}` is sorted again between steps", array.name)
        } else if ![PARTICLES, CELLS].contains(&array.extent) {
            format!("array `{}` does not have an element per particle or cell", array.name)
        } else if array.width(&|_| None).is_none() || !(has("f32") || has("u32")) {
            format!(
                "the elements of array `{}` are {}, not f32 or u32",
                array.name,
                array.element()
            )
        } else if !"xyzw".contains(self.parts().1)
            || !(1..=3).contains(&self.parts().1.len())
            || self.scalars().end > self.stride()
        {
            format!("an element of array `{}` has no lanes `{lanes}`", array.name)
        } else if self.form != Form::Number
            && self.is_whole() == matches!(self.form, Form::Excess | Form::Sum)
        {
            format!("array `{}` has elements of another type than its form", array.name)
        } else if self.is_whole() && lanes.len() > 1 {
            "whole numbers have no length".to_owned()
        } else {
            return None;
        };
        Some(format!("quantity `{name}`: {problem}"))
    }
}

/// Quantities of a scene have different names.
impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The row of the array table with this name.
///
/// # Panics
/// There is none: in a constant this is an error of the compiler.
#[must_use]
pub const fn table(name: &str) -> Row {
    let mut row = 0;
    while row < ARRAYS.len() {
        if same(ARRAYS[row].name, name) {
            return ARRAYS[row];
        }
        row += 1;
    }
    panic!("no row of the array table has this name")
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Range from 0 to the next round number.
#[must_use]
pub fn up_to(x: f64) -> [f64; 2] {
    [0.0, round_number(x)]
}

/// The smallest of 1, 2, 5, 10 … · 10ⁿ that is at least x.
#[must_use]
pub fn round_number(x: f64) -> f64 {
    if !(x.is_finite() && x > 1e-30) {
        return 1.0;
    }
    let power = 10f64.powf(x.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    *steps.iter().find(|step| **step >= x * 0.999).unwrap_or(&steps[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::ONE;

    #[test]
    fn round_numbers_are_the_next_of_1_2_5() {
        let cases = [(0.3, 0.5), (1.0, 1.0), (1.2, 2.0), (4.9, 5.0), (5.1, 10.0), (3e4, 5e4)];
        for (x, expected) in cases {
            let got = round_number(x);
            assert!((got / expected - 1.0).abs() < 1e-6, "{x}: {got}, not {expected}");
        }
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_number(nonsense), 1.0);
        }
    }

    #[test]
    fn values_are_read_from_the_lanes() {
        let of = |name: &str| *Quantity::COMMON.iter().find(|q| q.name == name).expect("common");
        let element = [3.0_f32, 0.0, 4.0, 1030.0].map(f32::to_bits);
        let value = |name| of(name).value(&element, 1000.0);
        assert_eq!(value("speed"), 5.0);
        assert_eq!(value("pressure"), 1030.0);
        assert!((value("density_error") - 3.0).abs() < 1e-12);
        assert_eq!(of("density_error").value(&element, 2000.0), 0.0);
        assert_eq!(of("id").value(&[7, 0], 1.0), 7.0);
        let units: Vec<_> = Quantity::COMMON.iter().map(Quantity::unit).collect();
        assert_eq!(units, ["m/s", "%", "Pa", "kg/m³", "", ""]);
    }

    #[test]
    fn declarations_that_fit_no_array_are_refused() {
        let says = |array: Row, lanes: &'static str, form: Form, expected: &str| {
            let problem = Quantity::new("q", array, lanes, "").form(form).problem();
            assert!(problem.as_deref().unwrap_or("").contains(expected), "{problem:?}");
        };
        let scalars = Row::new("a", "f32", PARTICLES);
        says(Row::new("a", "f32", ONE), "x", Form::Number, "per particle");
        says(table("sorted_velocity"), "xyz", Form::Number, "sorted again");
        says(Row::new("a", "Body", PARTICLES), "x", Form::Number, "are Body, not");
        says(Row::new("a", "vec4<i32>", PARTICLES), "x", Form::Number, "are vec4<i32>, not");
        says(scalars, "y", Form::Number, "no lanes `y`");
        says(scalars, "", Form::Number, "no lanes ``");
        says(table("identity"), "xy", Form::Number, "no length");
        says(table("identity"), "x", Form::Excess, "another type");
        says(scalars, "x", Form::Label, "another type");
    }

    #[test]
    fn quantities_of_all_methods_have_units_and_names_of_their_own() {
        let methods = crate::Registry::standard();
        let own: Vec<_> = methods.methods().flat_map(|method| method.quantities).collect();
        let common = Quantity::COMMON.iter().chain(Quantity::SPH);
        for quantity in common.chain(own.iter().copied()) {
            assert_eq!(quantity.problem(), None);
            let documented = |lane: &crate::arrays::Lane| lane.lanes.contains(quantity.lanes);
            assert!(quantity.array.lanes.iter().any(documented), "{}", quantity.name);
            assert!(!quantity.help.is_empty(), "{}", quantity.name);
        }
        // Smoke has no particles, and none of their quantities.
        let with_particles =
            methods.methods().filter(|method| method.family().is_none_or(|one| one.has_particles));
        for quantity in with_particles.flat_map(|method| method.quantities) {
            assert!(!Quantity::COMMON.contains(quantity), "{} is common", quantity.name);
        }
    }
}
