//! The error responses of an operation: one for each status that it can have, with the reasons behind it, from the table of
//! errors.

use std::collections::BTreeMap;

use strum::VariantArray as _;
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema, schema::OneOfBuilder};

use super::{headers, schemas::refusal_name};
use crate::{
    error::{ErrorStatus, Reason},
    routes::Route,
};

/// Whether an answer of `route` can have this `reason`.
pub(super) fn is_given(reason: Reason, route: Route) -> bool {
    let is_sign = route.is_sign();
    let signs = is_sign || route == Route::QuoteSignV2;
    let quotes = matches!(route, Route::QuoteV1 | Route::QuoteV2 | Route::QuoteSignV2);
    let is_asked_for_data = route.is_operation() || route.is_operators();
    let takes_inputs =
        (is_asked_for_data && !matches!(route, Route::RecentSignatures | Route::ChainsV2)) || route == Route::Curve;
    let prices = quotes || route == Route::Curve;
    let takes_basic = route.is_operation() && route.accepted().basic;
    match reason {
        Reason::NoCredentials | Reason::BadCredentials | Reason::FailedLoginRate => is_asked_for_data,
        Reason::InvalidInput => takes_inputs,
        Reason::Unsupported => takes_inputs && !is_sign,
        Reason::UnknownQuote
        | Reason::Conflict
        | Reason::OtherTerms
        | Reason::TradeLimit
        | Reason::PoolLimit
        | Reason::ClientLimit
        | Reason::DestinationDenied
        | Reason::SenderDenied => signs,
        Reason::TooLarge | Reason::TooSmall | Reason::Exhausted | Reason::SwapsDisabled => prices,
        Reason::Paused => quotes || signs,
        Reason::BasicEnded | Reason::LoginsBusy => takes_basic,
        Reason::NoAdminToken => route.is_operators(),
        Reason::ForeignSite => route.is_for_own_site(),
        Reason::AnotherClient => is_sign,
        Reason::NoRoute => route.path().contains('{'),
        Reason::BodyTooLarge | Reason::BodyTooSlow | Reason::MediaType => super::bodies::request_body(route).is_some(),
        Reason::AnonymousRate => route.is_counted() || route.is_operation() && route.accepted().anonymous,
        Reason::CredentialRate => route.is_operation(),
        Reason::QuotesHeld => quotes,
        Reason::Market => (route.is_operation() && route != Route::ChainsV2) || route == Route::Curve,
        Reason::Store => quotes || signs || matches!(route, Route::PausePool | Route::ResumePool),
        Reason::PriceBoard => route == Route::Prices,
        Reason::Key | Reason::Clock => signs,
        Reason::NotReady => route == Route::Readiness,
        Reason::Method | Reason::Internal => true,
    }
}

