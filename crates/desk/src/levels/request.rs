//! The books that a client requests.

use firmquote_domain::{Address, ChainId, Pair, PoolId, Symbol};

use crate::{Desk, DeskError, UnsupportedInput, quoting::directed_pair::unsupported, quoting::price::validate_time};

/// The fewest knots of a book: its ends.
pub const MIN_KNOTS: u32 = 2;

/// Maximum number of knots in a book.
pub const MAX_KNOTS: u32 = 64;

/// Default number of knots in a book.
const DEFAULT_KNOTS: u32 = 16;

/// A request for books of levels.
#[derive(Clone, Debug)]
pub struct LevelsRequest<'a> {
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
}

impl Desk {
    /// Returns the books that a request selects, in the order of the pools and their pairs.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for a chain, pool or pair that is not served, [`DeskError::NotAllowed`] for a time
    /// that a pool does not allow.
    pub fn level_books(&self, request: &LevelsRequest<'_>) -> Result<Vec<LevelBookKey>, DeskError> {
        let max_knots = request.max_knots.unwrap_or(DEFAULT_KNOTS);
        let mut keys = Vec::new();
        let mut found = vec![false; request.pairs.len()];
        for pool in self.pools_of(request.chain_id, request.pool_address)? {
            let spec = pool.spec();
            let mut time = None;
            for [input, output] in spec.pairs.iter().flat_map(Pair::directions) {
                let mut is_wanted = request.pairs.is_empty();
                for (name, is_found) in request.pairs.iter().zip(&mut found) {
                    let is_named = is_joined(name, input, output);
                    *is_found |= is_named;
                    is_wanted |= is_named;
                }
                if is_wanted {
                    // The times that another pool allows do not matter.
                    let time_in_seconds = match time {
                        Some(time) => time,
                        None => *time.insert(validate_time(spec, request.time_in_seconds)?),
                    };
                    let [input, output] = [input, output].map(Symbol::clone);
                    keys.push(LevelBookKey { pool: spec.id, input, output, time_in_seconds, max_knots });
                }
            }
        }
        match request.pairs.iter().zip(found).find(|(_, found)| !found) {
            Some((missing, _)) => Err(unsupported(UnsupportedInput::Pairs, missing)),
            None => Ok(keys),
        }
    }
}

/// Whether `name` is both symbols joined by a hyphen, which either may also contain.
fn is_joined(name: &str, input: &Symbol, output: &Symbol) -> bool {
    let rest = name.strip_prefix(input.as_str()).and_then(|rest| rest.strip_prefix('-'));
    rest == Some(output.as_str())
}
