//! Meshes of glTF files: placed by nodes, changed by morph targets, bent by skins; at rest, or through an animation.

use std::borrow::Cow;
use std::path::Path;

use glam::{DMat4, DQuat, DVec3};
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::animation::util::ReadOutputs;
use gltf::animation::{Channel, Interpolation, Property};
use meniscus_model::mesh::Frames;
use meniscus_model::scene::Vec3;

use super::frames::MOST_FRAMES;
use super::{Files, Triangles, too_many};

/// All triangles of a file's scene, with what moves them.
pub(super) struct Model {
    document: gltf::Document,
    buffers: Vec<Cow<'static, [u8]>>,
    /// Nodes of the scene and their parents, which come before them.
    nodes: Vec<(usize, Option<usize>)>,
    parts: Vec<Part>,
    /// Three vertices of each triangle, the same in all poses.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Vertices of a mesh at a node.
struct Part {
    node: usize,
    /// Vertices in the mesh's space, in m.
    positions: Vec<DVec3>,
    /// Displacements of the vertices by each morph target, in m.
    targets: Vec<Vec<DVec3>>,
    /// Joints of the skin and their inverse bind matrices.
    joints: Vec<(usize, DMat4)>,
    /// Of each vertex, numbers of four joints and their weights; none without a skin.
    influences: Vec<([u16; 4], [f64; 4])>,
}

/// Place of a node relative to its parent, and weights of the morph targets of its mesh.
#[derive(Clone)]
struct Local {
    /// The whole, of a node that has a matrix and is not animated.
    matrix: Option<DMat4>,
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    weights: Vec<f64>,
}

impl Local {
    fn of(node: &gltf::Node<'_>) -> Self {
        let transform = node.transform();
        let matrix = match transform {
            gltf::scene::Transform::Matrix { matrix } => Some(wide(matrix)),
            gltf::scene::Transform::Decomposed { .. } => None,
        };
        let (translation, rotation, scale) = transform.decomposed();
        let mesh = node.mesh();
        let weights = node.weights().or_else(|| mesh.as_ref()?.weights()).unwrap_or_default();
        Self {
            matrix,
            translation: DVec3::from(translation.map(f64::from)),
            rotation: DQuat::from_array(rotation.map(f64::from)),
            scale: DVec3::from(scale.map(f64::from)),
            weights: weights.iter().copied().map(f64::from).collect(),
        }
    }

