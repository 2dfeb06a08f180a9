//! The example pool: wrapped native and two stablecoins, at the published prices.
#![expect(clippy::expect_used, reason = "the numbers are constants")]

use firmquote_domain::{Address, Amount, B256, NativeSide, Offer, SwapAmount};
use firmquote_domain::{BasisPoints, Decimals, GoodUntilKind, Terms, U256, Weight};
use firmquote_pricing::price;

use crate::{
    exchange::{Listing, Opening, PoolHarness},
    swapping::{SignedSwap, TRADER},
};

/// Position of wrapped native among the pool's tokens.
pub const ETH: usize = 0;
/// Position of the stablecoin with 6 decimals.
pub const USDC: usize = 1;
/// Position of the stablecoin with 18 decimals.
pub const DAI: usize = 2;

/// The account that receives outputs.
pub const DESTINATION: Address = Address::repeat_byte(0xdd);

/// Returns the opening of a pool with k = 0.06 and three tokens.
pub fn opening(kind: GoodUntilKind) -> Opening {
    let listings = vec![
        listing(18, 79, "2080.527", "476877882758190421102"),
        listing(6, 188, "1", "417751254142"),
        listing(18, 200, "1.0001", "391044281045118374829011"),
    ];
    Opening { kind, k: "0.06".parse().expect("a constant"), listings }
}

fn listing(decimals: u8, weight: u16, price: &str, reserve: &str) -> Listing {
    Listing {
        decimals: Decimals::new(decimals).expect("a constant"),
        weight: Weight::new(weight).expect("a constant"),
        price: price.parse().expect("a constant"),
        reserve: reserve.parse::<U256>().expect("a constant"),
    }
}

/// Returns the terms of a swap by the trader.
pub const fn terms(native: NativeSide, transmit: bool) -> Terms {
    Terms {
        destination: DESTINATION,
        sender: TRADER,
        aux_data: B256::repeat_byte(0xee),
        native,
        transmit,
        guarantee: false,
    }
}

/// Returns an offer for a hundredth of the input reserve with a fee of 5 basis points, priced on the current books.
pub fn offer(exchange: &mut PoolHarness, positions: (usize, usize)) -> Offer {
    let pair = exchange.pair(positions, BasisPoints::from_hundredths(500).expect("a constant"));
    let input = Amount::new(pair.input.reserve.base_units() / U256::from(100)).expect("a large reserve");
    let swap = price(&pair, exchange.spec().good_until, SwapAmount::ExactInput(input)).expect("a priced swap");
    exchange.offer(positions, &pair, swap, DESTINATION)
}

/// Returns a signed [`offer`] that is ready to execute: the trader holds the input, and pushes or approvals are done.
pub async fn ready(exchange: &mut PoolHarness, positions: (usize, usize), terms: Terms) -> SignedSwap {
    let offer = offer(exchange, positions);
    let swap = exchange.sign(offer, terms).await.expect("an offer that passes the guard");
    exchange.fund(&swap);
    exchange.prepare(&swap);
    swap
}
