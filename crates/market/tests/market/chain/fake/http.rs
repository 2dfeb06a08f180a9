//! JSON-RPC over HTTP.

use std::sync::Mutex;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};

use super::{NodeState, Reply};

pub(super) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, state: &Mutex<NodeState>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read_request(&mut stream).await {
        let method = request["method"].as_str().unwrap_or_default();
        let reply = state.lock().unwrap().reply(method, &request["params"]);
        let bytes = match reply {
            Reply::Raw(text) => text.into_bytes(),
            Reply::Binary(bytes) => bytes,
            Reply::Silence => continue,
            Reply::Close => return,
            Reply::Result(_) | Reply::Error(..) | Reply::OtherId => {
                let body = reply.to_json_rpc(&request["id"]);
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
                format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
            }
        };
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// Reads the next request; `None` when the connection ends.
async fn read_request<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufReader<S>) -> Option<Value> {
    let head = read_head(stream).await?;
    let length = head.iter().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.map_or(Some(0), |length| length.trim().parse().ok())?];
    stream.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

/// Reads the lines before the body, in lower case; `None` when the connection ends.
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
