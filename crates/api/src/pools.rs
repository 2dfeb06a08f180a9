//! Pool data: the holdings of a pool (on-chain data), the pricing parameters (off-chain data), or both.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    AddressText, AmountText, BaseUnits, BasisPointsNumber, ChainIdNumber, DecimalsNumber, DisplayNumber,
    PoolConstantNumber, PriceNumber, StateIdText, SymbolPair, SymbolText, UnixSecondsNumber, UsdNumber, WeightNumber,
    json::valid_or_default,
};

/// The set of data in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PoolType {
    /// On-chain data.
    Onchain,
    /// Off-chain data.
    Offchain,
    /// Both.
    All,
}

impl PoolType {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the `fieldset` that requests this set; on-chain data needs none.
    pub const fn fieldset(self) -> Option<&'static str> {
        match self {
            Self::Onchain => None,
            Self::Offchain => Some("offchain-data"),
            Self::All => Some("all"),
        }
    }
}

/// Pools of a chain, each with the data `D`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pools<D> {
    /// The set of data; `None` for one of a later release.
    #[serde(default, deserialize_with = "valid_or_default")]
    pub pool_type: Option<PoolType>,
    /// The pools.
    pub pools: Vec<D>,
}

/// By reference: the derived schema of a generic type repeats that of its parameter.
#[cfg(feature = "schema")]
impl<D: utoipa::ToSchema> utoipa::PartialSchema for Pools<D> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{Object, Ref, schema::ArrayBuilder};

        let pools = ArrayBuilder::new().items(Ref::from_schema_name(D::name())).min_items(Some(1));
        let object = Object::builder().description(Some("Pools of a chain."));
        let object = object.property("pool_type", PoolType::schema()).required("pool_type");
        object.property("pools", pools).required("pools").into()
    }
}

#[cfg(feature = "schema")]
impl<D: utoipa::ToSchema> utoipa::ToSchema for Pools<D> {
    fn name() -> std::borrow::Cow<'static, str> {
        // Those of the aliases.
        match D::name().as_ref() {
            "OnchainData" => "OnchainPools".into(),
            "OffchainData" => "OffchainPools".into(),
            _ => "AllPools".into(),
        }
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        schemas.push((D::name().into_owned(), D::schema()));
        D::schemas(schemas);
    }
}

