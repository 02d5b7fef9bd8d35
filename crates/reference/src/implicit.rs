//! Implicit steps of material points (`wgsl/implicit/`), with sums over all particles and nodes.

use glam::{DMat3, DVec3};
use meniscus_model::params::{KIND_BOUNDARY, RESPONSE_STICKY};

use crate::World;
use crate::grid::{busy_cells, center, coordinates, edge};
use crate::held::{Wall, answering, answers, around, hold, is_held, solids, tie};
use crate::materials::{DAMPING, GAMMA, flow, hardening};
use crate::mpm::{FIELD, Singular, least_mass, matrix, row, rows, set_element, singular, weight};
use crate::poisson::{by_group, next_scalars, of_groups};
use crate::space::{displacement, with_w, xyz};
use crate::world::is_kind;

/// Least sum of two stretches.
const LEAST_SUM: f64 = 1e-3;
/// Cells around a node along each axis in which others may belong to it, on a side without walls and on one with.
const NEAR: i64 = 1;

/// Pairs of axes: yz, xz, xy.
const PAIRS: [[usize; 2]; 3] = [[1, 2], [0, 2], [0, 1]];

/// Change of a particle's stress by a small strain.
enum Tangent {
    Solid(Solid),
    Liquid(Liquid),
}

impl Tangent {
    fn of(world: &World, s: usize) -> Option<Self> {
        Solid::of(world, s).map(Self::Solid).or_else(|| Liquid::of(world, s).map(Self::Liquid))
    }

    fn stress(&self, strain: DMat3) -> DMat3 {
        match self {
            Self::Solid(own) => own.stress(strain),
            Self::Liquid(own) => own.stress(strain),
        }
    }

    fn modulus(&self) -> f64 {
        match self {
            Self::Solid(own) => own.modulus,
            Self::Liquid(own) => own.modulus(),
        }
    }
}

/// A liquid whose viscous stress is that of the step's end.
struct Liquid {
    /// −J d(J p)/dJ in Pa, J η and J ζ in Pa s.
    stiff: f64,
    shear: f64,
    bulk: f64,
    dt: f64,
    /// 1 along each axis of the scene's dimensions.
    axes: DMat3,
}

impl Liquid {
    fn of(world: &World, s: usize) -> Option<Self> {
        let material = world.material(world.sorted_identity[s]);
        let (model, number) = world.model_of(&material);
        let flat = world.params.world.dimensions == 2;
        let axes = DMat3::from_diagonal([1.0, 1.0, f64::from(u8::from(!flat))].into());
        let gradient = matrix(world, "affine", world.order[s] as usize);
        let rate = gradient + gradient.transpose() - trace(gradient) / trace(axes) * 2.0 * axes;
        let square: f64 = rate.to_cols_array().iter().map(|d| d * d).sum();
        let most = f64::from(material.viscosity);
        let viscosity = flow(model, &number, most, (0.5 * square).sqrt())?;
        let excess = row(world, "sorted_deformation", s, 0)[3];
        let j = 1.0 + excess;
        let pressed = if excess > 0.0 && number("pulls") == 0.0 { 0.0 } else { 1.0 };
        let stiffness = number("stiffness");
        // p J = B (J^(1 − γ) − J).
        let stiff = stiffness * ((GAMMA - 1.0) * j.powf(1.0 - GAMMA) + j);
        let sound = (GAMMA * stiffness / f64::from(material.rest_density)).sqrt();
        let damping = DAMPING * f64::from(material.rest_density) * sound * edge(&world.params);
        Some(Self {
            stiff: pressed * stiff,
            shear: j * viscosity,
            bulk: pressed * j * damping,
            dt: f64::from(world.control.dt).max(1e-9),
            axes,
        })
    }

    /// 2 J η dev D + J ζ tr D 1 of a gradient of velocity in 1/s.
    fn viscous(&self, gradient: DMat3) -> DMat3 {
        let rate = gradient + gradient.transpose();
        let mean = trace(gradient) / trace(self.axes);
        self.shear * (rate - 2.0 * mean * self.axes) + self.bulk * trace(gradient) * self.axes
    }

    fn stress(&self, strain: DMat3) -> DMat3 {
        self.stiff * trace(strain) * self.axes + self.viscous(strain / self.dt)
    }

    /// That of the solid with as much λ and G in a step.
    fn modulus(&self) -> f64 {
        let lambda = self.stiff + (self.bulk - 2.0 / trace(self.axes) * self.shear) / self.dt;
        (lambda + 4.0 * self.shear / self.dt) / 3.0
    }
}

