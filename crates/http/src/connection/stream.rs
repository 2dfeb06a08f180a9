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

    /// Whether somebody woke the task.
    #[derive(Default)]
    struct Woken(AtomicBool);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[actix_web::test]
    async fn who_does_not_read_is_not_read_from_until_it_has_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (socket, _) = listener.accept().await.unwrap();
        client.write_all(b"x").await.unwrap();
        socket.readable().await.unwrap();
        let turn = Rc::new(Turn::new(Instant::now()));
        let mut stream = Stream::new(Transport::Plain(socket), Rc::clone(&turn));
        let (chunk, mut space) = ([0; 65_536], [0]);
        poll_fn(|context| {
            while Pin::new(&mut stream).poll_write(context, &chunk).is_ready() {}
            Poll::Ready(())
        })
        .await;
        let mut into = ReadBuf::new(&mut space);
        let read = poll_fn(|context| Poll::Ready(Pin::new(&mut stream).poll_read(context, &mut into))).await;
        assert!(turn.is_stuck() && read.is_pending() && into.filled().is_empty());
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
