//! Arrays of a world as the GPU sees them.

use meniscus_methods::arrays::Row;
use meniscus_model::{
    params::{Collider, DistanceField, EmitterParams, FieldBox, FieldTriangle, OpeningParams},
    surface::SurfaceControl,
};

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

/// An array of scalars whose length may change.
pub trait Storage {
    /// Scalars of the array.
    fn values(&mut self) -> Values<'_>;

    /// Extends it with zeros, or truncates it.
    fn resize(&mut self, elements: usize);

    /// Number of elements.
    fn elements(&mut self) -> usize {
        match self.values() {
            Values::Floats { width, data } => data.len() / width,
            Values::Words { width, data } => data.len() / width,
        }
    }

    /// A copy, by value.
    fn copy(&mut self) -> Array {
        match self.values() {
            Values::Floats { width, data } => Array::Floats { width, data: data.to_vec() },
            Values::Words { width, data } => Array::Words { width, data: data.to_vec() },
        }
    }

    /// Takes over the length and scalars of `array`; returns false if it is of another kind. Vectors and the scalars
    /// that they consist of are of one kind.
    fn assign(&mut self, array: &Array) -> bool {
        let (Values::Floats { width, .. } | Values::Words { width, .. }) = self.values();
        let scalars = array.elements() * array.width();
        let alike = width == array.width() || width == 1 || array.width() == 1;
        if !alike || !scalars.is_multiple_of(width) {
            return false;
        }
        self.resize(scalars / width);
        match (self.values(), array) {
            (Values::Floats { data, .. }, Array::Floats { data: new, .. }) => {
                data.copy_from_slice(new);
            }
            (Values::Words { data, .. }, Array::Words { data: new, .. }) => {
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

    /// Zeros for a row that is not in the array table; none if its elements are structs.
    pub(crate) fn zeros(row: &Row, elements: usize) -> Option<Self> {
        let width = row.width(&|_| None)? as usize;
        Some(match row.element().contains("f32") {
            true => Self::Floats { width, data: vec![0.0; elements * width] },
            false => Self::Words { width, data: vec![0; elements * width] },
        })
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

/// A field of the world, generated from the array table.
pub(crate) trait Field {
    /// Array of scalars of the field; none for structs that only the host writes.
    fn storage(&mut self) -> Option<&mut dyn Storage>;
}

impl<T: Storage> Field for T {
    fn storage(&mut self) -> Option<&mut dyn Storage> {
        Some(self)
    }
}

macro_rules! structs {
    ($($name:ty)*) => { $(
        impl Field for $name {
            fn storage(&mut self) -> Option<&mut dyn Storage> {
                None
            }
        }
    )* };
}

structs! {
    Vec<Collider> Vec<EmitterParams> Vec<OpeningParams> Vec<FieldBox> Vec<FieldTriangle> DistanceField SurfaceControl
}
