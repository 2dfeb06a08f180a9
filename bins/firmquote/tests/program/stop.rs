//! Signals: requests in flight finish; a second signal does not wait for them.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
};

use crate::program::{CONFIG, Serving, configured, directory, firmquote, run};

const BODY: &str =
    r#"{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000000000000000000"}"#;

/// Starts a quote request that the service has begun to read, without sending its body.
pub(crate) fn start_request(address: SocketAddr) -> BufReader<TcpStream> {
    let mut stream = BufReader::new(TcpStream::connect(address).unwrap());
    let head = "POST /rfq/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let rest = format!("content-length: {}\r\nexpect: 100-continue\r\n\r\n", BODY.len());
    stream.get_mut().write_all(format!("{head}{rest}").as_bytes()).unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert_eq!(line, "HTTP/1.1 100 Continue\r\n");
    stream.read_line(&mut line).unwrap();
    stream
}

#[test]
fn a_request_in_flight_finishes_after_either_signal() {
    for signal in ["TERM", "INT"] {
        let mut serving = Serving::start(firmquote(&["serve"]));
        let mut stream = start_request(serving.public);
        serving.signal(signal);
        assert!(serving.wait_for("stopping").contains(&format!("signal=\"SIG{signal}\"")));
        stream.get_mut().write_all(BODY.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\"output_amount\""), "{answer}");
        let ended = serving.ended();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    }
}

#[test]
fn a_second_signal_stops_at_once() {
    let mut serving = Serving::start(firmquote(&["serve"]));
    let _stream = start_request(serving.public);
    serving.signal("TERM");
    serving.wait_for("stopping");
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.ends_with("error: stopped immediately by a second signal (SIGTERM)"), "{}", ended.stderr);
}

#[test]
fn readiness_fails_while_the_service_drains() {
    let mut command = firmquote(&["serve"]);
    command.env("FIRMQUOTE__SERVER__DRAIN_SECONDS", "300");
    let mut serving = Serving::start(command);
    serving.signal("TERM");
    serving.wait_for("stopping");
    for (address, path, status) in [(serving.admin, "readyz", "503"), (serving.public, "errors", "200")] {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}

#[test]
fn an_idle_connection_does_not_delay_shutdown() {
    let mut command = firmquote(&["serve"]);
    command.env("FIRMQUOTE__SERVER__SHUTDOWN_TIMEOUT_SECONDS", "600");
    let serving = Serving::start(command);
    let mut stream = BufReader::new(TcpStream::connect(serving.public).unwrap());
    stream.get_mut().write_all(b"GET /errors HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert_eq!(line, "HTTP/1.1 200 OK\r\n");
    serving.signal("TERM");
    assert_eq!(serving.ended().status.code(), Some(0));
}

#[test]
fn an_address_in_use_is_named() {
    let occupied = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = occupied.local_addr().unwrap().to_string();
    for (variable, key) in [
        ("FIRMQUOTE__SERVER__BIND", "bind"),
        ("FIRMQUOTE__SERVER__BIND_V2", "bind_v2"),
        ("FIRMQUOTE__SERVER__ADMIN_BIND", "admin_bind"),
    ] {
        let directory = directory();
        // Without nodes, whose absence would be logged before.
        let config = CONFIG.replace("rpc_urls = [\"http://127.0.0.1:1/v3?key=hidden\"]\n", "");
        let mut command = configured(&directory, &["serve"], &config);
        command.env(variable, &address);
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
        let expected = format!("error: server.{key}: cannot listen on {address}: Address already in use (os error 98)");
        assert_eq!(ended.stderr.trim_end(), expected);
    }
}
