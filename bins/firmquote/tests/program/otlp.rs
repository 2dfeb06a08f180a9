//! Spans of the running service, with a collector played by the test that accepts them, refuses them, or is absent.

use std::{fs, net::SocketAddr};

use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpSocket;

use crate::{
    collector::{Batch, Collector, CollectorBehavior, texts},
    metrics::until_shown,
    program::{CONFIG, ONE_ETH, Serving, configured, directory, quote_request, run, set_mode},
    stop::start_request,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
const ACCEPTS: CollectorBehavior = CollectorBehavior::Accepts { but: 0 };

/// Starts the service with a collector at `address` and these keys.
fn serve(directory: &TempDir, address: SocketAddr, keys: &str) -> Serving {
    let config = format!("{CONFIG}\n[otlp]\nendpoint = \"http://{address}/hidden-path/\"\n{keys}\n");
    Serving::start(configured(directory, &["serve"], &config))
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

/// Requests a quote as part of a trace.
async fn quote(client: &Client, serving: &Serving, traceparent: Option<&str>) -> Value {
    let body = quote_request(ONE_ETH);
    let request = client.post(format!("http://{}/rfq/quote", serving.public)).json(&body);
    let request = traceparent.into_iter().fold(request, |request, value| request.header("traceparent", value));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

/// Returns every span of these batches.
fn all(batches: &[Batch]) -> Vec<Span> {
    batches.iter().flat_map(Batch::spans).cloned().collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_request_span_joins_the_callers_trace_with_store_and_key_spans_below_it() {
    let (collector, directory) = (Collector::start(ACCEPTS), directory());
    fs::write(directory.path().join("headers"), "x-collector-key: correct-horse\n\nx-tenant: a b\n").unwrap();
    set_mode(&directory.path().join("headers"), 0o600);
    let serving = serve(&directory, collector.address, "headers_file = \"headers\"");
    let client = client();
    let made = quote(&client, &serving, Some(&format!("00-{TRACE}-{PARENT}-01"))).await;
    let sign = json!({"quote_id": made["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let url = format!("http://{}/rfq/sign?hidden=query", serving.public);
    assert_eq!(client.post(url).json(&sign).send().await.unwrap().status(), 200);
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(0));
    let batches = collector.rest();
    let spans = all(&batches);
    let head = &batches[0].head;
    assert!(head.starts_with("post /hidden-path/v1/traces http/1.1\r\n"), "{head}");
    for field in ["content-type: application/x-protobuf", "x-collector-key: correct-horse", "x-tenant: a b"] {
        assert!(head.lines().any(|line| line == field), "{field}\n{head}");
    }
    let resource = batches[0].request.resource_spans[0].resource.clone().unwrap();
    assert_eq!(texts(&resource.attributes)["service.name"], "Test");

    let named = |name: &str| spans.iter().find(|span| span.name == name).ok_or(name.to_owned()).unwrap();
    let request = named("POST /rfq/quote");
    assert_eq!((hex(&request.trace_id), hex(&request.parent_span_id)), (TRACE.to_owned(), PARENT.to_owned()));
    assert_eq!(request.kind, SpanKind::Server as i32);
    let attributes = texts(&request.attributes);
    for (name, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/rfq/quote"),
        ("http.response.status_code", "200"),
        ("firmquote.client", "anonymous"),
        ("firmquote.chain_id", "1"),
        ("firmquote.quote_id", made["id"].as_str().unwrap()),
    ] {
        assert_eq!(attributes[name], value, "{attributes:?}");
    }
    assert!(ended.stderr.contains(&format!("trace_id={TRACE}")), "{}", ended.stderr);
    let insert = named("store insert");
    assert_eq!((&insert.trace_id, &insert.parent_span_id), (&request.trace_id, &request.span_id));
    let signature = named("POST /rfq/sign");
    assert!(signature.parent_span_id.is_empty() && hex(&signature.trace_id) != TRACE);
    for child in ["store open", "sign", "store commit"] {
        let child = named(child);
        assert_eq!((&child.trace_id, &child.parent_span_id), (&signature.trace_id, &signature.span_id), "{child:?}");
    }
    assert!(ended.stderr.contains(&format!("trace_id={}", hex(&signature.trace_id))), "{}", ended.stderr);
    let text = format!("{spans:?}");
    for hidden in ["127.0.0.1", "hidden", "1000000000000000000", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"] {
        assert!(!text.contains(hidden), "{hidden} in {text}");
    }
    for hidden in ["correct-horse", "hidden-path"] {
        assert!(!ended.stderr.contains(hidden), "{}", ended.stderr);
    }
}

#[tokio::test]
async fn the_callers_sampling_decision_precedes_the_ratio() {
    for (ratio, expected) in [("0", vec!["1"]), ("1.0", vec!["1", "none"])] {
        let (collector, directory) = (Collector::start(ACCEPTS), directory());
        let serving = serve(&directory, collector.address, &format!("sample_ratio = {ratio}"));
        let client = client();
        for flags in ["00", "01"] {
            quote(&client, &serving, Some(&format!("00-{TRACE}-{PARENT}-{flags}"))).await;
        }
        quote(&client, &serving, None).await;
        serving.signal("TERM");
        assert_eq!(serving.ended().status.code(), Some(0));
        let spans = all(&collector.rest());
        let requests = spans.iter().filter(|span| span.name == "POST /rfq/quote");
        let traces: Vec<_> = requests.map(|span| if hex(&span.trace_id) == TRACE { "1" } else { "none" }).collect();
        assert_eq!(traces, expected, "{ratio}");
    }
}

#[tokio::test]
async fn a_failed_request_is_a_failed_span() {
    let (collector, directory) = (Collector::start(ACCEPTS), directory());
    let serving = serve(&directory, collector.address, "");
    let url = format!("http://{}/nowhere", serving.public);
    assert_eq!(client().get(url).send().await.unwrap().status(), 404);
    let batch = collector.next();
    let span = batch.spans()[0].clone();
    let attributes = texts(&span.attributes);
    assert_eq!((span.name.as_str(), attributes["error.type"].as_str()), ("GET", "no_route"));
    assert!(!attributes.contains_key("http.route"), "{attributes:?}");
    assert_ne!(span.status.unwrap_or_default().code, StatusCode::Error as i32, "the mistake is the client's");
}

#[tokio::test]
async fn a_collector_outage_is_logged_once_and_does_not_affect_requests() {
    let (socket, directory) = (TcpSocket::new_v4().unwrap(), directory());
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let mut serving = serve(&directory, socket.local_addr().unwrap(), "timeout_seconds = 1");
    let client = client();
    for _ in 0..3 {
        quote(&client, &serving, None).await;
        let has_lost_spans =
            |metrics: &str| metrics.lines().any(|line| line.starts_with(LOST) && !line.ends_with(" 0"));
        const LOST: &str = "firmquote_spans_dropped_total{reason=\"export_failed\"} ";
        while !has_lost_spans(&crate::metrics::scrape(&client, &serving).await) {
            tokio::task::yield_now().await;
        }
    }
    serving.wait_for("spans cannot be exported and are dropped; requests are not affected");
    let listener = socket.listen(16).unwrap().into_std().unwrap();
    listener.set_nonblocking(false).unwrap();
    let collector = Collector::on(listener, ACCEPTS);
    quote(&client, &serving, None).await;
    collector.next();
    serving.wait_for("spans are exported again");
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.stderr.matches("spans cannot be exported").count(), 1, "{}", ended.stderr);
}

#[tokio::test]
async fn rejected_spans_are_counted_and_the_collectors_message_is_not_echoed() {
    let (collector, directory) = (Collector::start(CollectorBehavior::Refuses), directory());
    let mut serving = serve(&directory, collector.address, "");
    let client = client();
    quote(&client, &serving, None).await;
    let warning = serving.wait_for("spans cannot be exported and are dropped");
    assert!(warning.contains("HTTP status 503") && !warning.contains("hidden"), "{warning}");
    // A quote is two spans, and a scrape one, or two with the ping.
    collector.rest();
    collector.set(CollectorBehavior::Accepts { but: 1 });
    quote(&client, &serving, None).await;
    serving.wait_for("spans are exported again");
    let scraped = crate::metrics::scrape(&client, &serving).await;
    let counts = |name: &str| scraped.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().parse::<u64>();
    let lost = counts("firmquote_spans_dropped_total{reason=\"export_failed\"}").unwrap();
    assert!(lost >= 3, "two of the first batch at least, and one of the second\n{scraped}");
    assert_eq!(counts("firmquote_spans_dropped_total{reason=\"queue_full\"}"), Ok(0));
}

#[tokio::test]
async fn a_silent_collector_delays_only_the_shutdown_up_to_its_timeout() {
    let (collector, directory) = (Collector::start(CollectorBehavior::Hangs), directory());
    let serving = serve(&directory, collector.address, "timeout_seconds = 1");
    let client = client();
    quote(&client, &serving, None).await;
    collector.next();
    quote(&client, &serving, None).await;
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.stderr.contains("stopped"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_second_signal_still_sends_the_last_spans() {
    let (collector, directory) = (Collector::start(ACCEPTS), directory());
    let mut serving = serve(&directory, collector.address, "");
    quote(&client(), &serving, None).await;
    let _unfinished = start_request(serving.public);
    serving.signal("TERM");
    serving.wait_for("stopping");
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    let spans = all(&collector.rest());
    assert!(spans.iter().any(|span| span.name == "POST /rfq/quote"), "{}", spans.len());
}

#[tokio::test]
async fn without_a_collector_incoming_traces_are_logged_and_none_is_started() {
    let directory = directory();
    let serving = Serving::start(configured(&directory, &["serve"], CONFIG));
    let client = client();
    quote(&client, &serving, None).await;
    quote(&client, &serving, Some(&format!("00-{TRACE}-{PARENT}-01"))).await;
    until_shown(&client, &serving, &["firmquote_spans_exported_total 0"]).await;
    serving.signal("TERM");
    let ended = serving.ended();
    let named: Vec<_> = ended.stderr.lines().filter(|line| line.contains("trace_id=")).collect();
    assert_eq!(named.len(), 1, "{}", ended.stderr);
}

#[test]
fn a_headers_file_must_be_private_to_its_owner() {
    let directory = directory();
    let path = directory.path().join("headers");
    let config = format!("{CONFIG}\n[otlp]\nendpoint = \"http://127.0.0.1:4318\"\nheaders_file = \"headers\"\n");
    let place = "headers_file is \"headers\", allowed: ";
    for (mode, text, expected) in [
        (0o600, "authorization: Bearer correct-horse\n", ""),
        (
            0o640,
            "a: b",
            "a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)",
        ),
        (0o600, "", "(line 1 is not one)"),
        (0o600, "a: b\ncorrect-horse\n", "(line 2 is not one)"),
        (0o600, "content-type: correct-horse", "(line 1 is not one)"),
    ] {
        fs::write(&path, text).unwrap();
        set_mode(&path, mode);
        let ended = run(configured(&directory, &["check"], &config));
        assert_eq!(ended.stderr.contains(place), !expected.is_empty(), "{}", ended.stderr);
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
        assert!(!ended.stderr.contains("correct-horse") && !ended.stdout.contains("correct-horse"));
        fs::remove_file(&path).unwrap();
    }
}
