//! Consistency checks of the responses: rate and values of a quote match its amounts and the signed prices, and the
//! signed terms match the quote, the request and the expected destination.

use firmquote_api::{Quote, SignedSwap};
use firmquote_domain::{Address, Amount, Decimals, FixedSide, GoodUntil, PoolConstant, PoolId, Price};
use firmquote_pricing::{rate, value_in_usd};

use crate::{
    Check, CheckStatus, Difference, PublishedPool, PublishedPools, QuotedLevels, RequestedSwap, check::compare,
    implied_prices::price_of,
};

/// Maximum relative deviation of a rate from the quotient of the amounts: a few units in the last place of a double.
const RATE_TOLERANCE: f64 = 1e-14;

/// Checks a quote for consistency with itself and with `signed`, using the decimals published by `pools`; `None` if no
/// pool lists its tokens.
pub(crate) fn check_values(quote: &Quote, signed: Option<&SignedSwap>, pools: &[PublishedPool]) -> Option<Check> {
    let same_chain = || pools.iter().filter(|pool| quote.chain_id == pool.id.chain_id);
    let listed = |token| {
        same_chain().find_map(|pool| pool.token(token)).map(|published| (published.asset.decimals, published.price))
    };
    let (input, output) = (listed(*quote.input_asset_address)?, listed(*quote.output_asset_address)?);
    let mut differences = Vec::new();
    let expected = rate((*quote.input_amount, input.0), (*quote.output_amount, output.0));
    let is_expected_rate = (*quote.rate / expected - 1.0).abs() <= RATE_TOLERANCE;
    if !is_expected_rate {
        differences.push(Difference { field: "rate", actual: quote.rate.to_string(), expected: expected.to_string() });
    }
    let mut value = |field, value: f64, amount: Amount, (decimals, price): (Decimals, Price), signed: Option<Price>| {
        let at_signed = signed.map(|price| value_in_usd(amount, price, decimals));
        let is_consistent = match at_signed {
            Some(expected) => value.to_bits() == expected.to_bits(),
            None => price_of(value, amount, decimals, price).is_some(),
        };
        if !is_consistent {
            let unsigned = || "the amount at a price with 8 decimals".to_owned();
            let expected = at_signed.map_or_else(unsigned, |expected| expected.to_string());
            differences.push(Difference { field, actual: value.to_string(), expected });
        }
    };
    let (input_price, output_price) = signed.and_then(signed_prices).unzip();
    value("input_value_in_usd", *quote.input_value_in_usd, *quote.input_amount, input, input_price);
    value("output_value_in_usd", *quote.output_value_in_usd, *quote.output_amount, output, output_price);
    Some(Check::from_differences(
        "values",
        differences,
        "rate and values in US dollars match the amounts",
        "the quote contradicts itself: rate or values in US dollars do not match the amounts",
    ))
}

/// Checks that state and fee of `quote` are those of the pool data published for it; `None` if the data is of another
/// moment, or nothing can be compared. A quote at `levels` has their fee, which is not published.
pub(crate) fn check_state(quote: &Quote, levels: Option<QuotedLevels>, data: PublishedPools<'_>) -> Option<Check> {
    let id = PoolId { chain_id: *quote.chain_id, address: *quote.pool_address? };
    let pool = data.pools.iter().find(|pool| pool.id == id).filter(|_| data.is_unchanged)?;
    let published_fee = pool.pair_state(*quote.input_asset_address, *quote.output_asset_address).map(|state| state.fee);
    let is_comparable = levels.is_none() && quote.time_in_seconds() == Some(pool.time_in_seconds);
    let fee = quote.fee_in_basis_points.map(|fee| *fee).zip(published_fee).filter(|_| is_comparable);
    let state_id = quote.state_id.map(|id| *id).zip(pool.state_id);
    if fee.is_none() && state_id.is_none() {
        return None;
    }
    let mut differences = Vec::new();
    if let Some((actual, published)) = state_id {
        compare(&mut differences, "state_id", &actual, &published);
    }
    if let Some((actual, published)) = fee {
        compare(&mut differences, "fee_in_basis_points", &actual, &published);
    }
    Some(Check::from_differences(
        "state",
        differences,
        "state and fee are those of the pool data",
        "the quote names another state or fee than the pool data that is published for it",
    ))
}

