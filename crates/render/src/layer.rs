//! Drawing into a render pass of a program, in front of what it shows and behind it.

use glam::{DMat4, DVec2, DVec3, Mat4, Vec2};
use wgpu::{RenderPass, TextureFormat, TextureView};

use crate::{Camera, Error, camera::NEAR};

/// A render pass of a program, into which [`Renderer::layer`](crate::Renderer::layer) draws.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Target<'a> {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Samples per pixel of the pass.
    pub samples: u32,
    /// Format of the pass's depth attachment, if it has one.
    pub depth_format: Option<TextureFormat>,
    /// Columns of the matrix from world to view space, whose x is right, y up and z back.
    pub view: [[f32; 4]; 4],
    /// Columns of the matrix from view to clip space, in perspective; depth may run either way.
    pub projection: [[f32; 4]; 4],
    /// What the program has drawn so far.
    pub behind: Option<Behind<'a>>,
}

/// A program's picture so far, which hides the fluid, and is seen through it. No attachment of the pass that is drawn into: a copy, or
/// what the pass before has drawn.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Behind<'a> {
    /// Colours, of the same size as the pass and with one sample per pixel; encoded as those in the pass.
    pub color: &'a TextureView,
    /// The depth aspect of their depths, by the pass's projection.
    pub depth: &'a TextureView,
}

/// A picture of a fluid that is ready to be drawn into the program's pass, in front of what is farther away there.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Of the colours, and of the depths where these are drawn apart.
    pub(crate) draws: Vec<wgpu::RenderPipeline>,
    pub(crate) common: wgpu::BindGroup,
    pub(crate) picture: wgpu::BindGroup,
}

impl Layer {
    /// Draws the fluid. Later draws of the pass find its depths.
    pub fn draw(&self, pass: &mut RenderPass<'_>) {
        pass.set_bind_group(0, &self.common, &[]);
        pass.set_bind_group(1, &self.picture, &[]);
        for pipeline in &self.draws {
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }
}

/// Depths of a perspective projection: a + b/w at the distance w along the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depths {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

impl Depths {
    /// Whether depth is greater where it is nearer.
    pub(crate) fn is_reversed(self) -> bool {
        self.b > 0.0
    }
}

impl Target<'_> {
    /// The camera that these matrices are of, and their depths.
    ///
    /// # Errors
    /// [`Error::Target`] for other matrices.
    pub(crate) fn camera(&self) -> Result<(Camera, Depths), Error> {
        let matrix = |columns: &[[f32; 4]; 4]| Mat4::from_cols_array_2d(columns).as_dmat4();
        let (view, projection) = (matrix(&self.view), matrix(&self.projection));
        let wrong = |what: &str| Err(Error::Target(what.into()));
        if !view.is_finite() || !projection.is_finite() {
            return wrong("the matrices of the camera have numbers that are not finite");
        }
        let turn = glam::DMat3::from_mat4(view);
        let unit = turn * turn.transpose();
        let is_rigid = unit.abs_diff_eq(glam::DMat3::IDENTITY, 1e-3) && turn.determinant() > 0.0;
        if !is_rigid || !view.row(3).abs_diff_eq(glam::DVec4::W, 1e-6) {
            return wrong("the view matrix must turn and move alone, right-handed");
        }
        let [x, y, z, w] =
            [projection.x_axis, projection.y_axis, projection.z_axis, projection.w_axis];
        let is_perspective =
            (z.w + 1.0).abs() < 1e-6 && w.w == 0.0 && w.z != 0.0 && x.x > 0.0 && y.y > 0.0;
        if !is_perspective {
            return wrong("the projection must be a perspective one that looks along −z with y up");
        }
        let size = DVec2::from(self.size.map(f64::from));
        // Programs move the picture by parts of a pixel from frame to frame.
        if (z.truncate().truncate() * size).abs().max_element() > 4.0 {
            return wrong("the projection must have its centre in the middle of the picture");
        }
        if (y.y / x.x / (size.x / size.y) - 1.0).abs() > 0.01 {
            let [width, height] = self.size;
            return Err(Error::Target(format!(
                "the projection is of a picture {:.3} times as wide as high, the pass has {width} × {height} pixels",
                y.y / x.x
            )));
        }
        // z_clip / w_clip = (−z.z w + w.z) / w
        let depths = Depths { a: -z.z, b: w.z };
        let nearest =
            if depths.is_reversed() { depths.b / (1.0 - depths.a) } else { -depths.b / depths.a };
        if !(nearest > 0.0 && nearest.is_finite()) {
            return wrong("the projection has no near plane in front of the eye");
        }
        let world = DMat4::from_mat3(turn.transpose());
        let eye = -world.transform_vector3(view.w_axis.truncate());
        let [up, back]: [DVec3; 2] = [world.y_axis.truncate(), world.z_axis.truncate()];
        // The near plane of a camera follows from its target.
        let camera = Camera {
            eye,
            target: eye - back * (nearest / NEAR),
            up,
            fov_y: 2.0 * (1.0 / y.y).atan(),
        };
        Ok((camera, depths))
    }

