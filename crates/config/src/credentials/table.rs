//! `[[credential]]`, as it stands in a file.

use firmquote_desk::ClientTerms;
use firmquote_domain::{Address, FeeAdjustment, UnixSeconds};
use firmquote_http::{ApiKeyHash, ClientName, PasswordHash, Username};
use serde::Deserialize;

use super::terms::{AsInstant, ChainIds, PairName, ReadTerms, RequestLimit};
use crate::{
    document::values::{
        array::Array,
        decimal::{BasisPointsLimit, Decimal, PositiveUsd},
        setting::{Form, OptionalSetting as _, Setting, Syntax},
        text::Text,
    },
    time_format,
};

/// A `[[credential]]`: `client`, the name that owns quotes and appears in the log; then either `api_key_sha256`, or
/// `username` and `password_hash` for the deprecated Basic scheme. A client may have several.
#[derive(Deserialize)]
pub(crate) struct CredentialTable {
    pub(super) client: Text<ClientName>,
    pub(super) api_key_sha256: Option<Text<ApiKeyHash>>,
    pub(super) username: Option<Text<Username>>,
    pub(super) password_hash: Option<Text<PasswordHash>>,
    /// For information.
    #[serde(rename = "created_at")]
    _created_at: Option<Setting<(), AsDate>>,
    enabled: Option<bool>,
    expires_at: Option<Setting<UnixSeconds, AsInstant>>,
    chains: Option<ChainIds>,
    pools: Option<Array<Address>>,
    pairs: Option<Array<PairName>>,
    fee_adjust_bps: Option<Decimal<FeeAdjustment>>,
    max_trade_usd: Option<Decimal<PositiveUsd>>,
    max_usd_per_minute: Option<Decimal<PositiveUsd>>,
    max_outstanding_bps: Option<Decimal<BasisPointsLimit>>,
    max_requests_per_second: Option<RequestLimit>,
}

impl CredentialTable {
    /// Takes the keys that set terms.
    pub(super) fn take_terms(&mut self) -> ReadTerms {
        let terms = ClientTerms {
            chains: self.chains.take().map(|ChainIds(chains)| chains),
            pools: self.pools.take().map(|pools| pools.0.into_iter().collect()),
            pairs: self.pairs.take().map(|pairs| pairs.0.into_iter().map(|PairName(pair)| pair).collect()),
            fee_adjustment: self.fee_adjust_bps.take().value().unwrap_or_default(),
            max_trade: self.max_trade_usd.take().value().map(|limit| limit.0),
            max_per_minute: self.max_usd_per_minute.take().value().map(|limit| limit.0),
            max_outstanding: self.max_outstanding_bps.take().value().and_then(|limit| limit.0),
        };
        ReadTerms {
            is_enabled: self.enabled.take().unwrap_or(true),
            expires_at: self.expires_at.take().value(),
            max_requests_per_second: self.max_requests_per_second.take().value(),
            terms,
        }
    }
}

/// A date of any year.
enum AsDate {}

impl Form<()> for AsDate {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<(), String> {
        time_format::parse(text).map(drop).ok_or_else(|| "a date such as 2026-11-21".to_owned())
    }
}
