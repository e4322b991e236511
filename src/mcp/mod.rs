//! The Model Context Protocol on standard input and output, in both of its eras.

mod input;
mod instructions;
mod prompts;
mod resources;
mod server;
mod tools;
mod updates;

use std::time::Duration;

use rmcp::{ServiceExt, transport::stdio};
use tokio::signal::unix::{SignalKind, signal};

use crate::{config::Environment, error::MemoryError, profile::Options};
use input::Input;
use server::Server;

/// How long a call that is under way may still take when the end has come.
const GRACE: Duration = Duration::from_millis(500);

/// Serves one client until its input ends, or an interrupt or a termination is asked for.
pub fn serve(options: &Options, environment: &Environment) -> Result<(), MemoryError> {
    let failed = |error| MemoryError::Read { path: "standard input".into(), source: error };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let server = Server::new(options, environment);
    let (end, ended) = (server.clone(), server.ended());
    let done = runtime.block_on(async move {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let serving = async {
            // A client that never says anything sensible has ended too.
            let (input, output) = stdio();
            if let Ok(running) = server.serve((Input::new(input, ended), output)).await {
                let _ = running.waiting().await;
            }
        };
        tokio::select! {
            () = serving => {}
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        Ok(())
    });
    end.stop(GRACE);
    // Reading standard input cannot be interrupted, and is not waited for.
    runtime.shutdown_background();
    done.map_err(failed)
}
