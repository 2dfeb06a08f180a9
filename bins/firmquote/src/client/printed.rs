//! What `quote --json` and `sign --json` print, with what follows from the answers and the pool's data;
//! [`Document`](super::document::Document) reads it. Scripts rely on its names.

use std::io::{self, Write};

use firmquote_domain::{Address, Amount, BasisPoints, UnixSeconds};
use firmquote_verify::{PublishedPool, QuotedSwap, Recomputation, candidates, recompute};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

use super::{document::RequestedTerms, pool_sets::PoolSets, time_format, whole_tokens::WholeTokens};

/// The answers as they came, with what was asked and what follows.
#[derive(Debug, Serialize)]
pub(crate) struct JsonOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quote: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signed: Option<Box<RawValue>>,
    pub(crate) asked: RequestedTerms,
    pub(crate) derived: Derived,
    /// Whole seconds at the moment of printing, by this machine's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left_to_accept: Option<u64>,
    /// Pool data that was read just before the quote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pool: Option<PoolSets>,
    /// Whether the pool published the same again just after the quote.
    pub(crate) pool_is_still: bool,
}

impl JsonOutput {
    /// Writes one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

/// The body of an answer as it came; `None` if it is no JSON, which no answer that was read is.
pub(crate) fn body(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

/// Everything that is derived. Its names are those of `--json`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Derived {
    /// Absent where the token is not in the pool data.
    pub(crate) input: Option<DerivedAmount>,
    /// Absent where the token is not in the pool data.
    pub(crate) output: Option<DerivedAmount>,
    /// The pool, where only one can have quoted it.
    pub(crate) pool_address: Option<String>,
    /// The fee that the amounts hold, where it is known.
    #[serde(serialize_with = "exact")]
    pub(crate) fee_in_basis_points: Option<BasisPoints>,
    pub(crate) time_in_seconds: Option<u32>,
    /// Whether the formula gives the amounts on the pool data, to the base unit.
    pub(crate) is_recomputed: bool,
    pub(crate) good_until_utc: String,
}

/// An amount in whole tokens.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DerivedAmount {
    pub(crate) symbol: String,
    pub(crate) decimals: u8,
    /// Exact, without trailing zeros.
    pub(crate) tokens: String,
}

impl Derived {
    /// What follows from `swap` with what `pools` publish.
    pub(crate) fn new(swap: &QuotedSwap, good_until: UnixSeconds, pools: &[PublishedPool]) -> Self {
        let recomputed = recompute(swap, pools);
        let known = match recomputed {
            Recomputation::Equal(pool, state) => Some((pool, state)),
            _ => {
                let mut candidates = candidates(swap, pools);
                candidates.next().filter(|_| candidates.next().is_none())
            }
        };
        let is_recomputed = matches!(recomputed, Recomputation::Equal(..));
        let is_known_fee = |pool: &PublishedPool| is_recomputed || swap.time_in_seconds == Some(pool.time_in_seconds);
        Self {
            input: amount(swap.input, pools),
            output: amount(swap.output, pools),
            pool_address: swap.pool.or(known.map(|(pool, _)| pool.id.address)).map(|address| address.to_string()),
            fee_in_basis_points: known.filter(|(pool, _)| is_known_fee(pool)).map(|(_, state)| state.fee),
            time_in_seconds: swap.time_in_seconds,
            is_recomputed,
            good_until_utc: time_format::utc(good_until),
        }
    }
}

fn amount((token, amount): (Address, Amount), pools: &[PublishedPool]) -> Option<DerivedAmount> {
    let asset = &pools.iter().find_map(|pool| pool.token(token))?.asset;
    Some(DerivedAmount {
        symbol: asset.symbol.to_string(),
        decimals: asset.decimals.get(),
        tokens: WholeTokens(amount.base_units(), asset.decimals).to_string(),
    })
}

/// A number with its own digits, as the service writes it.
fn exact<S: Serializer>(fee: &Option<BasisPoints>, output: S) -> Result<S::Ok, S::Error> {
    let raw = fee.map(|fee| RawValue::from_string(fee.to_string())).transpose();
    raw.map_err(S::Error::custom)?.serialize(output)
}
