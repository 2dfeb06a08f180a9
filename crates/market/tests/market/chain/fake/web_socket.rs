//! JSON-RPC over a WebSocket, with subscriptions to new blocks.

use std::sync::Mutex;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio_tungstenite::{accept_async, tungstenite::Message};

use super::{Block, NodeState, Reply, http, state::SUBSCRIPTION};

/// The node closes the connection.
struct Closed;

pub(super) async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, state: &Mutex<NodeState>) {
    let rejection = state.lock().unwrap().handshake_response.clone();
    if let Some(rejection) = rejection {
        return reject(stream, &rejection).await;
    }
    let mut new_heads = state.lock().unwrap().new_heads.subscribe();
    let Ok(mut socket) = accept_async(stream).await else { return };
    let mut is_subscribed = false;
    loop {
        let message = tokio::select! {
            request = socket.next() => match request {
                Some(Ok(Message::Text(text))) => match respond(&text, state, &mut is_subscribed) {
                    Ok(message) => message,
                    Err(Closed) => return,
                },
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                _ => return,
            },
            block = new_heads.recv() => is_subscribed.then(|| notification(block.unwrap())),
        };
        if let Some(message) = message
            && socket.send(message).await.is_err()
        {
            return;
        }
    }
}

/// Responds to a handshake with `rejection`, and waits until the client closes the connection.
async fn reject<S: AsyncRead + AsyncWrite + Unpin>(stream: S, rejection: &str) {
    let mut stream = BufReader::new(stream);
    if http::read_head(&mut stream).await.is_some() && stream.write_all(rejection.as_bytes()).await.is_ok() {
        drop(stream.read_to_end(&mut Vec::new()).await);
    }
}

/// Returns the response to a request, if there is one.
fn respond(text: &str, state: &Mutex<NodeState>, is_subscribed: &mut bool) -> Result<Option<Message>, Closed> {
    let request: Value = serde_json::from_str(text).unwrap();
    let method = request["method"].as_str().unwrap();
    let reply = state.lock().unwrap().reply(method, &request["params"]);
    *is_subscribed |= method == "eth_subscribe" && matches!(reply, Reply::Result(_));
    match reply {
        Reply::Raw(text) => Ok(Some(Message::text(text))),
        Reply::Binary(bytes) => Ok(Some(Message::binary(bytes))),
        Reply::Silence => Ok(None),
        Reply::Close => Err(Closed),
        Reply::Result(_) | Reply::Error(..) | Reply::OtherId => {
            Ok(Some(Message::text(reply.to_json_rpc(&request["id"]))))
        }
    }
}

fn notification(block: Block) -> Message {
    let params = json!({"subscription": SUBSCRIPTION, "result": block.to_json()});
    Message::text(json!({"jsonrpc": "2.0", "method": "eth_subscription", "params": params}).to_string())
}
