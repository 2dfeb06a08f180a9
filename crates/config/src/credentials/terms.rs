//! The terms of a client in its `[[credential]]`.

use std::{collections::BTreeSet, fmt};

use firmquote_desk::ClientTerms;
use firmquote_domain::{Address, ChainId, Symbol, UnixSeconds};
use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use crate::{
    document::values::{
        array::{Array, Plural},
        decimal::{BasisPointsLimit, Decimal, PositiveUsd},
        integer::{AsInteger, Integer, Request},
        setting::{Form, OptionalSetting as _, Setting, Syntax},
        text::FromText,
    },
    time_format,
};

/// The keys of a `[[credential]]` that set terms.
#[derive(Default)]
pub(super) struct TermsTable {
    pub(super) enabled: Option<bool>,
    pub(super) expires_at: Option<Setting<UnixSeconds, AsInstant>>,
    pub(super) chains: Option<ChainIds>,
    pub(super) pools: Option<Array<Address>>,
    pub(super) pairs: Option<Array<PairName>>,
    pub(super) max_trade_usd: Option<Decimal<PositiveUsd>>,
    pub(super) max_usd_per_minute: Option<Decimal<PositiveUsd>>,
    pub(super) max_outstanding_bps: Option<Decimal<BasisPointsLimit>>,
    pub(super) max_requests_per_second: Option<RequestLimit>,
}

/// Requests per second.
pub(super) type RequestLimit = Integer<u32, 1, 1_000_000, Request>;

/// Terms, as read.
#[derive(Clone, PartialEq)]
pub(super) struct ReadTerms {
    pub(super) is_enabled: bool,
    pub(super) expires_at: Option<UnixSeconds>,
    pub(super) max_requests_per_second: Option<u32>,
    pub(super) terms: ClientTerms,
}

impl From<TermsTable> for ReadTerms {
    fn from(table: TermsTable) -> Self {
        let terms = ClientTerms {
            chains: table.chains.map(|ChainIds(chains)| chains),
            pools: table.pools.map(|pools| pools.0.into_iter().collect()),
            pairs: table.pairs.map(|pairs| pairs.0.into_iter().map(|PairName(pair)| pair).collect()),
            max_trade: table.max_trade_usd.value().map(|limit| limit.0),
            max_per_minute: table.max_usd_per_minute.value().map(|limit| limit.0),
            max_outstanding: table.max_outstanding_bps.value().and_then(|limit| limit.0),
        };
        Self {
            is_enabled: table.enabled.unwrap_or(true),
            expires_at: table.expires_at.value(),
            max_requests_per_second: table.max_requests_per_second.value(),
            terms,
        }
    }
}

/// A date, or a date with time and offset, after 1970.
pub(super) enum AsInstant {}

impl Form<UnixSeconds> for AsInstant {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<UnixSeconds, String> {
        let instant = time_format::parse(text).and_then(|instant| u32::try_from(instant.as_second()).ok());
        instant.map(UnixSeconds::new).ok_or_else(|| "a date such as 2026-11-21, or 2026-11-21T12:00:00Z".to_owned())
    }
}

/// A pair of assets, such as `ETH-USDC`.
pub(super) struct PairName([Symbol; 2]);

impl FromText for PairName {
    fn from_text(text: &str) -> Result<Self, String> {
        let pair = || {
            let (first, second) = text.split_once('-')?;
            Some(Self([Symbol::new(first).ok()?, Symbol::new(second).ok()?]))
        };
        pair().ok_or_else(|| "two symbols joined by a hyphen, such as ETH-USDC".to_owned())
    }
}

impl Plural for PairName {
    const PLURAL: &'static str = "pairs such as \"ETH-USDC\"";
}

/// An array of chain ids.
pub(super) struct ChainIds(BTreeSet<ChainId>);

impl<'de> Deserialize<'de> for ChainIds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ChainIdsVisitor).map(Self)
    }
}

struct ChainIdsVisitor;

impl<'de> Visitor<'de> for ChainIdsVisitor {
    type Value = BTreeSet<ChainId>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of chain ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<BTreeSet<ChainId>, A::Error> {
        let mut chains = BTreeSet::new();
        while let Some(chain) = entries.next_element::<Setting<ChainId, AsInteger>>()? {
            chains.insert(chain.0);
        }
        Ok(chains)
    }
}
