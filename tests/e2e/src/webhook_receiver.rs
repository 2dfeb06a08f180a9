//! The receiver of a webhook: verifies signatures with the published library of the Standard Webhooks.
#![expect(clippy::expect_used, reason = "an unexpected request fails the test")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    thread,
};

use firmquote_test_servers::patience::PATIENCE;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use standardwebhooks::Webhook;

/// A request whose signature was verified.
#[derive(Debug)]
pub struct Delivery {
    /// Its `webhook-id`.
    pub id: String,
    /// Its body.
    pub body: String,
    /// The status that it was answered with.
    pub status: u16,
}

/// A running receiver.
pub struct WebhookReceiver {
    address: SocketAddr,
    status: Arc<AtomicU16>,
    deliveries: Receiver<Delivery>,
}

impl Delivery {
    /// Returns the events of the request.
    ///
    /// # Panics
    /// If it has none.
    pub fn events(&self) -> Vec<Value> {
        let body: Value = serde_json::from_str(&self.body).expect("JSON");
        body.pointer("/data/events").and_then(Value::as_array).expect("events").clone()
    }
}

impl WebhookReceiver {
    /// Starts a receiver that verifies requests with `secret`, and accepts them.
    ///
    /// # Panics
    /// If the secret is invalid.
    pub fn start(secret: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let (address, status) = (listener.local_addr().expect("an address"), Arc::new(AtomicU16::new(204)));
        let (sender, deliveries) = channel();
        let (answer, webhook) = (Arc::clone(&status), Webhook::new(secret).expect("a secret"));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(stream, &webhook, &answer, &sender);
            }
        });
        Self { address, status, deliveries }
    }

    /// Returns the URL.
    pub fn url(&self) -> String {
        format!("http://{}/events?channel=7", self.address)
    }

    /// Answers requests with this status from now on.
    pub fn set_status(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }

    /// Returns the next request, if there is one already.
    ///
    /// # Errors
    /// If there is none.
    pub fn try_next(&self) -> Result<Delivery, TryRecvError> {
        self.deliveries.try_recv()
    }

    /// Waits for the next request.
    ///
    /// # Panics
    /// If there is none in time.
    pub fn next(&self) -> Delivery {
        self.deliveries.recv_timeout(PATIENCE).expect("a request in time")
    }
}

/// Answers one request and closes the connection.
fn serve(stream: TcpStream, webhook: &Webhook, status: &AtomicU16, deliveries: &Sender<Delivery>) {
    let mut reader = BufReader::new(stream);
    let mut headers = HeaderMap::new();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        if let Some((name, value)) = line.trim_end().split_once(": ") {
            let name = HeaderName::try_from(name).expect("a header name");
            headers.insert(name, HeaderValue::from_str(value).expect("a header value"));
        }
        line.clear();
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).expect("a header").to_owned();
    let mut body = vec![0; text("content-length").parse().expect("a length")];
    reader.read_exact(&mut body).expect("a body");
    webhook.verify(&body, &headers).expect("a valid signature");
    let status = status.load(Ordering::Relaxed);
    let body = String::from_utf8(body).expect("UTF-8");
    let head = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    if reader.get_mut().write_all(head.as_bytes()).is_ok() {
        // The test may be over.
        drop(deliveries.send(Delivery { id: text("webhook-id"), body, status }));
    }
}
