//! Standard input that says how far it was read, and when its other end has gone.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    thread,
};

use rustix::event::{PollFd, PollFlags, poll};
use tokio::{
    io::{AsyncRead, ReadBuf, Stdin},
    sync::{oneshot, watch},
};

/// What others know of standard input.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    ended: watch::Sender<bool>,
    reads: Arc<AtomicU64>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { ended: watch::Sender::new(false), reads: Arc::default() }
    }

    /// Waits until everything was read.
    pub(super) async fn ended(&self) {
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Returns how often something was read.
    pub(super) fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }
}

/// Standard input.
pub(super) struct Input {
    stdin: Stdin,
    progress: Progress,
}

impl Input {
    /// Returns standard input, which tells `progress` how far it was read.
    pub(super) fn new(stdin: Stdin, progress: Progress) -> Self {
        Self { stdin, progress }
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stdin).poll_read(context, buffer);
        if let Poll::Ready(done) = &read {
            self.progress.reads.fetch_add(1, Ordering::Relaxed);
            if done.is_err() || buffer.filled().len() == before {
                self.progress.ended.send_replace(true);
            }
        }
        read
    }
}

/// Waits until the other end of standard input has gone, whether or not everything was read.
pub(super) async fn hung_up() {
    let (gone, known) = oneshot::channel();
    thread::spawn(move || {
        let stdin = std::io::stdin();
        // No event is asked for: a hang-up is always told.
        let mut files = [PollFd::new(&stdin, PollFlags::empty())];
        while matches!(poll(&mut files, None), Err(rustix::io::Errno::INTR)) {}
        let _ = gone.send(());
    });
    let _ = known.await;
}
