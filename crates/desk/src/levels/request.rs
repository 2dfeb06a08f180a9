//! The books that a client requests.

use firmquote_domain::{Address, BasisPoints, ChainId, Client, FeeAdjustment, Pair, PoolId, Symbol, Usd};

use crate::{
    ClientTerms, Desk, DeskError, UnsupportedInput, quoting::directed_pair::unsupported, quoting::price::validate_time,
};

/// The fewest knots of a book: its ends.
pub const MIN_KNOTS: u32 = 2;

/// Maximum number of knots in a book.
pub const MAX_KNOTS: u32 = 64;

/// Default number of knots in a book.
const DEFAULT_KNOTS: u32 = 16;

/// A request for books of levels.
#[derive(Clone, Debug)]
pub struct LevelsRequest<'a> {
    /// The requesting client, whose terms apply.
    pub client: &'a Client,
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// The pool; all pools of the chain when absent.
    pub pool_address: Option<Address>,
    /// The input and the output of each book, joined by a hyphen; all pairs in both directions when empty.
    pub pairs: &'a [String],
    /// Seconds between accepting and landing on chain; the default of each pool when absent.
    pub time_in_seconds: Option<u32>,
    /// The most knots of a book, from [`MIN_KNOTS`] to [`MAX_KNOTS`]; 16 when absent.
    pub max_knots: Option<u32>,
}

/// The terms of clients that a book depends on; the default for clients without terms of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BookTerms {
    pub(super) fee_adjustment: FeeAdjustment,
    max_trade: Option<Usd>,
    max_per_minute: Option<Usd>,
    max_outstanding: Option<BasisPoints>,
}

impl BookTerms {
    /// Whether these are the terms of clients without terms of their own. Only their books are firm.
    pub fn is_standard(&self) -> bool {
        *self == Self::default()
    }

    /// Returns them as the terms of a client.
    pub(super) fn to_client_terms(self) -> ClientTerms {
        let Self { fee_adjustment, max_trade, max_per_minute, max_outstanding } = self;
        ClientTerms { fee_adjustment, max_trade, max_per_minute, max_outstanding, ..ClientTerms::default() }
    }
}

impl From<&ClientTerms> for BookTerms {
    fn from(terms: &ClientTerms) -> Self {
        let ClientTerms { fee_adjustment, max_trade, max_per_minute, max_outstanding, chains: _, pools: _, pairs: _ } =
            *terms;
        Self { fee_adjustment, max_trade, max_per_minute, max_outstanding }
    }
}

/// The key of a book.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelBookKey {
    /// The pool.
    pub pool: PoolId,
    /// The asset paid to the pool.
    pub input: Symbol,
    /// The asset paid by the pool.
    pub output: Symbol,
    /// The time that the fee in the levels is for.
    pub time_in_seconds: u32,
    /// Maximum number of knots.
    pub max_knots: u32,
    /// The terms of the clients that it is for.
    pub terms: BookTerms,
}

impl Desk {
    /// Returns the books that a request selects, in the order of the pools and their pairs: of those, the ones that the
    /// terms of the client include.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for a chain, pool or pair that is not served, [`DeskError::NotAllowed`] for a time
    /// that a pool does not allow, [`DeskError::ClientTerms`] if the terms of the client include none of them, or not a
    /// pair that is named.
    pub fn level_books(&self, request: &LevelsRequest<'_>) -> Result<Vec<LevelBookKey>, DeskError> {
        let max_knots = request.max_knots.unwrap_or(DEFAULT_KNOTS);
        let client_terms = self.client_terms(request.client);
        let terms = client_terms.as_deref().map(BookTerms::from).unwrap_or_default();
        let mut keys = Vec::new();
        let (mut found, mut allowed) = (vec![false; request.pairs.len()], vec![false; request.pairs.len()]);
        for pool in self.pools_of(request.chain_id, request.pool_address)? {
            let spec = pool.spec();
            let mut time = None;
            for [input, output] in spec.pairs.iter().flat_map(Pair::directions) {
                let is_allowed = client_terms.as_ref().is_none_or(|terms| terms.allows(spec.id, [input, output]));
                let mut is_wanted = request.pairs.is_empty();
                for ((name, is_found), is_served) in request.pairs.iter().zip(&mut found).zip(&mut allowed) {
                    let is_named = is_joined(name, input, output);
                    *is_found |= is_named;
                    *is_served |= is_named && is_allowed;
                    is_wanted |= is_named;
                }
                if is_wanted && is_allowed {
                    // The times that another pool allows do not matter.
                    let time_in_seconds = match time {
                        Some(time) => time,
                        None => *time.insert(validate_time(spec, request.time_in_seconds)?),
                    };
                    let [input, output] = [input, output].map(Symbol::clone);
                    keys.push(LevelBookKey { pool: spec.id, input, output, time_in_seconds, max_knots, terms });
                }
            }
        }
        match request.pairs.iter().zip(found).find(|(_, found)| !found) {
            Some((missing, _)) => Err(unsupported(UnsupportedInput::Pairs, missing)),
            None if keys.is_empty() || allowed.contains(&false) => Err(DeskError::ClientTerms),
            None => Ok(keys),
        }
    }
}

/// Whether `name` is both symbols joined by a hyphen, which either may also contain.
fn is_joined(name: &str, input: &Symbol, output: &Symbol) -> bool {
    let rest = name.strip_prefix(input.as_str()).and_then(|rest| rest.strip_prefix('-'));
    rest == Some(output.as_str())
}
