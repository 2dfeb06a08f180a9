//! Hand-written HTTP/1.1: requests that no client library would send, and raw responses.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// Read and write timeout, longer than any successful exchange takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// An unsent request.
#[derive(Clone, Debug, Default)]
pub(super) struct RawRequest {
    pub(super) method: &'static str,
    pub(super) target: Vec<u8>,
    pub(super) headers: Vec<(&'static str, Vec<u8>)>,
    pub(super) body: Option<Vec<u8>>,
}

impl RawRequest {
    pub(super) fn new(method: &'static str, target: impl Into<Vec<u8>>) -> Self {
        Self { method, target: target.into(), ..Self::default() }
    }

    pub(super) fn json(target: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { body: Some(body.into()), ..Self::new("POST", target) }.header("content-type", "application/json")
    }

    pub(super) fn header(mut self, name: &'static str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Serializes the request, with a content length for the body.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = [self.method.as_bytes(), b" ", &self.target, b" HTTP/1.1\r\nhost: storm\r\n"].concat();
        for (name, value) in &self.headers {
            bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        if let Some(body) = &self.body {
            bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
            bytes.extend(body);
        } else {
            bytes.extend(b"\r\n");
        }
        bytes
    }
}

/// A complete response.
#[derive(Clone, Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    /// In order of arrival, with lowercase names.
    pub(super) headers: Vec<(String, String)>,
    pub(super) text: String,
}

impl Response {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header_name, _)| header_name == name).map(|(_, value)| value.as_str())
    }

    /// Parses the body.
    ///
    /// # Panics
    /// If the body is not JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A connection, with received bytes that are not parsed yet.
pub(super) struct Connection {
    stream: TcpStream,
    arrived: Vec<u8>,
}

impl Connection {
    /// Connects to the server.
    ///
    /// # Panics
    /// If the connection is refused: the server has exited.
    pub(super) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a server that listens");
        stream.set_nodelay(true).expect("an open socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("an open socket");
        stream.set_write_timeout(Some(PATIENCE)).expect("an open socket");
        Self { stream, arrived: Vec::new() }
    }

    /// Sends bytes as far as the server accepts them: it may have responded and closed the connection already.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        if let Err(error) = self.stream.write_all(bytes) {
            check_closed(&error);
        }
    }

    /// Shuts down the sending side.
    pub(super) fn finish_sending(&self) {
        // The connection may be closed already.
        drop(self.stream.shutdown(Shutdown::Write));
    }

    /// Receives the next response; `None` if the connection ends before the response is complete.
    ///
    /// # Panics
    /// If the received bytes are not a valid response.
    pub(super) fn receive(&mut self, method: &str) -> Option<Response> {
        loop {
            let end = self.fill_until(|arrived| find(arrived, b"\r\n\r\n"))?;
            let head = String::from_utf8(self.arrived.drain(..end + 4).collect()).expect("a head of text");
            let (status, headers) = read_head(&head);
            // An interim response; the final one follows.
            if (100..200).contains(&status) && status != 101 {
                continue;
            }
            let length = headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value.as_str());
            let length: usize = length.map_or(0, |text| text.parse().expect("a length"));
            assert!(!headers.iter().any(|(name, _)| name == "transfer-encoding"), "{head}");
            let length = if method == "HEAD" { 0 } else { length };
            self.fill_until(|arrived| (arrived.len() >= length).then_some(length))?;
            let body = self.arrived.drain(..length).collect();
            return Some(Response { status, headers, text: String::from_utf8(body).expect("a body of text") });
        }
    }

    /// Receives all responses until the connection ends.
    pub(super) fn receive_all(&mut self) -> Vec<Response> {
        std::iter::from_fn(|| self.receive("GET")).collect()
    }

    fn fill_until<T>(&mut self, mut parse: impl FnMut(&[u8]) -> Option<T>) -> Option<T> {
        let mut part = [0; 16_384];
        loop {
            if let Some(message) = parse(&self.arrived) {
                return Some(message);
            }
            match self.stream.read(&mut part) {
                Ok(0) => return None,
                Ok(length) => self.arrived.extend(part.get(..length).unwrap_or_default()),
                Err(error) => {
                    check_closed(&error);
                    return None;
                }
            }
        }
    }
}

/// Checks that an error means that the peer has closed the connection.
///
/// # Panics
/// For any other error.
fn check_closed(error: &io::Error) {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    assert!(matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset), "no answer: {error}");
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn read_head(head: &str) -> (u16, Vec<(String, String)>) {
    let mut lines = head.trim_end().split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok());
    let header = |line: &str| {
        let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line}"));
        (name.to_ascii_lowercase(), value.trim().to_owned())
    };
    (status.unwrap_or_else(|| panic!("no status line: {head}")), lines.map(header).collect())
}
