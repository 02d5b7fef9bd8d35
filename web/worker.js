// The worker: it has the device and the canvas, so the page itself never waits for either. It carries out the
// page's calls one after another, and between them simulates and draws. (This text follows wasm-bindgen's in
// meniscus.js, whose `Page` and `__wbg_init` it uses.)

let page = null;
// Names of the meshes that were fetched.
const meshes = new Set();
let last = Promise.resolve();

// Runs work after everything before it.
const queue = (work) => (last = last.then(work, work));

const tell = (error) => error?.message ?? String(error);

const calls = {
    async open(canvas) {
        await __wbg_init({ module_or_path: new URL("meniscus_bg.wasm", import.meta.url) });
        page = await Page.open(canvas);
        loop();
        return Page.menu();
    },
    async load(choice) {
        for (const name of Page.meshes(choice).filter((name) => !meshes.has(name))) {
            const answer = await fetch(new URL(name, import.meta.url));
            if (!answer.ok) throw new Error(`${name} of this scene did not load: ${answer.status} ${answer.statusText}`);
            Page.add_mesh(name, new Uint8Array(await answer.arrayBuffer()));
            meshes.add(name);
        }
        const count = setInterval(() => postMessage({ compiling: page.compiling() }), 100);
        try {
            return await page.load(choice);
        } finally {
            clearInterval(count);
        }
    },
    read: (what) => page.read(what),
    describe: () => page.describe(),
    // Frames without pictures, for tests.
    async frames(count) {
        for (let k = 0; k < count; k++) {
            page.set("frame", "");
            await page.frame(0);
        }
    },
    lose: () => page.lose(),
};

// Simulation and pictures, at the rate of the screen.
async function loop() {
    const next = self.requestAnimationFrame
        ? (work) => self.requestAnimationFrame(work)
        : (work) => setTimeout(work, 16);
    try {
        for (;;) {
            await new Promise(next);
            await queue(async () => {
                const state = await page.frame(12);
                await page.draw();
                postMessage({ state });
            });
        }
    } catch (error) {
        postMessage({ lost: tell(error) });
    }
}

self.onmessage = async ({ data: { id, call, parts } }) => {
    if (call === "set" || call === "pointer") {
        page?.[call](...parts);
        return;
    }
    try {
        const value = await queue(() => calls[call](...parts));
        postMessage({ id, value });
    } catch (error) {
        postMessage({ id, error: tell(error) });
    }
};
