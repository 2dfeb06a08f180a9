//! `[pool.signing]`: limits on the signatures of a pool, in addition to those of its contract.

use std::collections::BTreeSet;

use firmquote_desk::{AccountRule, Limit, OutstandingPolicy, SigningPolicy};
use firmquote_domain::{Address, BasisPoints, Usd};
use serde::Deserialize;

use super::accounts;
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        field::Field,
        values::{
            array::{Array, Plural},
            decimal::{BasisPointsLimit, Decimal, NONE, PositiveUsd, UsdLimit},
            integer::{InRange, Plain},
            setting::{Form, OptionalSetting as _, Setting, Syntax},
            text::{FilePath, Text},
        },
    },
};

/// `[pool.signing]`.
#[derive(Default, Deserialize)]
pub(super) struct SigningTable {
    max_trade_usd: Option<Decimal<UsdLimit>>,
    max_usd_per_minute: Option<Decimal<UsdLimit>>,
    max_usd_per_minute_per_client: Option<Decimal<UsdLimit>>,
    max_usd_per_minute_anonymous: Option<Decimal<UsdLimit>>,
    max_outstanding_bps: Option<Decimal<BasisPointsLimit>>,
    max_outstanding_bps_per_client: Option<Decimal<BasisPointsLimit>>,
    max_outstanding_bps_anonymous: Option<Decimal<BasisPointsLimit>>,
    max_outstanding_bps_per_address: Option<Decimal<BasisPointsLimit>>,
    max_outstanding_swaps_per_client: Option<Setting<Option<u32>, AsSwapsLimit>>,
    max_outstanding_impact_bps: Option<Decimal<BasisPointsLimit>>,
    max_outstanding_impact_bps_anonymous: Option<Decimal<BasisPointsLimit>>,
    pause_on_replay: Option<bool>,
    guarantee_min_usd: Option<Decimal<Usd>>,
    /// The maximum value that shares of the pool's value are taken of.
    pool_value_usd: Option<Decimal<PositiveUsd>>,
    allow_destinations: Option<Array<Address>>,
    allow_destinations_file: Option<Text<FilePath>>,
    deny_destinations: Option<Array<Address>>,
    deny_destinations_file: Option<Text<FilePath>>,
    allow_senders: Option<Array<Address>>,
    allow_senders_file: Option<Text<FilePath>>,
    deny_senders: Option<Array<Address>>,
    deny_senders_file: Option<Text<FilePath>>,
}

/// A number of swaps, or `"none"`.
enum AsSwapsLimit {}

impl Form<Option<u32>> for AsSwapsLimit {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<Option<u32>, String> {
        if text == NONE {
            return Ok(None);
        }
        let swaps = InRange::<1, 1_000_000, Plain>::parse(text).map(Some);
        swaps.map_err(|range: String| format!("{range}, or {NONE:?}"))
    }
}

impl Plural for Address {
    const PLURAL: &'static str = "addresses";
}

/// Maximum length of a list of accounts in bytes: some 350,000 lines.
const MAX_LIST_BYTES: usize = 16 << 20;

/// Default limits, as shares of the pool's value in hundredths of a basis point.
const DEFAULT_TRADE_LIMIT: u32 = 100_000;
const DEFAULT_PER_MINUTE: u32 = 500_000;
const DEFAULT_PER_MINUTE_PER_CLIENT: u32 = 200_000;
const DEFAULT_PER_MINUTE_ANONYMOUS: u32 = 10_000;

/// Default limits on outstanding swaps: in hundredths of a basis point, shares of the reserve of the output token, and
/// how far a client may move the price; and the number of swaps.
const DEFAULT_OUTSTANDING: u32 = 200_000;
const DEFAULT_OUTSTANDING_PER_CLIENT: u32 = 100_000;
const DEFAULT_OUTSTANDING_ANONYMOUS: u32 = 2_000;
const DEFAULT_OUTSTANDING_PER_ADDRESS: u32 = 500;
const DEFAULT_OUTSTANDING_SWAPS_PER_CLIENT: u32 = 10_000;
const DEFAULT_OUTSTANDING_IMPACT: u32 = 2_500;
const DEFAULT_OUTSTANDING_IMPACT_ANONYMOUS: u32 = 500;

