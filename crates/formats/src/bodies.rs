//! Files with the states of rigid bodies per frame, for programs that draw their meshes.

use std::io::{self, Write};
use std::path::Path;

use meniscus_model::{BodyReport, Scene};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::boundaries::posed_bodies;
use crate::error::Error;
use crate::write::write_whole;
use crate::{MeshFormat, write_meshes};

/// Format of a file of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum BodyFormat {
    /// Text with a header and a line per body.
    Csv,
    /// JSON array of objects.
    Json,
    /// Triangles of the bodies at their places as a PLY mesh, without the numbers.
    Ply,
    /// Triangles of the bodies at their places as OBJ, an object for each body.
    Obj,
    /// Triangles of the bodies at their places as GLB, a node for each body.
    Glb,
}

impl BodyFormat {
    /// Formats, in the order of help texts.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Name on command lines, which [`str::parse`] reads.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Format of the mesh, for those that are meshes.
    fn mesh(self) -> Option<MeshFormat> {
        self.name().parse().ok()
    }

    /// File name for a frame, as in `bodies_00012.csv`.
    #[must_use]
    pub fn file_name(self, frame: u32) -> String {
        format!("bodies_{frame:05}.{}", self.name())
    }
}

/// Columns after a body's name: JSON key, and CSV columns if it is a vector.
const KEYS: [(&str, &[&str]); 6] = [
    ("position", &["x", "y", "z"]),
    ("rotation", &["qx", "qy", "qz", "qw"]),
    ("velocity", &["vx", "vy", "vz"]),
    ("angular_velocity", &["wx", "wy", "wz"]),
    ("force", &["fx", "fy", "fz"]),
    ("torque", &["tx", "ty", "tz"]),
];

fn values(body: &BodyReport) -> [&[f64]; 6] {
    let BodyReport { position, rotation, velocity, angular_velocity, force, torque, .. } = body;
    [position, rotation, velocity, angular_velocity, force, torque]
}

/// Writes the current state of a scene's bodies: name, position in m, quaternion from body axes to
/// world axes, velocities in m/s and rad/s, and force in N and torque in N m of the fluid in the
/// last step.
///
/// # Errors
///
/// [`Error::Write`]; an existing file is then unchanged.
pub fn write_bodies(
    path: &Path,
    format: BodyFormat,
    scene: &Scene,
    bodies: &[BodyReport],
) -> Result<(), Error> {
    if let Some(format) = format.mesh() {
        return write_meshes(path, format, &posed_bodies(scene, bodies));
    }
    write_whole(path, |writer| match format {
        BodyFormat::Json => write_json(writer, bodies),
        _ => write_csv(writer, bodies),
    })
}

fn write_csv(writer: &mut dyn Write, bodies: &[BodyReport]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(writer);
    let columns = KEYS.iter().flat_map(|(_, columns)| columns.iter().copied());
    table.write_record(std::iter::once("name").chain(columns))?;
    for body in bodies {
        let values = values(body).concat().into_iter().map(|value| value.to_string());
        table.write_record(std::iter::once(body.name.clone()).chain(values))?;
    }
    table.flush()
}

fn write_json(writer: &mut dyn Write, bodies: &[BodyReport]) -> io::Result<()> {
    let object = |body: &BodyReport| {
        let mut object = serde_json::Map::new();
        object.insert("name".into(), body.name.clone().into());
        for ((key, _), value) in KEYS.iter().zip(values(body)) {
            object.insert((*key).into(), value.into());
        }
        serde_json::Value::Object(object)
    };
    let all: serde_json::Value = bodies.iter().map(object).collect();
    serde_json::to_writer_pretty(&mut *writer, &all)?;
    writeln!(writer)
}

#[cfg(test)]
mod tests {
    use meniscus_model::SolidId;

    use super::*;

    fn crate_() -> BodyReport {
        BodyReport {
            name: "a \"crate\", of oak".into(),
            solid: SolidId::new(3),
            position: [1.0, 2.0, 3.5],
            rotation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.25, 0.0, 0.0],
            angular_velocity: [0.0, -1.0, 0.0],
            force: [0.0, 9.5, 0.0],
            torque: [0.0; 3],
        }
    }

    #[test]
    fn a_line_has_as_many_columns_as_the_header() {
        let mut bytes = Vec::new();
        write_csv(&mut bytes, &[crate_()]).expect("memory is not full");
        let text = String::from_utf8(bytes).expect("UTF-8");
        let expected = "name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz\n\
            \"a \"\"crate\"\", of oak\",1,2,3.5,0,0,0,1,0.25,0,0,0,-1,0,0,9.5,0,0,0,0\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn json_is_read_back() {
        let mut bytes = Vec::new();
        write_json(&mut bytes, &[crate_()]).expect("memory is not full");
        let read: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(read[0]["name"], "a \"crate\", of oak");
        assert_eq!(read[0]["rotation"][3], 1.0);
        assert_eq!(read[0]["force"][1], 9.5);
    }
}