    fn matrix(&self) -> DMat4 {
        self.matrix.unwrap_or_else(|| {
            DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
        })
    }
}

fn wide(matrix: [[f32; 4]; 4]) -> DMat4 {
    DMat4::from_cols_array_2d(&matrix.map(|column| column.map(f64::from)))
}

/// Checks the form of an array, which the library takes for granted.
fn check(
    what: &str,
    array: &Accessor<'_>,
    form: Dimensions,
    types: &[DataType],
) -> Result<(), String> {
    if array.dimensions() == form && types.contains(&array.data_type()) && array.count() > 0 {
        return Ok(());
    }
    let (found, kind) = (array.dimensions(), array.data_type());
    Err(format!("{what} cannot be {} values of type {found:?}, {kind:?}", array.count()))
}

/// An error if a mesh names positions that are not there, which the library's own checks take for granted.
fn positions_exist(bytes: &[u8]) -> Result<(), String> {
    let positions = gltf::json::validation::Checked::Valid(gltf::Semantic::Positions);
    let file =
        gltf::Gltf::from_slice_without_validation(bytes).map_err(|error| error.to_string())?;
    let root = file.document.as_json();
    for (number, mesh) in root.meshes.iter().enumerate() {
        let mut named = mesh.primitives.iter().filter_map(|part| part.attributes.get(&positions));
        if named.any(|index| index.value() >= root.accessors.len()) {
            return Err(format!("the positions of mesh {number} are not in the file"));
        }
    }
    Ok(())
}

impl Model {
    /// The scene of a file of this name, whose arrays may be in other files.
    ///
    /// # Errors
    /// What is wrong with the file or not supported.
    pub(super) fn read(files: &Files, name: &str, bytes: &[u8]) -> Result<Self, String> {
        use base64::Engine;

        positions_exist(bytes)?;
        let gltf::Gltf { document, mut blob } =
            gltf::Gltf::from_slice(bytes).map_err(|error| error.to_string())?;
        let mut buffers: Vec<Cow<'static, [u8]>> = Vec::new();
        for buffer in document.buffers() {
            buffers.push(match buffer.source() {
                gltf::buffer::Source::Bin => Cow::Owned(blob.take().unwrap_or_default()),
                gltf::buffer::Source::Uri(uri) => match uri.split_once(";base64,") {
                    Some((_, text)) if uri.starts_with("data:") => {
                        let decoded = base64::engine::general_purpose::STANDARD.decode(text);
                        Cow::Owned(decoded.map_err(|error| error.to_string())?)
                    }
                    _ => files.read(&Path::new(name).with_file_name(uri).to_string_lossy())?,
                },
            });
        }
        let (nodes, parts, triangles) = (Vec::new(), Vec::new(), Vec::new());
        let mut model = Self { document: document.clone(), buffers, nodes, parts, triangles };
        let scene = document.default_scene().or_else(|| document.scenes().next());
        let scene = scene.ok_or("it has no scene")?;
        let mut seen = vec![false; document.nodes().len()];
        let mut open: Vec<_> = scene.nodes().map(|node| (node, None, DMat4::IDENTITY)).collect();
        while let Some((node, parent, place)) = open.pop() {
            let index = node.index();
            if std::mem::replace(&mut seen[index], true) {
                return Err(format!("node {index} has two parents"));
            }
            let place = place * Local::of(&node).matrix();
            model.nodes.push((index, parent));
            open.extend(node.children().map(|child| (child, Some(index), place)));
            for primitive in node.mesh().into_iter().flat_map(|mesh| mesh.primitives()) {
                if primitive.mode() == gltf::mesh::Mode::Triangles {
                    // A mirrored node turns its triangles around (glTF 2.0, § 3.7.4).
                    model.add(&node, &primitive, place.determinant() < 0.0)?;
                }
            }
        }
        let joint = |part: &Part| part.joints.iter().find(|(joint, _)| !seen[*joint]).copied();
        if let Some((joint, _)) = model.parts.iter().find_map(joint) {
            return Err(format!("node {joint}, a joint of a skin, is not in the scene"));
        }
        Ok(model)
    }

