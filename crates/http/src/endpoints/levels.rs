//! Price levels: a snapshot, and the stream as Server-Sent Events or over a WebSocket.

use std::{
    cell::Cell,
    fmt::Write as _,
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{
    FromRequest as _, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    http::header::{CONTENT_TYPE, HeaderValue},
    rt::{
        spawn,
        time::{Instant, interval_at, sleep_until},
    },
    web::{self, Bytes, Payload},
};
use actix_ws::{CloseCode, Message as Frame, MessageStream, Session};
use firmquote_api as api;
use futures_util::{StreamExt as _, stream};
use tokio::sync::Notify;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_CACHE, NO_STORE, Purpose},
    operation::{Inputs, Operation, SuccessBody, json},
};
use crate::{
    entity_tag::{entity_tag, json_unless_known},
    error::{AllowedMethods, ApiError},
    input::CHAIN_ID,
    levels::{LEVELS, LevelStream, LevelsInput, Message, read_snapshot},
    openapi::examples,
    request::AuthenticatedRequest,
};

const ABOUT_LEVELS: &str = "Points of the pool's curve for each pair and direction. The straight lines between them never exceed the \
    curve: from the first knot to the last, a quote for an input is at least the line, rounded down. A book holds until its \
    `valid_until_ms`, unless a stream withdraws or replaces it. Covers all pools of the chain unless `pool_address` is given.";

const ABOUT_LEVEL_STREAM: &str = "The books of `levels_v2`, followed by every change: an event for each message, with \
    the type of the message as its `event`. `/asyncapi.json` describes the messages.";

/// Roughly the bytes of an event besides its message.
const EVENT_OVERHEAD: usize = 96;

/// The interval between pings of a WebSocket, and the time without a client frame after which it is closed.
const PING_INTERVAL: Duration = Duration::from_secs(15);
const MAX_SILENCE: Duration = Duration::from_secs(45);

/// The content type of Server-Sent Events (HTML, section 9.2).
pub(super) const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

pub(crate) static SNAPSHOT: Endpoint = Endpoint {
    path: "/rfq/v2/levels/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::Levels,
    cache_control: NO_CACHE,
    log: LogLevel::Sampled,
    handler: || web::to(snapshot),
    operation: Some(Operation {
        id: "levels_v2",
        summary: "Price levels",
        about: ABOUT_LEVELS,
        success: "The books.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], LEVELS),
        body: json::<api::LevelsSnapshot>(examples::levels),
        is_revalidated: true,
        ..Operation::NEW
    }),
};

pub(crate) static STREAM: Endpoint = Endpoint {
    path: "/rfq/v2/levels/{chain_id}/stream",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::LevelStream,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(stream),
    operation: Some(Operation {
        id: "level_stream_v2",
        summary: "Price levels as Server-Sent Events",
        about: ABOUT_LEVEL_STREAM,
        success: "The stream.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], LEVELS),
        body: SuccessBody::Text("text/event-stream"),
        ..Operation::NEW
    }),
};

pub(crate) static SOCKET: Endpoint = Endpoint {
    path: "/rfq/v2/levels/{chain_id}/ws",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::LevelStream,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(socket),
    // A WebSocket is no operation of OpenAPI: /asyncapi.json describes it.
    operation: None,
};

/// Returns the current books.
async fn snapshot(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let context = request.context;
    let fields = context.chain_fields(LEVELS);
    let input = LevelsInput::decode(&fields)?;
    let desk = &context.service().desk;
    let books = input.books(desk, &request.client).map_err(|error| fields.map_desk_error(error))?;
    let json = read_snapshot(context.live().levels(), desk, books, &input).await?;
    let tag = entity_tag(&json);
    Ok(json_unless_known(context.http(), json, tag))
}

/// Returns the stream of the books as Server-Sent Events.
async fn stream(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let stream = open(&request)?;
    let events = stream::unfold(stream, |mut stream| async {
        let messages = stream.next().await?;
        Some((Ok::<_, ApiError>(events(stream.epoch(), &messages)), stream))
    });
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, EVENT_STREAM)).streaming(events))
}

/// Returns the stream of the books over a WebSocket.
async fn socket(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let stream = open(&request)?;
    let (http, mut payload) = (request.context.http(), request.context.take_payload());
    let payload = Payload::from_request(http, &mut payload).await.map_err(|_| ApiError::UpgradeRequired)?;
    let (response, session, frames) = actix_ws::handle(http, payload).map_err(|_| ApiError::UpgradeRequired)?;
    let readiness = Rc::new(WriteReadiness::default());
    spawn(level_socket(stream, session, frames, Rc::clone(&readiness)));
    Ok(response.map_body(|_, body| WriteReadinessSignal { body, readiness }.boxed()))
}

/// Sends the messages of `stream` until it ends, or until the client is silent or gone. The next messages are collected
/// once the connection has room for them, so that a slow client gets the newest books.
async fn level_socket(
    mut stream: LevelStream,
    mut session: Session,
    mut frames: MessageStream,
    readiness: Rc<WriteReadiness>,
) {
    let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    let (mut heard_at, mut is_writable) = (Instant::now(), false);
    loop {
        tokio::select! {
            () = readiness.changed.notified(), if !is_writable => is_writable = readiness.is_there.get(),
            messages = stream.next(), if is_writable => {
                let Some(messages) = messages else { break };
                is_writable = false;
                for message in messages {
                    if session.text(message.into_json()).await.is_err() {
                        return;
                    }
                }
            }
            frame = frames.next() => match frame {
                Some(Ok(Frame::Close(_)) | Err(_)) | None => break,
                Some(Ok(Frame::Ping(payload))) if session.pong(&payload).await.is_err() => return,
                Some(Ok(_)) => heard_at = Instant::now(),
            },
            _ = pings.tick() => {
                if session.ping(b"").await.is_err() {
                    return;
                }
            }
            () = sleep_until(heard_at + MAX_SILENCE) => break,
        }
    }
    // The client may be gone.
    drop(session.close(Some(CloseCode::Away.into())).await);
}

/// Whether a connection has room for more frames, and none is left.
#[derive(Default)]
struct WriteReadiness {
    is_there: Cell<bool>,
    changed: Notify,
}

/// The frames of a connection, which keep its readiness up to date.
struct WriteReadinessSignal {
    body: BoxBody,
    readiness: Rc<WriteReadiness>,
}

impl MessageBody for WriteReadinessSignal {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let frames = Pin::new(&mut self.body).poll_next(context);
        self.readiness.is_there.set(frames.is_pending());
        self.readiness.changed.notify_one();
        frames
    }
}

/// Opens a stream of the books that a request selects.
fn open(request: &AuthenticatedRequest) -> Result<LevelStream, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    // Otherwise clients of a draining replica would open one stream after the other.
    if context.is_draining() {
        return Err(ApiError::ShuttingDown);
    }
    let fields = context.chain_fields(LEVELS);
    let input = LevelsInput::decode(&fields)?;
    let (live, service) = (Arc::clone(context.live()), context.service_snapshot());
    let books = input.books(&service.desk, client).map_err(|error| fields.map_desk_error(error))?;
    LevelStream::open(live, service, client, &books, &input)
}

/// Writes messages as events.
fn events(epoch: &str, messages: &[Message]) -> Bytes {
    let mut text = String::with_capacity(messages.iter().map(|message| message.len() + EVENT_OVERHEAD).sum());
    for message in messages {
        _ = write!(text, "id: {epoch}-{}\nevent: {}\ndata: ", message.number, message.kind.into_str());
        message.write_to(&mut text);
        text.push_str("\n\n");
    }
    text.into()
}
