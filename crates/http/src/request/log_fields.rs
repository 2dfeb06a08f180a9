//! What a request is about, for its line in the log and for its span: names that the service gave or knows, and nothing
//! else that a client wrote.

use firmquote_desk::Desk;
use firmquote_domain::{Address, ChainId, PoolId, Quote, QuoteId, Symbol};

use crate::wire::QuoteInput;

/// What a request is about, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogFields {
    pub(crate) chain_id: Option<ChainId>,
    pub(crate) pool: Option<Address>,
    pub(crate) quote_id: Option<QuoteId>,
    pub(crate) input_asset: Option<Symbol>,
    pub(crate) output_asset: Option<Symbol>,
    /// Whether these assets trade: what is counted by them has no more labels than there are pairs.
    pub(crate) is_traded: bool,
}

impl LogFields {
    /// A quote.
    pub(crate) fn from_quote(desk: &Desk, quote: &Quote) -> Self {
        let PoolId { chain_id, address } = quote.pool;
        Self {
            chain_id: Some(chain_id),
            pool: Some(address),
            quote_id: Some(quote.id),
            input_asset: desk.symbol_of(quote.pool, quote.input.token).cloned(),
            output_asset: desk.symbol_of(quote.pool, quote.output.token).cloned(),
            is_traded: true,
        }
    }

    /// A quote that was refused.
    pub(crate) fn from_quote_input(desk: &Desk, input: &QuoteInput<'_>) -> Self {
        let [input_asset, output_asset] = input.symbols().map(|symbol| desk.listed(symbol).cloned());
        let is_traded = desk.trades(input.chain_id(), input.symbols());
        Self { chain_id: Some(input.chain_id()), input_asset, output_asset, is_traded, ..Self::default() }
    }

    /// A signature that was refused.
    pub(crate) fn from_quote_id(quote_id: QuoteId) -> Self {
        Self { quote_id: Some(quote_id), ..Self::default() }
    }
}
