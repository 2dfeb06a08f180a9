//! The error responses of an operation: one for each possible status, with its reasons, from the table of error
//! responses.

use std::collections::BTreeMap;

use strum::VariantArray as _;
use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::{
    headers::{add_headers, error_headers},
    schemas::{ERROR, NOT_READY},
};
use crate::{
    endpoints::{Endpoint, Operation, Purpose},
    error::Reason,
    input::LEVELS_ID,
};

/// Whether a response of `endpoint` can have this `reason`.
pub(super) fn can_return(reason: Reason, endpoint: &Endpoint, described: &Operation) -> bool {
    let purpose = endpoint.purpose;
    let quotes = matches!(purpose, Purpose::Quote | Purpose::QuoteAndSign);
    let signs = matches!(purpose, Purpose::Sign | Purpose::QuoteAndSign);
    let takes_credentials = endpoint.is_operation() || endpoint.access.required_role().is_some();
    let inputs = &described.inputs;
    let takes_levels = inputs.query.contains(&&LEVELS_ID.field);
    let takes_basic = endpoint.access.accepted_credentials().basic;
    if described.reasons.contains(&reason) {
        return true;
    }
    match reason {
        Reason::NoCredentials | Reason::BadCredentials | Reason::FailedLoginRate => takes_credentials,
        Reason::InvalidInput => inputs.is_any(),
        Reason::UnsupportedChain | Reason::UnsupportedAsset | Reason::UnsupportedPair | Reason::UnsupportedPool => {
            inputs.is_any() && !matches!(purpose, Purpose::Sign | Purpose::Status)
        }
        Reason::UnknownQuote
        | Reason::Price
        | Reason::Fee
        | Reason::Reserve
        | Reason::Outstanding
        | Reason::Disabled
        | Reason::OtherTerms
        | Reason::TradeLimit
        | Reason::PoolLimit
        | Reason::ClientLimit
        | Reason::DestinationDenied
        | Reason::SenderDenied => signs,
        Reason::OutstandingLimit => signs || takes_levels,
        Reason::LevelsExpired
        | Reason::BeyondSize
        | Reason::BelowMinimum
        | Reason::BudgetUsed
        | Reason::ReservesMoved
        | Reason::StoreLost => takes_levels,
        Reason::IdempotencyKeyReused => purpose == Purpose::QuoteAndSign,
        Reason::TooLarge | Reason::TooSmall => quotes,
        Reason::Exhausted | Reason::SwapsDisabled => quotes || purpose == Purpose::Grid,
        Reason::Paused | Reason::Breaker | Reason::ClientTerms => quotes || signs || purpose == Purpose::Grid,
        Reason::BasicRetired | Reason::LoginsBusy => takes_basic,
        Reason::NoAdminToken | Reason::MissingRole => endpoint.access.required_role().is_some(),
        Reason::CrossSite => endpoint.access.requires_same_origin(),
        Reason::AnotherClient => matches!(purpose, Purpose::Sign | Purpose::Status),
        Reason::NoStatus => purpose == Purpose::Status,
        Reason::NoRoute => endpoint.path.contains('{'),
        Reason::BodyTooLarge | Reason::BodyTooSlow | Reason::MediaType => !inputs.body.is_empty(),
        Reason::AnonymousRate => endpoint.uses_anonymous_quota() || endpoint.access.accepted_credentials().anonymous,
        Reason::CredentialRate => endpoint.is_operation(),
        Reason::QuotesHeld => quotes,
        Reason::Market => quotes || signs || matches!(purpose, Purpose::Pools | Purpose::Grid),
        Reason::Store => {
            quotes
                || signs
                || matches!(purpose, Purpose::Status | Purpose::Swaps | Purpose::QuoteEvents | Purpose::Grid)
        }
        Reason::Key | Reason::Clock => signs,
        Reason::ShuttingDown => matches!(purpose, Purpose::LevelStream | Purpose::QuoteEvents),
        Reason::UpgradeRequired | Reason::PricePublisher | Reason::NotReady | Reason::HedgeIdReused => false,
        Reason::Method | Reason::Internal => true,
    }
}

/// Returns the error responses of `endpoint` by status, without bodies for `HEAD`.
pub(super) fn responses(
    endpoint: &Endpoint,
    described: &Operation,
    has_bodies: bool,
) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Reason>> = BTreeMap::new();
    for reason in Reason::VARIANTS.iter().copied().filter(|reason| can_return(*reason, endpoint, described)) {
        by_status.entry(reason.status().0).or_default().push(reason);
    }
    by_status
        .into_iter()
        .map(|(status, reasons)| (status.to_string(), response(endpoint, status, &reasons, has_bodies).into()))
        .collect()
}

fn response(endpoint: &Endpoint, status: u16, reasons: &[Reason], has_bodies: bool) -> Response {
    let when: Vec<&str> = reasons.iter().map(|reason| reason.meaning()).collect();
    let builder = ResponseBuilder::new().description(when.join(" "));
    let builder = add_headers(builder, error_headers(endpoint, status, reasons));
    let builder = if has_bodies { builder.content("application/json", content(reasons)) } else { builder };
    builder.build()
}

/// The schemas of all `reasons`, with an example of each.
fn content(reasons: &[Reason]) -> Content {
    let name = if reasons.contains(&Reason::NotReady) { NOT_READY } else { ERROR };
    let example = |reason: &Reason| {
        let label = reason.name();
        (label, RefOr::Ref(Ref::new(format!("#/components/examples/{label}"))))
    };
    ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(name)))
        .examples_from_iter(reasons.iter().map(example))
        .build()
}
