//! What the operator's page shows: pools, curves, recent signatures.

use utoipa::openapi::{
    RefOr, Schema,
    schema::{ArrayBuilder, ObjectBuilder, Type},
};

use super::shapes::{ClosedObject, NamedSchema, a, any_number, flag, named, number, or_null, text, whole, word};

/// Overview, curve and recent signatures, with their parts.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        ("Overview", overview()),
        ("PoolOverview", pool()),
        ("AssetOverview", asset()),
        ("KnownPrice", known("price_usd", "The last price of one whole token in US dollars.").build()),
        ("KnownReserve", known("balance", "The last balance in the pool's books, in base units.").build()),
        ("SourceOverview", source()),
        ("Distrust", distrust()),
        ("PairOverview", pair()),
        ("Curve", curve()),
        ("CurveSize", size()),
        ("CurveFee", fee()),
        ("CurveAsset", curve_asset(text("Its symbol.")).build()),
        ("RecentSignatures", signatures()),
        ("RecentSignature", signature()),
        ("ClientUsage", client_usage()),
        ("SignedAsset", curve_asset(or_null(text("Its symbol; `null` if the pool does not list it."))).build()),
    ]
}

fn list(item: &str) -> Schema {
    ArrayBuilder::new().items(named(item)).into()
}

fn overview() -> Schema {
    ClosedObject::new("All pools.")
        .with("service_name", text("The name of the service."))
        .with("ready", flag("Whether requests are answered, as readiness says."))
        .with(
            "reasons",
            ArrayBuilder::new().items(RefOr::T(text("A reason."))).description(Some("Why they are not.")).build(),
        )
        .with("admin_token_configured", flag("Whether there is a token that opens the operator's own routes."))
        .with("pauses_shared", flag("Whether other replicas know of pauses and they outlive this process."))
        .with("pools", list("PoolOverview"))
        .build()
}

fn pool() -> Schema {
    ClosedObject::new("A pool.")
        .with("chain_id", whole(1, "The chain."))
        .with("chain_name", text("Its name, as configured."))
        .with("pool_address", a("Address", "The pool contract."))
        .with("name", text("The name in its signing domain."))
        .with("version", text("The version in its signing domain."))
        .with("good_until", word(["plain", "verified"], "The form of `good_until` that its contract reads."))
        .with("signer_address", a("Address", "The account that signs for it."))
        .with("k", number("The constant of its formula."))
        .with("swaps_enabled", flag("Whether it swaps, as configured."))
        .with("paused", or_null(flag("Whether it is paused; `null` while that is not known, and nothing is quoted.")))
        .with("time_in_seconds", whole(1, "What the fees of `pairs` are for."))
        .with("value_in_usd", or_null(number("What its reserves are worth, in US dollars.")))
        .with("assets", list("AssetOverview"))
        .with("pairs", list("PairOverview"))
        .build()
}

fn asset() -> Schema {
    ClosedObject::new("An asset of a pool.")
        .with("name", text("Its symbol."))
        .with("address", a("Address", "Its token."))
        .with("decimals", whole(0, "Decimals of its token."))
        .with("listing_weight", whole(1, "Its weight in the formula."))
        .with("price", named("KnownPrice"))
        .with("reserve", named("KnownReserve"))
        .with("value_in_usd", or_null(number("What the reserve is worth, in US dollars.")))
        .with("target_value_in_usd", or_null(number("What it is meant to be worth, in US dollars.")))
        .with("share", or_null(number("Its part of the pool's value: 1 is all of it.")))
        .with("target_share", or_null(number("The part it is meant to be.")))
        .with("sources", list("SourceOverview"))
        .build()
}

/// The last that is known of something.
fn known(name: &str, about: &str) -> ClosedObject {
    let decimal = ObjectBuilder::new().schema_type(Type::String).pattern(Some(r"^[0-9]+(\.[0-9]+)?$"));
    ClosedObject::new("The last that is known. It is quoted on only while nothing is against it.")
        .with(name, or_null(decimal.description(Some(about))))
        .with("age_ms", or_null(whole(0, "Its age in milliseconds; `null` for what never changes.")))
        .with("distrust", or_null(named("Distrust")))
}

