//! The names of keys: `<prefix>:{<quote id>}:quote`, `:claim`, `:record` and `:outcome`; `<prefix>:{<pool>}:minute:...`
//! for each volume total; `<prefix>:{<pool>}:book:7:...` for each part of a book; `<prefix>:{<pool>}:levels:...` and
//! `:budget:...` for firm levels and their usage; `<prefix>:signed` for the ledger; `<prefix>:swaps:<client>`; `<prefix>:paused` and `<prefix>:revoked`;
//! `<prefix>:latched` for the trips of breakers; `<prefix>:operator` for the operator's stream; `<prefix>:hedge:<id>`; `<prefix>:{<pool>}:samples`;
//! `<prefix>:dispatcher` and `<prefix>:delivered` for the lease and the positions of webhooks; `<prefix>:estimates`; `<prefix>:archive`; and `<prefix>:<name>` for each shared hash.
//!
//! In a Cluster the prefix is in braces, a hash tag: all keys are on one node, so that one script changes them at once.

use std::fmt;

use firmquote_domain::{Client, HedgeName, LevelsId, PoolId, QuoteId};

use crate::{LevelBudget, volume::LimitScope};

/// The layout of books: a part of their keys, since releases with different layouts cannot share a book.
const BOOK_LAYOUT: u8 = 7;

/// The prefix of every key, so that several services can share a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPrefix(String);

impl Default for KeyPrefix {
    /// `firmquote`.
    fn default() -> Self {
        Self("firmquote".to_owned())
    }
}

impl KeyPrefix {
    /// The allowed prefixes, for error messages.
    pub const ALLOWED: &str = "1 to 64 letters, digits, '-', '_', '.' and ':'";

    /// Returns the prefix `text`, or `None` if it is not [`Self::ALLOWED`].
    pub fn new(text: &str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        ((1..=64).contains(&text.len()) && text.bytes().all(is_plain)).then(|| Self(text.to_owned()))
    }

    /// The prefix of the same keys in a Cluster: a hash tag.
    pub(super) fn in_cluster(&self) -> Self {
        Self(format!("{{{}}}", self.0))
    }

    pub(super) fn quote_keys(&self, id: QuoteId) -> QuoteKeys {
        let tag = format!("{self}:{{{id}}}:");
        let key = |part: &str| [tag.as_str(), part].concat();
        QuoteKeys { quote: key("quote"), claim: key("claim"), record: key("record"), outcome: key("outcome") }
    }

    pub(super) fn quote(&self, id: QuoteId) -> String {
        format!("{self}:{{{id}}}:quote")
    }

    /// The key of a volume total; no client name can make it collide with another total.
    pub(super) fn volume_total(&self, LimitScope { pool, client }: &LimitScope) -> String {
        match client {
            None => format!("{self}:{{{pool}}}:minute:all"),
            Some(Client::Anonymous) => format!("{self}:{{{pool}}}:minute:anonymous"),
            Some(Client::Named(name)) => format!("{self}:{{{pool}}}:minute:client:{name}"),
        }
    }

    /// The key of the generation in which the totals of `pool` were counted.
    pub(super) fn volume_generation(&self, pool: PoolId) -> String {
        format!("{self}:{{{pool}}}:minute:generation")
    }

    /// The keys of the book of `pool`, in the order in which scripts read them.
    pub(super) fn book(&self, pool: PoolId) -> [String; 7] {
        let tag = format!("{self}:{{{pool}}}:book:{BOOK_LAYOUT}:");
        ["entries", "index", "deadlines", "closed", "changes", "replicas", "restored"]
            .map(|part| [tag.as_str(), part].concat())
    }

    /// The keys of the book of `pool`, then that of the generation of its totals.
    pub(super) fn book_and_totals(&self, pool: PoolId) -> [String; 8] {
        let [entries, index, deadlines, closed, changes, replicas, restored] = self.book(pool);
        [entries, index, deadlines, closed, changes, replicas, restored, self.volume_generation(pool)]
    }

    /// The keys of firm levels, and of the generation of those of their pool.
    pub(super) fn levels(&self, pool: PoolId, id: LevelsId) -> [String; 2] {
        [format!("{self}:{{{pool}}}:levels:{id}"), format!("{self}:{{{pool}}}:levels:generation")]
    }

