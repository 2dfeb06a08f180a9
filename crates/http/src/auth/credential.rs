//! A credential of a client, and what the client may trade with it.

use std::collections::BTreeMap;

use firmquote_desk::ClientTerms;
use firmquote_domain::{Address, ChainId, Symbol, UnixSeconds};

use super::{ApiKeyHash, ClientName, PasswordHash, Username};

/// A credential of a client. Contains only hashes, which grant no access. A client may have several credentials.
#[derive(Clone, PartialEq)]
pub enum Credential {
    /// An API key.
    ApiKey {
        /// The client that owns the key.
        client: ClientName,
        /// The hash of the key.
        hash: ApiKeyHash,
    },
    /// Username and password of the deprecated Basic scheme.
    Basic {
        /// The client that owns the login.
        client: ClientName,
        /// The username of the login.
        username: Username,
        /// The hash of the password.
        password: PasswordHash,
    },
}

impl Credential {
    /// Returns the id that commands and entries show: the first 12 hex digits of the hash of an API key, or the username.
    pub fn id(&self) -> String {
        match self {
            Self::ApiKey { hash, .. } => hash.id(),
            Self::Basic { username, .. } => username.as_str().to_owned(),
        }
    }

    /// Returns the client that owns the credential.
    pub const fn client(&self) -> &ClientName {
        match self {
            Self::ApiKey { client, .. } | Self::Basic { client, .. } => client,
        }
    }
}

/// A credential with the terms of its client.
#[derive(Clone, PartialEq)]
pub struct ClientCredential {
    /// The credential.
    pub credential: Credential,
    /// Whether it is accepted at all.
    pub is_enabled: bool,
    /// When it stops being accepted, if ever.
    pub expires_at: Option<UnixSeconds>,
    /// The most requests per second of its client, on each replica; `None` for the limit of all clients.
    pub max_requests_per_second: Option<u32>,
    /// What its client may trade. The last credential of a client with any terms counts.
    pub terms: ClientTerms,
}

impl ClientCredential {
    /// Returns the terms that it has, by their keys in the configuration, as texts.
    pub fn written_terms(&self) -> BTreeMap<&'static str, String> {
        let Self { credential: _, is_enabled, expires_at, max_requests_per_second, terms } = self;
        let ClientTerms { chains, pools, pairs, fee_adjustment, max_trade, max_per_minute, max_outstanding } = terms;
        let pair = |[first, second]: &[Symbol; 2]| format!("{first}-{second}");
        let texts = [
            ("enabled", (!is_enabled).then(|| "false".to_owned())),
            ("expires_at", expires_at.map(|second| second.get().to_string())),
            ("max_requests_per_second", max_requests_per_second.map(|limit| limit.to_string())),
            ("chains", chains.as_ref().map(|chains| list(chains.iter().map(ChainId::to_string)))),
            ("pools", pools.as_ref().map(|pools| list(pools.iter().map(Address::to_string)))),
            ("pairs", pairs.as_ref().map(|pairs| list(pairs.iter().map(pair)))),
            ("fee_adjust_bps", (!fee_adjustment.is_none()).then(|| fee_adjustment.to_string())),
            ("max_trade_usd", max_trade.map(|limit| limit.to_string())),
            ("max_usd_per_minute", max_per_minute.map(|limit| limit.to_string())),
            ("max_outstanding_bps", max_outstanding.map(|limit| limit.to_string())),
        ];
        texts.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}

impl From<Credential> for ClientCredential {
    fn from(credential: Credential) -> Self {
        Self {
            credential,
            is_enabled: true,
            expires_at: None,
            max_requests_per_second: None,
            terms: ClientTerms::default(),
        }
    }
}
