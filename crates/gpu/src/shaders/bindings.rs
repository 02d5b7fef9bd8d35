//! Binding of arrays by name instead of number: `//!read position velocity`, `//!write density`,
//! `//!atomic cell_count`; or `//!read values: array<u32>` for an array with another name in the
//! table.

use std::collections::BTreeMap;

use meniscus_methods::arrays;
use meniscus_model::shared;

/// Start of placeholder lines for declarations, until all are known.
const PLACE: &str = "//!array ";

/// Access of a pass to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

impl Access {
    /// Access for the verb of a directive.
    pub(super) fn named(verb: &str) -> Option<Self> {
        match verb {
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            "atomic" => Some(Self::Atomic),
            _ => None,
        }
    }
}

/// Arrays that a pass binds, by name.
#[derive(Debug, Default)]
pub(super) struct Arrays(BTreeMap<String, Array>);

#[derive(Debug)]
struct Array {
    access: Access,
    /// Type in WGSL.
    ty: String,
    comment: String,
}

/// Array that a directive adds to a pass.
pub(super) struct Added {
    /// Placeholder line for its declaration; `None` if it is already declared.
    pub(super) line: Option<String>,
    /// File that declares the type of its elements, if that is a struct.
    pub(super) include: Option<String>,
}

impl Arrays {
    /// Adds the arrays of a directive: names of the table, or one name with its type.
    ///
    /// # Errors
    /// A name that is not in the table, or an array with both atomic and plain access or two types
    /// in one pass.
    pub(super) fn add(&mut self, access: Access, names: &str) -> Result<Vec<Added>, String> {
        if let Some((name, ty)) = names.split_once(':') {
            return Ok(vec![self.add_one(
                access,
                name.trim(),
                ty.trim().to_owned(),
                String::new(),
            )?]);
        }
        let add = |name| {
            let row = arrays::find(name).ok_or_else(|| {
                format!(
                    "the array table has no `{name}`: add it there (crates/methods/src/arrays.rs) or give its \
                     type, as in `//!read {name}: array<u32>`"
                )
            })?;
            let element = match access {
                Access::Atomic => format!("atomic<{}>", row.element()),
                Access::Read | Access::Write => row.element(),
            };
            let comment: Vec<_> = row.doc.iter().map(|line| line.trim()).collect();
            let comment = format!(" // {}", comment.join(" "));
            self.add_one(access, name, format!("array<{element}>"), comment)
        };
        names.split_whitespace().map(add).collect()
    }

    fn add_one(
        &mut self,
        access: Access,
        name: &str,
        ty: String,
        comment: String,
    ) -> Result<Added, String> {
        let mut elements = shared::STRUCTS.iter().copied().flatten();
        let include = elements.find(|one| ty == format!("array<{}>", one.name));
        let include = include.map(|one| one.include());
        if let Some(known) = self.0.get_mut(name) {
            if known.ty != ty {
                return Err(format!("`{name}` is {} and {ty} in one pass", known.ty));
            }
            known.access = known.access.max(access);
            return Ok(Added { line: None, include });
        }
        self.0.insert(name.to_owned(), Array { access, ty, comment });
        Ok(Added { line: Some(format!("{PLACE}{name}")), include })
    }

    /// The text with declarations in place of [`Added::line`]s, numbered in order, skipping numbers
    /// that the text itself uses.
    pub(super) fn declare(&self, text: &str) -> String {
        let used: Vec<_> = text.lines().filter_map(own_number).collect();
        let mut numbers = (0..).filter(|number| !used.contains(number));
        let mut declared = String::new();
        for line in text.lines() {
            match line.strip_prefix(PLACE).and_then(|name| Some((name, self.0.get(name)?))) {
                Some((name, Array { access, ty, comment })) => {
                    let number = numbers.next().unwrap_or_default();
                    let access = if *access == Access::Read { "read" } else { "read_write" };
                    declared += &format!(
                        "@group(1) @binding({number}) var<storage, {access}> {name}: {ty};{comment}\n"
                    );
                }
                None => {
                    declared += line;
                    declared.push('\n');
                }
            }
        }
        declared
    }
}

/// Binding number in group 1 that a line declares explicitly.
fn own_number(line: &str) -> Option<u32> {
    let (_, rest) = line.split_once("@group(1) @binding(")?;
    rest.split_once(')')?.0.parse().ok()
}
