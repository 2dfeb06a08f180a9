//! The output of `quote --json` and `sign --json`, including values derived from the responses and the pool data.
//! [`Document`](super::document::Document) parses it. The member names are stable: scripts rely on them.

use std::{
    fmt,
    io::{self, Write},
};

use firmquote_api::BasisPointsNumber;
use firmquote_domain::{UnixSeconds, WholeTokens};
use firmquote_verify::{PricedSwap, PublishedPool, Recomputation, TokenAmount, candidates, recompute};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    display::{self, compact},
    document::RequestedTerms,
};

/// The unmodified responses, the requested terms and the derived values.
#[derive(Debug, Serialize)]
pub(crate) struct JsonOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quote: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signed: Option<Box<RawValue>>,
    pub(crate) requested: RequestedTerms,
    pub(crate) derived: Derived,
    /// Whole seconds left at the time of printing, by the local clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left_to_accept: Option<u64>,
    /// The pool data of the quote, else that from just before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pool: Option<Box<RawValue>>,
    /// Whether the pool published this data as the state that the quote names.
    pub(crate) pool_is_unchanged: bool,
}

impl JsonOutput {
    /// Writes one line of JSON, whatever whitespace the responses have.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", compact(&serde_json::to_string(self)?))
    }
}

/// Returns a response body unmodified; `None` if it is not JSON, which cannot happen for a response that was parsed.
pub(crate) fn body(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

/// The derived values. The field names are the member names in `--json` output.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Derived {
    /// `None` if the token is not in the pool data.
    pub(crate) input: Option<DerivedAmount>,
    /// `None` if the token is not in the pool data.
    pub(crate) output: Option<DerivedAmount>,
    /// The pool, if only one can have quoted.
    pub(crate) pool_address: Option<String>,
    /// The fee included in the amounts, if known.
    pub(crate) fee_in_basis_points: Option<BasisPointsNumber>,
    pub(crate) time_in_seconds: Option<u32>,
    /// Whether the pricing formula, applied to the pool data, yields the same amounts to the base unit.
    pub(crate) is_recomputed: bool,
    pub(crate) good_until_utc: String,
}

/// An amount in whole tokens, displayed with the symbol of the token.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DerivedAmount {
    pub(crate) symbol: String,
    pub(crate) decimals: u8,
    /// Exact, without trailing zeros.
    pub(crate) tokens: String,
}

impl DerivedAmount {
    /// Converts an amount; `None` if its token is not in the data of these pools.
    pub(crate) fn new(TokenAmount { token, amount }: TokenAmount, pools: &[PublishedPool]) -> Option<Self> {
        let asset = &pools.iter().find_map(|pool| pool.token(token))?.asset;
        Some(Self {
            symbol: asset.symbol.to_string(),
            decimals: asset.decimals.get(),
            tokens: WholeTokens(amount.base_units(), asset.decimals).to_string(),
        })
    }
}

impl fmt::Display for DerivedAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.tokens, self.symbol)
    }
}

impl Derived {
    /// Derives the values from `swap` and the published data of `pools`.
    pub(crate) fn new(swap: &PricedSwap, good_until: UnixSeconds, pools: &[PublishedPool]) -> Self {
        let recomputed = recompute(swap, pools);
        let matching = match recomputed {
            Recomputation::Equal(pool, state) => Some((pool, state)),
            _ => {
                let mut candidates = candidates(swap, pools);
                candidates.next().filter(|_| candidates.next().is_none())
            }
        };
        let is_recomputed = matches!(recomputed, Recomputation::Equal(..));
        // The fee of firm levels covers the time that they hold, and is not published.
        let is_published = swap.levels.is_none() && swap.time_in_seconds.is_some();
        let is_known_fee =
            |pool: &PublishedPool| is_recomputed || is_published && swap.time_in_seconds == Some(pool.time_in_seconds);
        Self {
            input: DerivedAmount::new(swap.input, pools),
            output: DerivedAmount::new(swap.output, pools),
            pool_address: swap.pool.or(matching.map(|(pool, _)| pool.id.address)).map(|address| address.to_string()),
            fee_in_basis_points: matching.filter(|(pool, _)| is_known_fee(pool)).map(|(_, state)| state.fee.into()),
            time_in_seconds: swap.time_in_seconds,
            is_recomputed,
            good_until_utc: display::utc(good_until),
        }
    }
}
