//! `[pool.signing]`: limits on the signatures of a pool, in addition to those of its contract.

use std::collections::BTreeSet;

use firmquote_desk::{AccountRule, Limit, OutstandingPolicy, SigningPolicy};
use firmquote_domain::{Address, BasisPoints, InvalidValue, Usd, parse_address};

use super::accounts;
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        reader::{Field, Keys, Table},
    },
};

pub(super) const KEYS: Keys = Keys::new(&[
    "max_trade_usd",
    "max_usd_per_minute",
    "max_usd_per_minute_per_client",
    "max_usd_per_minute_anonymous",
    "max_outstanding_bps",
    "max_outstanding_bps_per_client",
    "max_outstanding_bps_anonymous",
    "max_outstanding_bps_per_address",
    "max_outstanding_swaps_per_client",
    "max_outstanding_impact_bps",
    "max_outstanding_impact_bps_anonymous",
    "pause_on_replay",
    "guarantee_min_usd",
    "pool_value_usd",
    "allow_destinations",
    "allow_destinations_file",
    "deny_destinations",
    "deny_destinations_file",
    "allow_senders",
    "allow_senders_file",
    "deny_senders",
    "deny_senders_file",
]);

/// Maximum length of a list of accounts in bytes: some 350,000 lines.
const MAX_LIST_BYTES: usize = 16 << 20;

/// Default limits, as shares of the pool's value in hundredths of a basis point.
const DEFAULT_TRADE_LIMIT: u32 = 100_000;
const DEFAULT_PER_MINUTE: u32 = 500_000;
const DEFAULT_PER_MINUTE_PER_CLIENT: u32 = 200_000;
const DEFAULT_PER_MINUTE_ANONYMOUS: u32 = 10_000;

/// Reads the table: `max_trade_usd` (default 10 % of the pool's value), `max_usd_per_minute` (50 %),
/// `max_usd_per_minute_per_client` (20 %) and `max_usd_per_minute_anonymous` (1 %), each above 0 or `"none"`; limits on
/// outstanding swaps, see [`outstanding`]; `pool_value_usd`, the maximum value that these shares are taken of (default:
/// the value at the start); `allow_` and `deny_` lists of `destinations` and `senders`, arrays of addresses or, with
/// `_file`, the path of a file of addresses.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn read(table: &Table<'_>) -> Result<SigningPolicy, KeyError> {
    let limit = |key, share| {
        let share = BasisPoints::from_hundredths(share).map_or(Limit::None, Limit::Share);
        table.field(key).or(share, |field| match field.clone().word(&[("none", Limit::None)]) {
            Ok(none) => Ok(none),
            Err(_) => field.decimal(limit_usd).map(Limit::Usd),
        })
    };
    Ok(SigningPolicy {
        // Of the pool, not of this table.
        is_unproved: false,
        max_trade: limit("max_trade_usd", DEFAULT_TRADE_LIMIT)?,
        max_per_minute: limit("max_usd_per_minute", DEFAULT_PER_MINUTE)?,
        max_per_minute_of_client: limit("max_usd_per_minute_per_client", DEFAULT_PER_MINUTE_PER_CLIENT)?,
        max_per_minute_of_anonymous: limit("max_usd_per_minute_anonymous", DEFAULT_PER_MINUTE_ANONYMOUS)?,
        outstanding: outstanding(table)?,
        firm_levels: None,
        pause_on_replay: table.field("pause_on_replay").or(true, |field| field.boolean())?,
        max_pool_value: table.field("pool_value_usd").optional(|field| field.decimal(usd))?,
        destinations: rule(table, "destinations")?,
        senders: rule(table, "senders")?,
    })
}

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

