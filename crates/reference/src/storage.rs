//! Arrays of a world as the GPU sees them.

/// A buffer as the GPU sees it: scalars, `width` per element.
#[derive(Debug, PartialEq)]
pub enum Values<'a> {
    /// A buffer of floats.
    Floats {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: &'a mut [f64],
    },
    /// A buffer of u32.
    Words {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: &'a mut [u32],
    },
}

/// An array whose length may change.
pub trait Storage {
    /// Scalars of the array.
    fn values(&mut self) -> Values<'_>;

    /// Extends it with zeros, or truncates it.
    fn resize(&mut self, elements: usize);

    /// A copy, by value.
    fn copy(&mut self) -> Array {
        match self.values() {
            Values::Floats { width, data } => Array::Floats { width, data: data.to_vec() },
            Values::Words { width, data } => Array::Words { width, data: data.to_vec() },
        }
    }

    /// Takes over the length and scalars of `array`; returns false if it is of another kind.
    fn assign(&mut self, array: &Array) -> bool {
        self.resize(array.elements());
        match (self.values(), array) {
            (Values::Floats { width: a, data }, Array::Floats { width: b, data: new })
                if a == *b =>
            {
                data.copy_from_slice(new);
            }
            (Values::Words { width: a, data }, Array::Words { width: b, data: new }) if a == *b => {
                data.copy_from_slice(new);
            }
            _ => return false,
        }
        true
    }
}

/// An array by value.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "comparisons match on it")]
pub enum Array {
    /// Floats.
    Floats {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: Vec<f64>,
    },
    /// Numbers of 32 bits.
    Words {
        /// Scalars per element.
        width: usize,
        /// The scalars.
        data: Vec<u32>,
    },
}

impl Array {
    /// Number of elements.
    #[must_use]
    pub fn elements(&self) -> usize {
        match self {
            Self::Floats { width, data } => data.len() / width,
            Self::Words { width, data } => data.len() / width,
        }
    }

    /// Scalars per element.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Floats { width, .. } | Self::Words { width, .. } => *width,
        }
    }

    /// Scalars as 32-bit words, with floats rounded to f32.
    #[must_use]
    pub fn bits(&self) -> Vec<u32> {
        match self {
            Self::Floats { data, .. } => data.iter().map(|v| (*v as f32).to_bits()).collect(),
            Self::Words { data, .. } => data.clone(),
        }
    }

    pub(crate) fn storage(&mut self) -> &mut dyn Storage {
        self
    }
}

impl Storage for Array {
    fn values(&mut self) -> Values<'_> {
        match self {
            Self::Floats { width, data } => Values::Floats { width: *width, data },
            Self::Words { width, data } => Values::Words { width: *width, data },
        }
    }

    fn resize(&mut self, elements: usize) {
        match self {
            Self::Floats { width, data } => data.resize(elements * *width, 0.0),
            Self::Words { width, data } => data.resize(elements * *width, 0),
        }
    }
}

impl Storage for Vec<f64> {
    fn values(&mut self) -> Values<'_> {
        Values::Floats { width: 1, data: self }
    }

    fn resize(&mut self, elements: usize) {
        Vec::resize(self, elements, 0.0);
    }
}

impl Storage for Vec<u32> {
    fn values(&mut self) -> Values<'_> {
        Values::Words { width: 1, data: self }
    }

    fn resize(&mut self, elements: usize) {
        Vec::resize(self, elements, 0);
    }
}

impl<const N: usize> Storage for Vec<[f64; N]> {
    fn values(&mut self) -> Values<'_> {
        Values::Floats { width: N, data: self.as_flattened_mut() }
    }

    fn resize(&mut self, elements: usize) {
        Vec::resize(self, elements, [0.0; N]);
    }
}

impl<const N: usize> Storage for Vec<[u32; N]> {
    fn values(&mut self) -> Values<'_> {
        Values::Words { width: N, data: self.as_flattened_mut() }
    }

    fn resize(&mut self, elements: usize) {
        Vec::resize(self, elements, [0; N]);
    }
}