    /// Adds triangles of a node's mesh.
    fn add(
        &mut self,
        node: &gltf::Node<'_>,
        primitive: &gltf::Primitive<'_>,
        is_mirrored: bool,
    ) -> Result<(), String> {
        use gltf::Semantic::{Joints, Positions, Weights};

        let floats = &[DataType::F32];
        let reader = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(|b| &b[..]));
        let position = primitive.get(&Positions).ok_or("a mesh has no positions")?;
        check("positions", &position, Dimensions::Vec3, floats)?;
        let read = reader.read_positions().ok_or("the positions of a mesh are not in its file")?;
        let positions: Vec<_> = read.map(|p| DVec3::from(p.map(f64::from))).collect();
        let mut targets = Vec::new();
        for (target, (moves, _, _)) in primitive.morph_targets().zip(reader.read_morph_targets()) {
            let mut way = vec![DVec3::ZERO; positions.len()];
            if let Some(array) = target.positions() {
                check("positions of a morph target", &array, Dimensions::Vec3, floats)?;
                let moves = moves.ok_or("the positions of a morph target are not in its file")?;
                way = moves.map(|p| DVec3::from(p.map(f64::from))).collect();
            }
            targets.push(way);
        }
        let (mut joints, mut influences) = (Vec::new(), Vec::new());
        if let Some(skin) = node.skin() {
            let small = [DataType::U8, DataType::U16];
            if primitive.get(&Joints(1)).is_some() {
                return Err(
                    "a vertex has more than four joints: export it with at most four".into()
                );
            }
            let arrays = [Joints(0), Weights(0)].map(|what| primitive.get(&what));
            let [Some(numbers), Some(weights)] = arrays else {
                return Err("a mesh with a skin has no joints or no weights".into());
            };
            check("joints", &numbers, Dimensions::Vec4, &small)?;
            check("weights", &weights, Dimensions::Vec4, &[small[0], small[1], DataType::F32])?;
            let missing = "the joints or weights of a mesh are not in its file";
            let numbers = reader.read_joints(0).ok_or(missing)?.into_u16();
            let weights = reader.read_weights(0).ok_or(missing)?.into_f32();
            for (numbers, weights) in numbers.zip(weights) {
                let weights = weights.map(f64::from);
                let sum: f64 = weights.iter().sum();
                if !(sum > 0.0 && sum.is_finite()) {
                    return Err(format!("vertex {} has no weights of joints", influences.len()));
                }
                influences.push((numbers, weights.map(|weight| weight / sum)));
            }
            joints = self.joints(&skin)?;
            let beyond = |number: &u16| usize::from(*number) >= joints.len();
            if influences.iter().any(|(numbers, _)| numbers.iter().any(beyond)) {
                return Err(format!(
                    "a vertex has a joint beyond the {} of its skin",
                    joints.len()
                ));
            }
        }
        let others = targets.iter().map(Vec::len);
        let others = others.chain((!joints.is_empty()).then_some(influences.len()));
        if let Some(count) = others.into_iter().find(|count| *count != positions.len()) {
            let own = positions.len();
            return Err(format!("a mesh of {own} vertices has {count} joints or displacements"));
        }
        let indices: Vec<u32> = match primitive.indices() {
            Some(array) => {
                let types = [DataType::U8, DataType::U16, DataType::U32];
                check("indices", &array, Dimensions::Scalar, &types)?;
                let read =
                    reader.read_indices().ok_or("the indices of a mesh are not in its file")?;
                read.into_u32().collect()
            }
            None => (0..positions.len() as u32).collect(),
        };
        too_many(self.triangles.len() + indices.len() / 3)?;
        let first = self.parts.iter().map(|part| part.positions.len()).sum::<usize>() as u32;
        let (corners, _) = indices.as_chunks::<3>();
        self.triangles.extend(corners.iter().map(|t| {
            let [a, b, c] = t.map(|i| first.saturating_add(i));
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        }));
        self.parts.push(Part { node: node.index(), positions, targets, joints, influences });
        Ok(())
    }

    /// Joints of a skin and their inverse bind matrices.
    fn joints(&self, skin: &gltf::Skin<'_>) -> Result<Vec<(usize, DMat4)>, String> {
        let joints = skin.joints().map(|joint| joint.index());
        let Some(array) = skin.inverse_bind_matrices() else {
            return Ok(joints.map(|joint| (joint, DMat4::IDENTITY)).collect());
        };
        check("inverse bind matrices", &array, Dimensions::Mat4, &[DataType::F32])?;
        let reader = skin.reader(|buffer| self.buffers.get(buffer.index()).map(|b| &b[..]));
        let matrices = reader.read_inverse_bind_matrices();
        let matrices = matrices.ok_or("the inverse bind matrices of a skin are not in its file")?;
        Ok(joints.zip(matrices.map(wide)).collect())
    }

    /// Vertices and triangles at rest.
    pub(super) fn rest(self) -> Triangles {
        let positions = self.pose(&self.locals());
        (positions, self.triangles)
    }

