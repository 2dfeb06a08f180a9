//! The routes of a sandbox: those of the service, with a service for each fault, and its own.

use std::sync::Arc;

use actix_web::{
    HttpMessage as _, HttpRequest, HttpResponse,
    body::BoxBody,
    dev::ServiceRequest,
    error::{InternalError, JsonPayloadError},
    guard::fn_guard,
    http::StatusCode,
    middleware::{Next, from_fn},
    web::{self, Json, JsonConfig, ServiceConfig},
};
use alloy_primitives::{Bytes, U256};
use firmquote_domain::parse_address;
use firmquote_http::public_routes;
use serde::Deserialize;
use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::{
    Fault, Sandbox, Schedule, ScheduleEntry,
    chain::{Receipt, Revert, Transaction},
    middleware::{MAX_BODY_BYTES, Taker, error_response, sandbox_middleware},
    operation::Operation,
    services::ServiceVariant,
    session::Session,
};

impl Sandbox {
    /// Mounts the routes of the service and those of the sandbox.
    pub fn configure(self: &Arc<Self>, config: &mut ServiceConfig) {
        let mut scope = web::scope("").configure(sandbox_routes(self));
        for (variant, live) in self.services.all() {
            let is_variant = fn_guard(move |context| context.req_data().get::<ServiceVariant>() == Some(&variant));
            scope = scope.service(web::scope("").guard(is_variant).configure(public_routes(Arc::clone(live))));
        }
        let sandbox = Arc::clone(self);
        let middleware =
            move |request: ServiceRequest, next: Next<BoxBody>| sandbox_middleware(Arc::clone(&sandbox), request, next);
        config.service(scope.configure(public_routes(Arc::clone(&self.live))).wrap(from_fn(middleware)));
    }
}

fn sandbox_routes(sandbox: &Arc<Sandbox>) -> impl FnOnce(&mut ServiceConfig) + use<> {
    let [faults, session, reset, schedule, transactions] = std::array::from_fn(|_| Arc::clone(sandbox));
    move |config| {
        let invalid = |error: JsonPayloadError, _: &HttpRequest| {
            let response = bad_data(&error.to_string());
            InternalError::from_response(error, response).into()
        };
        config.app_data(JsonConfig::default().limit(MAX_BODY_BYTES).error_handler(invalid));
        config.route("/sandbox", web::get().to(move || list_faults(Arc::clone(&faults))));
        config.route("/sandbox/session", web::get().to(move |request| get_session(Arc::clone(&session), request)));
        config.route("/sandbox/session", web::delete().to(move |request| delete_session(Arc::clone(&reset), request)));
        config.route(
            "/sandbox/schedule",
            web::put().to(move |request, entries| set_schedule(Arc::clone(&schedule), request, entries)),
        );
        config.route(
            "/sandbox/transactions",
            web::post().to(move |request, body| send_transaction(Arc::clone(&transactions), request, body)),
        );
    }
}

/// Lists the faults, and the requests they apply to.
async fn list_faults(sandbox: Arc<Sandbox>) -> HttpResponse {
    let fault = |fault: Fault| {
        let operations: Vec<_> = Operation::iter().filter(|one| fault.applies_to(*one)).map(Operation::name).collect();
        json!({"fault": fault.name(), "applies_to": operations})
    };
    let faults: Vec<_> = Fault::iter().map(fault).collect();
    HttpResponse::Ok().json(json!({
        "header": crate::FAULT_HEADER,
        "faults": faults,
        "has_chain": sandbox.chain.is_some(),
    }))
}

async fn get_session(sandbox: Arc<Sandbox>, request: HttpRequest) -> HttpResponse {
    let taker = taker(&request);
    let report = |session: &mut Session| session.report(taker.clone());
    let existing = sandbox.update_existing_session(&taker, report);
    HttpResponse::Ok().json(existing.unwrap_or_else(|| report(&mut Session::default())))
}

async fn delete_session(sandbox: Arc<Sandbox>, request: HttpRequest) -> HttpResponse {
    sandbox.remove_session(&taker(&request));
    HttpResponse::NoContent().finish()
}

async fn set_schedule(sandbox: Arc<Sandbox>, request: HttpRequest, entries: Json<Vec<ScheduleEntry>>) -> HttpResponse {
    match Schedule::new(&entries) {
        Ok(schedule) => {
            sandbox.update_session(&taker(&request), |session| session.set_schedule(schedule));
            HttpResponse::NoContent().finish()
        }
        Err(error) => bad_data(&error),
    }
}

/// The body of a transaction, as of `eth_sendTransaction`.
#[derive(Deserialize)]
struct TransactionBody {
    to: String,
    data: String,
    value: Option<String>,
}

impl TransactionBody {
    fn parse(&self) -> Result<Transaction, String> {
        let to = parse_address(&self.to).map_err(|error| format!("to: {error}"))?;
        let data: Bytes = self.data.parse().map_err(|_| "data: must be hex with 0x".to_owned())?;
        let value = match &self.value {
            None => U256::ZERO,
            Some(value) => value.parse().map_err(|_| "value: must be an integer, decimal or hex with 0x".to_owned())?,
        };
        Ok(Transaction { to, data, value })
    }
}

async fn send_transaction(sandbox: Arc<Sandbox>, request: HttpRequest, body: Json<TransactionBody>) -> HttpResponse {
    let Some(chain) = &sandbox.chain else {
        return bad_data("the pools of this sandbox are on a node: send the transaction there");
    };
    let transaction = match body.parse() {
        Ok(transaction) => transaction,
        Err(error) => return bad_data(&error),
    };
    let signature_r = firmquote_calldata::decode(&transaction.data).ok().map(|swap| swap.signature.r().to_string());
    let fault = request.extensions().get::<Fault>().copied();
    match chain.send(&transaction, fault) {
        None => bad_data(&format!("to: {} is not a pool of this sandbox", transaction.to)),
        Some(Receipt::Accepted { hash }) => HttpResponse::Ok().json(json!({
            "status": "accepted", "transaction_hash": hash.to_string(), "reason": null, "signature_r": signature_r
        })),
        Some(Receipt::Reverted { hash, reason }) => {
            if reason == Revert::Signer {
                sandbox.update_session(&taker(&request), Session::record_forged_transaction);
            }
            HttpResponse::Ok().json(json!({
                "status": "reverted", "transaction_hash": hash.to_string(), "reason": reason.to_string(),
                "signature_r": signature_r
            }))
        }
    }
}

fn taker(request: &HttpRequest) -> String {
    request.extensions().get::<Taker>().map_or_else(String::new, |taker| taker.0.clone())
}

fn bad_data(message: &str) -> HttpResponse {
    error_response(StatusCode::BAD_REQUEST, message)
}
