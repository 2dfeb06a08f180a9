//! Schemas of the data behind the operator's page: pools, curves, recent signatures.

use firmquote_desk::{LevelsRefusal, WithdrawalReason};
use firmquote_domain::GoodUntilKind;
use strum::IntoEnumIterator as _;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{ArrayBuilder, ObjectBuilder, Type},
};

use super::shapes::{
    ClosedObject, NamedSchema, any_number, boolean, described_ref, integer, number, or_null, schema_ref, string_enum,
    symbols, text,
};

/// The schemas of overview, curve and recent signatures, with their parts.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        ("Overview", overview()),
        ("PoolOverview", pool()),
        ("AssetOverview", asset()),
        ("KnownPrice", observation("price_usd", "The last known price of one whole token in US dollars.").build()),
        ("KnownReserve", observation("balance", "The last known balance in the pool's books, in base units.").build()),
        ("SourceOverview", source()),
        ("Distrust", distrust()),
        ("PairOverview", pair()),
        ("LevelsOverview", levels()),
        ("LevelBreaches", breaches()),
        ("LevelBookOverview", level_book()),
        ("Curve", curve()),
        ("CurveSize", size()),
        ("CurveFee", fee()),
        ("CurveAsset", curve_asset(text("The symbol.")).build()),
        ("RecentSignatures", signatures()),
        ("RecentSignature", signature()),
        ("ClientUsage", client_usage()),
        ("SignedAsset", curve_asset(or_null(text("The symbol; `null` if the pool does not list the token."))).build()),
    ]
}

fn list(item: &str) -> Schema {
    ArrayBuilder::new().items(schema_ref(item)).into()
}

fn overview() -> Schema {
    ClosedObject::new("All pools.")
        .with("service_name", text("The name of the service."))
        .with("replica", or_null(text("The name of the replica.")))
        .with("version", text("The version of the replica."))
        .with(
            "rejected_files",
            ArrayBuilder::new()
                .items(RefOr::T(text("A reason.")))
                .description(Some("Why files that have changed are not in effect."))
                .build(),
        )
        .with("ready", boolean("Whether the service is ready for requests, as reported by `/readyz`."))
        .with(
            "reasons",
            ArrayBuilder::new().items(RefOr::T(text("A reason."))).description(Some("Why it is not ready.")).build(),
        )
        .with("admin_token_configured", boolean("Whether an admin token for the operator's routes is configured."))
        .with("pauses_shared", boolean("Whether pauses reach other replicas and survive a restart."))
        .with("pools", list("PoolOverview"))
        .with("levels", schema_ref("LevelsOverview"))
        .build()
}

