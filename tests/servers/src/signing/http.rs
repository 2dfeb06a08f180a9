//! The subset of HTTP/1.1 that a client uses with a signing service.

use std::io::{BufRead, Read, Write};

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: String,
}

/// Reads the next request; `None` at the end of the connection.
pub(super) fn read(stream: &mut impl BufRead) -> Option<Request> {
    let first = line(stream)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut length = 0;
    loop {
        let header = line(stream)?.to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(bytes) = header.strip_prefix("content-length:") {
            length = bytes.trim().parse().ok()?;
        }
    }
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body).ok()?;
    Some(Request { method, path, body: String::from_utf8(body).ok()? })
}

fn line(stream: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    (stream.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
}

/// Writes a response; `None` if the client has disconnected.
pub(super) fn write(stream: &mut impl Write, status: u16, body: &str) -> Option<()> {
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n\r\n", body.len());
    send(stream, &format!("{head}{body}"))
}

/// Writes a response that is shorter than its content length.
pub(super) fn write_half(stream: &mut impl Write) -> Option<()> {
    send(stream, "HTTP/1.1 200 OK\r\ncontent-length: 132\r\n\r\n0x4355c47d")
}

fn send(stream: &mut impl Write, text: &str) -> Option<()> {
    stream.write_all(text.as_bytes()).and_then(|()| stream.flush()).ok()
}
