//! The terms of a client in its `[[credential]]`.

use std::{collections::BTreeSet, fmt};

use firmquote_desk::ClientTerms;
use firmquote_domain::{ChainId, Symbol, UnixSeconds};
use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use crate::{
    document::values::{
        array::Plural,
        integer::{AsInteger, Integer, Request},
        setting::{Form, Setting, Syntax},
        text::FromText,
    },
    time_format,
};

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
pub(super) struct PairName(pub(super) [Symbol; 2]);

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
pub(super) struct ChainIds(pub(super) BTreeSet<ChainId>);

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
