//! Headless Chromium on `SwiftShader`, by the `DevTools` protocol over a pipe.

use std::{
    cell::RefCell,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// Debian's Chromium, without its wrapper, and its driver of `SwiftShader`.
const PROGRAM: &str = "/usr/lib/chromium/chromium";
pub(crate) const DRIVER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
/// Longest wait for anything: software on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    serial: u64,
    session: String,
    /// Errors and warnings that the page and its worker wrote, and exceptions.
    complaints: RefCell<Vec<String>>,
    _profile: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// Browsers run one after another, since each uses all cores.
static TURN: Mutex<()> = Mutex::new(());

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    /// Whether there is one.
    pub(crate) fn exists() -> bool {
        [PROGRAM, DRIVER].iter().all(|path| Path::new(path).exists())
    }

    /// Starts it with a view of this size.
    pub(crate) fn start([width, height]: [u32; 2]) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().expect("a temporary folder");
        // The protocol uses the descriptors 3 and 4.
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null",
            "sh",
            PROGRAM,
        ]);
        shell.args(["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run"]);
        shell.args(["--disable-dev-shm-usage", "--enable-unsafe-webgpu", "--disable-gpu-watchdog"]);
        shell.args(["--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]);
        // The page's picture, too, must come from Vulkan to show a canvas.
        shell.args(["--use-vulkan=swiftshader", "--use-angle=swiftshader"]);
        shell.arg(format!("--user-data-dir={}", profile.path().display()));
        let pipes = shell.arg("about:blank").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = pipes.spawn().expect("Chromium starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            input,
            messages,
            serial: 0,
            session: String::new(),
            complaints: RefCell::default(),
            _profile: profile,
            _turn: turn,
        };
        let targets = browser.call("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().expect("targets");
        let page = targets.iter().find(|target| target["type"] == "page").expect("a page");
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach)["sessionId"].clone();
        browser.session = session.as_str().expect("a session").to_owned();
        for domain in ["Runtime.enable", "Page.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        let workers =
            json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
        browser.call("Target.setAutoAttach", workers);
        browser.resize([width, height], 1, false);
        browser
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let session = self.session.clone();
        let id = self.send(method, &params, &session);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(rest);
            let mut message = message.unwrap_or_else(|_| panic!("no answer to {method} {params}"));
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method} {params}: {}", message["error"]);
                return message["result"].take();
            }
            self.hear(&message);
        }
    }

    fn send(&mut self, method: &str, params: &Value, session: &str) -> u64 {
        self.serial += 1;
        let mut message = json!({ "id": self.serial, "method": method, "params": params });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.input.write_all(message.to_string().as_bytes()).expect("Chromium reads");
        self.input.write_all(&[0]).expect("Chromium reads");
        self.serial
    }

    /// Notes what the page and its workers complain about.
    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.consoleAPICalled")
                if ["error", "warning", "assert"]
                    .contains(&params["type"].as_str().unwrap_or("")) =>
            {
                self.complaints.borrow_mut().push(params["args"].to_string());
            }
            Some("Runtime.exceptionThrown") => {
                self.complaints.borrow_mut().push(params["exceptionDetails"].to_string());
            }
            Some("Log.entryAdded") if params["entry"]["level"] != "info" => {
                self.complaints.borrow_mut().push(params["entry"].to_string());
            }
            Some("Target.attachedToTarget") if params["targetInfo"]["type"] == "worker" => {
                let session = params["sessionId"].as_str().expect("a session").to_owned();
                self.send("Runtime.enable", &json!({}), &session);
            }
            _ => {}
        }
    }

    /// What the page and its workers have complained about since the last call.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.complaints.take()
    }

    /// Sets the size of the view and its pixels per CSS pixel, of a phone with a touch screen or not.
    pub(crate) fn resize(&mut self, [width, height]: [u32; 2], pixels: u32, phone: bool) {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": pixels, "mobile": phone,
        });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone }));
    }

    /// Value of an expression, awaited if it is a promise.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let wanted =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut result = self.call("Runtime.evaluate", wanted);
        let fault = result.get("exceptionDetails");
        assert!(fault.is_none(), "{expression}: {}", fault.unwrap_or(&Value::Null));
        result["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.value(expression) != true {
            let now = "`${document.body?.dataset.state}: ${document.body?.innerText.slice(-300)}`";
            let waiting = begin.elapsed() < PATIENCE;
            assert!(waiting, "{expression} was never true; the page says {}", self.value(now));
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Opens an address, and waits until the page shows a scene or says why not.
    pub(crate) fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        self.wait(
            "location.href !== 'about:blank' && document.readyState === 'complete' && \
             ['ready', 'refused', 'broken'].includes(document.body.dataset.state)",
        );
    }

    /// Does something with the mouse: `mousePressed`, `mouseMoved`, `mouseReleased`.
    pub(crate) fn mouse(&mut self, what: &str, [x, y]: [f64; 2]) {
        let buttons = u32::from(what != "mouseReleased");
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
        );
    }

    /// Clicks the middle of the element with this id.
    pub(crate) fn click(&mut self, id: &str) {
        let place = format!(
            "(() => {{ const e = document.getElementById('{id}'); e.scrollIntoView(); \
             const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2] }})()"
        );
        let place = self.value(&place);
        let at = [0, 1].map(|k: usize| place[k].as_f64().expect("a place"));
        self.mouse("mousePressed", at);
        self.mouse("mouseReleased", at);
    }
}

/// The page's server, `lab web --serve`.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub(crate) fn start(root: &Path) -> Self {
        let mut serve = Command::new(env!("CARGO_BIN_EXE_lab"));
        serve.current_dir(root).args(["web", "--no-build", "--serve", "--port", "0"]);
        let mut process = serve.stdout(Stdio::piped()).spawn().expect("the server starts");
        let output = process.stdout.as_mut().expect("a pipe");
        let mut address = String::new();
        BufReader::new(output.by_ref()).read_line(&mut address).expect("an address");
        Self { process, address: address.trim().to_owned() }
    }
}

/// A program of this workspace, which Cargo puts next to the one that is tested.
pub(crate) fn sibling(program: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_lab")).with_file_name(program)
}