    /// The keys of what is reserved in a budget: the inputs, and when they expire. No client name can make them collide
    /// with others.
    pub(super) fn level_budget(
        &self,
        LevelBudget { pool, tokens: [input, output], client }: &LevelBudget,
    ) -> [String; 2] {
        let client = client.name().map_or_else(|| "-".to_owned(), |name| format!("={name}"));
        ["inputs", "expiry"].map(|part| format!("{self}:{{{pool}}}:budget:{part}:{input}:{output}:{client}"))
    }

    /// The name of the channel on which changes of any book are announced.
    pub(super) fn book_channel(&self) -> String {
        format!("{self}:books")
    }

    /// The key of the set of revoked credentials.
    pub(super) fn revoked(&self) -> String {
        format!("{self}:revoked")
    }

    /// The key of a reported hedge.
    pub(super) fn hedge(&self, id: &HedgeName) -> String {
        format!("{self}:hedge:{id}")
    }

    /// The key of the set of paused pools.
    pub(super) fn paused(&self) -> String {
        format!("{self}:paused")
    }

    /// The key of the hash of trips, and of the times at which pools were resumed.
    pub(super) fn trips(&self) -> String {
        format!("{self}:latched")
    }

    /// The key of the operator's stream.
    pub(super) fn operator(&self) -> String {
        format!("{self}:operator")
    }

    /// The key of the sorted set of the samples of `pool`, by the number of their interval.
    pub(super) fn samples(&self, pool: PoolId) -> String {
        format!("{self}:{{{pool}}}:samples")
    }

    /// The key of the sorted set of the signed swaps of a client: ids of quotes, by the microsecond of their signature. That
    /// of the anonymous client is never written.
    pub(super) fn signed_swaps(&self, client: &Client) -> String {
        client.name().map_or_else(|| format!("{self}:swaps"), |name| format!("{self}:swaps:{name}"))
    }

    /// The key of the lease of the dispatcher of webhooks, and that of the hash of their positions.
    pub(super) fn deliveries(&self) -> [String; 2] {
        ["dispatcher", "delivered"].map(|part| format!("{self}:{part}"))
    }

    /// The key of the hash of estimates.
    pub(super) fn estimates(&self) -> String {
        format!("{self}:estimates")
    }

    /// The key of the hash that says how far the ledger is archived.
    pub(super) fn archive(&self) -> String {
        format!("{self}:archive")
    }

    /// The key of the stream that every signature is appended to.
    pub(super) fn ledger(&self) -> String {
        format!("{self}:signed")
    }

    /// The key of a shared hash, and the name of its channel.
    pub(super) fn shared_hash(&self, name: &str) -> String {
        format!("{self}:{name}")
    }

    /// The key that health checks write to.
    pub(super) fn probe(&self) -> String {
        format!("{self}:probe")
    }
}

impl fmt::Display for KeyPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The keys of one quote: the first two exist until it is signed, the others from then on.
#[derive(Debug)]
pub(super) struct QuoteKeys {
    /// The unsigned quote; until `must_accept_by`, or until its signature is recorded.
    pub(super) quote: String,
    /// The terms the quote is bound to; until `good_until`, or until its signature is recorded.
    pub(super) claim: String,
    /// Quote, terms and signature; until the end of the retention after `good_until`.
    pub(super) record: String,
    /// How the signed swap ended; as long as the record.
    pub(super) outcome: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_share_a_hash_tag_in_a_cluster() {
        let keys = KeyPrefix::new("firmquote").unwrap().quote_keys(QuoteId::from_bytes([7; 16]));
        assert_eq!(keys.record, "firmquote:{07070707-0707-0707-0707-070707070707}:record");
        let in_cluster = KeyPrefix::new("firmquote").unwrap().in_cluster();
        assert_eq!(
            (in_cluster.ledger().as_str(), in_cluster.paused().as_str()),
            ("{firmquote}:signed", "{firmquote}:paused")
        );
        assert_eq!(keys.quote, KeyPrefix::new("firmquote").unwrap().quote(QuoteId::from_bytes([7; 16])));
    }

    #[test]
    fn a_prefix_adds_neither_a_hash_tag_nor_a_pattern() {
        for text in ["", "a{b}", "a b", "a*", "ü", "a\n", &"a".repeat(65)] {
            assert_eq!(KeyPrefix::new(text), None, "{text}");
        }
    }
}
