//! The names of keys: `<prefix>:{<quote id>}:quote`, `:claim` and `:record`, `<prefix>:{<pool>}:minute:...` of each total,
//! the ledger's `<prefix>:signed`, `<prefix>:paused`, and `<prefix>:<name>` of each board.
//!
//! The braces are the hash tag that keeps the keys of one quote, and the totals of one pool, on one node of a Cluster.

use std::fmt;

use firmquote_domain::{Client, PoolId, QuoteId};

use crate::volume::LimitScope;

/// What every key starts with, so that several services can share a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPrefix(String);

impl KeyPrefix {
    /// What a prefix may be.
    pub const ALLOWED: &str = "1 to 64 letters, digits, '-', '_', '.' and ':'";

    /// The prefix `text`, or `None` if it is not [`Self::ALLOWED`].
    pub fn new(text: &str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        ((1..=64).contains(&text.len()) && text.bytes().all(is_plain)).then(|| Self(text.to_owned()))
    }

    pub(super) fn of_quote(&self, id: QuoteId) -> QuoteKeys {
        let tag = format!("{self}:{{{id}}}:");
        let key = |part: &str| [tag.as_str(), part].concat();
        QuoteKeys { quote: key("quote"), claim: key("claim"), record: key("record") }
    }

    pub(super) fn quote(&self, id: QuoteId) -> String {
        format!("{self}:{{{id}}}:quote")
    }

    /// What is signed in a minute; no name of a client makes it another's.
    pub(super) fn minute(&self, LimitScope { pool, client }: &LimitScope) -> String {
        match client {
            None => format!("{self}:{{{pool}}}:minute:all"),
            Some(Client::Anonymous) => format!("{self}:{{{pool}}}:minute:anonymous"),
            Some(Client::Named(name)) => format!("{self}:{{{pool}}}:minute:client:{name}"),
        }
    }

    /// The generation of the server that counted them.
    pub(super) fn minute_generation(&self, pool: PoolId) -> String {
        format!("{self}:{{{pool}}}:minute:generation")
    }

    /// The set of pools that are paused.
    pub(super) fn paused(&self) -> String {
        format!("{self}:paused")
    }

    /// The stream that every signature is appended to.
    pub(super) fn ledger(&self) -> String {
        format!("{self}:signed")
    }

    /// The hash of a board, and the channel beside it.
    pub(super) fn board(&self, name: &str) -> String {
        format!("{self}:{name}")
    }

    /// What a sign of life is written to.
    pub(super) fn probe(&self) -> String {
        format!("{self}:probe")
    }
}

impl fmt::Display for KeyPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The keys of one quote, at most two of which exist at a time.
#[derive(Debug)]
pub(super) struct QuoteKeys {
    /// The quote as it was made; until `must_accept_by`, or until its signature is recorded.
    pub(super) quote: String,
    /// The terms it is bound to; until `good_until`, or until its signature is recorded.
    pub(super) claim: String,
    /// Quote, terms and signature; until `good_until` and the retention after it.
    pub(super) record: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_quote_share_its_hash_tag() {
        let keys = KeyPrefix::new("firmquote").unwrap().of_quote(QuoteId::from_bytes([7; 16]));
        assert_eq!(keys.record, "firmquote:{07070707-0707-0707-0707-070707070707}:record");
        assert_eq!(keys.quote, KeyPrefix::new("firmquote").unwrap().quote(QuoteId::from_bytes([7; 16])));
    }

    #[test]
    fn a_prefix_brings_no_hash_tag_and_no_pattern_of_its_own() {
        for text in ["", "a{b}", "a b", "a*", "ü", "a\n", &"a".repeat(65)] {
            assert_eq!(KeyPrefix::new(text), None, "{text}");
        }
    }
}
