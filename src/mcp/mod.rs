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
use input::{Input, hung_up};
use server::Server;

/// How long calls that are under way may still take when the end has come, and their answers after that.
const GRACE: Duration = Duration::from_millis(450);

/// How long nothing must have been read of a client that has gone until it counts as one that never reads either.
const STUCK: Duration = Duration::from_secs(1);

/// Waits until the client has gone and nothing is left to be done for it. Answers that nobody reads keep no server alive.
async fn gone(server: Server) {
    let progress = server.progress();
    let ended = async {
        progress.ended().await;
        tokio::time::sleep(GRACE).await;
    };
    let stuck = async {
        hung_up().await;
        loop {
            let reads = progress.reads();
            tokio::time::sleep(STUCK).await;
            if progress.reads() == reads && !server.is_busy() {
                return;
            }
        }
    };
    tokio::select! {
        () = ended => {}
        () = stuck => {}
    }
}

/// Serves one client until its input ends, or an interrupt or a termination is asked for.
pub fn serve(options: &Options, environment: &Environment) -> Result<(), MemoryError> {
    let failed = |error| MemoryError::Read { path: "standard input".into(), source: error };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let server = Server::new(options, environment);
    let (end, progress) = (server.clone(), server.progress());
    let done = runtime.block_on(async move {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let gone = gone(server.clone());
        let serving = async {
            // A client that never says anything sensible has ended too.
            let (input, output) = stdio();
            if let Ok(running) = server.serve((Input::new(input, progress), output)).await {
                let _ = running.waiting().await;
            }
        };
        tokio::select! {
            () = serving => {}
            () = gone => {}
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