/// The prices of input and output in a packed `good_until`, unless they bound the rate.
fn signed_prices(signed: &SignedSwap) -> Option<(Price, Price)> {
    match *signed.good_until {
        GoodUntil::Packed(packed) if packed.k != PoolConstant::ZERO => Some((packed.input_price, packed.output_price)),
        GoodUntil::Packed(_) | GoodUntil::Plain(_) => None,
    }
}

/// Checks that a contract that compares only values, because the packed k is 0, executes the swap on any reserves;
/// `None` for any other contract, and if no pool lists the tokens.
pub(crate) fn check_rate_bound(signed: &SignedSwap, pools: &[PublishedPool]) -> Option<Check> {
    let offer = signed.offer();
    let GoodUntil::Packed(packed) = offer.good_until else { return None };
    let pool = pools.iter().find(|pool| pool.id == offer.pool).filter(|_| packed.k == PoolConstant::ZERO)?;
    let decimals = |token| Some(pool.token(token)?.asset.decimals);
    let (input, output) = (decimals(offer.input_token)?, decimals(offer.output_token)?);
    let bound = packed.with_rate_bound((offer.input_amount, input), (offer.output_amount, output));
    let mut differences = Vec::new();
    let allowed = bound.map_or_else(|| "none".to_owned(), |bound| bound.output_price.to_string());
    compare(&mut differences, "packed price of the output", &packed.output_price.to_string(), &allowed);
    Some(Check::from_differences(
        "settlement",
        differences,
        "the contract executes it regardless of earlier swaps: at the packed prices the output is worth less than \
         the input",
        "the contract may refuse it: at the packed prices the output is worth more than the input",
    ))
}

/// The name of the check.
const TERMS: &str = "terms";

/// Checks the signed terms against the quote, the request and the `destination` that the caller expects, as far as they
/// are known.
pub(crate) fn check_terms(
    signed: &SignedSwap,
    quote: Option<&Quote>,
    requested: &RequestedSwap,
    destination: Option<Address>,
) -> Check {
    let offer = signed.offer();
    let mut differences = Vec::new();
    if let Some(quote) = quote {
        compare(&mut differences, "chain_id", &offer.pool.chain_id, &*quote.chain_id);
        compare(&mut differences, "input_asset_address", &offer.input_token, &*quote.input_asset_address);
        compare(&mut differences, "output_asset_address", &offer.output_token, &*quote.output_asset_address);
        compare(&mut differences, "input_amount", &offer.input_amount, &*quote.input_amount);
        compare(&mut differences, "output_amount", &offer.output_amount, &*quote.output_amount);
        let seconds = offer.good_until.expires_at().get();
        compare(&mut differences, "good_until (seconds)", &seconds, &quote.good_until.get());
    }
    if let Some(expires_at) = signed.expires_at {
        compare(&mut differences, "expires_at", &expires_at.get(), &offer.good_until.expires_at().get());
    }
    for pool in [quote.and_then(|quote| quote.pool_address).map(|address| *address), requested.pool].iter().flatten() {
        compare(&mut differences, "service_exchange_address", &offer.pool.address, pool);
    }
    if let Some(token) = requested.input_token {
        compare(&mut differences, "input_asset_address", &offer.input_token, &token);
    }
    if let Some(token) = requested.output_token {
        compare(&mut differences, "output_asset_address", &offer.output_token, &token);
    }
    match (requested.fixed, requested.fixed_amount) {
        (Some(FixedSide::Input), Some(amount)) => {
            compare(&mut differences, "input_amount", &offer.input_amount, &amount);
        }
        (Some(FixedSide::Output), Some(amount)) => {
            compare(&mut differences, "output_amount", &offer.output_amount, &amount);
        }
        (_, None) | (None, Some(_)) => {}
    }
    let destinations = [requested.destination, destination];
    for destination in destinations.iter().flatten() {
        compare(&mut differences, "destination_address", &offer.destination, destination);
    }
    if differences.is_empty() && destinations.iter().all(Option::is_none) {
        let message = format!("pays to {}, but the requested destination is unknown", offer.destination);
        return Check::new(TERMS, CheckStatus::Undecided, message);
    }
    let equal = match quote {
        Some(_) => "the signed terms match the quote and the expected destination",
        None => "pays to the expected destination",
    };
    Check::from_differences(TERMS, differences, equal, "the signed terms do not match the quote or the request")
}
