//! The demo service, and pages of other origins.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
};

use firmquote_e2e::{endpoint::API_KEY_SHA256, service::Service};

const DEMO: &str = include_str!("../../../../crates/config/demo.toml");

/// Serves files, each with its path and content type, for the duration of the test, and returns their origin.
pub(crate) fn page_server(files: Vec<(&'static str, &'static str, String)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut head = BufReader::new(&stream).lines().map_while(Result::ok);
            let path = head.next().and_then(|line| Some(line.split([' ', '?']).nth(1)?.to_owned()));
            head.take_while(|line| !line.is_empty()).for_each(drop);
            let file = files.iter().find(|(file_path, _, _)| path.as_deref() == Some(*file_path));
            let (kind, text) = file.map_or(("text/plain", ""), |(_, kind, text)| (*kind, text.as_str()));
            let length = text.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\ncontent-type: {kind}\r\n\r\n"
            );
            // A browser may have closed a connection that it opened in advance.
            let _is_sent = (&stream).write_all(head.as_bytes()).and_then(|()| (&stream).write_all(text.as_bytes()));
        }
    });
    origin
}

/// Starts the demo with a client that has an API key, for pages of `origins`.
pub(crate) fn service(origins: &[&str]) -> Service {
    demo_service(&format!("[server]\ncors_origins = {origins:?}\n"))
}

/// Starts the demo on another chain.
pub(crate) fn demo_on_chain(chain_id: u64) -> Service {
    start("", &DEMO.replace("id = 1\n", &format!("id = {chain_id}\n")))
}

/// Starts the demo with a client that has an API key. `server` precedes the demo's configuration.
pub(crate) fn demo_service(server: &str) -> Service {
    start(server, DEMO)
}

fn start(server: &str, demo: &str) -> Service {
    let demo = demo.replace("name = \"demo\"", "name = \"demo\"\nkey_env = \"FIRMQUOTE_SIGNER_KEY\"");
    let client = format!("\n[[credential]]\nclient = \"partner\"\napi_key_sha256 = \"{API_KEY_SHA256}\"\n");
    Service::start(&format!("{server}{demo}{client}"))
}
