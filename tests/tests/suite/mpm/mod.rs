//! Material points: what single steps and small scenes must do. Comparisons with theory are the cases of docs/validation.md.

mod bodies;
mod deform;
mod implicit;
mod motion;
mod walls;

use glam::DMat3;
use meniscus::State;

/// Three rows of four lanes, as arrays of the method have them.
type Rows = [[f32; 4]; 3];

/// Rows of a matrix, and zeros in w.
fn rows(m: DMat3) -> Rows {
    m.transpose().to_cols_array_2d().map(|row| [row[0] as f32, row[1] as f32, row[2] as f32, 0.0])
}

fn matrix(rows: &Rows) -> DMat3 {
    DMat3::from_cols_array_2d(&rows.map(|row| [0, 1, 2].map(|k| f64::from(row[k])))).transpose()
}

fn norm(m: DMat3) -> f64 {
    m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Elements of an array of rows.
fn elements<const N: usize>(state: &State, name: &str) -> Vec<[[f32; 4]; N]> {
    let (lanes, _) = state.arrays[name].as_chunks::<4>();
    let (found, _) = lanes.as_chunks::<N>();
    found.iter().map(|element| element.map(|row| row.map(f32::from_bits))).collect()
}

/// Slots of the particles in the order of ids.
fn by_id(state: &State) -> Vec<usize> {
    let mut slots: Vec<_> = (0..state.particle_count()).collect();
    slots.sort_by_key(|i| state.identity()[*i][0]);
    slots
}