    /// Rejects pictures of other sizes, or with several samples.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Some(Behind { color, depth }) = self.behind else { return Ok(()) };
        for (name, view) in [("color", color), ("depth", depth)] {
            let texture = view.texture();
            let size = [texture.width(), texture.height()];
            if size != self.size || texture.sample_count() != 1 {
                let ([width, height], [due, high]) = (size, self.size);
                return Err(Error::Target(format!(
                    "`behind.{name}` has {width} × {height} pixels of {} samples; it needs {due} × {high} of one",
                    texture.sample_count()
                )));
            }
        }
        if !depth.texture().format().has_depth_aspect() {
            let format = depth.texture().format();
            return Err(Error::Target(format!(
                "`behind.depth` has the format {format:?}, which has no depth"
            )));
        }
        Ok(())
    }
}

/// How a picture is put into a program's pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placing {
    pub(crate) depths: Depths,
    pub(crate) has_behind: bool,
    /// Whether light stays linear, since the target holds more than 0 to 1.
    pub(crate) is_hdr: bool,
}

impl Placing {
    /// a and b of depths in the pass.
    pub(crate) fn ends(&self) -> Vec2 {
        DVec2::new(self.depths.a, self.depths.b).as_vec2()
    }
}

/// Whether a format holds light beyond 1.
pub(crate) fn is_hdr(format: TextureFormat) -> bool {
    use TextureFormat as F;
    matches!(format, F::Rgba16Float | F::Rgba32Float | F::Rg11b10Ufloat)
}

#[cfg(test)]
mod tests {
    use glam::camera::rh::{proj::directx, view::look_at_mat4};

    use super::*;

    const SIZE: [u32; 2] = [640, 360];

    fn target(view: Mat4, projection: Mat4) -> Target<'static> {
        Target {
            size: SIZE,
            samples: 1,
            depth_format: None,
            view: view.to_cols_array_2d(),
            projection: projection.to_cols_array_2d(),
            behind: None,
        }
    }

    #[test]
    fn cameras_and_depths_follow_from_matrices_of_either_direction() {
        let eye = glam::Vec3::new(3.0, 2.0, 5.0);
        let view = look_at_mat4(eye, glam::Vec3::new(0.5, 0.2, -0.3), glam::Vec3::Y);
        let aspect = 16.0 / 9.0;
        for projection in [
            directx::perspective_infinite_reverse(0.8, aspect, 0.1),
            directx::perspective(0.8, aspect, 0.1, 50.0),
            directx::perspective_infinite(0.8, aspect, 0.1),
        ] {
            let (camera, depths) = target(view, projection).camera().expect("a camera");
            let point = glam::Vec3::new(0.3, 0.8, 0.2);
            let clip = projection * view * point.extend(1.0);
            let ([x, y], w) = camera.project(point.as_dvec3(), SIZE).expect("before the eye");
            let [width, height] = SIZE.map(f64::from);
            let due = [
                0.5 * width * (1.0 + f64::from(clip.x / clip.w)),
                0.5 * height * (1.0 - f64::from(clip.y / clip.w)),
            ];
            assert!((x - due[0]).abs() < 1e-3 && (y - due[1]).abs() < 1e-3, "{x} {y} {due:?}");
            assert!((w - f64::from(clip.w)).abs() < 1e-5);
            let depth = f64::from(clip.z / clip.w);
            assert!((depths.a + depths.b / w - depth).abs() < 1e-6, "{depths:?} {w} {depth}");
            assert!((camera.near() - 0.1).abs() < 1e-6, "{}", camera.near());
        }
    }

    #[test]
    fn other_matrices_are_refused() {
        let perspective = directx::perspective_infinite_reverse(0.8, 16.0 / 9.0, 0.1);
        let mut aside = perspective;
        aside.z_axis.x = 0.1;
        for (view, projection, due) in [
            (Mat4::from_scale(glam::Vec3::splat(2.0)), perspective, "turn and move"),
            (Mat4::from_scale(glam::Vec3::new(-1.0, 1.0, 1.0)), perspective, "right-handed"),
            (Mat4::NAN, perspective, "finite"),
            (Mat4::IDENTITY, directx::orthographic(-1.0, 1.0, -1.0, 1.0, 0.1, 10.0), "perspective"),
            (Mat4::IDENTITY, directx::perspective_infinite_reverse(0.8, 1.0, 0.1), "times as wide"),
            (Mat4::IDENTITY, aside, "middle"),
        ] {
            let error = target(view, projection).camera().expect_err(due).to_string();
            assert!(error.contains(due), "{error}");
        }
    }
}
