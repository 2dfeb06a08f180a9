//! The routes of a sandbox: those of the service, with a service for each fault, and its own.

use std::sync::Arc;

use actix_web::{
    Error, HttpMessage as _, HttpRequest, HttpResponse,
    body::BoxBody,
    dev::{ServiceRequest, ServiceResponse},
    error::{InternalError, JsonPayloadError},
    guard::fn_guard,
    middleware::{Next, from_fn},
    web::{self, Data, Json, JsonConfig, PayloadConfig, ServiceConfig},
};
use alloy_primitives::{Bytes, U256};
use firmquote_api::Reason;
use firmquote_calldata::decode;
use firmquote_domain::parse_address;
use firmquote_http::{MAX_BODY_BYTES, public_routes};
use serde::{Deserialize, Serialize};
use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::{
    Fault, Sandbox, Schedule, ScheduleEntry,
    chain::{Receipt, Revert, Transaction},
    middleware::{Taker, error_response, sandbox_middleware},
    operation::Operation,
    rpc,
    services::ServiceVariant,
    session::Session,
};

impl Sandbox {
    /// Mounts the routes of the service and those of the sandbox.
    pub fn configure(self: &Arc<Self>, config: &mut ServiceConfig) {
        let mut scope = web::scope("").app_data(Data::from(Arc::clone(self))).configure(sandbox_routes);
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

/// Mounts the sandbox's own routes.
fn sandbox_routes(config: &mut ServiceConfig) {
    let invalid = |error: JsonPayloadError, _: &HttpRequest| {
        let response = bad_data(&error.to_string());
        InternalError::from_response(error, response).into()
    };
    config.app_data(JsonConfig::default().limit(MAX_BODY_BYTES).error_handler(invalid));
    config.route("/sandbox", web::get().to(list_faults));
    let of_takers = web::scope("/sandbox")
        .route("/session", web::get().to(get_session))
        .route("/session", web::delete().to(delete_session))
        .route("/schedule", web::put().to(set_schedule))
        .route("/transactions", web::post().to(send_transaction))
        .service(
            web::resource("/rpc/{chain_id}")
                .app_data(PayloadConfig::new(rpc::MAX_BODY_BYTES))
                .route(web::post().to(rpc::handle)),
        );
    config.service(of_takers.wrap(from_fn(authenticate)));
}

/// Serves a request of an authenticated taker within its quota; refuses any other before its body is read.
async fn authenticate(
    sandbox: Data<Sandbox>,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    match sandbox.live.authenticate(request.request()).await {
        Ok(_) => next.call(request).await,
        Err(refusal) => Ok(request.into_response(refusal)),
    }
}

/// Lists the faults, and the requests they apply to.
async fn list_faults(sandbox: Data<Sandbox>) -> HttpResponse {
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

async fn get_session(sandbox: Data<Sandbox>, request: HttpRequest) -> HttpResponse {
    let taker = taker(&request);
    let report = |session: &mut Session| session.report(taker.clone());
    let existing = sandbox.update_existing_session(&taker, report);
    HttpResponse::Ok().json(existing.unwrap_or_else(|| report(&mut Session::default())))
}

async fn delete_session(sandbox: Data<Sandbox>, request: HttpRequest) -> HttpResponse {
    sandbox.remove_session(&taker(&request));
    HttpResponse::NoContent().finish()
}

async fn set_schedule(sandbox: Data<Sandbox>, request: HttpRequest, entries: Json<Vec<ScheduleEntry>>) -> HttpResponse {
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

/// The outcome of a transaction.
#[derive(Serialize)]
struct TransactionOutcome {
    status: &'static str,
    transaction_hash: String,
    /// Why it was reverted.
    reason: Option<String>,
    signature_r: Option<String>,
}

async fn send_transaction(sandbox: Data<Sandbox>, request: HttpRequest, body: Json<TransactionBody>) -> HttpResponse {
    let Some(chain) = &sandbox.chain else {
        return bad_data("the pools of this sandbox are on a node: send the transaction there");
    };
    let transaction = match body.parse() {
        Ok(transaction) => transaction,
        Err(error) => return bad_data(&error),
    };
    let fault = request.extensions().get::<Fault>().copied();
    let (status, hash, reason) = match chain.send(&transaction, fault) {
        None => return bad_data(&format!("to: {} is not a pool of this sandbox", transaction.to)),
        Some(Receipt::Accepted { hash }) => ("accepted", hash, None),
        Some(Receipt::Reverted { hash, reason }) => ("reverted", hash, Some(reason)),
    };
    if reason == Some(Revert::Signer) {
        sandbox.update_session(&taker(&request), Session::record_forged_transaction);
    }
    HttpResponse::Ok().json(TransactionOutcome {
        status,
        transaction_hash: hash.to_string(),
        reason: reason.map(|reason| reason.to_string()),
        signature_r: decode(&transaction.data).ok().map(|swap| swap.signature.r().to_string()),
    })
}

fn taker(request: &HttpRequest) -> String {
    request.extensions().get::<Taker>().map_or_else(String::new, |taker| taker.0.clone())
}

fn bad_data(message: &str) -> HttpResponse {
    error_response(Reason::InvalidInput, message)
}
