//! meniscus in a browser: the functions that the page's worker calls.
//!
//! [`Page::open`] opens a device and a canvas, [`Page::load`] a scene; [`Page::set`] and
//! [`Page::pointer`] note what the user wants, [`Page::frame`] carries it out and simulates,
//! [`Page::draw`] draws, and [`Page::read`] gives files. Descriptions and states are JSON. The
//! crate has no content on other targets; what it does there is done by `demos` and `meniscus-cli`
//! with the same `meniscus-live`.
#![cfg(target_arch = "wasm32")]

mod describe;
mod fault;
mod files;
mod measured;
mod session;

use std::cell::RefCell;

use meniscus::Gpu;
use wasm_bindgen::prelude::*;

use fault::Fault;
use session::{Pointer, Session, Wish};

/// A canvas with a device, and the scene that runs on it. Calls that return promises must not
/// overlap.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Page {
    /// Absent while a promise is pending.
    session: RefCell<Option<Session>>,
    gpu: Gpu,
    wishes: RefCell<Vec<Wish>>,
}

#[wasm_bindgen]
impl Page {
    /// Opens a device that can draw on the canvas.
    ///
    /// # Errors
    /// No adapter, or one that does not suffice.
    pub async fn open(canvas: web_sys::OffscreenCanvas) -> Result<Page, JsError> {
        std::panic::set_hook(Box::new(|panic| {
            web_sys::console::error_1(&panic.to_string().into())
        }));
        let session = Session::open(canvas).await?;
        let gpu = session.gpu().clone();
        Ok(Self { session: RefCell::new(Some(session)), gpu, wishes: RefCell::default() })
    }

    /// Scenes, view modes and keys that do not depend on the scene.
    pub fn menu() -> String {
        describe::menu().to_string()
    }

    /// Names of the meshes that a choice needs, to be fetched and given to [`Page::add_mesh`] before [`Page::load`].
    pub fn meshes(choice: &str) -> Vec<String> {
        session::meshes(choice)
    }

    /// Adds the text of a bundled mesh.
    pub fn add_mesh(name: String, text: Vec<u8>) {
        meniscus_formats::add_mesh(name, text);
    }

    /// Sets up the scene of a choice; the one before stays if that fails. Returns its description.
    ///
    /// # Errors
    /// Problems of the scene, or of the device.
    pub async fn load(&self, choice: String) -> Result<String, JsError> {
        let wishes = self.wishes.take();
        self.with(async |session| {
            // The canvas's size, above all.
            session.grant(wishes).await?;
            session.load(&choice).await
        })
        .await
    }

    /// Number of passes that the device is still compiling.
    pub fn compiling(&self) -> u32 {
        self.gpu.compiling() as u32
    }

    /// Description of the scene as it is now, as [`Page::load`] returns it.
    ///
    /// # Errors
    /// No scene.
    pub async fn describe(&self) -> Result<String, JsError> {
        self.with(async |session| session.describe()).await
    }

    /// Notes that a setting should have a value, from the next [`Page::frame`] on.
    pub fn set(&self, key: String, value: String) {
        self.wishes.borrow_mut().push(Wish::Set(key, value));
    }

    /// Notes what the pointer does: `press`, `move` and `release` of the hand with places in CSS
    /// pixels; `orbit` and `pan` of the camera, in picture heights; `zoom` in notches. `keys` are 1
    /// for shift, 2 for alt, 4 for control.
    pub fn pointer(&self, kind: &str, x: f64, y: f64, keys: u32) {
        let at = [x, y];
        let keys = meniscus_live::Modifiers {
            shift: keys & 1 != 0,
            alt: keys & 2 != 0,
            command: keys & 4 != 0,
        };
        let pointer = match kind {
            "press" => Pointer::Press(at, keys),
            "move" => Pointer::Move(at),
            "release" => Pointer::Release,
            "orbit" => Pointer::Orbit(at),
            "pan" => Pointer::Pan(at),
            "zoom" => Pointer::Zoom(x),
            _ => return,
        };
        self.wishes.borrow_mut().push(Wish::Pointer(pointer));
    }

    /// Carries out what was noted and simulates for about `milliseconds`. Returns the state.
    ///
    /// # Errors
    /// A device that was lost. A simulation that fails says so in the state.
    pub async fn frame(&self, milliseconds: f64) -> Result<String, JsError> {
        let wishes = self.wishes.take();
        self.with(async |session| session.frame(wishes, milliseconds).await).await
    }

    /// Draws what is new on the canvas, and waits until it is drawn.
    ///
    /// # Errors
    /// A device that was lost.
    pub async fn draw(&self) -> Result<(), JsError> {
        self.with(async |session| session.draw().await).await
    }

    /// A file: `ply`, `glb`, `png`, `toml` (the scene as changed) or `json` (the report).
    ///
    /// # Errors
    /// No scene, a device that was lost.
    pub async fn read(&self, what: String) -> Result<Vec<u8>, JsError> {
        self.with(async |session| session.read(&what).await).await
    }

    /// Loses the device on purpose, to test what follows.
    pub fn lose(&self) {
        self.gpu.device().destroy();
    }

    async fn with<T>(
        &self,
        work: impl AsyncFnOnce(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, JsError> {
        let Some(mut session) = self.session.take() else {
            return Err(JsError::new("the page is still busy with the last call"));
        };
        let result = work(&mut session).await;
        self.session.replace(Some(session));
        Ok(result?)
    }
}