fn trace(m: DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// Second derivatives of ψ of a particle in its principal axes.
struct Solid {
    principal: Singular,
    /// `∂²ψ/∂σ_i∂σ_j` in Pa.
    axes: DMat3,
    /// `(P_i − P_j)/(σ_i − σ_j)` and `(P_i + P_j)/(σ_i + σ_j)` of each pair in Pa.
    pairs: [[f64; 2]; 3],
    /// Mean modulus in Pa.
    modulus: f64,
}

impl Solid {
    /// Of ψ = G Σ (σ − 1)² + λ/2 (J − 1)², less what makes it indefinite.
    fn of(world: &World, s: usize) -> Option<Self> {
        let material = world.material(world.sorted_identity[s]);
        let (model, number) = world.model_of(&material);
        let state = [0, 1, 2].map(|k| row(world, "sorted_deformation", s, k)[3]);
        let factor = hardening(model, &number, state)?;
        let [lambda, shear] = ["lambda", "shear"].map(|name| factor * number(name));
        let f = DMat3::IDENTITY + matrix(world, "sorted_deformation", s);
        let principal = singular(f, world.params.world.dimensions);
        let sigma = principal.sigma;
        let j: f64 = sigma.iter().product();
        let l = lambda * (j - 1.0);
        // J/σ of each axis.
        let others = [sigma[1] * sigma[2], sigma[0] * sigma[2], sigma[0] * sigma[1]];
        let bound = l.abs() * (sigma[0].abs() + sigma[1].abs());
        let share = if bound > 2.0 * shear { 2.0 * shear / bound } else { 1.0 };
        let mut axes = [[0.0; 3]; 3];
        for (i, of_i) in axes.iter_mut().enumerate() {
            of_i[i] = 2.0 * shear + lambda * others[i].powi(2);
        }
        let mut pairs = [[0.0; 2]; 3];
        for (k, [a, b]) in PAIRS.into_iter().enumerate() {
            let mixed = lambda * others[a] * others[b] + share * l * sigma[k];
            (axes[a][b], axes[b][a]) = (mixed, mixed);
            let sum = (sigma[a] + sigma[b]).max(LEAST_SUM);
            let minus = 2.0 * shear - l * sigma[k];
            let plus = 2.0 * shear * (sum - 2.0) / sum + l * sigma[k];
            pairs[k] = [minus.max(0.0), plus.max(0.0)];
        }
        let modulus = (lambda + 4.0 * shear) / 3.0 * sigma[0].powi(2);
        Some(Self { principal, axes: DMat3::from_cols_array_2d(&axes), pairs, modulus })
    }

    /// δτ = δP Fᵀ of δF = ∇δv F.
    fn stress(&self, strain: DMat3) -> DMat3 {
        let [u, v] =
            [self.principal.u, self.principal.v].map(|[a, b, c]| DMat3::from_cols(a, b, c));
        let sigma = DMat3::from_diagonal(self.principal.sigma.into());
        let change = u.transpose() * strain * u * sigma;
        let of = |i: usize, j: usize| change.col(j)[i];
        let mut p = [[0.0; 3]; 3];
        for (i, of_i) in p.iter_mut().enumerate() {
            of_i[i] = (0..3).map(|j| self.axes.col(j)[i] * of(j, j)).sum();
        }
        for ([a, b], [minus, plus]) in PAIRS.into_iter().zip(self.pairs) {
            let [even, odd] = [0.5 * (of(a, b) + of(b, a)), 0.5 * (of(a, b) - of(b, a))];
            p[a][b] = minus * even + plus * odd;
            p[b][a] = minus * even - plus * odd;
        }
        let p = u * DMat3::from_cols_array_2d(&p).transpose() * v.transpose();
        p * (u * sigma * v.transpose()).transpose()
    }
}

/// Tangents, in a frame that equal stretches leave open: comparisons skip them, since [`strain`] has its own.
pub(crate) fn tangent(world: &mut World) {
    for s in world.handled() {
        if is_kind(world.sorted_identity[s], KIND_BOUNDARY) {
            continue;
        }
        let mut element = [[0.0; 4]; 6];
        match Tangent::of(world, s) {
            Some(Tangent::Solid(own)) => {
                let (u, sigma) = (own.principal.u, own.principal.sigma);
                element[0] = with_w(u[0], own.modulus);
                element[1] = with_w(u[1], 0.0);
                for (k, ([a, b], [minus, plus])) in PAIRS.into_iter().zip(own.pairs).enumerate() {
                    let [even, odd] = [0.5 * (minus + plus), 0.5 * (minus - plus)];
                    element[2][k] = own.axes.col(k)[k] * sigma[k].powi(2);
                    element[3][k] = own.axes.col(b)[a] * sigma[a] * sigma[b];
                    element[4][k] = even * sigma[b].powi(2);
                    element[5][k] = even * sigma[a].powi(2);
                    element[1 + k][3] = odd * sigma[a] * sigma[b];
                }
            }
            Some(Tangent::Liquid(own)) => {
                // By the stresses of unit strains.
                let of = |i: usize, j: usize| {
                    let mut unit = DMat3::ZERO;
                    unit.col_mut(j)[i] = 1.0;
                    own.stress(unit)
                };
                element[0] = with_w(DVec3::X, own.modulus());
                element[1] = with_w(DVec3::Y, 0.0);
                for (k, [a, b]) in PAIRS.into_iter().enumerate() {
                    element[2][k] = of(k, k).col(k)[k];
                    element[3][k] = of(b, b).col(a)[a];
                    element[4][k] = of(a, b).col(b)[a];
                    element[5][k] = of(b, a).col(a)[b];
                    element[1 + k][3] = of(b, a).col(b)[a];
                }
                let i = world.order[s] as usize;
                let before = own.viscous(matrix(world, "affine", i));
                let [mut on, mut off] = [row(world, "stress", i, 0), row(world, "stress", i, 1)];
                for (k, [a, b]) in PAIRS.into_iter().enumerate() {
                    on[k] -= before.col(k)[k];
                    off[k] -= before.col(b)[a];
                }
                set_element(world, "stress", i, &[on, off]);
            }
            None => {}
        }
        set_element(world, "tangent", s, &element);
    }
}

/// What a field of the nodes adds to the particles' stresses.
pub(crate) fn strain(world: &mut World) {
    let params = world.params;
    let (dt, edge) = (f64::from(world.control.dt), edge(&params));
    for s in world.handled() {
        if is_kind(world.sorted_identity[s], KIND_BOUNDARY) {
            continue;
        }
        let Some(own) = Tangent::of(world, s) else {
            for name in FIELD {
                set_element(world, name, s, &[[0.0; 4]]);
            }
            continue;
        };
        let x = xyz(world.sorted_position[s]);
        let mut gradient = DMat3::ZERO;
        for c in 0..params.grid.cell_count as usize {
            let offset = displacement(&params, center(&params, coordinates(&params, c)), x);
            let w = weight(&params, offset);
            if w > 0.0 {
                let u = w * xyz(row(world, "node", c, 0));
                gradient += DMat3::from_cols(offset.x * u, offset.y * u, offset.z * u);
            }
        }
        let volume = f64::from(world.material(world.sorted_identity[s]).rest_volume);
        let inverse_inertia = 4.0 / edge.powi(2);
        let added = dt * dt * inverse_inertia * volume * own.stress(inverse_inertia * gradient);
        let share = (dt * inverse_inertia).powi(2) * volume * own.modulus();
        for (name, row) in FIELD.iter().zip(rows(added, [share, 0.0, 0.0])) {
            set_element(world, name, s, &[row]);
        }
    }
}

/// Sums of that over the particles around each node.
pub(crate) fn gather(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let x = center(&params, coordinates(&params, c));
        let (mut force, mut stiffness) = (DVec3::ZERO, 0.0);
        for s in world.sorted_fluid() {
            let offset = displacement(&params, x, xyz(row(world, "point_place", s, 0)));
            let w = weight(&params, offset);
            if w > 0.0 {
                let rows = FIELD.map(|name| row(world, name, s, 0));
                force += w * DVec3::from(rows.map(|row| xyz(row).dot(offset)));
                stiffness += w * w * offset.length_squared() * rows[0][3];
            }
        }
        set_element(world, "implicit_q", c, &[with_w(force, stiffness)]);
    }
}

