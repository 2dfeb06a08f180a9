//! The Error object (docs/api.md), one schema for each type and code in the table of error responses.

use firmquote_desk::{ConflictReason, LevelsRefusal};
use strum::{IntoEnumIterator as _, VariantArray as _};
use utoipa::openapi::{
    Schema,
    schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type},
};

use super::{
    NamedSchema,
    operator::readiness,
    shapes::{ClosedObject, described_ref, number, schema_ref, string_enum, text},
};
use crate::{
    error::{ErrorStatus, ErrorType, Reason},
    input::InvalidKind,
};

/// The name of the schema of error responses with `reason`.
pub(in crate::openapi) const fn refusal_name(reason: Reason) -> &'static str {
    match (reason, ErrorStatus::from_reason(reason).error_type) {
        (Reason::InvalidInput, _) => "InvalidInputError",
        (Reason::Conflict, _) => "ConflictError",
        (Reason::NotReady, _) => "NotReadyError",
        (
            Reason::Paused | Reason::TradeLimit | Reason::PoolLimit | Reason::ClientLimit | Reason::OutstandingLimit,
            _,
        ) => "PolicyError",
        (Reason::Levels, _) => "LevelsError",
        (_, ErrorType::BadData) => "BadDataError",
        (_, ErrorType::QuoteProblem) => "QuoteError",
        (_, ErrorType::Unauthorized) => "UnauthorizedError",
        (_, ErrorType::Forbidden) => "ForbiddenError",
        (_, ErrorType::NotFound) => "NotFoundError",
        (_, ErrorType::MethodNotAllowed) => "MethodError",
        (_, ErrorType::RateLimited) => "RateLimitError",
        (_, ErrorType::ExternalServiceError) => "UnavailableError",
        (_, ErrorType::InternalError) => "InternalError",
    }
}

/// The schemas of all errors.
pub(super) fn all() -> Vec<NamedSchema> {
    let mut schemas: Vec<NamedSchema> = Vec::new();
    for reason in Reason::VARIANTS.iter().copied() {
        let name = refusal_name(reason);
        if schemas.iter().all(|(existing, _)| *existing != name) {
            schemas.push((name, schema(reason)));
        }
    }
    schemas.push(("InvalidInput", invalid_input()));
    schemas
}

fn schema(reason: Reason) -> Schema {
    let ErrorStatus { error_type, error_code, .. } = ErrorStatus::from_reason(reason);
    let error = ClosedObject::new("An error.")
        .with("errorMessage", text("A human-readable description of the error."))
        .with("errorType", string_enum([error_type.name()], "The type of the error."));
    let error = match error_code {
        Some(code) => {
            let code = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([code]));
            error.with("errorCode", code.description(Some("The service-specific error code.")).build())
        }
        None => error,
    };
    match reason {
        Reason::InvalidInput => {
            let data = ArrayBuilder::new().items(schema_ref("InvalidInput")).min_items(Some(1));
            error.with("data", data.description(Some("Every invalid input of the request.")).build()).build()
        }
        Reason::Conflict => conflict(error),
        _ if Reason::POLICY.contains(&reason) => {
            let reasons = Reason::POLICY.map(Reason::label);
            error.with("reason", string_enum(reasons, "The pause or the limit that refused the request.")).build()
        }
        Reason::Levels => {
            let names = LevelsRefusal::iter().map(LevelsRefusal::name);
            let reasons = names.filter(|name| !Reason::POLICY.map(Reason::label).contains(name));
            error.with("reason", string_enum(reasons, "Why the levels do not cover the quote.")).build()
        }
        Reason::NotReady => readiness(error, false),
        _ => error.build(),
    }
}

fn conflict(error: ClosedObject) -> Schema {
    error
        .with(
            "reason",
            string_enum(
                ConflictReason::VARIANTS.iter().map(|reason| reason.name()),
                "What changed since the quote was made.",
            ),
        )
        .optional(
            "moved_bps",
            number(
                "How much less the pool would give now, in basis points of the quoted output, rounded up; absent if \
                 the pool would give nothing, if it would give enough but its contract would not execute the swap, and \
                 with `disabled`.",
            ),
        )
        .optional(
            "fresh_quote",
            described_ref(
                "Quote",
                "A quote for the same amount at current prices, to be signed like any other; absent if none \
                        can be made.",
            ),
        )
        .build()
}

fn invalid_input() -> Schema {
    let kinds = string_enum(InvalidKind::VARIANTS.iter().map(|kind| kind.name()), "The type of the validation error.");
    let position = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
    let step = OneOfBuilder::new().item(text("An input name.")).item(position.description(Some("A list position.")));
    let path = ArrayBuilder::new().items(step).max_items(Some(3));
    let received = ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some("The received value."));
    ClosedObject::new("An invalid input.")
        .with("type", kinds)
        .with("loc", path.description(Some("The path to the input; empty for the body as a whole.")).build())
        .with("msg", text("The requirement that the input does not meet."))
        .with("input", received.build())
        .with("url", text("A page that explains the type."))
        .build()
}
