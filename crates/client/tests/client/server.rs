//! A small HTTP server that responds from a script and records the requests.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use firmquote_client::{Amount, ChainId, Client, ClientSettings, Credential, QuoteRequest, Secret, SwapAmount, Symbol};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpListener,
    task::JoinHandle,
};

/// The API key of [`Server::client`].
pub(crate) const API_KEY: &str = "a-key-that-nobody-is-told";

/// A Quote object, similar to the documented example.
pub(crate) const QUOTE: &str = r#"{"id":"bdb2784e-107b-4dab-a125-b6f62540d958",
    "must_accept_by":"2026-11-21 01:04:02.704406+00:00","good_until":1795223102,"chain_id":1,
    "input_amount":"1000000000000000000","output_amount":"2078539413","input_value_in_usd":2080.527,
    "output_value_in_usd":2078.539413,"created_at":1795223030,"rate":2078.539413,
    "input_asset_address":"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "output_asset_address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"}"#;

/// A step of the script.
#[derive(Clone)]
pub(crate) enum Reply {
    /// Sends these bytes.
    Bytes(Vec<u8>),
    /// Sends these bytes and closes the connection.
    Last(Vec<u8>),
    /// Sends these bytes, followed by an endless sequence of spaces.
    Endless(Vec<u8>),
    /// Never responds.
    Silence,
}

/// Returns a response with a content length and these additional header lines.
pub(crate) fn response(status: u16, headers: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[derive(Default)]
struct Log {
    connections: usize,
    requests: Vec<String>,
}

/// A server; stopped on drop.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<Log>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server that plays the steps of `script` in turn and repeats the last one.
    pub(crate) async fn start(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, log) = (listener.local_addr().unwrap(), Arc::<Mutex<Log>>::default());
        let script = Arc::new(script);
        let server_log = log.clone();
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                server_log.lock().unwrap().connections += 1;
                tokio::spawn(serve(stream, script.clone(), server_log.clone()));
            }
        });
        Self { address, log, task }
    }

    /// Starts a server that gives every request this response.
    pub(crate) async fn responding(status: u16, headers: &str, body: &str) -> Self {
        Self::start(vec![response(status, headers, body)]).await
    }

    /// Returns the settings of a client with an API key.
    pub(crate) fn settings(&self) -> ClientSettings {
        let mut settings = ClientSettings::new(format!("http://{}", self.address));
        settings.credential = Credential::ApiKey(Secret::new(API_KEY));
        settings
    }

    /// Returns a client with an API key.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.settings()).unwrap()
    }

    /// Returns a client without credentials.
    pub(crate) fn anonymous_client(&self) -> Client {
        Client::new(ClientSettings::new(format!("http://{}", self.address))).unwrap()
    }

    /// Returns the number of accepted connections.
    pub(crate) fn connections(&self) -> usize {
        self.log.lock().unwrap().connections
    }

    /// Returns all requests received so far, with their bodies.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.log.lock().unwrap().requests.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Responds to the requests of one connection.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, script: Arc<Vec<Reply>>, log: Arc<Mutex<Log>>) {
    while let Some(request) = read_request(&mut stream).await {
        let number = {
            let mut log = log.lock().unwrap();
            log.requests.push(request);
            log.requests.len().min(script.len()) - 1
        };
        // A client that rejects an oversized response closes the connection.
        let written = match &script[number] {
            Reply::Bytes(bytes) => stream.write_all(bytes).await,
            Reply::Last(bytes) => {
                let _closed = stream.write_all(bytes).await;
                return;
            }
            Reply::Endless(bytes) => {
                let mut written = stream.write_all(bytes).await;
                while written.is_ok() {
                    written = stream.write_all(&[b' '; 1 << 14]).await;
                }
                written
            }
            Reply::Silence => std::future::pending().await,
        };
        if written.is_err() {
            return;
        }
    }
}

/// Reads a request with its body; `None` when the connection ends.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut text = Vec::new();
    loop {
        if let Some(head) = text.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let request = String::from_utf8(text.clone()).unwrap();
            let length = request.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            if text.len() >= head + 4 + length {
                return Some(request);
            }
        }
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        text.extend_from_slice(&chunk[..count]);
    }
}

/// Returns a request for a quote of one ETH in USDC.
pub(crate) fn request() -> QuoteRequest {
    let amount: Amount = "1000000000000000000".parse().unwrap();
    let symbol = |name| Symbol::new(name).unwrap();
    QuoteRequest::new(ChainId::new(1).unwrap(), symbol("ETH"), symbol("USDC"), SwapAmount::ExactInput(amount))
}
