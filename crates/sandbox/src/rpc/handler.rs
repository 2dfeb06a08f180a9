//! Requests of the simulated node: one call, or a batch (JSON-RPC 2.0).

use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use firmquote_api::Reason;
use firmquote_domain::ChainId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{error::RpcError, methods::Caller};
use crate::{
    Fault, FaultInjection, Sandbox,
    middleware::{Taker, error_response},
    operation::Operation,
};

/// The most calls of a batch.
const MAX_CALLS: usize = 100;
/// The largest body of a request, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 256 * 1_024;

/// A call of a method (JSON-RPC 2.0).
#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(default)]
    params: Vec<Value>,
}

/// Handles a request for the chain of the path: one call, or a batch.
pub(crate) async fn handle(
    sandbox: web::Data<Sandbox>,
    request: HttpRequest,
    chain_id: web::Path<u64>,
    body: web::Bytes,
) -> HttpResponse {
    let bad = |text: &str| error_response(Reason::InvalidInput, text);
    let Some(chain) = &sandbox.chain else { return bad("the pools of this sandbox are on a node: use that") };
    let is_served = |id: &ChainId| sandbox.serves(*id);
    let Some(chain_id) = ChainId::new(*chain_id).filter(is_served) else { return bad("there is no such chain") };
    let fault = match FaultInjection::from_headers(request.headers()) {
        Ok(injection) => injection.map(|injection| injection.fault),
        Err(text) => return bad(&text),
    };
    let fault = fault.filter(|fault| matches!(fault, Fault::Dropped | Fault::Reorged));
    let taker = request.extensions().get::<Taker>().map_or_else(String::new, |taker| taker.0.clone());
    let scheduled = || sandbox.next_scheduled_fault(&taker, Operation::Transaction).map(|injection| injection.fault);
    let caller = Caller { sandbox: &sandbox, chain, chain_id, taker: &taker, fault: &|| fault.or_else(scheduled) };
    let response = match serde_json::from_slice(&body) {
        Ok(Value::Array(calls)) if calls.len() > MAX_CALLS => {
            failure(Value::Null, &RpcError { code: -32_600, message: "batch too large".to_owned(), data: None })
        }
        Ok(Value::Array(calls)) if !calls.is_empty() => calls.into_iter().map(|call| respond(&caller, call)).collect(),
        Ok(call) => respond(&caller, call),
        Err(error) => failure(Value::Null, &RpcError { code: -32_700, message: error.to_string(), data: None }),
    };
    HttpResponse::Ok().json(response)
}

fn respond(caller: &Caller<'_>, call: Value) -> Value {
    let id = call.get("id").cloned().unwrap_or_default();
    match serde_json::from_value::<Call>(call) {
        Ok(Call { id, method, params }) => match caller.call(&method, &params) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => failure(id, &error),
        },
        Err(error) => failure(id, &RpcError { code: -32_600, message: error.to_string(), data: None }),
    }
}

fn failure(id: Value, RpcError { code, message, data }: &RpcError) -> Value {
    let mut error = json!({"code": code, "message": message});
    if let (Value::Object(members), Some(data)) = (&mut error, data) {
        members.insert("data".to_owned(), json!(data));
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}
