//! A collector of spans (OTLP over HTTP) that accepts, refuses, or does not respond.

use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse},
    common::v1::{AnyValue, KeyValue, any_value},
    trace::v1::Span,
};
use prost::Message as _;

/// A timeout that only a failing test reaches.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// The response of the collector to a batch.
#[derive(Clone, Copy)]
pub(crate) enum CollectorBehavior {
    /// Accepts all but this number of spans.
    Accepts { but: i64 },
    /// Responds with 503.
    Refuses,
    /// Does not respond.
    Hangs,
}

/// A received batch.
pub(crate) struct Batch {
    /// The head of the request, in lower case.
    pub(crate) head: String,
    pub(crate) request: ExportTraceServiceRequest,
}

/// A running collector.
pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    behavior: Arc<Mutex<CollectorBehavior>>,
    batches: Receiver<Batch>,
}

impl Collector {
    pub(crate) fn start(behavior: CollectorBehavior) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), behavior)
    }

    /// Starts a collector on an open listener.
    pub(crate) fn on(listener: TcpListener, behavior: CollectorBehavior) -> Self {
        let (address, behavior) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(behavior)));
        let (sender, batches) = channel();
        let shared = Arc::clone(&behavior);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (shared, sender) = (Arc::clone(&shared), sender.clone());
                thread::spawn(move || serve(stream, &shared, &sender));
            }
        });
        Self { address, behavior, batches }
    }

    pub(crate) fn set(&self, behavior: CollectorBehavior) {
        *self.behavior.lock().unwrap_or_else(PoisonError::into_inner) = behavior;
    }

    /// Returns the next batch.
    pub(crate) fn next(&self) -> Batch {
        self.batches.recv_timeout(TEST_TIMEOUT).unwrap()
    }

    /// Returns all batches received and not yet returned.
    pub(crate) fn rest(&self) -> Vec<Batch> {
        self.batches.try_iter().collect()
    }
}

impl Batch {
    pub(crate) fn spans(&self) -> Vec<&Span> {
        let scopes = self.request.resource_spans.iter().flat_map(|resource| &resource.scope_spans);
        scopes.flat_map(|scope| &scope.spans).collect()
    }
}

/// Returns attributes by name, as text.
pub(crate) fn texts(attributes: &[KeyValue]) -> HashMap<&str, String> {
    attributes.iter().map(|KeyValue { key, value, .. }| (key.as_str(), text(value.as_ref()))).collect()
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// Responds to every request of a connection.
fn serve(stream: TcpStream, behavior: &Mutex<CollectorBehavior>, batches: &Sender<Batch>) {
    let mut reader = BufReader::new(stream);
    while let Some((head, body)) = read(&mut reader) {
        let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        if batches.send(Batch { head, request }).is_err() {
            return;
        }
        let behavior = *behavior.lock().unwrap_or_else(PoisonError::into_inner);
        let (status, answer) = match behavior {
            CollectorBehavior::Accepts { but: 0 } => ("200 OK", Vec::new()),
            CollectorBehavior::Accepts { but: rejected_spans } => {
                let partial = ExportTracePartialSuccess { rejected_spans, error_message: "too many".to_owned() };
                ("200 OK", ExportTraceServiceResponse { partial_success: Some(partial) }.encode_to_vec())
            }
            CollectorBehavior::Refuses => ("503 Service Unavailable", b"hidden words".to_vec()),
            CollectorBehavior::Hangs => continue,
        };
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n", answer.len());
        if reader.get_mut().write_all(&[head.as_bytes(), &answer].concat()).is_err() {
            return;
        }
    }
}

/// Reads the next request, if there is one: its head in lower case, and its body.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}
