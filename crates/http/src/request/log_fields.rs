//! The log fields of a request, for its access log line and its span: names that the service assigned or knows, and no
//! other client input.

use firmquote_desk::Desk;
use firmquote_domain::{Address, ChainId, PoolId, Quote, QuoteId, Symbol};

use crate::wire::QuoteInput;

/// The known log fields of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogFields {
    pub(crate) chain_id: Option<ChainId>,
    pub(crate) pool: Option<Address>,
    pub(crate) quote_id: Option<QuoteId>,
    pub(crate) input_asset: Option<Symbol>,
    pub(crate) output_asset: Option<Symbol>,
    /// Whether the service trades this pair. Metrics are labeled by traded pairs only, which bounds the number of
    /// series.
    pub(crate) is_traded: bool,
}

impl LogFields {
    /// Returns the log fields of a quote.
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

    /// Returns the log fields of a rejected quote request.
    pub(crate) fn from_quote_input(desk: &Desk, input: &QuoteInput<'_>) -> Self {
        let [input_asset, output_asset] = input.assets().map(|asset| desk.find_symbol(asset).cloned());
        let is_traded = desk.trades(input.chain_id(), input.assets());
        Self { chain_id: Some(input.chain_id()), input_asset, output_asset, is_traded, ..Self::default() }
    }

    /// Returns the log fields of a rejected signature request.
    pub(crate) fn from_quote_id(quote_id: QuoteId) -> Self {
        Self { quote_id: Some(quote_id), ..Self::default() }
    }
}
