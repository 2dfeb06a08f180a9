//! Signatures of quotes, and of swaps that are quoted and signed in one request.

use actix_web::{HttpResponse, web};
use firmquote_api as api;
use firmquote_desk::{QuoteRequest, quote_id_of_key};

use super::{
    access::Access,
    endpoint::{Endpoint, Listeners, LogLevel, NO_STORE, Purpose},
    operation::{Inputs, Link, Operation, json},
    staggered::staggered,
};
use crate::{
    error::{AllowedMethods, ApiError},
    input::{CHAIN_ID, Fields, Reader},
    openapi::examples,
    request::{AuthenticatedBody, AuthenticatedRequest, idempotency_key},
    wire::{self, QuoteInput, SIGN, SignInput, TermsInput, sign_response},
};

const ABOUT_SIGN: &str = "A quote is signed for one set of terms only: a repeated request with the same terms returns the \
    same response until `good_until`, a request with other terms is rejected. If the quote conflicts with the latest \
    prices, the error contains a fresh quote where possible.";

const ABOUT_QUOTE_SIGN: &str = "Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is required. A \
    request that is repeated with the same `Idempotency-Key` gets the first answer, until its `good_until`.";

pub(crate) static SIGN_V1: Endpoint = Endpoint {
    path: "/rfq/sign",
    listeners: Listeners::Version1,
    methods: AllowedMethods::Post,
    access: Access::AnyClient,
    purpose: Purpose::Sign,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(sign),
    operation: Some(Operation {
        id: "sign_v1",
        summary: "Sign a quote",
        about: ABOUT_SIGN,
        success: "The signed swap.",
        inputs: Inputs::body(SIGN),
        body: json::<api::SignedSwap>(examples::signed),
        ..Operation::NEW
    }),
};

pub(crate) static SIGN_V2: Endpoint = Endpoint {
    path: "/rfq/v2/sign",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Post,
    access: Access::ApiKey,
    purpose: Purpose::Sign,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(sign),
    operation: Some(Operation {
        id: "sign_v2",
        summary: "Sign a quote",
        about: ABOUT_SIGN,
        success: "The signed swap.",
        inputs: Inputs::body(SIGN),
        body: json::<api::SignedSwap>(examples::signed),
        ..Operation::NEW
    }),
};

/// Signs a quote (docs/api.md).
async fn sign(request: AuthenticatedBody) -> Result<HttpResponse, ApiError> {
    let AuthenticatedBody { context, snapshot: service, client, body } = request;
    let fields = Fields::from_json(&body, SIGN)?;
    let input = SignInput::decode(&fields, &service.settings.service_name)?;
    let signed = staggered(service.desk.sign(&input.request(client))).await;
    service.log_signature(&context, input.quote_id(), signed.as_ref().ok());
    let signed = signed.map_err(|error| fields.map_desk_error(error))?;
    wire::json::response(&sign_response(&signed, input.terms.wants_calldata))
}

pub(crate) static QUOTE_SIGN: Endpoint = Endpoint {
    path: "/rfq/v2/quote-sign/{chain_id}",
    listeners: Listeners::Version2,
    methods: AllowedMethods::Get,
    access: Access::ApiKey,
    purpose: Purpose::QuoteAndSign,
    cache_control: NO_STORE,
    log: LogLevel::Info,
    handler: || web::to(quote_sign),
    operation: Some(Operation {
        id: "quote_sign_v2",
        summary: "Request a quote and sign it",
        about: ABOUT_QUOTE_SIGN,
        success: "The signed swap and its quote.",
        inputs: Inputs::path_and_query(&[&CHAIN_ID.field], wire::QUOTE_SIGN),
        body: json::<api::QuotedSwap>(examples::quoted_and_signed),
        links: &[Link::Status("quote_status_v2")],
        ..Operation::NEW
    }),
};

/// Makes a quote and signs it in one request.
async fn quote_sign(request: AuthenticatedRequest) -> Result<HttpResponse, ApiError> {
    let AuthenticatedRequest { context, client } = request;
    let service = context.service();
    let fields = context.chain_fields(wire::QUOTE_SIGN);
    let mut reader = Reader::new(&fields);
    let (quote, terms) = (QuoteInput::read(&mut reader), TermsInput::read(&mut reader, &service.settings.service_name));
    let (quote, TermsInput { terms, wants_calldata }) = reader.finish(|| quote.zip(terms))?;
    let quote_id = idempotency_key(context.headers())?.map(|key| quote_id_of_key(&client, key));
    let request = QuoteRequest { quote_id, ..quote.request(client, None) };
    let signed = staggered(service.desk.quote_and_sign(&request, terms)).await;
    service.log_quote(&context, &quote, signed.as_ref().ok().map(|signed| &signed.quote));
    let signed = signed.map_err(|error| fields.map_desk_error(error))?;
    service.count_signature(signed.quote.pool);
    wire::json::response(&service.quote_sign_response(&signed, wants_calldata))
}
