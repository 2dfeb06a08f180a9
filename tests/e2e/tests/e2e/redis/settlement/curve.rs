//! The pool's gain from a swap by the published formula, at 96 digits and without the pricing crate.

use dashu_float::{FBig, round::mode::HalfEven};
use dashu_int::{IBig, UBig};
use firmquote_domain::{BasisPoints, U256};
use firmquote_e2e::exchange::Listing;

type Real = FBig<HalfEven, 2>;

/// Precision in bits.
const BITS: usize = 320;
/// The constant k of every pool, in percent.
const K_PERCENT: u32 = 6;
/// The share of the fee that the pool keeps, in percent.
const MIN_FEE_SHARE_PERCENT: u32 = 50;
/// 100 % in hundredths of a basis point.
const SCALE: u64 = 1_000_000;

fn real(number: U256) -> Real {
    Real::from_parts(IBig::from(UBig::from_le_bytes(&number.to_le_bytes::<32>())), 0).with_precision(BITS).value()
}

fn ratio(numerator: u64, denominator: u64) -> Real {
    real(U256::from(numerator)) / real(U256::from(denominator))
}

/// Returns `u(q) = (p q)^(1-k) / w^k` of `quantity` base units.
fn worth(listing: &Listing, quantity: &Real) -> Real {
    let k = ratio(K_PERCENT.into(), 100);
    let price = real(U256::from(listing.price.steps())) / real(U256::from(listing.decimals.units_per_token()));
    let weight = real(U256::from(listing.weight.get()));
    ((quantity * price).ln() * (real(U256::ONE) - &k) - weight.ln() * k).exp()
}

/// Whether the pool gains from `amounts`, an input and an output, on `reserves` of both tokens, with the input reduced
/// by the least share of `fee`.
pub(super) fn gains(listings: [&Listing; 2], reserves: [U256; 2], amounts: [U256; 2], fee: BasisPoints) -> bool {
    let [input, output] = amounts;
    let Some(left) = reserves[1].checked_sub(output).filter(|left| !left.is_zero()) else { return false };
    let fee = u64::from(fee.hundredths()) * u64::from(MIN_FEE_SHARE_PERCENT);
    let paid = real(input) * (real(U256::ONE) - ratio(fee, SCALE * 100));
    let [held_input, held_output] = reserves.map(real);
    let gained = worth(listings[0], &(&held_input + paid)) - worth(listings[0], &held_input);
    let lost = worth(listings[1], &held_output) - worth(listings[1], &real(left));
    gained > lost
}
