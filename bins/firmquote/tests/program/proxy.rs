//! A proxy that alters or withholds the responses of a service.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
};

use serde_json::Value;

/// Starts a proxy before `upstream`: responses of paths that begin with `path` are altered by `alter` and
/// pretty-printed, or withheld where it returns `None`. All others are passed through.
pub(crate) fn start(
    upstream: SocketAddr,
    path: &'static str,
    alter: impl Fn(Value) -> Option<Value> + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let mut silent = Vec::new();
        while let Ok((mut client, _)) = listener.accept() {
            let request = request(&mut client);
            let (head, body) = answer(upstream, &request);
            let is_altered = request.split(' ').nth(1).is_some_and(|target| target.starts_with(path));
            let body = if is_altered {
                alter(serde_json::from_str(&body).unwrap()).map(|body| format!("{body:#}\n"))
            } else {
                Some(body)
            };
            let Some(body) = body else {
                silent.push(client);
                continue;
            };
            let length = body.len();
            let answer = format!("{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
            client.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

/// A request with its body.
fn request(client: &mut TcpStream) -> String {
    let mut text = String::new();
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        let mut piece = [0; 4096];
        let count = client.read(&mut piece).unwrap();
        assert_ne!(count, 0, "the request ends early");
        text.push_str(str::from_utf8(piece.get(..count).unwrap()).unwrap());
    }
}

/// Reads the response of the service: the head without its length, and the body.
fn answer(upstream: SocketAddr, request: &str) -> (String, String) {
    let mut service = TcpStream::connect(upstream).unwrap();
    let request = request.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    service.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    service.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let is_own = |line: &&str| !line.starts_with("content-length:") && !line.starts_with("connection:");
    (head.lines().filter(is_own).collect::<Vec<_>>().join("\r\n"), body.to_owned())
}
