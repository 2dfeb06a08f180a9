//! Streams of events: of the service for its operator, and of a client's own quotes for the client.

use actix_web::{
    HttpResponse,
    http::header::CONTENT_TYPE,
    web::{self, Bytes},
};
use firmquote_desk::EventCursor;
use futures_util::stream;

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    levels::EVENT_STREAM,
    operation::{Inputs, Operation, SuccessBody},
};
use crate::{
    auth::Role,
    error::{AllowedMethods, ApiError, Reason},
    events::{ClientFilter, EventConnection, EventFilter},
    input::{AFTER, CHAIN_ID, Field, Fields, KINDS, LAST_EVENT_ID, POOL_ADDRESS, Reader},
    request::{AuthenticatedRequest, RequestContext},
};

const EVENTS: &[&Field] = &[&AFTER.field, &KINDS.field, &POOL_ADDRESS.field];

const ABOUT: &str = "Server-Sent Events: the entries of the ledger (`signed`, `settled`, `lapsed`, `reorged`) and of the operator's \
    stream (`paused`, `resumed`, `breaker`, `config`, `credential`, `hedged`) as they are written, at least once and in order within each, and a \
    `position` for every block that was read. Continues after the `Last-Event-ID`, or `after`, on any replica; `reset` says that \
    entries may be missing before it.";

pub(crate) static STREAM: Endpoint = Endpoint {
    path: "/events",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Get,
    access: Access::Operator(Role::Viewer),
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(events),
    operation: Some(Operation {
        id: "events",
        summary: "What was signed, executed and changed, as it happens",
        about: ABOUT,
        success: "The stream.",
        inputs: Inputs::query(EVENTS),
        body: SuccessBody::Text("text/event-stream"),
        reasons: &[Reason::Store],
        ..Operation::NEW
    }),
};

const QUOTE_EVENT_FIELDS: &[&Field] = &[&LAST_EVENT_ID.field];

const ABOUT_QUOTE_EVENTS: &str = "Server-Sent Events about the quotes that were signed for the calling client, on one chain: `signed`, \
    `settled`, `lapsed`, and `reorged` when a reorganization undid an outcome. At least once, and for each quote in order. Continues \
    after the `Last-Event-ID`, or `last_event_id`, for ten minutes and as long as few entries were added meanwhile; otherwise \
    `reset` says that events may be missing: read the status of open quotes. A `heartbeat` follows what was missed, and every five \
    seconds of silence.";

pub(crate) static QUOTE_EVENTS: Endpoint = Endpoint {
    path: "/rfq/v2/events/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::QuoteEvents,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(quote_events),
    operation: Some(Operation {
        id: "events_v2",
        summary: "Events of the client's quotes, as they happen",
        about: ABOUT_QUOTE_EVENTS,
        success: "The stream.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], QUOTE_EVENT_FIELDS),
        body: SuccessBody::Text("text/event-stream"),
        ..Operation::NEW
    }),
};

/// The header with which clients of Server-Sent Events continue (HTML, section 9.2).
const LAST_EVENT_ID_HEADER: &str = "Last-Event-ID";

/// Streams events until the service is replaced or the client is gone.
async fn events(context: RequestContext) -> Result<HttpResponse, ApiError> {
    if context.is_draining() {
        return Err(ApiError::ShuttingDown);
    }
    let fields = Fields::from_query(context.query(), EVENTS);
    let mut reader = Reader::new(&fields);
    let after = reader.optional(&AFTER);
    let kinds = reader.optional(&KINDS).unwrap_or_default();
    let pool = reader.optional(&POOL_ADDRESS).map(|address| address.to_string());
    reader.finish(|| Some(()))?;
    // A browser that reconnects repeats the query, and continues with the header. An id that is not one of ours is reported.
    let last = last_event_id(&context).map(|id| id.parse().unwrap_or_else(|_| EventCursor::unknown()));
    let (live, service) = (context.live().clone(), context.service_snapshot());
    let connection = EventConnection::open(live, service, last.or(after), EventFilter { kinds, pool }).await?;
    Ok(response(connection))
}

/// Streams events of the client's quotes until the service is replaced or the client is gone.
async fn quote_events(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    if context.is_draining() {
        return Err(ApiError::ShuttingDown);
    }
    let fields = context.chain_fields(QUOTE_EVENT_FIELDS);
    let mut reader = Reader::new(&fields);
    let chain_id = reader.required(&CHAIN_ID);
    let after = reader.optional(&LAST_EVENT_ID);
    let chain_id = reader.finish(|| chain_id)?;
    let (live, service) = (context.live().clone(), context.service_snapshot());
    service.desk.check_chain(chain_id).map_err(|error| fields.map_desk_error(error))?;
    let filter = ClientFilter { client: client.name().unwrap_or_default().into(), chain_id };
    let last = last_event_id(&context).or(after.as_deref());
    let connection = EventConnection::open_for_client(live, service, last, filter).await?;
    Ok(response(connection))
}

fn last_event_id(context: &RequestContext) -> Option<&str> {
    context.headers().get(LAST_EVENT_ID_HEADER)?.to_str().ok().filter(|id| !id.is_empty())
}

fn response(connection: EventConnection) -> HttpResponse {
    let events = stream::unfold(connection, |mut connection| async {
        let text = connection.next().await?;
        Some((Ok::<_, ApiError>(Bytes::from(text)), connection))
    });
    HttpResponse::Ok().insert_header((CONTENT_TYPE, EVENT_STREAM)).streaming(events)
}