/// Walls that hold a node, and the last number of its row.
fn walls(world: &World, c: usize) -> (Vec<Wall>, f64) {
    let (walls, last) = hold(world, c);
    (walls.into_iter().flatten().collect(), last)
}

/// Bit and word of a cell at an offset in cells from a node, among the cells around it on these sides.
fn bit(world: &World, sides: u32, step: [i64; 3]) -> (usize, u32) {
    let reach = i64::from(world.params.grid.z_reach);
    let more = |side: u32| i64::from(sides >> side & 1);
    let low = [0, 1, 2].map(|axis| -NEAR - more(axis));
    let size = [0, 1, 2].map(|axis| 2 * NEAR + 1 + more(axis) + more(axis + 3));
    let (low, size) =
        ([low[0], low[1], low[2] * reach], [size[0], size[1], 1 + (size[2] - 1) * reach]);
    let [x, y, z] = [0, 1, 2].map(|axis| step[axis] - low[axis]);
    let k = (x + size[0] * (y + size[1] * z)) as u32;
    ((k / 32) as usize, 1 << (k % 32))
}

/// Inertia of the nodes, and which ones follow which.
pub(crate) fn inertia(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let own = row(world, "node", c, 0);
        let mut m = own[3] * DMat3::IDENTITY;
        let mut is_unknown = own[3] > least_mass(&params);
        let mut bits = [0; 4];
        let mut keep = |sides: u32, offset: DVec3| {
            let step = (offset / edge(&params)).round().to_array().map(|x| x as i64);
            let (word, bit) = bit(world, sides, step);
            bits[word] |= bit;
        };
        if is_unknown && params.counts.colliders > 0 {
            let (own_walls, last) = walls(world, c);
            if is_held(world, c) {
                is_unknown = last == 0.0;
                let sides = own_walls.iter().map(|wall| crate::held::sides(wall.normal));
                let sides = sides.fold(0, |all, sides| all | sides);
                answering(world, c, &own_walls)
                    .iter()
                    .for_each(|(_, offset, _)| keep(sides, *offset));
            } else if last > 0.0 {
                for (d, away) in around(world, c) {
                    let (walls, sum) = walls(world, d);
                    let share = answers(&params, &walls, -away);
                    if walls.is_empty() || share == 0.0 {
                        continue;
                    }
                    keep(last as u32, away);
                    let x = center(&params, coordinates(&params, d));
                    let (a, _) = tie(world, &all, &walls, x, -away);
                    m += share / sum * row(world, "node", d, 0)[3] * a.transpose() * a;
                }
            }
        }
        let diagonal = [m.x_axis.x, m.y_axis.y, m.z_axis.z, f64::from(u8::from(is_unknown))];
        let element = [diagonal, [m.y_axis.z, m.x_axis.z, m.x_axis.y, own[3]]];
        set_element(world, "implicit_mass", c, &element);
        world.words_mut("implicit_around")[4 * c..4 * c + 4].copy_from_slice(&bits);
    }
}