    /// Vertices in m at equal intervals of an animation, by its name or the first one, from time 0 to its last key, and their
    /// number per frame. There are as many intervals as frames in that time, rounded. Before its first key it is there, as
    /// glTF 2.0 has it (§ 3.11). One that `repeats` has its first pose in place of the last one.
    ///
    /// # Errors
    /// No such animation, one without a length, too many poses or vertices, or what is not supported.
    pub(super) fn poses(
        &self,
        animation: Option<&str>,
        fps: f64,
        repeats: bool,
    ) -> Result<(Vec<Vec<Vec3>>, f64), String> {
        let mut all = self.document.animations();
        let chosen = match animation {
            None => all.next().ok_or("it has no animation")?,
            Some(name) => all.find(|one| one.name() == Some(name)).ok_or_else(|| {
                let names = self.document.animations().filter_map(|one| one.name());
                let names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
                let found = if names.is_empty() { "none with a name" } else { &names.join(", ") };
                format!("it has no animation {name:?}, but {found}")
            })?,
        };
        // The library does not check these numbers, and takes them for granted.
        let (nodes, own) =
            (self.document.nodes().len(), &self.document.as_json().animations[chosen.index()]);
        if let Some(channel) = own.channels.iter().find(|channel| {
            channel.target.node.value() >= nodes || channel.sampler.value() >= own.samplers.len()
        }) {
            let (node, sampler) = (channel.target.node.value(), channel.sampler.value());
            return Err(format!("its animation has no node {node} or no sampler {sampler}"));
        }
        let tracks = chosen
            .channels()
            .map(|channel| Track::read(self, &channel))
            .collect::<Result<Vec<_>, _>>()?;
        let times = || tracks.iter().flat_map(|track| &track.times).copied();
        let (start, end) =
            (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max));
        if start >= end || end <= 0.0 {
            return Err("its animation has only one moment".into());
        }
        let intervals = (end * fps).round().max(1.0);
        let count = intervals + f64::from(u8::from(!repeats));
        let vertices: usize = self.parts.iter().map(|part| part.positions.len()).sum();
        if !(count <= MOST_FRAMES as f64 && count * vertices as f64 <= Frames::MOST as f64) {
            return Err(format!(
                "its animation of {end} s has {count} frames of {vertices} vertices; at most {MOST_FRAMES} frames and {} \
                 vertices in all are possible",
                Frames::MOST
            ));
        }
        let rest = self.locals();
        let pose = |k: u32| {
            let mut locals = rest.clone();
            for track in &tracks {
                track.apply(end * f64::from(k) / intervals, &mut locals);
            }
            self.pose(&locals)
        };
        Ok(((0..count as u32).map(pose).collect(), intervals / (end * fps)))
    }

    /// Places of the nodes at rest.
    fn locals(&self) -> Vec<Local> {
        self.document.nodes().map(|node| Local::of(&node)).collect()
    }

    /// Vertices in m: morph targets first, then skins, or else nodes (glTF 2.0, § 3.7.3).
    fn pose(&self, locals: &[Local]) -> Vec<Vec3> {
        let mut places = vec![DMat4::IDENTITY; locals.len()];
        for (node, parent) in &self.nodes {
            let own = locals[*node].matrix();
            places[*node] = parent.map_or(own, |parent| places[parent] * own);
        }
        let mut all = Vec::new();
        for part in &self.parts {
            let bones: Vec<_> =
                part.joints.iter().map(|(joint, bind)| places[*joint] * *bind).collect();
            let weights = &locals[part.node].weights;
            all.extend(part.positions.iter().enumerate().map(|(i, rest)| {
                let moves = part.targets.iter().zip(weights).map(|(way, weight)| way[i] * *weight);
                let p = *rest + moves.sum::<DVec3>();
                let place = |place: &DMat4| place.transform_point3(p);
                let at = part.influences.get(i).map_or_else(
                    || place(&places[part.node]),
                    |(numbers, weights)| {
                        let bones = numbers.iter().map(|number| &bones[usize::from(*number)]);
                        bones.zip(weights).map(|(bone, weight)| place(bone) * *weight).sum()
                    },
                );
                at.to_array()
            }));
        }
        all
    }
}

/// One property of a node through time.
struct Track {
    node: usize,
    property: Property,
    interpolation: Interpolation,
    /// Times of the keys in s, rising.
    times: Vec<f64>,
    /// Of each key its components; of cubic splines those of the slope before, the value and the slope after, in s⁻¹.
    values: Vec<f64>,
}

