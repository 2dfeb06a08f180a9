//! What the desk can be asked.

use firmquote_domain::{Address, ChainId, Client, QuoteId, Terms};
use firmquote_pricing::Fixed;

/// Asks for a firm quote.
#[derive(Clone, Debug)]
pub struct QuoteRequest<'a> {
    /// Who asks; the quote will be its own.
    pub client: Client,
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// Symbol of the asset to give.
    pub input_symbol: &'a str,
    /// Symbol of the asset to get.
    pub output_symbol: &'a str,
    /// Which amount is fixed, and its size.
    pub amount: Fixed,
    /// Seconds between accepting and landing on chain; the pool's default when absent.
    pub time_in_seconds: Option<u32>,
    /// The pool to ask; the best one when absent.
    pub pool_address: Option<Address>,
}

/// Asks for the signature of a quote.
#[derive(Clone, Debug)]
pub struct SignRequest {
    /// Who asks; only the quote's own client is answered.
    pub client: Client,
    /// The quote.
    pub quote_id: QuoteId,
    /// The terms to bind it to.
    pub terms: Terms,
}