/// Default `guarantee_min_usd`: 1,000 USD.
const MIN_GUARANTEED: Usd = Usd::new(100_000_000_000);

/// Returns the policy of the table at `field`, for a pool whose latest `confirmations` blocks may still be replaced;
/// without firm levels.
///
/// # Errors
/// [`KeyError`] for an unusable list of accounts.
pub(super) fn policy(table: SigningTable, confirmations: u64, field: &Field<'_>) -> Result<SigningPolicy, KeyError> {
    let value = |limit: Option<Decimal<UsdLimit>>, default| match limit.value() {
        None => BasisPoints::from_hundredths(default).map_or(Limit::None, Limit::Share),
        Some(UsdLimit(limit)) => limit.map_or(Limit::None, Limit::Usd),
    };
    let share = |limit: Option<Decimal<BasisPointsLimit>>, default| match limit.value() {
        None => BasisPoints::from_hundredths(default),
        Some(BasisPointsLimit(limit)) => limit,
    };
    let accounts = |list: Option<Array<Address>>, file: Option<Text<FilePath>>, key| {
        let in_file = file.value().map(|file| read_list(&field.key(key), &file)).transpose()?;
        let lists = [list.map(|list| list.0.into_iter().collect()), in_file];
        let is_present = lists.iter().any(Option::is_some);
        Ok::<_, KeyError>(is_present.then(|| lists.into_iter().flatten().flatten().collect::<BTreeSet<_>>()))
    };
    Ok(SigningPolicy {
        is_unproved: false,
        max_trade: value(table.max_trade_usd, DEFAULT_TRADE_LIMIT),
        max_per_minute: value(table.max_usd_per_minute, DEFAULT_PER_MINUTE),
        max_per_minute_of_client: value(table.max_usd_per_minute_per_client, DEFAULT_PER_MINUTE_PER_CLIENT),
        max_per_minute_of_anonymous: value(table.max_usd_per_minute_anonymous, DEFAULT_PER_MINUTE_ANONYMOUS),
        outstanding: OutstandingPolicy {
            max_share: share(table.max_outstanding_bps, DEFAULT_OUTSTANDING),
            max_share_of_client: share(table.max_outstanding_bps_per_client, DEFAULT_OUTSTANDING_PER_CLIENT),
            max_share_of_anonymous: share(table.max_outstanding_bps_anonymous, DEFAULT_OUTSTANDING_ANONYMOUS),
            max_share_of_network: share(table.max_outstanding_bps_per_address, DEFAULT_OUTSTANDING_PER_ADDRESS),
            max_swaps_of_client: table
                .max_outstanding_swaps_per_client
                .value_or(Some(DEFAULT_OUTSTANDING_SWAPS_PER_CLIENT)),
            max_impact: share(table.max_outstanding_impact_bps, DEFAULT_OUTSTANDING_IMPACT),
            max_impact_of_anonymous: share(
                table.max_outstanding_impact_bps_anonymous,
                DEFAULT_OUTSTANDING_IMPACT_ANONYMOUS,
            ),
            min_guaranteed: table.guarantee_min_usd.value_or(MIN_GUARANTEED),
            confirmations,
        },
        firm_levels: None,
        pause_on_replay: table.pause_on_replay.unwrap_or(true),
        max_pool_value: table.pool_value_usd.value().map(|value| value.0),
        destinations: AccountRule {
            allowed: accounts(table.allow_destinations, table.allow_destinations_file, "allow_destinations_file")?,
            denied: accounts(table.deny_destinations, table.deny_destinations_file, "deny_destinations_file")?
                .unwrap_or_default(),
        },
        senders: AccountRule {
            allowed: accounts(table.allow_senders, table.allow_senders_file, "allow_senders_file")?,
            denied: accounts(table.deny_senders, table.deny_senders_file, "deny_senders_file")?.unwrap_or_default(),
        },
    })
}

/// Reads the accounts of a file.
fn read_list(field: &Field<'_>, file: &FilePath) -> Result<BTreeSet<Address>, KeyError> {
    let contents = field.read_file(file, "addresses, one per line", MAX_LIST_BYTES, FileReaders::All)?;
    accounts::read(&contents).map_err(|allowed| field.not_allowed(allowed.to_string()))
}
