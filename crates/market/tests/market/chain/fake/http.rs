//! JSON-RPC over HTTP, as a node speaks it.

use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};

use super::{Part, Reply};

pub(super) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, part: &Mutex<Part>) {
    let mut stream = BufReader::new(stream);
    while let Some(question) = read(&mut stream).await {
        let reply = part.lock().unwrap().answer(question["method"].as_str().unwrap_or_default(), &question["params"]);
        let envelope = |id: &Value, name: &str, value: Value| {
            let body = json!({"jsonrpc": "2.0", "id": id, name: value}).to_string();
            let length = body.len();
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
                .into_bytes()
        };
        let bytes = match reply {
            Reply::Result(result) => envelope(&question["id"], "result", result),
            Reply::OtherId => envelope(&json!(987_654), "result", json!("0x7")),
            Reply::Error(code, message) => {
                envelope(&question["id"], "error", json!({"code": code, "message": message}))
            }
            Reply::Raw(text) => text.into_bytes(),
            Reply::Binary(bytes) => bytes,
            Reply::Silence => continue,
            Reply::Close => return,
        };
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// The next question, or `None` when the connection ends.
async fn read<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufReader<S>) -> Option<Value> {
    let head = read_head(stream).await?;
    let length = head.iter().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.map_or(Some(0), |length| length.trim().parse().ok())?];
    stream.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

/// The lines before the body, in small letters, or `None` when the connection ends.
pub(super) async fn read_head<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            return Some(lines);
        }
        lines.push(line);
    }
}
