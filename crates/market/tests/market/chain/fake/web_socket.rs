//! JSON-RPC over a WebSocket, as a node speaks it, with subscriptions to new blocks.

use std::sync::Mutex;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio_tungstenite::{accept_async, tungstenite::Message};

use super::{Block, Part, Reply, http, part::SUBSCRIPTION};

/// The node closes the connection.
struct HangUp;

pub(super) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, part: &Mutex<Part>) {
    let refusal = part.lock().unwrap().handshake.clone();
    if let Some(refusal) = refusal {
        return refuse(stream, &refusal).await;
    }
    let mut news = part.lock().unwrap().news.subscribe();
    let Ok(mut socket) = accept_async(stream).await else { return };
    let mut is_subscribed = false;
    loop {
        let message = tokio::select! {
            asked = socket.next() => match asked {
                Some(Ok(Message::Text(text))) => match answer(&text, part, &mut is_subscribed) {
                    Ok(message) => message,
                    Err(HangUp) => return,
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                _ => return,
            },
            block = news.recv() => is_subscribed.then(|| notification(block.unwrap())),
        };
        if let Some(message) = message
            && socket.send(message).await.is_err()
        {
            return;
        }
    }
}

/// Answers a handshake with `refusal`, and then nothing until the other side hangs up.
async fn refuse<S: AsyncRead + AsyncWrite + Unpin>(stream: S, refusal: &str) {
    let mut stream = BufReader::new(stream);
    if http::read_head(&mut stream).await.is_some() && stream.write_all(refusal.as_bytes()).await.is_ok() {
        drop(stream.read_to_end(&mut Vec::new()).await);
    }
}

/// What is sent in reply to a question, if anything is; or the wish to hang up.
fn answer(text: &str, part: &Mutex<Part>, is_subscribed: &mut bool) -> Result<Option<Message>, HangUp> {
    let question: Value = serde_json::from_str(text).unwrap();
    let method = question["method"].as_str().unwrap();
    let reply = part.lock().unwrap().answer(method, &question["params"]);
    *is_subscribed |= method == "eth_subscribe" && matches!(reply, Reply::Result(_));
    let envelope = |id: &Value, name: &str, value: Value| {
        Ok(Some(Message::text(json!({"jsonrpc": "2.0", "id": id, name: value}).to_string())))
    };
    match reply {
        Reply::Result(result) => envelope(&question["id"], "result", result),
        Reply::OtherId => envelope(&json!(987_654), "result", json!("0x7")),
        Reply::Error(code, message) => envelope(&question["id"], "error", json!({"code": code, "message": message})),
        Reply::Raw(text) => Ok(Some(Message::text(text))),
        Reply::Binary(bytes) => Ok(Some(Message::binary(bytes))),
        Reply::Silence => Ok(None),
        Reply::Close => Err(HangUp),
    }
}

fn notification(block: Block) -> Message {
    let params = json!({"subscription": SUBSCRIPTION, "result": block.to_json()});
    Message::text(json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params}).to_string())
}
