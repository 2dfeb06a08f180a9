//! Operators' routes.

use serde_json::json;

use crate::{
    input::Field,
    openapi::{
        examples,
        operation_spec::{
            Inputs, OperationSpec,
            SuccessBody::{self, Json, Text},
        },
    },
};

const POOL: &[Field] = &[Field::PoolAddress];
const PRICE_LIST: &[Field] = &[Field::Prices];

pub(super) const HEALTH: OperationSpec = OperationSpec {
    id: "health",
    summary: "Liveness check",
    about: "Checks no dependencies.",
    success: "The process is alive.",
    inputs: Inputs::NONE,
    body: Json("Health", || json!({"status": "ok"})),
};

pub(super) const READINESS: OperationSpec = OperationSpec {
    id: "readiness",
    summary: "Readiness check",
    about: "Checks every part that requests depend on, concurrently, and returns the state of each.",
    success: "The service is ready for requests.",
    inputs: Inputs::NONE,
    body: Json("Readiness", || examples::readiness(true)),
};

pub(super) const METRICS: OperationSpec = OperationSpec {
    id: "metrics",
    summary: "All metrics",
    about: "In the Prometheus text exposition format.",
    success: "The metrics.",
    inputs: Inputs::NONE,
    body: Text("text/plain; version=0.0.4; charset=utf-8"),
};

pub(super) const PRICES: OperationSpec = OperationSpec {
    id: "put_prices",
    summary: "Send prices",
    about: "Accepts all prices or none. The trust rules of each asset are checked later, when its price is received.",
    success: "All prices were accepted.",
    inputs: Inputs::body(PRICE_LIST),
    body: Json("AcceptedPrices", || json!({"accepted": 1})),
};

pub(super) const PAUSE_POOL: OperationSpec = OperationSpec {
    id: "pause_pool",
    summary: "Pause a pool",
    about: "Stops quotes and signatures of the pool on all replicas until it is resumed.",
    success: "The pool is paused.",
    inputs: Inputs::path_and_query(POOL, &[Field::ChainId]),
    body: Json("Pauses", || examples::pauses(true)),
};

pub(super) const RESUME_POOL: OperationSpec = OperationSpec {
    id: "resume_pool",
    summary: "Resume a pool",
    about: "Resumes quotes and signatures of the pool on all replicas.",
    success: "The pool is resumed.",
    inputs: Inputs::path_and_query(POOL, &[Field::ChainId]),
    body: Json("Pauses", || examples::pauses(false)),
};

pub(super) const OPERATOR_PAGE: OperationSpec = OperationSpec {
    id: "operator_page",
    summary: "The operator's page",
    about: "A web page that shows pools, prices, curves and recent signatures, and pauses and resumes pools.",
    success: "The page.",
    inputs: Inputs::NONE,
    body: SuccessBody::HTML,
};

pub(super) const OPERATOR_STYLE: OperationSpec = OperationSpec {
    id: "operator_style",
    summary: "Style sheet of the operator's page",
    about: "A CSS file.",
    success: "The style sheet.",
    inputs: Inputs::NONE,
    body: Text("text/css; charset=utf-8"),
};

pub(super) const OPERATOR_SCRIPT: OperationSpec = OperationSpec {
    id: "operator_script",
    summary: "Script of the operator's page",
    about: "A JavaScript module.",
    success: "The module.",
    inputs: Inputs::NONE,
    body: Text("text/javascript; charset=utf-8"),
};
