//! The bytes of a connection on their way between its socket and HTTP, where its turn learns of them.

use std::{
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use actix_web::rt::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{transport::Transport, turn::Turn};

/// What HTTP reads from and writes to.
pub(crate) struct Stream {
    transport: Transport,
    turn: Rc<Turn>,
}

impl Stream {
    /// A stream that tells `turn` what happens on it.
    pub(super) const fn new(transport: Transport, turn: Rc<Turn>) -> Self {
        Self { transport, turn }
    }

    /// What it tells.
    pub(super) fn turn(&self) -> Rc<Turn> {
        Rc::clone(&self.turn)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.turn.is_stuck() {
            // A reset: else the kernel would keep for minutes what the client does not read. If it cannot be had, it does.
            let _ = self.transport.socket().set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.turn.puts_off_reading() {
            // The write that is pending wakes the task, and then asks for reading to be tried again.
            return Poll::Pending;
        }
        let before = into.filled().len();
        let read = Pin::new(&mut self.transport).poll_read(context, into);
        if into.filled().len() > before {
            self.turn.hear(Instant::now());
        }
        read
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.transport).poll_write(context, bytes);
        if written.is_pending() {
            self.turn.stick(Instant::now());
        }
        written
    }

    /// HTTP asks for this when, and only when, it has nothing left to write.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.transport).poll_flush(context);
        if flushed.is_pending() {
            self.turn.stick(Instant::now());
        } else if self.turn.flow(Instant::now) {
            context.waker().wake_by_ref();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.transport).poll_shutdown(context);
        if shut.is_pending() {
            self.turn.stick(Instant::now());
        }
        shut
    }
}
