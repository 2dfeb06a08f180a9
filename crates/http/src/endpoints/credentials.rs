//! Revocations: credentials of clients that are refused on every replica, even if their files enable them.

use std::borrow::Cow;

use actix_web::{HttpResponse, web};
use firmquote_api as api;
use firmquote_desk::Actor;
use serde_json::{Value, json};

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, Purpose},
    operation::{Inputs, Operation, json},
};
use crate::{
    auth::Role,
    error::{AllowedMethods, ApiError, Reason},
    input::{Field, Fields, Input, Kind, REASON, ReadText, Reader, ValueError, out_of_range, pattern, text},
    request::RequestContext,
    routes::operator_access::{actor, authorize},
    wire,
};

static CREDENTIAL_ID: Input<ReadText> = Input::new(
    &Kind { read: text, schema: || pattern("^[!-~]{1,64}$") },
    Field::new(
        "credential_id",
        "The credential: the first 12 hex digits of the SHA-256 of an API key, or a username, as `firmquote credential list` shows it.",
    )
    .required()
    .example(|| json!("9f86d081884c")),
);

const CREDENTIAL: &[&Field] = &[&CREDENTIAL_ID.field, &REASON.field];

pub(crate) static REVOKE: Endpoint = Endpoint {
    path: "/credentials/revoke",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Post,
    access: Access::Operator(Role::Admin),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(revoke),
    operation: Some(Operation {
        id: "revoke_credential",
        summary: "Revoke a credential",
        about: "Refuses the credential of a client on all replicas until it is restored, without a change of a file. Signatures that \
                were released stay valid on chain.",
        success: "The credential is revoked.",
        inputs: Inputs::query(CREDENTIAL),
        body: json::<api::CredentialState>(|| example(true)),
        reasons: &[Reason::Store],
        ..Operation::NEW
    }),
};

pub(crate) static RESTORE: Endpoint = Endpoint {
    path: "/credentials/restore",
    listeners: Listeners::Admin,
    methods: AllowedMethods::Post,
    access: Access::Operator(Role::Admin),
    purpose: Purpose::Operator,
    cache_control: None,
    log: LogLevel::Info,
    handler: || web::to(restore),
    operation: Some(Operation {
        id: "restore_credential",
        summary: "Restore a revoked credential",
        about: "Ends a revocation on all replicas. A credential that a file disables stays refused by the replicas with that file.",
        success: "The credential is not revoked.",
        inputs: Inputs::query(CREDENTIAL),
        body: json::<api::CredentialState>(|| example(false)),
        reasons: &[Reason::Store],
        ..Operation::NEW
    }),
};

fn example(is_revoked: bool) -> Value {
    json!({"credential_id": "9f86d081884c", "is_revoked": is_revoked, "kept": false})
}

async fn revoke(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_revoked(context, true).await
}

async fn restore(context: RequestContext) -> Result<HttpResponse, ApiError> {
    set_revoked(context, false).await
}

const UNKNOWN: ValueError = out_of_range(
    "Input should be the id of a credential: this replica has none with it that is enabled, nor is one revoked",
);

async fn set_revoked(context: RequestContext, is_revoked: bool) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    let actor = actor(&context, authorize(&context, service)?);
    let fields = Fields::from_query(context.query(), CREDENTIAL);
    let mut reader = Reader::strict(&fields);
    let pauses = &service.desk.pauses;
    let is_known = |id: &str| service.has_credential(id) || pauses.is_revoked(id);
    let id = reader.required(&CREDENTIAL_ID);
    if id.as_deref().is_some_and(|id| !is_known(id)) {
        reader.reject(&CREDENTIAL_ID.field, UNKNOWN);
    }
    let reason = reader.optional(&REASON);
    let id = reader.finish(|| id)?;
    let actor = Actor { reason: reason.map(Cow::into_owned), ..actor };
    let (operator, from) = (actor.name.clone(), actor.address.map(tracing::field::display));
    tracing::warn!(
        credential = &*id,
        is_revoked,
        operator,
        from,
        reason = actor.reason.as_deref(),
        "the operator changed whether a credential is revoked"
    );
    let set = pauses.set_revoked(&id, is_revoked, Some(actor), service.desk.clock.now()).await;
    set.map_err(ApiError::Desk)?;
    wire::json::response(&api::CredentialState {
        credential_id: id.into_owned(),
        is_revoked,
        kept: pauses.outlives_process(),
    })
}
