//! `firmquote status` with a service that is unavailable for a while, or permanently.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
};

use crate::{
    client::{API_KEY, Service},
    program::{Ended, firmquote, run},
};

const ID: &str = "bdb2784e-107b-4dab-a125-b6f62540d958";
const LAPSED: &str = r#"{"quote_id":"bdb2784e-107b-4dab-a125-b6f62540d958","state":"lapsed","chain_id":1,
    "pool_address":"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359","created_at":1795223030,
    "must_accept_by":"2026-11-21 01:04:02.704406+00:00","good_until":1795223102,
    "signed_at":"2026-11-21 01:03:55.120000+00:00","execution":"best_effort","settled":null}"#;

/// Runs the command against a server that sends these responses in turn, each with status and headers.
fn run_against(answers: &'static [(&str, &str)], arguments: &[&str]) -> Ended {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (head, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            assert_ne!(stream.read(&mut request).unwrap(), 0);
            let head = format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    let mut command = firmquote(&[&["status", ID, "--url", &url], arguments].concat());
    command.env("FIRMQUOTE_API_KEY", API_KEY);
    run(command)
}

#[test]
fn a_service_that_is_not_there_is_not_waited_for() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = firmquote(&["status", ID, "--wait", "--url", &format!("http://{closed}")]);
    command.env("FIRMQUOTE_API_KEY", API_KEY);
    let ended = run(command);
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: the service cannot be reached"), "{}", ended.stderr);
}

#[test]
fn a_wait_reports_what_it_waits_out_and_ends_with_one_if_the_swap_lapsed() {
    let ended = run_against(&[("503 x\r\nretry-after: 0", ""), ("200 x", LAPSED)], &["--wait"]);
    assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stdout.starts_with("state       lapsed"), "{}", ended.stdout);
    let warning = "warning: the service refused the request (HTTP 503); retrying in 1 s\n";
    assert_eq!(ended.stderr, warning);
    let once = run_against(&[("200 x", LAPSED)], &[]);
    assert_eq!((once.status.code(), once.stderr.as_str()), (Some(0), ""), "only --wait ends with one");
}

#[test]
fn only_a_404_that_is_not_about_the_quote_suggests_another_url() {
    let service = Service::start();
    let unknown = service.ended(&["status", ID, "--wait"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(unknown.stderr.contains(ID) && !unknown.stderr.contains("check the URL"), "{}", unknown.stderr);
    let elsewhere = run_against(&[("404 x", "")], &[]);
    assert!(elsewhere.stderr.contains("check the URL"), "{}", elsewhere.stderr);
}
