//! `lab web`: the page for browsers, from the crate `meniscus-web`.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    thread,
};

use anyhow::{Context, Result, bail, ensure};
use meniscus_formats::SCENES;
use wasm_bindgen_cli_support::Bindgen;

use tools::{
    cargo::{cargo, exit_code, run},
    set_up::{exists, install, is_root},
};

/// Options of `lab web`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Folder for the page, created if needed.
    #[arg(long, value_name = "DIR", default_value = "target/web/page")]
    out: PathBuf,
    /// Then serve the page on this machine until it is interrupted.
    #[arg(long)]
    serve: bool,
    /// Port for --serve.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Do not build: use the page that is there.
    #[arg(long)]
    no_build: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Largest size in bytes that a visitor is meant to fetch, as servers send it.
const MOST: usize = 1_500_000;
/// Small pictures of the scenes.
const PICTURES: &str = "web/pictures";
/// Debian's packages of a compiler for TARGET: rustup's has no standard library for it where rustup
/// cannot download one.
const PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld"];
/// What these packages bring.
const COMPILER: &str = "/usr/bin/rustc";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

pub(crate) fn web(options: &Options) -> Result<ExitCode> {
    if !options.no_build {
        let status = build(&options.out)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    if options.serve {
        serve(&options.out, options.port)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the module and writes the page's files into a folder.
pub(crate) fn build(out: &Path) -> Result<ExitCode> {
    let Some(mut build) = compiler()? else { return Ok(ExitCode::FAILURE) };
    let status = run(&mut build)?;
    if !status.success() {
        return Ok(exit_code(status));
    }
    assemble(out)?;
    Ok(ExitCode::SUCCESS)
}

/// The command that builds the module, with a compiler that can; `None` if there is none, and the
/// user was told how to get one.
fn compiler() -> Result<Option<Command>> {
    let mut build = cargo();
    build.args(["build", "--package", "meniscus-web", "--profile", "web", "--target", TARGET]);
    build.args(["--target-dir", "target/web"]);
    // The linker's default stack of 1 MiB suffices; RUSTFLAGS for this machine may not suit.
    build.env_remove("RUSTFLAGS");
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8(sysroot.context("cannot run rustc")?.stdout)?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).is_dir() {
        return Ok(Some(build));
    }
    let rustup = Command::new("rustup").args(["target", "add", TARGET]).output();
    if rustup.is_ok_and(|output| output.status.success()) {
        return Ok(Some(build));
    }
    let complete =
        || Path::new(COMPILER).exists() && Path::new(SOURCES).is_dir() && exists("wasm-ld");
    if !complete() {
        if !exists("apt-get") {
            eprintln!("rustc has no target {TARGET}: install it with `rustup target add {TARGET}`");
            return Ok(None);
        }
        if !is_root() {
            eprintln!(
                "rustc has no target {TARGET}; add it and start again, by one of\n\n    \
                 rustup target add {TARGET}\n    \
                 sudo apt-get update && sudo apt-get install -y {}\n",
                PACKAGES.join(" ")
            );
            return Ok(None);
        }
        eprintln!("Installing a compiler for {TARGET} ({}).", PACKAGES.join(", "));
        install(&PACKAGES)?;
        ensure!(
            complete(),
            "the packages are installed, but {COMPILER}, {SOURCES} or wasm-ld is missing"
        );
    }
    build.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    build.env("RUSTC", COMPILER).env("RUSTC_BOOTSTRAP", "1");
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    Ok(Some(build))
}

/// Writes the page's files.
fn assemble(out: &Path) -> Result<()> {
    let module = Path::new("target/web").join(TARGET).join("web/meniscus_web.wasm");
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&module).web(true)?.typescript(false).out_name("meniscus");
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(out).with_context(|| format!("cannot read {}", module.display()))?;
    let script = out.join("meniscus.js");
    let generated = fs::read_to_string(&script)?;
    fs::write(&script, generated + "\n" + &fs::read_to_string("web/worker.js")?)?;
    fs::copy("web/index.html", out.join("index.html"))?;
    fs::copy("docs/pictures/pour.gif", out.join("film.gif"))?;
    for scene in SCENES {
        for (name, text) in scene.meshes() {
            fs::write(out.join(name), text)?;
        }
        let picture = Path::new(scene.name).with_extension("jpg");
        if Path::new(PICTURES).join(&picture).exists() {
            fs::copy(Path::new(PICTURES).join(&picture), out.join(&picture))?;
        }
    }
    let mut sent = 0;
    for name in ["meniscus_bg.wasm", "meniscus.js", "index.html"] {
        let bytes = fs::read(out.join(name))?;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&bytes)?;
        let packed = packed.finish()?.len();
        sent += packed;
        let [whole, packed] = [bytes.len(), packed].map(|bytes| bytes as f64 / 1e6);
        println!("{}: {whole:.3} MB, {packed:.3} MB by gzip", out.join(name).display());
    }
    println!(
        "A visitor fetches {:.3} MB, and pictures of scenes that are looked at.",
        sent as f64 / 1e6
    );
    if sent > MOST {
        // It works as well.
        eprintln!("warning: that is more than the {:.3} MB that are meant", MOST as f64 / 1e6);
    }
    Ok(())
}

/// Serves the files of a folder on this machine.
fn serve(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port));
    let listener = listener.with_context(|| format!("cannot serve on port {port}"))?;
    println!("http://{}/", listener.local_addr()?);
    for stream in listener.incoming().flatten() {
        let folder = folder.to_owned();
        // A browser may go away in the middle of an answer.
        thread::spawn(move || answer(&stream, &folder).ok());
    }
    bail!("the server has stopped")
}

fn answer(mut stream: &TcpStream, folder: &Path) -> Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().context("no request")??;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("gif") => "image/gif",
        Some("jpg") => "image/jpeg",
        _ => "application/octet-stream",
    };
    // The page has no folders.
    let file = Some(name).filter(|name| !name.contains(['/', '\\']) && *name != "..");
    let (status, bytes) = match file.and_then(|name| fs::read(folder.join(name)).ok()) {
        Some(bytes) => ("200 OK", bytes),
        None => ("404 Not Found", b"there is no such file".to_vec()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    )?;
    stream.write_all(&bytes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_a_small_picture() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PICTURES);
        let names = SCENES.iter().map(|scene| scene.name);
        let without = |name: &&str| !folder.join(name).with_extension("jpg").exists();
        let missing: Vec<_> = names.filter(without).collect();
        assert!(
            missing.is_empty(),
            "`lab contact-sheet {} --small {PICTURES}` makes what is missing",
            missing.join(" ")
        );
    }
}
