//! The configuration of a desk on the tape: everything that a price depends on beside the state of a pool. Accounts, keys
//! and clients are not in it.

use std::sync::Arc;

use firmquote_desk::{Desk, FirmLevelsPolicy, Limit, OutstandingPolicy, ServedPool, SigningPolicy};
use firmquote_domain::{
    Address, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, GoodUntilKind, InvalidPool, Pair, Pool,
    PoolConstant, PoolId, PoolSpec, SettlementCheck, SigningDomain, Symbol, Usd, Volatility, Weight,
};
use firmquote_tape::ConfigurationRow;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::text::{self, Text};

/// The configuration of a desk, in canonical JSON, with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedConfiguration {
    /// The SHA-256 of the JSON, in hexadecimal digits.
    pub hash: String,
    /// The JSON.
    pub json: String,
}

/// Why a recorded configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidConfiguration {
    /// It is not of this version.
    #[error("the configuration {hash} on the tape cannot be read")]
    Json {
        /// Its hash.
        hash: String,
        /// The cause.
        source: serde_json::Error,
    },
    /// It describes no pool.
    #[error("the configuration {hash} on the tape has an invalid pool")]
    Pool {
        /// Its hash.
        hash: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeskJson {
    pools: Vec<PoolJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolJson {
    chain_id: u64,
    address: Text<Address>,
    chain_name: String,
    native_symbol: Text<Symbol>,
    wrapped_native: Text<Address>,
    domain_name: String,
    domain_version: String,
    #[serde(with = "GoodUntilJson")]
    good_until: GoodUntilKind,
    #[serde(with = "SettlementJson")]
    settlement: SettlementCheck,
    single_use: bool,
    k: Text<PoolConstant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_improvement_bps: Option<Text<BasisPoints>>,
    min_fee_share_bps: Text<BasisPoints>,
    acceptance_window_seconds: u32,
    min_time_in_seconds: u32,
    default_time_in_seconds: u32,
    max_time_in_seconds: u32,
    last_look_tolerance_bps: Text<BasisPoints>,
    min_trade_usd: Text<Usd>,
    swaps_enabled: bool,
    assets: Vec<AssetJson>,
    pairs: Vec<PairJson>,
    policy: PolicyJson,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GoodUntilKind", rename_all = "snake_case")]
enum GoodUntilJson {
    Plain,
    Verified,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SettlementCheck", rename_all = "snake_case")]
enum SettlementJson {
    Curve,
    Price,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AssetJson {
    symbol: Text<Symbol>,
    address: Text<Address>,
    decimals: u8,
    weight: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairJson {
    assets: [Text<Symbol>; 2],
    base_fee_bps: Text<BasisPoints>,
    annual_volatility: Text<Volatility>,
}

/// What limits a quote; what limits only signatures is not part of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyJson {
    #[serde(with = "LimitJson")]
    max_trade: Limit,
    #[serde(with = "LimitJson")]
    max_per_minute: Limit,
    #[serde(with = "LimitJson")]
    max_per_minute_of_client: Limit,
    #[serde(with = "LimitJson")]
    max_per_minute_of_anonymous: Limit,
    max_outstanding_bps: Option<Text<BasisPoints>>,
    max_outstanding_bps_of_client: Option<Text<BasisPoints>>,
    max_outstanding_bps_of_anonymous: Option<Text<BasisPoints>>,
    confirmations: u64,
    firm_levels: Option<FirmLevelsJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Limit", rename_all = "snake_case")]
enum LimitJson {
    None,
    Usd(#[serde(with = "text")] Usd),
    #[serde(rename = "bps")]
    Share(#[serde(with = "text")] BasisPoints),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirmLevelsJson {
    firm_ms: u32,
    margin_bps: Text<BasisPoints>,
    budget_usd: Text<Usd>,
}

impl RecordedConfiguration {
    /// Describes the configuration of a desk.
    pub fn new(desk: &Desk) -> Self {
        let pools = desk.pools.iter().map(|pool| PoolJson::new(pool.signer().pool().spec(), &pool.policy)).collect();
        // No map with other keys than texts is in it, which is all that can fail.
        let json = serde_json::to_string(&DeskJson { pools }).unwrap_or_default();
        let hash = Sha256::digest(&json).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { hash, json }
    }

    /// Reads the pools of a configuration on the tape, in their order.
    ///
    /// # Errors
    /// [`InvalidConfiguration`] for one of another version, and for contents that are not consistent.
    pub fn pools(row: &ConfigurationRow) -> Result<Vec<ServedPool>, InvalidConfiguration> {
        let hash = || row.hash.clone();
        let desk: DeskJson =
            serde_json::from_str(&row.json).map_err(|source| InvalidConfiguration::Json { hash: hash(), source })?;
        let pool = |pool: PoolJson| {
            let policy = SigningPolicy::from(&pool.policy);
            let spec = pool.spec().map_err(|source| InvalidConfiguration::Pool { hash: hash(), source })?;
            let pool = Pool::new(spec);
            let pool =
                pool.map_err(|source: InvalidPool| InvalidConfiguration::Pool { hash: hash(), source: source.into() })?;
            Ok(ServedPool::without_key(Arc::new(pool), policy))
        };
        desk.pools.into_iter().map(pool).collect()
    }
}

impl PoolJson {
    fn new(spec: &PoolSpec, policy: &SigningPolicy) -> Self {
        // Names every field: what is added later is recorded, too.
        let PoolSpec {
            id: PoolId { chain_id, address },
            domain: SigningDomain { name, version },
            good_until,
            settlement,
            single_use,
            min_fee_share,
            chain: Chain { name: chain_name, native_symbol, wrapped_native },
            k,
            max_improvement,
            acceptance_window_seconds,
            min_time_in_seconds,
            default_time_in_seconds,
            max_time_in_seconds,
            last_look_tolerance,
            min_trade,
            swaps_enabled,
            assets,
            pairs,
        } = spec;
        Self {
            chain_id: chain_id.get(),
            address: Text(*address),
            chain_name: chain_name.clone(),
            native_symbol: Text(native_symbol.clone()),
            wrapped_native: Text(*wrapped_native),
            domain_name: name.clone(),
            domain_version: version.clone(),
            good_until: *good_until,
            settlement: *settlement,
            single_use: *single_use,
            k: Text(*k),
            max_improvement_bps: max_improvement.map(Text),
            min_fee_share_bps: Text(*min_fee_share),
            acceptance_window_seconds: *acceptance_window_seconds,
            min_time_in_seconds: *min_time_in_seconds,
            default_time_in_seconds: *default_time_in_seconds,
            max_time_in_seconds: *max_time_in_seconds,
            last_look_tolerance_bps: Text(*last_look_tolerance),
            min_trade_usd: Text(*min_trade),
            swaps_enabled: *swaps_enabled,
            assets: assets.iter().map(AssetJson::from).collect(),
            pairs: pairs.iter().map(PairJson::from).collect(),
            policy: policy.into(),
        }
    }

    fn spec(self) -> Result<PoolSpec, Box<dyn std::error::Error + Send + Sync>> {
        let chain_id = ChainId::new(self.chain_id).ok_or("chain_id is zero")?;
        let asset = |asset: AssetJson| {
            Ok(Asset {
                symbol: asset.symbol.0,
                address: asset.address.0,
                decimals: Decimals::new(asset.decimals).ok_or("decimals are out of range")?,
                weight: Weight::new(asset.weight).ok_or("a weight is zero")?,
            })
        };
        let pair = |PairJson { assets: [first, second], base_fee_bps, annual_volatility }: PairJson| Pair {
            assets: [first.0, second.0],
            fee: FeeCurve { base: base_fee_bps.0, annual_volatility: annual_volatility.0 },
        };
        Ok(PoolSpec {
            id: PoolId { chain_id, address: self.address.0 },
            domain: SigningDomain { name: self.domain_name, version: self.domain_version },
            good_until: self.good_until,
            settlement: self.settlement,
            single_use: self.single_use,
            min_fee_share: self.min_fee_share_bps.0,
            chain: Chain {
                name: self.chain_name,
                native_symbol: self.native_symbol.0,
                wrapped_native: self.wrapped_native.0,
            },
            k: self.k.0,
            max_improvement: self.max_improvement_bps.map(|bound| bound.0),
            acceptance_window_seconds: self.acceptance_window_seconds,
            min_time_in_seconds: self.min_time_in_seconds,
            default_time_in_seconds: self.default_time_in_seconds,
            max_time_in_seconds: self.max_time_in_seconds,
            last_look_tolerance: self.last_look_tolerance_bps.0,
            min_trade: self.min_trade_usd.0,
            swaps_enabled: self.swaps_enabled,
            assets: self
                .assets
                .into_iter()
                .map(asset)
                .collect::<Result<_, Box<dyn std::error::Error + Send + Sync>>>()?,
            pairs: self.pairs.into_iter().map(pair).collect(),
        })
    }
}

impl From<&Asset> for AssetJson {
    fn from(Asset { symbol, address, decimals, weight }: &Asset) -> Self {
        Self { symbol: Text(symbol.clone()), address: Text(*address), decimals: decimals.get(), weight: weight.get() }
    }
}

impl From<&Pair> for PairJson {
    fn from(Pair { assets, fee: FeeCurve { base, annual_volatility } }: &Pair) -> Self {
        Self {
            assets: assets.clone().map(Text),
            base_fee_bps: Text(*base),
            annual_volatility: Text(*annual_volatility),
        }
    }
}

impl From<&SigningPolicy> for PolicyJson {
    fn from(policy: &SigningPolicy) -> Self {
        let OutstandingPolicy { max_share, max_share_of_client, max_share_of_anonymous, confirmations, .. } =
            policy.outstanding;
        Self {
            max_trade: policy.max_trade,
            max_per_minute: policy.max_per_minute,
            max_per_minute_of_client: policy.max_per_minute_of_client,
            max_per_minute_of_anonymous: policy.max_per_minute_of_anonymous,
            max_outstanding_bps: max_share.map(Text),
            max_outstanding_bps_of_client: max_share_of_client.map(Text),
            max_outstanding_bps_of_anonymous: max_share_of_anonymous.map(Text),
            confirmations,
            firm_levels: policy.firm_levels.map(|FirmLevelsPolicy { firm_ms, margin, budget }| FirmLevelsJson {
                firm_ms,
                margin_bps: Text(margin),
                budget_usd: Text(budget),
            }),
        }
    }
}

impl From<&PolicyJson> for SigningPolicy {
    fn from(policy: &PolicyJson) -> Self {
        Self {
            max_trade: policy.max_trade,
            max_per_minute: policy.max_per_minute,
            max_per_minute_of_client: policy.max_per_minute_of_client,
            max_per_minute_of_anonymous: policy.max_per_minute_of_anonymous,
            outstanding: OutstandingPolicy {
                max_share: policy.max_outstanding_bps.as_ref().map(|share| share.0),
                max_share_of_client: policy.max_outstanding_bps_of_client.as_ref().map(|share| share.0),
                max_share_of_anonymous: policy.max_outstanding_bps_of_anonymous.as_ref().map(|share| share.0),
                confirmations: policy.confirmations,
                ..OutstandingPolicy::default()
            },
            firm_levels: policy.firm_levels.as_ref().map(|levels| FirmLevelsPolicy {
                firm_ms: levels.firm_ms,
                margin: levels.margin_bps.0,
                budget: levels.budget_usd.0,
            }),
            ..Self::default()
        }
    }
}
