//! Standard input that says when it has ended: what waits for news of a client ends with it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, ReadBuf, Stdin},
    sync::watch,
};

/// Standard input.
pub(super) struct Input {
    stdin: Stdin,
    ended: watch::Sender<bool>,
}

impl Input {
    /// Returns standard input, which sets `ended` at its end.
    pub(super) fn new(stdin: Stdin, ended: watch::Sender<bool>) -> Self {
        Self { stdin, ended }
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
        let is_end = matches!(read, Poll::Ready(Err(_)))
            || (matches!(read, Poll::Ready(Ok(()))) && buffer.filled().len() == before);
        if is_end {
            self.ended.send_replace(true);
        }
        read
    }
}