/// Defines an object of each set of data: the members of every set, then those of the set; the last has them all, and
/// can be reduced to either set.
macro_rules! data_sets {
    (
        { $($(#[$shared_about:meta])* $shared:ident: $shared_type:ty,)* }
        $(#[$onchain_about:meta])* $onchain_name:ident
        { $($(#[$onchain_member_about:meta])* $onchain:ident: $onchain_type:ty,)* }
        $(#[$offchain_about:meta])* $offchain_name:ident
        { $($(#[$offchain_member_about:meta])* $offchain:ident: $offchain_type:ty,)* }
        $(#[$all_about:meta])* $all_name:ident
    ) => {
        $(#[$onchain_about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct $onchain_name {
            $($(#[$shared_about])* pub $shared: $shared_type,)*
            $($(#[$onchain_member_about])* pub $onchain: $onchain_type,)*
        }

        $(#[$offchain_about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct $offchain_name {
            $($(#[$shared_about])* pub $shared: $shared_type,)*
            $($(#[$offchain_member_about])* pub $offchain: $offchain_type,)*
        }

        $(#[$all_about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct $all_name {
            $($(#[$shared_about])* pub $shared: $shared_type,)*
            $($(#[$onchain_member_about])* pub $onchain: $onchain_type,)*
            $($(#[$offchain_member_about])* pub $offchain: $offchain_type,)*
        }

        impl From<$all_name> for $onchain_name {
            fn from(all: $all_name) -> Self {
                Self { $($shared: all.$shared,)* $($onchain: all.$onchain,)* }
            }
        }

        impl From<$all_name> for $offchain_name {
            fn from(all: $all_name) -> Self {
                Self { $($shared: all.$shared,)* $($offchain: all.$offchain,)* }
            }
        }
    };
}

data_sets! {
    {
        /// The chain id (EIP-155).
        chain_id: ChainIdNumber,
        /// The pool contract.
        address: AddressText,
        /// The account whose signatures the pool contract should accept; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        signer_address: Option<AddressText>,
        /// The EIP-712 domain of the signatures; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        eip712_domain: Option<SigningDomain>,
        /// The state that quotes are computed in: block, book and prices; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        state_id: Option<StateIdText>,
        /// The block of the reserves; null if they are configured. Absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required))]
        block_number: Option<u64>,
        /// The Unix second of that block; null if the reserves do not age. Absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required))]
        block_timestamp: Option<UnixSecondsNumber>,
        /// The most that a swap is offered better than the prices, in basis points; null without a bound. Absent from
        /// earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required))]
        max_improvement_bps: Option<BasisPointsNumber>,
        /// The number of listed assets.
        #[cfg_attr(feature = "schema", schema(minimum = 2))]
        num_assets: usize,
        /// Whether swaps are enabled.
        swaps_enabled: bool,
        /// The largest single trade that is signed for the client at the current pool value; null if only reserves limit
        /// it.
        #[cfg_attr(feature = "schema", schema(required))]
        largest_trade_in_usd: Option<UsdNumber>,
    }
    /// A pool with its holdings.
    OnchainPool {
        /// Pool tokens in circulation, in base units, for display.
        pool_tokens: DisplayNumber,
        /// The value of the reserves in US dollars, for display; null if any price or reserve is unknown.
        #[cfg_attr(feature = "schema", schema(required))]
        value_in_usd: Option<DisplayNumber>,
    }
    /// A pool with its pricing parameters.
    OffchainPool {
        /// The pool constant of the pricing formula.
        k: PoolConstantNumber,
        /// Maximum seconds until the transaction, for the fees of `pairs`.
        #[cfg_attr(feature = "schema", schema(minimum = 1))]
        time_in_seconds: u32,
        /// The `time_in_seconds` of requests without one.
        #[cfg_attr(feature = "schema", schema(minimum = 1))]
        default_time_in_seconds: u32,
    }
    /// A pool with its holdings and its pricing parameters.
    Pool
}

data_sets! {
    {
        /// The symbol, as quote requests use it.
        name: SymbolText,
        /// The token contract; the wrapped one for the native coin of the chain.
        address: AddressText,
        /// The price of a whole token; null while it is not quoted.
        #[cfg_attr(feature = "schema", schema(required))]
        price_in_usd: Option<PriceNumber>,
        /// Decimals of the token.
        decimals: DecimalsNumber,
        /// Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required))]
        outstanding_inflow: BaseUnits,
        /// Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required))]
        outstanding_outflow: BaseUnits,
    }
    /// An asset and the pool's reserve of it.
    OnchainAsset {
        /// The reserve in base units; null while unknown.
        #[cfg_attr(feature = "schema", schema(required))]
        balance: Option<AmountText>,
        /// The value of the reserve in US dollars, for display; null while price or reserve is unknown.
        #[cfg_attr(feature = "schema", schema(required))]
        value_in_usd: Option<DisplayNumber>,
        /// The target value in US dollars, for display; null if any price or reserve is unknown.
        #[cfg_attr(feature = "schema", schema(required))]
        target_value_in_usd: Option<DisplayNumber>,
    }
    /// An asset and its weight.
    OffchainAsset {
        /// The weight in the pricing formula.
        listing_weight: WeightNumber,
    }
    /// An asset, the pool's reserve of it, and its weight.
    PoolAsset
}

/// The EIP-712 domain of the signatures, with the member names of that standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SigningDomain {
    /// The `name` of the contract's domain.
    pub name: String,
    /// The `version` of the contract's domain.
    pub version: String,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract.
    pub verifying_contract: AddressText,
}

impl From<SigningDomain> for firmquote_domain::SigningDomain {
    fn from(domain: SigningDomain) -> Self {
        Self { name: domain.name, version: domain.version }
    }
}

/// Two assets that can be swapped for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairFee {
    /// The two symbols.
    pub assets: SymbolPair,
    /// The fee in either direction, for `time_in_seconds`.
    pub fee_in_basis_points: BasisPointsNumber,
}

/// The holdings of a pool, valued at current prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OnchainData {
    /// The pool as a whole.
    pub pool: OnchainPool,
    /// The assets.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub assets: Vec<OnchainAsset>,
    /// The set of data; only in version 1, whose responses are a single pool.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(value_type = String, nullable = false))]
    pub pool_type: Option<PoolType>,
}

/// The parameters that quotes of a pool are computed with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OffchainData {
    /// The pool as a whole.
    pub pool: OffchainPool,
    /// The assets.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub assets: Vec<OffchainAsset>,
    /// The pairs that trade at present.
    pub pairs: Vec<PairFee>,
    /// The set of data; only in version 1, whose responses are a single pool.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(value_type = String, nullable = false))]
    pub pool_type: Option<PoolType>,
}

/// A pool with both sets of data, from the same instant: everything that determines its quotes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PoolData {
    /// The pool as a whole.
    pub pool: Pool,
    /// The assets.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub assets: Vec<PoolAsset>,
    /// The pairs that trade at present.
    pub pairs: Vec<PairFee>,
    /// The set of data; only in version 1, whose responses are a single pool.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(value_type = String, nullable = false))]
    pub pool_type: Option<PoolType>,
}

impl From<PoolData> for OnchainData {
    fn from(data: PoolData) -> Self {
        let assets = data.assets.into_iter().map(Into::into).collect();
        Self { pool: data.pool.into(), assets, pool_type: data.pool_type }
    }
}

impl From<PoolData> for OffchainData {
    fn from(data: PoolData) -> Self {
        let assets = data.assets.into_iter().map(Into::into).collect();
        Self { pool: data.pool.into(), assets, pairs: data.pairs, pool_type: data.pool_type }
    }
}

/// The data of one pool, of the requested set: the response of version 1.
// Not read: a client knows which set it requested, and untagged members are buffered, which loses digits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum PoolResponse {
    /// Without `fieldset`.
    Onchain(OnchainData),
    /// With `fieldset=offchain-data`.
    Offchain(OffchainData),
    /// With `fieldset=all`.
    All(PoolData),
}

/// The data of pools, of the requested set: the response of version 2.
// Not read: a client knows which set it requested, and untagged members are buffered, which loses digits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum PoolsResponse {
    /// Without `fieldset`.
    Onchain(OnchainPools),
    /// With `fieldset=offchain-data`.
    Offchain(OffchainPools),
    /// With `fieldset=all`.
    All(AllPools),
}

/// Pools with their on-chain data.
pub type OnchainPools = Pools<OnchainData>;
/// Pools with their off-chain data.
pub type OffchainPools = Pools<OffchainData>;
/// Pools with both sets of data.
pub type AllPools = Pools<PoolData>;