/// What is left of a force where walls hold a node.
fn borne(world: &World, walls: &[Wall], force: DVec3) -> DVec3 {
    let sticky = |wall: &Wall| world.colliders[wall.solid].response == RESPONSE_STICKY;
    if walls.iter().any(sticky) {
        return DVec3::ZERO;
    }
    let mut normals: Vec<DVec3> = Vec::new();
    for wall in walls {
        let rest = normals.iter().fold(wall.normal, |n, m| n - n.dot(*m) * m);
        if rest.length_squared() > 1e-6 {
            normals.push(rest.normalize());
        }
    }
    normals.iter().fold(force, |force, n| force - force.dot(*n) * n)
}

/// Nodes around one that its bits name: number and offset in m from it.
fn named(world: &World, c: usize, sides: u32) -> Vec<(usize, DVec3)> {
    let bits = &world.words("implicit_around")[4 * c..4 * c + 4];
    let is_named = |(_, offset): &(usize, DVec3)| {
        let step = (*offset / edge(&world.params)).round().to_array().map(|x| x as i64);
        let more = |side: usize| i64::from(sides >> side & 1);
        let inside =
            (0..3).all(|axis| (-NEAR - more(axis)..=NEAR + more(axis + 3)).contains(&step[axis]));
        let (word, bit) = if inside { bit(world, sides, step) } else { (0, 0) };
        bits[word] & bit != 0
    };
    around(world, c).into_iter().filter(is_named).collect()
}

/// Forces on held nodes given to those that they follow.
pub(crate) fn collect(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let force = row(world, "implicit_q", c, 0);
        let (own, last) = walls(world, c);
        let mut sum = xyz(force);
        let mut stiffness = force[3];
        if own.is_empty() {
            for (d, away) in named(world, c, last as u32) {
                let (walls, weight) = walls(world, d);
                let share = answers(&params, &walls, -away) / weight;
                let x = center(&params, coordinates(&params, d));
                let (a, _) = tie(world, &all, &walls, x, -away);
                let force = row(world, "implicit_q", d, 0);
                sum += share * (a.transpose() * xyz(force));
                stiffness += share * force[3];
            }
        } else {
            sum = borne(world, &own, sum);
        }
        set_element(world, "implicit_w", c, &[with_w(sum, stiffness)]);
    }
}

