//! The interactive window of meniscus.
//!
//! * [`app`] is the window: its event loop, redraws and the effects of actions;
//! * [`simulation_thread`] runs the simulation in parallel. The two exchange only commands and
//!   updates, and the window draws straight from the simulation's buffers;
//! * [`panel`] holds the buttons and sliders, [`shortcuts`] the keys;
//! * [`screen`] and [`picture`] are the render targets.
//!
//! The window does not refer to passes or buffers by name: it lists whatever the simulation
//! reports.

mod action;
mod app;
mod arguments;
mod capture;
mod failure;
mod files;
mod gpu_timer;
mod hand;
mod notices;
mod panel;
mod picture;
mod profiler;
mod record;
mod screen;
mod shortcuts;
mod simulation_thread;
mod text;
mod trace;
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