/// Reads `max_outstanding_bps` (default 2000), `_per_client` (1000), `_anonymous` (20) and `_per_address` (5), each of
/// the reserve of the output token; `max_outstanding_swaps_per_client` (10,000); `max_outstanding_impact_bps` (25) and
/// `_anonymous` (5); each above 0 or `"none"`; and `guarantee_min_usd` (1,000).
fn outstanding(table: &Table<'_>) -> Result<OutstandingPolicy, KeyError> {
    let limit = |key, default| {
        table.field(key).or(BasisPoints::from_hundredths(default), |field| {
            match field.clone().word(&[("none", None)]) {
                Ok(none) => Ok(none),
                Err(_) => field.decimal(limit_bps).map(Some),
            }
        })
    };
    Ok(OutstandingPolicy {
        max_share: limit("max_outstanding_bps", DEFAULT_OUTSTANDING)?,
        max_share_of_client: limit("max_outstanding_bps_per_client", DEFAULT_OUTSTANDING_PER_CLIENT)?,
        max_share_of_anonymous: limit("max_outstanding_bps_anonymous", DEFAULT_OUTSTANDING_ANONYMOUS)?,
        max_share_of_network: limit("max_outstanding_bps_per_address", DEFAULT_OUTSTANDING_PER_ADDRESS)?,
        max_swaps_of_client: table.field("max_outstanding_swaps_per_client").or(
            Some(DEFAULT_OUTSTANDING_SWAPS_PER_CLIENT),
            |field| match field.clone().word(&[("none", None)]) {
                Ok(none) => Ok(none),
                Err(_) => field.integer(1..=1_000_000, ", or \"none\"").map(Some),
            },
        )?,
        max_impact: limit("max_outstanding_impact_bps", DEFAULT_OUTSTANDING_IMPACT)?,
        max_impact_of_anonymous: limit("max_outstanding_impact_bps_anonymous", DEFAULT_OUTSTANDING_IMPACT_ANONYMOUS)?,
        min_guaranteed: table
            .field("guarantee_min_usd")
            .or(MIN_GUARANTEED, |field| field.decimal(Usd::from_decimal))?,
        confirmations: 0,
    })
}

/// Parses a limit in basis points; zero is refused, since it would amount to a pause.
fn limit_bps(text: &str) -> Result<BasisPoints, InvalidValue> {
    const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0.01 to below 10000 basis points, or \"none\"" };
    match BasisPoints::from_decimal(text) {
        Ok(limit) if limit == BasisPoints::default() => Err(RANGE),
        Err(InvalidValue::OutOfRange { .. }) => Err(RANGE),
        parsed => parsed,
    }
}

/// Parses a limit; zero is refused, since it would amount to a pause.
fn limit_usd(text: &str) -> Result<Usd, InvalidValue> {
    const RANGE: InvalidValue =
        InvalidValue::OutOfRange { allowed: "0.00000001 to 184467440737.09551615 USD, or \"none\"" };
    usd(text).map_err(|error| if matches!(error, InvalidValue::TooPrecise { .. }) { error } else { RANGE })
}

/// Parses an amount above zero.
pub(super) fn usd(text: &str) -> Result<Usd, InvalidValue> {
    const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0.00000001 to 184467440737.09551615 USD" };
    match Usd::from_decimal(text) {
        Ok(amount) if amount == Usd::default() => Err(RANGE),
        Err(InvalidValue::OutOfRange { .. }) => Err(RANGE),
        parsed => parsed,
    }
}

fn rule(table: &Table<'_>, what: &str) -> Result<AccountRule, KeyError> {
    let allowed = accounts(table, &format!("allow_{what}"))?;
    Ok(AccountRule { allowed, denied: accounts(table, &format!("deny_{what}"))?.unwrap_or_default() })
}

/// Returns the accounts of a list and of its file; `None` if neither is present.
fn accounts(table: &Table<'_>, key: &str) -> Result<Option<BTreeSet<Address>>, KeyError> {
    let (list, file) = (table.field(key), table.field(&format!("{key}_file")));
    let read = |field: Field<'_>| field.list("addresses")?.iter().map(|entry| entry.value(parse_address)).collect();
    let listed: Option<BTreeSet<Address>> = list.optional(read)?;
    let in_file = file.optional(|field| read_list(&field))?;
    Ok(match (listed, in_file) {
        (None, None) => None,
        (listed, in_file) => Some(listed.into_iter().chain(in_file).flatten().collect()),
    })
}

/// Reads the accounts of a file.
fn read_list(field: &Field<'_>) -> Result<BTreeSet<Address>, KeyError> {
    let contents = field.read_file("addresses, one per line", MAX_LIST_BYTES, FileReaders::All)?;
    accounts::read(&contents).map_err(|allowed| field.not_allowed(allowed.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_limit_is_rejected() {
        assert_eq!(usd("0.00000001"), Ok(Usd::new(1)));
        assert!(usd("0").is_err() && usd("0.00").is_err() && usd("-1").is_err());
    }
}
