//! The operator's page: a document, a style sheet and modules, all embedded in the binary, and its data.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue},
    web,
};

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_CACHE, NO_STORE, Purpose},
    operation::{HTML, Inputs, Operation, PathWords, SuccessBody},
    operator::query_readiness,
};
use crate::{
    auth::Role,
    error::{AllowedMethods, ApiError},
    input::{Fields, POOL_ADDRESS},
    request::RequestContext,
    wire::{
        CURVE, CurveInput, CurveResponse, EARNINGS, OverviewResponse, RecentSignaturesResponse, earnings_day, json,
    },
};

/// Restricts the page to its own modules and the routes of its own listener: external text remains text even if the
/// page has a bug.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Embeds the modules, by name.
macro_rules! scripts {
    ($($name:literal),+ $(,)?) => {
        /// Names of the modules.
        const SCRIPT_NAMES: &[&str] = &[$($name),+];
        const SCRIPTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../assets/operator/", $name, ".js")))),+];
    };
}

scripts!(
    "access",
    "api",
    "book",
    "chart",
    "composition",
    "confirmation",
    "curve",
    "dom",
    "levels",
    "main",
    "money",
    "numbers",
    "pools",
    "prices",
    "scale",
    "signatures"
);

pub(crate) static PAGE: Endpoint = Endpoint {
    path: "/",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::LocalHost,
    purpose: Purpose::Operator,
    cache_control: NO_CACHE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(page),
    operation: Some(Operation {
        id: "operator_page",
        summary: "The operator's page",
        about: "A web page that shows pools, prices, curves and recent signatures, and pauses and resumes pools.",
        success: "The page.",
        body: SuccessBody::Text(HTML),
        ..Operation::NEW
    }),
};

/// Returns the document.
async fn page() -> HttpResponse {
    let mut response = asset(HTML, include_str!("../../assets/operator/index.html"));
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, PAGE_POLICY);
    response
}

pub(crate) static STYLE: Endpoint = Endpoint {
    path: "/operator/style.css",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Operator,
    cache_control: NO_CACHE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(style),
    operation: Some(Operation {
        id: "operator_style",
        summary: "Style sheet of the operator's page",
        about: "A CSS file.",
        success: "The style sheet.",
        body: SuccessBody::Text(CSS),
        ..Operation::NEW
    }),
};

/// Returns the style sheet.
async fn style() -> HttpResponse {
    asset(CSS, include_str!("../../assets/operator/style.css"))
}

pub(crate) static SCRIPT: Endpoint = Endpoint {
    path: "/operator/{script}.js",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::Unauthenticated,
    purpose: Purpose::Operator,
    cache_control: NO_CACHE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(script),
    operation: Some(Operation {
        id: "operator_script",
        summary: "Script of the operator's page",
        about: "A JavaScript module.",
        success: "The module.",
        body: SuccessBody::Text(JAVASCRIPT),
        inputs: Inputs::words(PathWords {
            name: "script",
            about: "The name of the module.",
            words: || SCRIPT_NAMES.to_vec(),
            example: "main",
        }),
        ..Operation::NEW
    }),
};

/// Returns one of the modules.
async fn script(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let (_, text) = SCRIPTS.iter().find(|(name, _)| *name == context.parameter()).ok_or(ApiError::NoRoute)?;
    Ok(asset(JAVASCRIPT, text))
}

fn asset(content_type: &'static str, text: &'static str) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, HeaderValue::from_static(content_type))).body(text)
}

pub(crate) static OVERVIEW: Endpoint = Endpoint {
    path: "/overview",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::SameOrigin,
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(overview),
    operation: None,
};

/// Returns all pools with their prices, reserves and fees.
async fn overview(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let service = context.service();
    let readiness = query_readiness(&context).await;
    let overview = service.desk.overview();
    let (levels, replica) = (context.live().levels(), service.replica());
    json::response(&OverviewResponse::new(&overview, service, levels, &readiness, &replica))
}

pub(crate) static PAIR_CURVE: Endpoint = Endpoint {
    path: "/pools/{pool_address}/curve",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::SameOrigin,
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::Debug,
    handler: || web::to(curve),
    operation: None,
};

/// Returns the curve of hypothetical quotes for a pair.
async fn curve(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let fields = Fields::from_query(context.query(), CURVE).with_path(&POOL_ADDRESS.field, context.parameter());
    let input = CurveInput::decode(&fields)?;
    let curve = context.service().desk.curve(&input.request()).map_err(|error| fields.map_desk_error(error))?;
    json::response(&CurveResponse::new(&curve))
}

pub(crate) static RECENT_SIGNATURES: Endpoint = Endpoint {
    path: "/signatures/recent",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::SameOriginOperator(Role::Viewer),
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(recent_signatures),
    operation: None,
};

/// Returns the most recent signatures, with volumes and request counts by client and pair.
async fn recent_signatures(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let (signed, metrics) = (&context.service().desk.operator_view.signatures, context.service().metrics());
    json::response(&RecentSignaturesResponse::new(&signed.newest_first(), signed.volumes(), metrics.clients.counts()))
}

pub(crate) static EARNINGS_REPORT: Endpoint = Endpoint {
    path: "/earnings",
    listeners: Listeners::Admin,
    methods: AllowedMethods::GetAndHead,
    access: Access::SameOriginOperator(Role::Viewer),
    purpose: Purpose::Operator,
    cache_control: NO_STORE,
    log: LogLevel::DebugUnlessFailed,
    handler: || web::to(earnings),
    operation: None,
};

/// Returns what swaps earned on a day, or in the last 24 hours.
async fn earnings(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let fields = Fields::from_query(context.query(), EARNINGS);
    let day = earnings_day(&fields)?;
    let reporter = context.service().earnings().ok_or(ApiError::NoRoute)?;
    json::response(&*reporter.report(day).await)
}