impl Track {
    fn read(model: &Model, channel: &Channel<'_>) -> Result<Self, String> {
        let (sampler, property) = (channel.sampler(), channel.target().property());
        let floats = [DataType::F32];
        let any = [DataType::I8, DataType::U8, DataType::I16, DataType::U16, DataType::F32];
        let (form, types, width) = match property {
            Property::Translation | Property::Scale => (Dimensions::Vec3, &floats[..], 3),
            Property::Rotation => (Dimensions::Vec4, &any[..], 4),
            Property::MorphTargetWeights => (Dimensions::Scalar, &any[..], 1),
        };
        check("times of an animation", &sampler.input(), Dimensions::Scalar, &floats)?;
        check("values of an animation", &sampler.output(), form, types)?;
        let reader = channel.reader(|buffer| model.buffers.get(buffer.index()).map(|b| &b[..]));
        let missing = "the keys of its animation are not in its file";
        let times: Vec<_> = reader.read_inputs().ok_or(missing)?.map(f64::from).collect();
        let values: Vec<f32> = match reader.read_outputs().ok_or(missing)? {
            ReadOutputs::Translations(values) | ReadOutputs::Scales(values) => {
                values.flatten().collect()
            }
            ReadOutputs::Rotations(values) => values.into_f32().flatten().collect(),
            ReadOutputs::MorphTargetWeights(values) => values.into_f32().collect(),
        };
        let interpolation = sampler.interpolation();
        let node = channel.target().node().index();
        let numbers = times.len() * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let is_whole = match property {
            Property::MorphTargetWeights => values.len().is_multiple_of(numbers),
            _ => values.len() == width * numbers,
        };
        let rising = times.is_sorted_by(|a, b| a < b) && times.iter().all(|time| time.is_finite());
        if !is_whole || values.is_empty() || !rising {
            return Err(format!(
                "an animation of node {node} needs times that rise, and as many values: it has {} for {numbers}",
                values.len()
            ));
        }
        let values = values.into_iter().map(f64::from).collect();
        Ok(Self { node, property, interpolation, times, values })
    }

    /// Components at a time in s (glTF 2.0, appendix C).
    fn at(&self, time: f64) -> Vec<f64> {
        let is_cubic = self.interpolation == Interpolation::CubicSpline;
        let parts = if is_cubic { 3 } else { 1 };
        let width = self.values.len() / self.times.len() / parts;
        let part = |key: usize, part: usize| &self.values[(parts * key + part) * width..][..width];
        let value = |key: usize| part(key, usize::from(is_cubic));
        let next = self.times.partition_point(|key| *key <= time);
        let last = next.saturating_sub(1);
        if next == 0 || next == self.times.len() || self.interpolation == Interpolation::Step {
            return value(last).to_vec();
        }
        let span = self.times[next] - self.times[last];
        let s = (time - self.times[last]) / span;
        let mix = |weights: &[(f64, &[f64])]| {
            (0..width).map(|k| weights.iter().map(|(weight, x)| weight * x[k]).sum()).collect()
        };
        if is_cubic {
            let (s2, s3) = (s * s, s * s * s);
            return mix(&[
                (2.0 * s3 - 3.0 * s2 + 1.0, value(last)),
                (span * (s3 - 2.0 * s2 + s), part(last, 2)),
                (3.0 * s2 - 2.0 * s3, value(next)),
                (span * (s3 - s2), part(next, 0)),
            ]);
        }
        if self.property == Property::Rotation {
            let [a, b] = [last, next].map(|key| DQuat::from_slice(value(key)).normalize());
            return a.slerp(b, s).to_array().to_vec();
        }
        mix(&[(1.0 - s, value(last)), (s, value(next))])
    }

    fn apply(&self, time: f64, locals: &mut [Local]) {
        let (local, found) = (&mut locals[self.node], self.at(time));
        match self.property {
            Property::Translation => local.translation = DVec3::from_slice(&found),
            Property::Rotation => local.rotation = DQuat::from_slice(&found).normalize(),
            Property::Scale => local.scale = DVec3::from_slice(&found),
            Property::MorphTargetWeights => local.weights = found,
        }
        if self.property != Property::MorphTargetWeights {
            local.matrix = None;
        }
    }
}

#[cfg(test)]
mod tests;