fn source() -> Schema {
    known("price_usd", "The last price it told.").with("name", text("What it calls itself.")).build()
}

fn distrust() -> Schema {
    ClosedObject::new("Why something is not quoted on.")
        .with("rule", text("The rule that it breaks."))
        .with("reason", text("In words."))
        .build()
}

fn pair() -> Schema {
    let two = ArrayBuilder::new().items(RefOr::T(text("A symbol."))).min_items(Some(2)).max_items(Some(2));
    ClosedObject::new("What a pair charges.")
        .with("assets", two.build())
        .with("fee_in_basis_points", number("The fee."))
        .with("annual_volatility", number("The volatility that it is made of: 0.6 is 60 %."))
        .with("volatility_estimated", flag("Whether that is estimated from prices, or the configured one."))
        .build()
}

fn curve_asset(name: impl Into<RefOr<Schema>>) -> ClosedObject {
    ClosedObject::new("An asset.")
        .with("name", name)
        .with("address", a("Address", "Its token."))
        .with("decimals", whole(0, "Decimals of its token."))
}

fn curve() -> Schema {
    ClosedObject::new("What quotes of a pair would be.")
        .with("chain_id", whole(1, "The chain."))
        .with("pool_address", a("Address", "The pool contract."))
        .with("input_asset", named("CurveAsset"))
        .with("output_asset", named("CurveAsset"))
        .with("time_in_seconds", whole(1, "What sizes are priced for."))
        .with("sizes", list("CurveSize"))
        .with("fees", list("CurveFee"))
        .build()
}

fn size() -> Schema {
    ClosedObject::new("What a quote of one size would be.")
        .with("input_amount", a("Amount", "What is given, in base units."))
        .with("output_amount", a("Amount", "What is received, in base units."))
        .with("rate", number("Output for one whole token of the input, in whole tokens."))
        .with("cost_in_basis_points", any_number("How much less comes out than goes in is worth, fee included."))
        .with(
            "price_impact_in_basis_points",
            any_number("The same without the fee; below zero where the pool gives more."),
        )
        .build()
}

fn fee() -> Schema {
    ClosedObject::new("What a time costs.")
        .with("time_in_seconds", whole(1, "Seconds between acceptance and the transaction."))
        .with("fee_in_basis_points", number("The fee."))
        .build()
}

fn signatures() -> Schema {
    ClosedObject::new("The last signatures of this process.")
        .with("remembered", whole(1, "How many are remembered at most."))
        .with("signatures", list("RecentSignature"))
        .with("clients", list("ClientUsage"))
        .build()
}

fn client_usage() -> Schema {
    ClosedObject::new("What a client asked for and got of a pair since the process started.")
        .with("client", or_null(text("The client; `null` for those without credentials.")))
        .with("input_asset", or_null(text("What it gives; `null` if the request named none that is listed.")))
        .with("output_asset", or_null(text("What it receives; `null` if the request named none that is listed.")))
        .with("requests", whole(0, "Requests for quotes and signatures."))
        .with("errors", whole(0, "Those of them that were not answered as asked."))
        .with("signatures", whole(0, "Swaps that were signed, each once."))
        .with("value_in_usd", number("What their inputs were worth together, in US dollars."))
        .build()
}

fn signature() -> Schema {
    ClosedObject::new("A signature that left.")
        .with("signed_at", a("UtcTime", "When its record was stored."))
        .with("client", or_null(text("The client; `null` for one without credentials.")))
        .with("quote_id", a("QuoteId", "The quote."))
        .with("chain_id", whole(1, "The chain."))
        .with("pool_address", a("Address", "The pool contract."))
        .with("input_asset", named("SignedAsset"))
        .with("input_amount", a("Amount", "What is given, in base units."))
        .with("output_asset", named("SignedAsset"))
        .with("output_amount", a("Amount", "What is received, in base units."))
        .with("input_value_in_usd", number("What the input is worth, in US dollars."))
        .with("destination_address", a("Address", "Who receives the output."))
        .with("good_until", whole(1, "The Unix second until which it is valid on the chain."))
        .build()
}
