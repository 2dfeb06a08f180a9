//! Schemas of the sets of pool data (docs/api.md).

use utoipa::openapi::{
    Schema,
    schema::{ObjectBuilder, OneOfBuilder, Type},
};

use super::shapes::{
    ClosedObject, NamedSchema, base_units, boolean, described_ref, integer, non_empty_array, number, or_null,
    schema_ref, string_enum, symbols, text,
};

/// The schemas of the pool operations.
pub(super) fn all() -> Vec<NamedSchema> {
    let one_of = |names: [&str; 3]| {
        names.into_iter().fold(OneOfBuilder::new(), |schema, name| schema.item(schema_ref(name))).build().into()
    };
    vec![
        ("Pool", one_of(["PoolOnchain", "PoolOffchain", "PoolAll"])),
        ("PoolOnchain", with_type(onchain_record(), "onchain")),
        ("PoolOffchain", with_type(offchain_record(), "offchain")),
        ("PoolAll", with_type(record_with_all(), "all")),
        ("Pools", one_of(["PoolsOnchain", "PoolsOffchain", "PoolsAll"])),
        ("PoolsOnchain", pools("onchain", "OnchainRecord")),
        ("PoolsOffchain", pools("offchain", "OffchainRecord")),
        ("PoolsAll", pools("all", "AllRecord")),
        ("OnchainRecord", onchain_record().build()),
        ("OffchainRecord", offchain_record().build()),
        ("AllRecord", record_with_all().build()),
        ("OnchainPool", onchain_pool(pool()).build()),
        ("OffchainPool", offchain_pool(pool()).build()),
        ("AllPool", offchain_pool(onchain_pool(pool())).build()),
        ("OnchainAsset", onchain_asset(asset("An asset and the pool's reserve of it.")).build()),
        ("OffchainAsset", offchain_asset(asset("An asset and its weight.")).build()),
        (
            "AllAsset",
            offchain_asset(onchain_asset(asset("An asset, the pool's reserve of it, and its weight."))).build(),
        ),
        ("Pair", pair()),
        ("SigningDomain", signing_domain()),
    ]
}

fn pools(pool_type: &str, record: &str) -> Schema {
    ClosedObject::new("Pools of a chain.")
        .with("pool_type", type_name(pool_type))
        .with("pools", non_empty_array(record))
        .build()
}

/// Adds the name of the set of pool data.
fn with_type(record: ClosedObject, pool_type: &str) -> Schema {
    record.with("pool_type", type_name(pool_type)).build()
}

fn type_name(pool_type: &str) -> Schema {
    string_enum([pool_type], "Which pool data the response contains.")
}

fn onchain_record() -> ClosedObject {
    ClosedObject::new("The on-chain state of a pool, valued at current prices.")
        .with("pool", schema_ref("OnchainPool"))
        .with("assets", non_empty_array("OnchainAsset"))
}

fn offchain_record() -> ClosedObject {
    ClosedObject::new("The parameters that quotes of a pool are computed with.")
        .with("pool", schema_ref("OffchainPool"))
        .with("assets", non_empty_array("OffchainAsset"))
        .with("pairs", non_empty_array("Pair"))
}

fn record_with_all() -> ClosedObject {
    ClosedObject::new("A pool with both sets of data, from the same instant.")
        .with("pool", schema_ref("AllPool"))
        .with("assets", non_empty_array("AllAsset"))
        .with("pairs", non_empty_array("Pair"))
}

/// The members of a pool that every set contains.
fn pool() -> ClosedObject {
    let largest =
        number("The largest single trade that is signed for the client at the current pool value, in US dollars.");
    ClosedObject::new("The pool as a whole. If `largest_trade_in_usd` is null, only the reserves limit a trade.")
        .with("largest_trade_in_usd", or_null(largest))
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("address", described_ref("Address", "The pool contract."))
        .with(
            "signer_address",
            described_ref("Address", "The account whose signatures the pool contract should accept."),
        )
        .with("eip712_domain", schema_ref("SigningDomain"))
        .with("state_id", described_ref("StateId", "The state that quotes are computed in: block, book and prices."))
        .with("num_assets", integer(2, "The number of listed assets."))
        .with("swaps_enabled", boolean("Whether swaps are enabled."))
}

fn signing_domain() -> Schema {
    ClosedObject::new("The EIP-712 domain of the signatures, with the member names of that standard.")
        .with("name", text("The `name` of the contract's domain."))
        .with("version", text("The `version` of the contract's domain."))
        .with("chainId", integer(1, "The chain id (EIP-155)."))
        .with("verifyingContract", described_ref("Address", "The pool contract."))
        .build()
}

fn onchain_pool(pool: ClosedObject) -> ClosedObject {
    pool.with("pool_tokens", number("Pool tokens in circulation, in base units.")).with(
        "value_in_usd",
        or_null(number("The value of the reserves in US dollars; null if any price or reserve is unknown.")),
    )
}

fn offchain_pool(pool: ClosedObject) -> ClosedObject {
    pool.with("k", number("The pool constant of the pricing formula, dimensionless."))
        .with("time_in_seconds", integer(1, "Maximum seconds until the transaction, for the fees of `pairs`."))
        .with("default_time_in_seconds", integer(1, "The `time_in_seconds` of requests without one."))
}

/// The members of an asset that every set contains.
fn asset(about: &str) -> ClosedObject {
    let price = ObjectBuilder::new().schema_type(Type::Number).exclusive_minimum(Some(0));
    let price =
        price.description(Some("The price in US dollars, with at most 8 decimals; null while it is not quoted."));
    ClosedObject::new(about)
        .with("name", text("The symbol, as quote requests use it."))
        .with("address", described_ref("Address", "The token contract."))
        .with("price_in_usd", or_null(Schema::from(price.build())))
        .with("decimals", integer(0, "Decimals of the token."))
        .with("outstanding_inflow", flow("in; quotes with this input asset are priced as if they had"))
        .with("outstanding_outflow", flow("out; quotes with this output asset are priced as if they had"))
}

/// The amount of an asset that outstanding swaps would move.
fn flow(what: &str) -> Schema {
    base_units(&format!("Base units that outstanding swaps may still pay {what}."))
}

fn onchain_asset(asset: ClosedObject) -> ClosedObject {
    asset
        .with("balance", or_null(described_ref("Amount", "The reserve in base units; null while unknown.")))
        .with("value_in_usd", or_null(number("The value of the reserve in US dollars.")))
        .with(
            "target_value_in_usd",
            or_null(number("The target value in US dollars; null if any price or reserve is unknown.")),
        )
}

fn offchain_asset(asset: ClosedObject) -> ClosedObject {
    asset.with("listing_weight", integer(1, "The weight in the pricing formula."))
}

fn pair() -> Schema {
    ClosedObject::new("Two assets that can be swapped for each other.")
        .with("assets", symbols())
        .with("fee_in_basis_points", number("The fee in either direction, in basis points, for `time_in_seconds`."))
        .build()
}
