//! The byte stream between the socket of a connection and HTTP, which notifies the deadlines of the connection.

use std::{
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
};

use actix_web::rt::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{
    deadlines::ConnectionDeadlines,
    read_buffer::{CHUNK, ReadAllowance, ReadBuffer, uninit_chunk},
    transport::{Transport, socket},
};

/// The stream that HTTP reads from and writes to.
pub(crate) struct Stream {
    transport: Transport,
    deadlines: Rc<ConnectionDeadlines>,
    read_buffer: ReadBuffer,
    final_write: Option<FinalWrite>,
}

/// A final response, which replaces the output of HTTP and ends the connection.
struct FinalWrite {
    response: &'static [u8],
    written: usize,
    /// How many more bytes of the client are discarded so that it can read the response: closing a socket with unread
    /// bytes resets the connection.
    discards: usize,
}

impl FinalWrite {
    const fn new(response: &'static [u8]) -> Self {
        Self { response, written: 0, discards: MAX_DISCARDED }
    }
}

/// The maximum number of bytes discarded from a client that keeps sending after the final response.
const MAX_DISCARDED: usize = 2 << 20;

/// The response to a head that is too long.
const HEAD_TOO_LARGE: &[u8] =
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// The start of the response that actix-http itself writes to a malformed request. Responses of the service have a
/// body; this one closes the connection without announcing it.
const MALFORMED: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n";
/// The response sent instead.
const MALFORMED_AND_CLOSED: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

impl Stream {
    /// Creates a stream that notifies `deadlines` of its events.
    pub(super) fn new(transport: Transport, deadlines: Rc<ConnectionDeadlines>) -> Self {
        Self { transport, deadlines, read_buffer: ReadBuffer::default(), final_write: None }
    }

    /// Returns the deadlines that are notified.
    pub(super) fn deadlines(&self) -> Rc<ConnectionDeadlines> {
        Rc::clone(&self.deadlines)
    }

    /// Writes the final response, then discards input until the client stops sending or the limit is reached.
    fn poll_final_write(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(final_write) = &mut self.final_write else { return Poll::Ready(Ok(())) };
        while let Some(rest) = final_write.response.get(final_write.written..).filter(|rest| !rest.is_empty()) {
            match Pin::new(&mut self.transport).poll_write(context, rest) {
                Poll::Ready(written) => final_write.written += written?,
                Poll::Pending => {
                    self.deadlines.write_stalled(Instant::now());
                    return Poll::Pending;
                }
            }
            if final_write.written == final_write.response.len()
                && Pin::new(&mut self.transport).poll_shutdown(context)?.is_pending()
            {
                self.deadlines.write_stalled(Instant::now());
            }
        }
        while final_write.discards > 0 {
            let (mut chunk, length) = (uninit_chunk(), final_write.discards.min(CHUNK));
            let mut buffer = ReadBuf::uninit(chunk.get_mut(..length).unwrap_or_default());
            ready!(Pin::new(&mut self.transport).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                break;
            }
            final_write.discards -= buffer.filled().len();
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.deadlines.is_write_stalled() {
            // Reset, because the kernel would otherwise keep unread data for minutes. If linger cannot be set, it does
            // so.
            let _ = socket(&self.transport).set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.final_write.is_some() {
            return this.poll_final_write(context);
        }
        if this.deadlines.should_defer_reading() {
            // The pending write wakes the task, and then reading is retried.
            return Poll::Pending;
        }
        let allowance = this.read_buffer.allowance(&this.deadlines);
        match allowance {
            ReadAllowance::Nothing => {
                this.deadlines.defer_reading();
                return Poll::Pending;
            }
            // The bytes may be an unread body rather than a head: the client already has its response.
            ReadAllowance::TooLong if this.deadlines.is_body_unfinished() => return Poll::Ready(Ok(())),
            ReadAllowance::TooLong => {
                this.final_write = Some(FinalWrite::new(HEAD_TOO_LARGE));
                return this.poll_final_write(context);
            }
            ReadAllowance::Body(_) | ReadAllowance::Head => {}
        }
        if !this.read_buffer.has_unread_bytes() {
            let mut chunk = uninit_chunk();
            let mut buffer = ReadBuf::uninit(&mut chunk);
            ready!(Pin::new(&mut this.transport).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.deadlines.receive(Instant::now());
            this.read_buffer.append(buffer.filled());
        }
        if allowance == ReadAllowance::Head
            && !this.deadlines.is_body_unfinished()
            && this.read_buffer.has_bare_line_feed()
        {
            this.final_write = Some(FinalWrite::new(MALFORMED_AND_CLOSED));
            return this.poll_final_write(context);
        }
        this.read_buffer.take(allowance, into.remaining(), &this.deadlines, |bytes| into.put_slice(bytes));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.final_write.is_none() && bytes.starts_with(MALFORMED) {
            self.final_write = Some(FinalWrite::new(MALFORMED_AND_CLOSED));
        }
        if self.final_write.is_some() {
            ready!(self.poll_final_write(context))?;
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.transport).poll_write(context, bytes);
        if written.is_pending() {
            self.deadlines.write_stalled(Instant::now());
        }
        written
    }

    /// HTTP flushes when, and only when, it has nothing left to write.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.transport).poll_flush(context);
        if flushed.is_pending() {
            self.deadlines.write_stalled(Instant::now());
            return flushed;
        }
        self.read_buffer.request_ended();
        if self.deadlines.write_progressed(Instant::now) {
            context.waker().wake_by_ref();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.transport).poll_shutdown(context);
        if shut.is_pending() {
            self.deadlines.write_stalled(Instant::now());
        }
        shut
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::poll_fn,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        task::{Wake, Waker},
        time::Duration,
    };

    use actix_web::rt::{
        net::{TcpListener, TcpStream},
        spawn,
        time::timeout,
    };
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// Whether the task was woken.
    #[derive(Default)]
    struct Woken(AtomicBool);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[actix_web::test]
    async fn reading_pauses_while_the_client_does_not_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (socket, _) = listener.accept().await.unwrap();
        client.write_all(b"x").await.unwrap();
        socket.readable().await.unwrap();
        let deadlines = Rc::new(ConnectionDeadlines::new(Instant::now()));
        let mut stream = Stream::new(Transport::Left(socket), Rc::clone(&deadlines));
        let (chunk, mut space) = ([0; 65_536], [0]);
        poll_fn(|context| {
            while Pin::new(&mut stream).poll_write(context, &chunk).is_ready() {}
            Poll::Ready(())
        })
        .await;
        let mut into = ReadBuf::new(&mut space);
        let read = poll_fn(|context| Poll::Ready(Pin::new(&mut stream).poll_read(context, &mut into))).await;
        assert!(deadlines.is_write_stalled() && read.is_pending() && into.filled().is_empty());
        let reader = spawn(async move { client.read_to_end(&mut Vec::new()).await });
        let written = poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"y"));
        timeout(Duration::from_secs(60), written).await.expect("the client reads").unwrap();
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        assert!(Pin::new(&mut stream).poll_flush(&mut Context::from_waker(&waker)).is_ready());
        assert!(woken.0.load(Ordering::SeqCst), "reading is tried again");
        let read = poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut into));
        timeout(Duration::from_secs(60), read).await.expect("reading goes on").unwrap();
        assert_eq!(into.filled(), b"x");
        drop(stream);
        reader.await.unwrap().unwrap();
    }
}
