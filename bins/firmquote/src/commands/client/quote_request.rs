//! Builds a quote request from the command line, resolving assets and amounts with pool data.

use firmquote_client::{PoolRequest, Quote, QuoteRequest, SwapAmount};
use firmquote_domain::{Amount, Asset, ChainId, U256, WholeTokens, parse_address};
use firmquote_verify::PublishedPool;

use crate::{
    cli::{Pools, QuoteArguments},
    client::{
        document::{FixedSideName, RequestedTerms},
        failure::Failure,
    },
};

/// A quote request, and the assets that the quote must be for.
pub(super) struct QuoteTarget<'p> {
    pub(super) request: QuoteRequest,
    input: &'p Asset,
    output: &'p Asset,
    is_in_base_units: bool,
}

impl<'p> QuoteTarget<'p> {
    /// Builds the request from `arguments`, resolving assets in `pools`.
    pub(super) fn new(arguments: &QuoteArguments, chain: ChainId, pools: &'p [PublishedPool]) -> Result<Self, Failure> {
        let (input, output) = (find_asset(&arguments.input, pools)?, find_asset(&arguments.output, pools)?);
        // clap ensures that exactly one of the two amounts is set.
        let (text, option, asset, fixed): (_, _, _, fn(Amount) -> SwapAmount) =
            match (&arguments.input_amount, &arguments.output_amount) {
                (Some(text), _) => (text.as_str(), "--in", input, SwapAmount::ExactInput),
                (None, text) => (text.as_deref().unwrap_or_default(), "--out", output, SwapAmount::ExactOutput),
            };
        let amount = if arguments.base_units {
            text.parse().map_err(|error| Failure::usage(format!("{option} {text}: {error}")))?
        } else {
            let whole = Amount::from_tokens(text, asset.decimals);
            whole.map_err(|error| Failure::usage(format!("{option} {text} {}: {error}", asset.symbol)))?
        };
        let Pools { pool_address, time_in_seconds, .. } = arguments.pools;
        let request = QuoteRequest::new(chain, input.symbol.clone(), output.symbol.clone(), fixed(amount));
        let levels_id = arguments.levels_id;
        let request = QuoteRequest { time_in_seconds, pool_address, levels_id, ..request };
        Ok(Self { request, input, output, is_in_base_units: arguments.base_units })
    }

    /// Returns the requested swap in the form of documents.
    pub(super) fn requested_terms(&self) -> RequestedTerms {
        let amount = self.request.amount;
        RequestedTerms {
            fixed: Some(FixedSideName(amount.side())),
            fixed_amount: Some(amount.amount().into()),
            input: Some(self.input.address.into()),
            output: Some(self.output.address.into()),
            pool_address: self.request.pool_address.map(Into::into),
            levels_id: self.request.levels_id.map(Into::into),
            ..RequestedTerms::default()
        }
    }

    /// Converts the bound in a refusal to the units of the command line: "at most 216.32 ETH".
    pub(super) fn in_command_units(&self, message: &str) -> String {
        let asset = match message.split('_').next() {
            Some("input") => self.input,
            Some("output") => self.output,
            _ => return message.to_owned(),
        };
        let bound = [" at most ", " at least "].into_iter().find_map(|words| {
            let (before, rest) = message.split_once(words)?;
            let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            Some((before, words, U256::from_str_radix(digits, 10).ok()?, after))
        });
        match bound {
            Some((before, words, units, after)) if !self.is_in_base_units => {
                format!("{before}{words}{} {}{after}", WholeTokens(units, asset.decimals), asset.symbol)
            }
            _ => message.to_owned(),
        }
    }

    /// Checks that the tokens of `quote` are those in the pool data.
    pub(super) fn check(&self, quote: &Quote) -> Result<(), Failure> {
        let sides = [(quote.input_asset_address, self.input), (quote.output_asset_address, self.output)];
        for (quoted_token, Asset { symbol, address, .. }) in sides {
            if quoted_token != *address {
                let message =
                    format!("the quote is for the token {quoted_token}, but {symbol} is {address} in the pool data");
                return Err(Failure::permanent(message));
            }
        }
        Ok(())
    }
}

impl Pools {
    /// Builds the request for the data of these pools of a chain.
    pub(super) const fn request(&self, chain_id: ChainId) -> PoolRequest {
        let Self { pool_address, time_in_seconds, .. } = *self;
        PoolRequest { chain_id, pool_address, time_in_seconds, state_id: None }
    }
}

/// Finds the asset with this symbol or address, which must be the same token in all pools that list it.
fn find_asset<'p>(name: &str, pools: &'p [PublishedPool]) -> Result<&'p Asset, Failure> {
    let mut found = pools.iter().filter_map(|pool| pool.asset(name)).map(|one| &one.asset);
    let Some(first) = found.next() else {
        // A symbol may start with 0x too, so this is checked only after the lookup failed.
        if name.starts_with("0x")
            && let Err(error) = parse_address(name)
        {
            return Err(Failure::usage(format!("{name}: {error}")));
        }
        let mut symbols: Vec<_> =
            pools.iter().flat_map(|pool| &pool.assets).map(|one| one.asset.symbol.as_str()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        return Err(Failure::permanent(format!(
            "{name} is not listed in these pools, allowed: {}",
            symbols.join(", ")
        )));
    };
    let is_same = |other: &Asset| (other.address, other.decimals) == (first.address, first.decimals);
    if !found.all(is_same) {
        return Err(Failure::usage(format!("{name} is a different token in different pools: use --pool-address")));
    }
    Ok(first)
}