fn pool() -> Schema {
    ClosedObject::new("A pool.")
        .with("chain_id", integer(1, "The chain."))
        .with("chain_name", text("The configured name of the chain."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("name", text("The name in its signing domain."))
        .with("version", text("The version in its signing domain."))
        .with(
            "good_until",
            string_enum(
                GoodUntilKind::ALL.map(GoodUntilKind::name),
                "The form of `good_until` that the contract expects.",
            ),
        )
        .with("signer_address", described_ref("Address", "The account that signs for the pool."))
        .with("k", number("The pool constant of the pricing formula."))
        .with("swaps_enabled", boolean("Whether swaps are enabled, as configured."))
        .with("paused", or_null(boolean("Whether the pool is paused; `null` while unknown, when nothing is quoted.")))
        .with("time_in_seconds", integer(1, "The seconds that the fees of `pairs` are for."))
        .with("value_in_usd", or_null(number("The value of the reserves in US dollars.")))
        .with("outstanding_swaps", integer(0, "Swaps that are signed and neither executed nor expired."))
        .with("book_age_ms", or_null(integer(0, "Milliseconds since this replica's copy of the book was complete.")))
        .with(
            "max_outstanding_share",
            or_null(number("The largest share of a reserve that may be outstanding; `null` for no limit.")),
        )
        .with("assets", list("AssetOverview"))
        .with("pairs", list("PairOverview"))
        .build()
}

fn asset() -> Schema {
    ClosedObject::new("An asset of a pool.")
        .with("name", text("The symbol."))
        .with("address", described_ref("Address", "The token contract."))
        .with("decimals", integer(0, "Decimals of the token."))
        .with("listing_weight", integer(1, "The weight in the pricing formula."))
        .with("price", schema_ref("KnownPrice"))
        .with("reserve", schema_ref("KnownReserve"))
        .with("value_in_usd", or_null(number("The value of the reserve in US dollars.")))
        .with("target_value_in_usd", or_null(number("The target value of the reserve in US dollars.")))
        .with("share", or_null(number("The share of the pool's value: 1 is all of it.")))
        .with("target_share", or_null(number("The target share of the pool's value.")))
        .with("outstanding_inflow", described_ref("BaseUnits", "Maximum inflow of outstanding swaps, in base units."))
        .with("outstanding_outflow", described_ref("BaseUnits", "Maximum outflow of outstanding swaps, base units."))
        .with("outstanding_share", or_null(number("The outflow as a share of the reserve.")))
        .with("sources", list("SourceOverview"))
        .build()
}

/// The last known value of something, its age, and why it is not trusted.
fn observation(name: &str, about: &str) -> ClosedObject {
    let decimal = ObjectBuilder::new().schema_type(Type::String).pattern(Some(r"^[0-9]+(\.[0-9]+)?$"));
    ClosedObject::new("The last known value. It is used for quotes only while `distrust` is `null`.")
        .with(name, or_null(decimal.description(Some(about))))
        .with("age_ms", or_null(integer(0, "Its age in milliseconds; `null` if it is unknown or never changes.")))
        .with("distrust", or_null(schema_ref("Distrust")))
}

fn source() -> Schema {
    observation("price_usd", "The last price that the source reported.")
        .with("name", text("The name of the source."))
        .build()
}

fn distrust() -> Schema {
    ClosedObject::new("Why a value is not used for quotes.")
        .with("rule", text("The rule that the value violates."))
        .with("reason", text("The human-readable reason."))
        .build()
}

fn pair() -> Schema {
    ClosedObject::new("A pair and its fee.")
        .with("assets", symbols())
        .with("fee_in_basis_points", number("The fee."))
        .with("annual_volatility", number("The annual volatility behind the fee: 0.6 is 60 %."))
        .with(
            "volatility_estimated",
            boolean("Whether the volatility is estimated from prices rather than configured."),
        )
        .build()
}

fn levels() -> Schema {
    ClosedObject::new(
        "The price levels of this replica: the books that streams read, and the broken promises of firm levels.",
    )
    .with("streams", integer(0, "Open streams."))
    .with("breaches", list("LevelBreaches"))
    .with("store_failures", integer(0, "How often the store failed to hold levels or to release an input."))
    .with("books", list("LevelBookOverview"))
    .build()
}

fn breaches() -> Schema {
    ClosedObject::new("Broken promises of firm levels since the process started.")
        .with("reason", string_enum(LevelsRefusal::BREACHES.map(LevelsRefusal::name), "The reason of the refusals."))
        .with("count", integer(0, "The number of breaches."))
        .build()
}

fn level_book() -> Schema {
    let reasons = WithdrawalReason::iter().map(WithdrawalReason::name);
    ClosedObject::new("All streamed books of a pool in one direction, for every time and number of knots.")
        .with("chain_id", integer(1, "The chain."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("input_asset", text("The symbol of the input."))
        .with("output_asset", text("The symbol of the output."))
        .with("streams", integer(1, "The streams that read them."))
        .with("firm", or_null(boolean("Whether all live books are firm; `null` if none is live.")))
        .with("withdrawn", or_null(string_enum(reasons, "Why the books are withdrawn; `null` if one is live.")))
        .with("age_ms", or_null(integer(0, "The age of the oldest price or reserve of a live book.")))
        .with("valid_for_ms", or_null(integer(0, "The shortest remaining validity of a live book, in milliseconds.")))
        .build()
}

fn curve_asset(name: impl Into<RefOr<Schema>>) -> ClosedObject {
    ClosedObject::new("An asset.")
        .with("name", name)
        .with("address", described_ref("Address", "The token contract."))
        .with("decimals", integer(0, "Decimals of the token."))
}

fn curve() -> Schema {
    ClosedObject::new("Prices of a pair by trade size, and its fees by time.")
        .with("chain_id", integer(1, "The chain."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("input_asset", schema_ref("CurveAsset"))
        .with("output_asset", schema_ref("CurveAsset"))
        .with("time_in_seconds", integer(1, "The seconds that `sizes` are priced for."))
        .with("sizes", list("CurveSize"))
        .with("fees", list("CurveFee"))
        .build()
}

fn size() -> Schema {
    ClosedObject::new("The price of one trade size.")
        .with("input_amount", described_ref("Amount", "The input amount in base units."))
        .with("output_amount", described_ref("Amount", "The output amount in base units."))
        .with("rate", number("Whole tokens of output for one whole token of input."))
        .with("cost_in_basis_points", any_number("How much less the output is worth than the input, fee included."))
        .with(
            "price_impact_in_basis_points",
            any_number("The same, excluding the fee; negative if the pool gives more."),
        )
        .build()
}

fn fee() -> Schema {
    ClosedObject::new("The fee for one time.")
        .with("time_in_seconds", integer(1, "Maximum seconds between acceptance and the transaction."))
        .with("fee_in_basis_points", number("The fee."))
        .build()
}

fn signatures() -> Schema {
    ClosedObject::new("The last signatures of this process.")
        .with("remembered", integer(1, "The maximum number of signatures kept."))
        .with("signatures", list("RecentSignature"))
        .with("clients", list("ClientUsage"))
        .build()
}

fn client_usage() -> Schema {
    ClosedObject::new("The usage of a pair by a client since the process started.")
        .with("client", or_null(text("The client; `null` for all clients without credentials.")))
        .with("input_asset", or_null(text("The input symbol; `null` if the requests named no listed asset.")))
        .with("output_asset", or_null(text("The output symbol; `null` if the requests named no listed asset.")))
        .with("requests", integer(0, "Requests for quotes and signatures."))
        .with("errors", integer(0, "Requests that received an error response."))
        .with("signatures", integer(0, "Signed swaps, each counted once."))
        .with("value_in_usd", number("The total value of their inputs in US dollars."))
        .with("settled", integer(0, "Settled swaps of all replicas, as seen by this replica."))
        .with("lapsed", integer(0, "Lapsed swaps of all replicas, as seen by this replica."))
        .build()
}

fn signature() -> Schema {
    ClosedObject::new("An issued signature.")
        .with("signed_at", described_ref("UtcTime", "The time at which its record was stored."))
        .with("client", or_null(text("The client; `null` for one without credentials.")))
        .with("quote_id", described_ref("QuoteId", "The quote."))
        .with("chain_id", integer(1, "The chain."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("input_asset", schema_ref("SignedAsset"))
        .with("input_amount", described_ref("Amount", "The input amount in base units."))
        .with("output_asset", schema_ref("SignedAsset"))
        .with("output_amount", described_ref("Amount", "The output amount in base units."))
        .with("input_value_in_usd", number("The value of the input in US dollars."))
        .with("destination_address", described_ref("Address", "The account that receives the output."))
        .with("good_until", integer(1, "The Unix second until which the swap is valid on chain."))
        .build()
}
