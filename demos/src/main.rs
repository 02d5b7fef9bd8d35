//! The window of meniscus: water to see and touch.
//!
//! * [`app`] is the window: events, one frame after another, what an action does;
//! * [`simulation_thread`] runs the simulation beside it; they talk by commands and news only, and
//!   the window draws from the simulation's own buffers;
//! * [`panel`] is what can be clicked, [`shortcuts`] what can be typed;
//! * [`screen`] and [`picture`] are where the pixels go.
//!
//! The window must not know passes or buffers by name: what it lists is what the simulation has.

mod action;
mod app;
mod arguments;
mod camera_control;
mod capture;
mod executor;
mod failure;
mod files;
mod gpu_timer;
mod notices;
mod panel;
mod picture;
mod profiler;
mod record;
mod scene_choice;
mod screen;
mod shortcuts;
mod simulation_thread;
mod text;
mod touch;
mod trace;
mod tuning;
mod watch;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,winit=error,wgpu_hal=error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match app::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            for line in failure.to_string().lines() {
                eprintln!("error: {line}");
            }
            failure.exit_code()
        }
    }
}
