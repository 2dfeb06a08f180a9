//! The keys of a `[[pool]]`.

use firmquote_domain::{
    Address, BasisPoints, ChainId, GoodUntilKind, MAX_REORG_DEPTH, PoolConstant, SettlementCheck, Symbol, U256, Usd,
};
use serde::Deserialize;

use super::{asset::AssetTable, breakers::BreakersTable, levels::LevelsTable, pair::PairTable, signing::SigningTable};
use crate::document::{
    deserializer::Tables,
    values::{
        array::{Array, Plural},
        decimal::{BasisPointsLimit, Decimal, Share},
        integer::{AsInteger, BaseUnits, Block, Integer, Second},
        setting::{Form, Setting, Syntax},
        text::{Contract, FromText, Label, Text, word},
    },
};

/// A `[[pool]]`.
#[derive(Deserialize)]
pub(crate) struct PoolTable {
    pub(super) chain_id: Setting<ChainId, AsInteger>,
    pub(super) address: Setting<Address, Contract>,
    /// The name of a signer, required.
    pub(super) signer: Option<Setting<String, SignerName>>,
    pub(super) domain: DomainTable,
    pub(super) good_until: Text<GoodUntilKind>,
    pub(super) k: Decimal<PoolConstant>,
    pub(super) max_improvement_bps: Option<Decimal<BasisPointsLimit>>,
    pub(super) acceptance_window_seconds: Option<Integer<u32, 1, 3_600, Second>>,
    pub(super) min_time_in_seconds: Option<RequestTime>,
    pub(super) default_time_in_seconds: Option<RequestTime>,
    pub(super) max_time_in_seconds: Option<RequestTime>,
    pub(super) last_look_tolerance_bps: Option<Decimal<BasisPoints>>,
    pub(super) min_trade_usd: Option<Decimal<Usd>>,
    pub(super) settlement: Option<Text<SettlementCheck>>,
    pub(super) single_use: Option<bool>,
    pub(super) accept_unproved: Option<Array<Unproved>>,
    pub(super) least_fee_share: Option<Decimal<Share>>,
    pub(super) confirmations: Option<Integer<u64, 0, MAX_REORG_DEPTH, Block>>,
    pub(super) swaps_enabled: Option<bool>,
    pub(super) pool_tokens: Option<BaseUnits<U256>>,
    pub(super) reserves: Option<Text<ReservesSource>>,
    pub(super) signing: SigningTable,
    pub(super) levels: LevelsTable,
    pub(super) breakers: BreakersTable,
    pub(super) asset: Tables<AssetTable>,
    pub(super) pair: Tables<PairTable>,
}

impl PoolTable {
    /// Returns the symbols of its tokens.
    pub(crate) fn token_symbols(self) -> impl Iterator<Item = ((ChainId, Address), Symbol)> {
        let chain_id = self.chain_id.0;
        self.asset.0.into_iter().map(move |asset| ((chain_id, asset.address.0), asset.symbol.0))
    }
}

type RequestTime = Integer<u32, 1, 86_400, Second>;

/// The name of a signer.
pub(super) enum SignerName {}

impl Form<String> for SignerName {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        if text.is_empty() { Err("the name of a [[signer]]".to_owned()) } else { Ok(text.to_owned()) }
    }
}

/// An entry of `accept_unproved`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unproved {
    SingleUse,
    Domain,
}

impl FromText for Unproved {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("single_use", Self::SingleUse), ("domain", Self::Domain)], text)
    }
}

impl Plural for Unproved {
    const PLURAL: &'static str = "\"single_use\" and \"domain\"";
}

/// `reserves` of a pool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReservesSource {
    Static,
    Chain,
}

impl FromText for ReservesSource {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("static", Self::Static), ("chain", Self::Chain)], text)
    }
}

/// `domain` of a pool.
#[derive(Deserialize)]
pub(super) struct DomainTable {
    pub(super) name: Label<128>,
    pub(super) version: Label<128>,
}

impl FromText for GoodUntilKind {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[Self::Verified, Self::Plain].map(|kind| (kind.name(), kind)), text)
    }
}

impl FromText for SettlementCheck {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("curve", Self::Curve), ("price", Self::Price)], text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Documented;

    #[test]
    fn the_documentation_describes_exactly_the_keys() {
        Documented::in_sections(&["`[[pool]]`"]).has_only::<PoolTable>();
        Documented::in_sections(&["`[pool.levels]`"]).has_only::<LevelsTable>();
        Documented::in_sections(&["`[pool.signing]`"]).has_only::<SigningTable>();
        Documented::in_sections(&["`[pool.breakers]`"]).has_only::<BreakersTable>();
        Documented::in_sections(&["`[[pool.asset]]`"]).has_only::<AssetTable>();
        Documented::in_sections(&["`[[pool.pair]]`"]).has_only::<PairTable>();
    }
}
