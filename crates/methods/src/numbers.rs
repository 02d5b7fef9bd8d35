//! Numbers for methods' shaders: `params.methods.wcsph.gamma`.
//!
//! The struct `Methods` contains a struct for each method with numbers, in the order of the
//! registry, each padded to 16 bytes as uniforms require.

use std::fmt::Write as _;

use crate::{Context, Method, Registry};

/// Size of the struct `Methods` in words: room for all methods' numbers.
pub const WORDS: usize = 128;

impl Registry {
    fn blocks(&self) -> impl Iterator<Item = (usize, &'static Method)> {
        let mut first = 0;
        let with_numbers = self.methods().filter(|method| !method.numbers.is_empty());
        with_numbers.map(move |method| {
            let at = first;
            first += method.numbers.len().next_multiple_of(4);
            (at, method)
        })
    }

    /// Index of the number at `path`, as in `wcsph.gamma`, and whether it is whole.
    #[must_use]
    pub fn number(&self, path: &str) -> Option<(usize, bool)> {
        let (block, name) = path.split_once('.')?;
        let (first, method) = self.blocks().find(|(_, method)| method.block() == block)?;
        let at = method.numbers.iter().position(|number| number.name == name)?;
        Some((first + at, method.numbers[at].whole))
    }

    /// Bits of all numbers; 0 of methods that the scene has not chosen.
    ///
    /// # Panics
    /// If the methods have more numbers than there is room for.
    #[must_use]
    pub fn words(&self, context: &Context<'_>) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let chosen =
            |method: &Method| context.chosen.methods().any(|other| other.block() == method.block());
        for (first, method) in self.blocks().filter(|(_, method)| chosen(method)) {
            for (k, number) in method.numbers.iter().enumerate() {
                let value = (number.value)(context);
                words[first + k] =
                    if number.whole { value as u32 } else { (value as f32).to_bits() };
            }
        }
        words
    }

    /// The struct `Methods` in WGSL, with the structs it contains.
    #[must_use]
    pub fn wgsl(&self) -> String {
        let mut text = String::new();
        let mut all = String::from("struct Methods {\n");
        let mut words = 0;
        for (first, method) in self.blocks() {
            let block = method.block();
            let name = format!("Numbers_{block}");
            let _ = writeln!(text, "// {}: {}.\nstruct {name} {{", method.source, method.help);
            for number in method.numbers {
                let kind = if number.whole { "u32" } else { "f32" };
                let _ = writeln!(text, "    // {}.\n    {}: {kind},", number.help, number.name);
            }
            words = first + method.numbers.len().next_multiple_of(4);
            for k in first + method.numbers.len()..words {
                let _ = writeln!(text, "    reserved_{}: u32,", k - first);
            }
            let _ = writeln!(text, "}}\n");
            let _ = writeln!(all, "    {block}: {name},");
        }
        let _ = writeln!(all, "    reserved: array<vec4<u32>, {}>,\n}}", (WORDS - words) / 4);
        text + &all
    }
}
