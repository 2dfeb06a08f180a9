//! The error responses of an operation: one for each possible status, with its reasons, from the table of error
//! responses.

use std::collections::BTreeMap;

use strum::VariantArray as _;
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema, schema::OneOfBuilder};

use super::{headers, schemas::refusal_name};
use crate::{
    error::{ErrorStatus, Reason},
    routes::Route,
};

/// Whether a response of `route` can have this `reason`.
pub(super) fn can_return(reason: Reason, route: Route) -> bool {
    let is_sign = route.is_sign();
    let signs = is_sign || route == Route::QuoteSignV2;
    let quotes = matches!(route, Route::QuoteV1 | Route::QuoteV2 | Route::QuoteSignV2);
    let takes_credentials = route.is_operation() || route.requires_admin_token();
    let takes_inputs =
        (takes_credentials && !matches!(route, Route::RecentSignatures | Route::ChainsV2)) || route == Route::Curve;
    let prices = quotes || route == Route::Curve;
    let takes_basic = route.is_operation() && route.accepted_credentials().basic;
    match reason {
        Reason::NoCredentials | Reason::BadCredentials | Reason::FailedLoginRate => takes_credentials,
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
        Reason::BasicRetired | Reason::LoginsBusy => takes_basic,
        Reason::NoAdminToken => route.requires_admin_token(),
        Reason::CrossSite => route.requires_same_origin(),
        Reason::AnotherClient => is_sign,
        Reason::NoRoute => route.path().contains('{'),
        Reason::BodyTooLarge | Reason::BodyTooSlow | Reason::MediaType => super::bodies::request_body(route).is_some(),
        Reason::AnonymousRate => {
            route.uses_anonymous_quota() || route.is_operation() && route.accepted_credentials().anonymous
        }
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

/// The condition for `reason`, in words, and an example of its `errorMessage`.
pub(super) const fn reason_text(reason: Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::InvalidInput => {
            ("An input is missing, malformed or out of range, or inputs are mutually exclusive.", "Invalid input data")
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
            "The reserves are too small for any amount of this swap.",
            "the pool has too little of these assets to serve any amount",
        ),
        Reason::SwapsDisabled => ("Swaps are disabled for the pool.", "swaps are disabled for this pool"),
        Reason::Paused => ("The operator paused the pool.", "the pool is paused"),
        Reason::TradeLimit => (
            "The trade is worth more than the operator's limit for a single trade.",
            "the trade is worth 2080.527 USD, at most 1000 are signed at once",
        ),
        Reason::PoolLimit => (
            "The pool has reached its limit for the value signed in one minute.",
            "the pool has signed as much as it may in one minute, please try again in 12 s",
        ),
        Reason::ClientLimit => (
            "The client has reached its limit for the value signed in one minute.",
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
        Reason::NoCredentials => ("Credentials are required.", "Credentials are needed"),
        Reason::BadCredentials => {
            ("The credentials are wrong, revoked, or of a scheme that is not accepted.", "Access is forbidden")
        }
        Reason::BasicRetired => ("Basic credentials are no longer accepted.", "Access is forbidden"),
        Reason::NoAdminToken => (
            "No admin token is configured.",
            "Access is forbidden: no admin token is configured (server.admin_token_sha256)",
        ),
        Reason::CrossSite => (
            "A browser sent the request on behalf of another site, or to a host name that others can register.",
            "Access is forbidden: ask from a page of this listener, at an IP address, localhost or a local name",
        ),
        Reason::AnotherClient => ("The quote belongs to another client.", "Access is forbidden"),
        Reason::NoRoute => ("The path does not exist.", "No such route"),
        Reason::Method => ("The path does not support the method.", "Method not allowed, allowed: GET"),
        Reason::BodyTooLarge => ("The body is larger than 16 KiB.", "The body is larger than 16384 bytes"),
        Reason::BodyTooSlow => ("The body did not arrive in time.", "The body did not arrive in time"),
        Reason::MediaType => (
            "The content type of the body is not JSON, or the body has a content coding.",
            "The content type has to be application/json, without a content coding",
        ),
        Reason::AnonymousRate => (
            "The client address exceeded its rate limit for requests without credentials.",
            "Too many requests, please try again in 1 s",
        ),
        Reason::FailedLoginRate => (
            "The client address exceeded its rate limit for wrong credentials.",
            "Too many failed logins, please try again in 2 s",
        ),
        Reason::CredentialRate => {
            ("The client exceeded its request rate limit.", "Too many requests, please try again in 1 s")
        }
        Reason::QuotesHeld => (
            "The client holds its full share of the live quotes that the store can hold.",
            "the client holds 75000 live quotes, its share of the store; please try again later",
        ),
        Reason::Market => (
            "A price or a reserve is currently unknown or not trusted.",
            "prices or reserves of pool 1/0x655eDCE464CC797526600a462A8154650EEe4B77 are not available",
        ),
        Reason::Store => ("The quote store is not available.", "the quote store is not available"),
        Reason::PriceBoard => ("The prices could not be posted.", "the prices were not posted"),
        Reason::Key => ("The signing key is not available.", "the signing key is not available"),
        Reason::Clock => ("The clock of the service cannot be trusted.", "the clock of the service cannot be trusted"),
        Reason::LoginsBusy => ("Too many concurrent logins.", "Too many logins at once, please try again later"),
        Reason::NotReady => (
            "A part that requests depend on is not available, or the service is shutting down.",
            "The service is not ready: the store could not be asked",
        ),
        Reason::Internal => {
            ("A bug in the service; its operator can look it up by the `x-request-id`.", "Internal error")
        }
    }
}

/// Returns the error responses of `route` by status, without bodies for `HEAD`.
pub(super) fn responses(route: Route, has_bodies: bool) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Reason>> = BTreeMap::new();
    for reason in Reason::VARIANTS.iter().copied().filter(|reason| can_return(*reason, route)) {
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

/// The schemas of all `reasons`, with an example of each.
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