/// When an answer has this `reason`, and an `errorMessage` that it can carry.
pub(super) const fn reason_text(reason: Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::InvalidInput => {
            ("An input is missing, malformed or out of range, or inputs exclude each other.", "Invalid input data")
        }
        Reason::Unsupported => {
            ("The chain, symbol, pair or pool is not supported.", "input_asset_symbol: WBTC is not supported")
        }
        Reason::UnknownQuote => (
            "The quote is unknown or has expired.",
            "no live quote 05a51aa6-41b5-4c61-a452-f1b95d0d43e4, please request a new quote",
        ),
        Reason::Conflict => (
            "The pool would give less now than was quoted.",
            "Quote conflicts with latest prices. Please request a new quote.",
        ),
        Reason::OtherTerms => ("The quote is signed for other terms.", "the quote is already signed for other terms"),
        Reason::TooLarge => (
            "The amount is larger than the pool can serve; the message gives the bound in base units.",
            "output_amount is larger than the pool can serve, at most 417333502887",
        ),
        Reason::TooSmall => (
            "The amount is too small; the message gives the bound in base units.",
            "input_amount is too small, at least 48065205",
        ),
        Reason::Exhausted => (
            "The reserves do not allow any amount of this swap.",
            "the pool has too little of these assets to serve any amount",
        ),
        Reason::SwapsDisabled => ("The pool does not swap.", "swaps are disabled for this pool"),
        Reason::Paused => ("The operator paused the pool.", "the pool is paused"),
        Reason::TradeLimit => (
            "The trade is worth more than the operator lets the pool sign at once.",
            "the trade is worth 2080.527 USD, at most 1000 are signed at once",
        ),
        Reason::PoolLimit => (
            "The pool has signed as much as it may in one minute.",
            "the pool has signed as much as it may in one minute, please try again in 12 s",
        ),
        Reason::ClientLimit => (
            "As much was signed for the client as may be in one minute.",
            "as much was signed for this client as may be in one minute, please try again in 12 s",
        ),
        Reason::DestinationDenied => (
            "The pool does not sign for this destination.",
            "Access is forbidden: this pool does not sign for this destination_address",
        ),
        Reason::SenderDenied => (
            "The pool does not sign for this sender.",
            "Access is forbidden: this pool does not sign for this sender_address",
        ),
        Reason::NoCredentials => ("Credentials are needed.", "Credentials are needed"),
        Reason::BadCredentials => {
            ("The credentials are wrong, revoked, or of a scheme that is not taken.", "Access is forbidden")
        }
        Reason::BasicEnded => ("Basic credentials are not taken any more.", "Access is forbidden"),
        Reason::NoAdminToken => (
            "No admin token is configured.",
            "Access is forbidden: no admin token is configured (server.admin_token_sha256)",
        ),
        Reason::ForeignSite => (
            "A browser asks for another site, or by a name that may be another's.",
            "Access is forbidden: ask from a page of this listener, at an IP address, localhost or a local name",
        ),
        Reason::AnotherClient => ("The quote is another client's.", "Access is forbidden"),
        Reason::NoRoute => ("Nothing lives at this path.", "No such route"),
        Reason::Method => ("The path was asked with another method.", "Method not allowed, allowed: GET"),
        Reason::BodyTooLarge => ("The body is larger than 16 KiB.", "The body is larger than 16384 bytes"),
        Reason::BodyTooSlow => ("The body did not arrive in time.", "The body did not arrive in time"),
        Reason::MediaType => (
            "The body is not JSON by its type, or has a content coding.",
            "The content type has to be application/json, without a content coding",
        ),
        Reason::AnonymousRate => (
            "More requests came without credentials than the address may send.",
            "Too many requests, please try again in 1 s",
        ),
        Reason::FailedLoginRate => (
            "More wrong credentials came than the address may send.",
            "Too many failed logins, please try again in 2 s",
        ),
        Reason::CredentialRate => {
            ("More requests came than the client may send.", "Too many requests, please try again in 1 s")
        }
        Reason::QuotesHeld => (
            "The client holds its share of the live quotes that the store takes.",
            "the client holds 75000 live quotes, its share of the store; please try again later",
        ),
        Reason::Market => (
            "A price or a reserve is not known or not trusted at present.",
            "prices or reserves of pool 1/0x655eDCE464CC797526600a462A8154650EEe4B77 are not available",
        ),
        Reason::Store => ("The quote store is not available.", "the quote store is not available"),
        Reason::PriceBoard => ("The prices could not be posted.", "the prices were not posted"),
        Reason::Key => ("The signing key is not available.", "the signing key is not available"),
        Reason::Clock => ("The clock of the service cannot be trusted.", "the clock of the service cannot be trusted"),
        Reason::LoginsBusy => ("Too many logins come at once.", "Too many logins at once, please try again later"),
        Reason::NotReady => (
            "Something that requests need is not there, or the service is stopping.",
            "The service is not ready: the store could not be asked",
        ),
        Reason::Internal => {
            ("A mistake of the service; its operator finds it by the `x-request-id`.", "Internal error")
        }
    }
}

/// Each status of an error that `route` can give, and its answer; `HEAD` has no bodies.
pub(super) fn responses(route: Route, has_bodies: bool) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Reason>> = BTreeMap::new();
    for reason in Reason::VARIANTS.iter().copied().filter(|reason| is_given(*reason, route)) {
        by_status.entry(ErrorStatus::from_reason(reason).status.as_u16()).or_default().push(reason);
    }
    by_status
        .into_iter()
        .map(|(status, reasons)| (status.to_string(), response(route, status, &reasons, has_bodies).into()))
        .collect()
}

fn response(route: Route, status: u16, reasons: &[Reason], has_bodies: bool) -> Response {
    let when: Vec<&str> = reasons.iter().map(|reason| reason_text(*reason).0).collect();
    let builder = ResponseBuilder::new().description(when.join(" "));
    let builder = headers::of_refusal(route, status, reasons)
        .into_iter()
        .fold(builder, |builder, name| builder.header_ref(headers::field_name(name), headers::reference(name)));
    let builder = if has_bodies { builder.content("application/json", content(reasons)) } else { builder };
    builder.build()
}

/// The schemas of all `reasons`, and an example of each.
fn content(reasons: &[Reason]) -> Content {
    let mut names: Vec<&str> = reasons.iter().map(|reason| refusal_name(*reason)).collect();
    names.sort_unstable();
    names.dedup();
    let schema: RefOr<Schema> = match names.as_slice() {
        [name] => Ref::from_schema_name(*name).into(),
        names => {
            let one_of =
                names.iter().fold(OneOfBuilder::new(), |one_of, name| one_of.item(Ref::from_schema_name(*name)));
            one_of.into()
        }
    };
    let example = |reason: &Reason| {
        let label = reason.label();
        (label, RefOr::Ref(Ref::new(format!("#/components/examples/{label}"))))
    };
    ContentBuilder::new().schema(Some(schema)).examples_from_iter(reasons.iter().map(example)).build()
}
