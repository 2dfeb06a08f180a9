//! The feed of events for the operator.

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
    events::{EventConnection, EventFilter},
    input::{Field, Fields, Reader, address, event_cursor, event_kinds},
    request::RequestContext,
};

const EVENTS: &[Field] = &[Field::After, Field::Kinds, Field::PoolAddress];

const ABOUT: &str = "Server-Sent Events: the entries of the ledger (`signed`, `settled`, `lapsed`, `reorged`) and of the operator's \
    stream (`paused`, `resumed`, `breaker`, `config`, `credential`) as they are written, at least once and in order within each, and a \
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

/// The header with which clients of Server-Sent Events continue (HTML, section 9.2).
const LAST_EVENT_ID: &str = "Last-Event-ID";

/// Streams events until the service is replaced or the client is gone.
async fn events(context: RequestContext) -> Result<HttpResponse, ApiError> {
    if context.is_draining() {
        return Err(ApiError::ShuttingDown);
    }
    let fields = Fields::from_query(context.query(), EVENTS);
    let mut reader = Reader::new(&fields);
    let after = reader.optional(Field::After, event_cursor);
    let kinds = reader.optional(Field::Kinds, event_kinds).unwrap_or_default();
    let pool = reader.optional(Field::PoolAddress, address).map(|address| address.to_string());
    reader.finish(|| Some(()))?;
    // A browser that reconnects repeats the query, and continues with the header.
    let last = context.headers().get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()?.parse::<EventCursor>().ok());
    let (live, service) = (context.live().clone(), context.service_snapshot());
    let connection = EventConnection::open(live, service, last.or(after), EventFilter { kinds, pool }).await?;
    let events = stream::unfold(connection, |mut connection| async {
        let text = connection.next().await?;
        Some((Ok::<_, ApiError>(Bytes::from(text)), connection))
    });
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, EVENT_STREAM)).streaming(events))
}
