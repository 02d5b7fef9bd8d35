//! GPU devices that tests share, so that adapters are opened and shaders compiled only a few times.

use std::sync::{Mutex, Once, OnceLock, PoisonError};

pub use meniscus::blocking::block_on;
use meniscus::{Gpu, GpuOptions, Subgroups, blocking};

/// Variants of pair passes and dispatches of a test device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "tests match on it")]
pub enum Flavour {
    /// The default for users.
    Default,
    /// Without subgroup operations, and with few workgroups per dimension, so that small
    /// dispatches fold into two.
    PlainFolded,
}

impl Flavour {
    /// Options of its device, with the adapter of `MENISCUS_ADAPTER` if that is set.
    #[must_use]
    pub fn options(self) -> GpuOptions {
        let adapter = std::env::var("MENISCUS_ADAPTER").ok();
        let chosen = GpuOptions { adapter, ..GpuOptions::default() };
        match self {
            Self::Default => chosen,
            Self::PlainFolded => {
                GpuOptions { subgroups: Subgroups::Off, max_workgroups: Some(17), ..chosen }
            }
        }
    }
}

/// Largest number of devices of each flavour. Each running test has its own device, as long as no
/// more tests run: tests that share a device wait for each other, and wgpu 30 may panic if one
/// waits while another submits ("the current submission index should be at least the wait
/// submission index").
const LANES: usize = 16;

/// Number of tests that use each device now.
static USERS: Mutex<[usize; LANES]> = Mutex::new([0; LANES]);

thread_local! {
    /// The device of the test on this thread.
    static LANE: Lane = Lane::enter();
}

/// Index of the device that a test uses until it ends.
struct Lane(usize);

impl Lane {
    fn enter() -> Self {
        let mut users = USERS.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = (0..LANES).min_by_key(|lane| users[*lane]).unwrap_or(0);
        users[lane] += 1;
        Self(lane)
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        USERS.lock().unwrap_or_else(PoisonError::into_inner)[self.0] -= 1;
    }
}

/// A shared device: the adapter that `MENISCUS_ADAPTER` names or numbers, or the system's choice. `None`
/// (with a message) if `MENISCUS_GPU` allows that: `require` (set by `cargo verify`) fails without an
/// adapter, `auto` skips, `off` always skips. A thread always gets the same device.
pub fn gpu(flavour: Flavour) -> Option<&'static Gpu> {
    static DEFAULT: [OnceLock<Option<Gpu>>; LANES] = [const { OnceLock::new() }; LANES];
    static FOLDED: [OnceLock<Option<Gpu>>; LANES] = [const { OnceLock::new() }; LANES];
    let slots = match flavour {
        Flavour::Default => &DEFAULT,
        Flavour::PlainFolded => &FOLDED,
    };
    LANE.with(|lane| slots[lane.0].get_or_init(|| open(&flavour.options())).as_ref())
}

/// A device that is not shared, or `None` as for [`gpu`].
///
/// # Panics
/// If there must be an adapter and there is none.
pub fn open(options: &GpuOptions) -> Option<Gpu> {
    let mode = std::env::var("MENISCUS_GPU").unwrap_or_else(|_| "auto".into());
    if mode == "off" {
        eprintln!("SKIPPED: MENISCUS_GPU=off; tests that need a GPU do not run");
        return None;
    }
    match blocking::open(options) {
        Ok(gpu) => {
            static SAID: Once = Once::new();
            let info = gpu.info();
            SAID.call_once(|| eprintln!("tests run on {} ({:?})", info.name, info.backend));
            Some(gpu)
        }
        Err(error) if mode == "require" => panic!("MENISCUS_GPU=require, but {error}"),
        Err(error) => {
            eprintln!("SKIPPED: {error}; tests that need a GPU do not run");
            None
        }
    }
}
