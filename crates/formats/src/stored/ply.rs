//! Binary little-endian PLY, as this program writes it.

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Takes a value from the bytes; `None` at their end.
    fn take(self, bytes: &mut &[u8]) -> Option<f64> {
        let (own, rest) = bytes.split_at_checked(self.size())?;
        *bytes = rest;
        let word = own.iter().rev().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        Some(match self {
            Self::I8 => f64::from(word as i8),
            Self::I16 => f64::from(word as i16),
            Self::I32 => f64::from(word as i32),
            Self::U8 | Self::U16 | Self::U32 => word as f64,
            Self::F32 => f64::from(f32::from_bits(word as u32)),
            Self::F64 => f64::from_bits(word),
        })
    }
}

#[derive(Debug)]
struct Property {
    name: String,
    kind: Kind,
    /// Type of the length, of a list.
    list: Option<Kind>,
}

/// Elements of a kind, with their values.
#[derive(Debug)]
pub(super) struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
    /// Values of each property that is no list.
    columns: Vec<Vec<f64>>,
    /// Elements of the first list of each.
    pub(super) lists: Vec<Vec<u32>>,
}

impl Element {
    /// Names and values of all properties that are no lists.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&str, &[f64])> {
        let plain = self.properties.iter().filter(|property| property.list.is_none());
        plain.map(|property| &property.name[..]).zip(self.columns.iter().map(|column| &column[..]))
    }

    pub(super) fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns().find(|(known, _)| *known == name).map(|(_, column)| column)
    }
}

/// A file.
#[derive(Debug)]
pub(super) struct Ply(Vec<Element>);

impl Ply {
    pub(super) fn element(&self, name: &str) -> Result<&Element, String> {
        let found = self.0.iter().find(|element| element.name == name);
        found.ok_or_else(|| format!("it has no element {name}"))
    }
}

/// Reads a file whole.
pub(super) fn read(bytes: &[u8]) -> Result<Ply, String> {
    const END: &[u8] = b"end_header\n";
    if !bytes.starts_with(b"ply\n") {
        return Err("expected a PLY file".into());
    }
    let end = bytes.windows(END.len()).position(|window| window == END);
    let Some(end) = end else { return Err("it is cut off in its header".into()) };
    let header = String::from_utf8_lossy(&bytes[..end]);
    let mut elements: Vec<Element> = Vec::new();
    for line in header.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let bad = || format!("{line:?} is no line of a PLY header");
        match words[..] {
            ["format", format, _] if format != "binary_little_endian" => {
                return Err(format!("expected binary_little_endian, found the format {format}"));
            }
            ["element", name, count] => elements.push(Element {
                name: name.to_owned(),
                count: count.parse().map_err(|_| bad())?,
                properties: Vec::new(),
                columns: Vec::new(),
                lists: Vec::new(),
            }),
            ["property", ref kind @ .., name] => {
                let kinds: Option<Vec<_>> = kind
                    .iter()
                    .filter(|word| **word != "list")
                    .map(|word| Kind::of(word))
                    .collect();
                let (kind, list) = match kinds.as_deref() {
                    Some([kind]) => (*kind, None),
                    Some([length, kind]) => (*kind, Some(*length)),
                    _ => return Err(bad()),
                };
                let element = elements.last_mut().ok_or_else(bad)?;
                element.properties.push(Property { name: name.to_owned(), kind, list });
            }
            _ => {}
        }
    }
    let mut rest = &bytes[end + END.len()..];
    for element in &mut elements {
        fill(element, &mut rest)?;
    }
    Ok(Ply(elements))
}

fn fill(element: &mut Element, rest: &mut &[u8]) -> Result<(), String> {
    let plain = element.properties.iter().filter(|property| property.list.is_none()).count();
    element.columns = vec![Vec::new(); plain];
    for number in 0..element.count {
        let (mut column, mut has_list) = (0, false);
        for property in &element.properties {
            let cut = || {
                format!(
                    "it is cut off: expected {} of {:?}, found {number}",
                    element.count, element.name
                )
            };
            let Some(length) = property.list else {
                element.columns[column].push(property.kind.take(rest).ok_or_else(cut)?);
                column += 1;
                continue;
            };
            let length = length.take(rest).ok_or_else(cut)? as usize;
            if rest.len() < length.saturating_mul(property.kind.size()) {
                return Err(cut());
            }
            let values = (0..length).map(|_| property.kind.take(rest).map(|value| value as u32));
            let values = values.collect::<Option<Vec<_>>>().ok_or_else(cut)?;
            if !has_list {
                element.lists.push(values);
                has_list = true;
            }
        }
    }
    Ok(())
}