/// The search direction at held nodes.
pub(crate) fn follow(world: &mut World) {
    let params = world.params;
    let all = solids(world);
    for c in busy_cells(world) {
        let (own, weight) = walls(world, c);
        if own.is_empty() || weight == 0.0 {
            continue;
        }
        let x = center(&params, coordinates(&params, c));
        let mut u = DVec3::ZERO;
        if row(world, "node", c, 0)[3] > least_mass(&params) {
            for (d, offset, share) in answering(world, c, &own) {
                let (a, _) = tie(world, &all, &own, x, offset);
                u += share / weight * (a * xyz(row(world, "implicit_u", d, 0)));
            }
        }
        set_element(world, "implicit_u", c, &[with_w(u, 0.0)]);
    }
}

/// Inertia of a node that is unknown, and its own mass.
fn mass(world: &World, c: usize) -> Option<(DMat3, f64)> {
    let [[xx, yy, zz, kind], [yz, xz, xy, own]] = [0, 1].map(|k| row(world, "implicit_mass", c, k));
    let m = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    (kind == 1.0).then_some((m, own))
}

/// r over inertia and stiffness.
fn preconditioned(m: DMat3, stiffness: f64, r: DVec3) -> DVec3 {
    (m + stiffness * DMat3::IDENTITY).inverse() * r
}

/// The residual −Δt² K v.
pub(crate) fn start(world: &mut World) {
    for c in busy_cells(world) {
        let q = row(world, "implicit_w", c, 0);
        let (r, u) = match mass(world, c) {
            Some((m, _)) => (-xyz(q), preconditioned(m, q[3], -xyz(q))),
            None => (DVec3::ZERO, DVec3::ZERO),
        };
        set_element(world, "implicit_r", c, &[with_w(r, 0.0)]);
        set_element(world, "implicit_u", c, &[with_w(u, 0.0)]);
    }
}

/// (M + Δt² K) u, and products.
pub(crate) fn apply(world: &mut World) {
    for c in busy_cells(world) {
        if let Some((m, _)) = mass(world, c) {
            let q = row(world, "implicit_w", c, 0);
            let w = m * xyz(row(world, "implicit_u", c, 0)) + xyz(q);
            set_element(world, "implicit_w", c, &[with_w(w, q[3])]);
        }
    }
    let pull = f64::from(world.control.dt) * world.params.world.gravity.as_dvec3();
    let products = |world: &World, c: usize| {
        let Some((_, own)) = mass(world, c) else { return [0.0; 4] };
        let [r, u, w, v] = ["implicit_r", "implicit_u", "implicit_w", "node"]
            .map(|name| xyz(row(world, name, c, 0)));
        let kinetic = own * (v.length_squared() + pull.length_squared());
        [r.dot(u), u.dot(w), r.length_squared() / own, kinetic]
    };
    by_group(world, products, all_sums);
}

fn all_sums(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [0, 1, 2, 3].map(|k| a[k] + b[k])
}

/// α, β and the residual in percent.
pub(crate) fn total(world: &mut World) {
    let [gamma, delta, error, kinetic] = of_groups(world, all_sums);
    let last: [f64; 4] = std::array::from_fn(|k| world.floats("implicit_scalars")[k]);
    let [alpha, beta] = next_scalars(world, last, [gamma, delta]);
    world.floats_mut("implicit_scalars").copy_from_slice(&[alpha, beta, gamma, last[3]]);
    let percent = 100.0 * (error / kinetic.max(1e-30)).sqrt();
    world.floats_mut("implicit_residual")[0] = if alpha > 0.0 { percent } else { 0.0 };
}

/// A step of conjugate gradients.
pub(crate) fn step(world: &mut World) {
    let [alpha, beta] = [0, 1].map(|k| world.floats("implicit_scalars")[k]);
    for c in busy_cells(world) {
        let Some((m, _)) = mass(world, c) else { continue };
        let of = |name: &str| row(world, name, c, 0);
        let last = [0, 1].map(|k| xyz(row(world, "implicit_p", c, k)));
        let kept = |k: usize| if beta > 0.0 { beta * last[k] } else { DVec3::ZERO };
        let p = xyz(of("implicit_u")) + kept(0);
        let s = xyz(of("implicit_w")) + kept(1);
        let r = xyz(of("implicit_r")) - alpha * s;
        let (v, stiffness) = (of("node"), of("implicit_w")[3]);
        set_element(world, "implicit_p", c, &[with_w(p, 0.0), with_w(s, 0.0)]);
        set_element(world, "node", c, &[with_w(xyz(v) + alpha * p, v[3])]);
        set_element(world, "implicit_r", c, &[with_w(r, 0.0)]);
        set_element(world, "implicit_u", c, &[with_w(preconditioned(m, stiffness, r), 0.0)]);
    }
}
