//! What a pool holds per pool token, and the value of that.

use firmquote_domain::{BasisPoints, Decimals, Price, Timestamp, U512};
use firmquote_store::PoolSample;

/// The binary places of amounts per pool token.
const FRACTION_BITS: usize = 96;

/// The price of an asset, with the decimals of its amounts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AssetPrice {
    pub(crate) price: Price,
    pub(crate) decimals: Decimals,
}

impl AssetPrice {
    /// The value of an amount, in units that all assets share; `None` if it is too large to be one of a pool.
    fn value(self, amount: U512) -> Option<U512> {
        let scale = U512::from(10_u8).pow(U512::from(Decimals::MAX.saturating_sub(self.decimals.get())));
        amount.checked_mul(U512::from(self.price.steps()))?.checked_mul(scale)
    }
}

/// Returns the value of an amount of each asset, in the order of the prices; `None` if it is too large.
pub(crate) fn value(amounts: &[U512], prices: &[AssetPrice]) -> Option<U512> {
    let mut values = amounts.iter().zip(prices).map(|(amount, price)| price.value(*amount));
    values.try_fold(U512::ZERO, |sum, value| sum.checked_add(value?))
}

/// Returns the share of `lost` in `whole`, rounded up; 10,000 basis points less a hundredth for the whole.
pub(crate) fn share(lost: U512, whole: U512) -> BasisPoints {
    if whole.is_zero() {
        return BasisPoints::default();
    }
    let hundredths = lost.saturating_mul(U512::from(BasisPoints::SCALE)).div_ceil(whole);
    let hundredths = hundredths.min(U512::from(BasisPoints::SCALE - 1));
    BasisPoints::from_hundredths(hundredths.saturating_to()).unwrap_or_default()
}

/// What a pool held per pool token in a block, and what deposits and withdrawals changed of that up to then.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) block_number: u64,
    pub(crate) time: Timestamp,
    /// The amount of each asset per pool token, in fractions of base units.
    amounts: Vec<U512>,
    /// What deposits and withdrawals have added to the amounts since the first block, in all.
    added: Vec<U512>,
    /// What they have removed.
    removed: Vec<U512>,
    pool_tokens: U512,
}

impl Holding {
    /// Returns what `sample` holds per pool token, as the block after `previous`; `None` without pool tokens, or for
    /// balances of other assets than before. A change of the amounts beside a change of the pool tokens is one of deposits
    /// and withdrawals if it is no larger than the share of these pool tokens, at `prices`; without prices it is one.
    pub(crate) fn new(sample: &PoolSample, previous: Option<&Self>, prices: Option<&[AssetPrice]>) -> Option<Self> {
        let pool_tokens = U512::from(sample.pool_tokens);
        let per_token = |balance| (U512::from(balance) << FRACTION_BITS).checked_div(pool_tokens);
        let amounts = sample.balances.iter().map(|balance| per_token(*balance)).collect::<Option<Vec<U512>>>()?;
        let zeros = vec![U512::ZERO; amounts.len()];
        let mut holding = Self {
            block_number: sample.block_number,
            time: sample.block_time,
            added: zeros.clone(),
            removed: zeros,
            amounts,
            pool_tokens,
        };
        if let Some(previous) = previous {
            if previous.amounts.len() != holding.amounts.len() {
                return None;
            }
            holding.added.clone_from(&previous.added);
            holding.removed.clone_from(&previous.removed);
            if holding.is_transferred_since(previous, prices) {
                for (index, (before, after)) in previous.amounts.iter().zip(&holding.amounts).enumerate() {
                    let (sums, change) = match after.checked_sub(*before) {
                        Some(gain) => (&mut holding.added, gain),
                        None => (&mut holding.removed, before.saturating_sub(*after)),
                    };
                    if let Some(sum) = sums.get_mut(index) {
                        *sum = sum.saturating_add(change);
                    }
                }
            }
        }
        Some(holding)
    }

    /// Whether the difference to `previous` is that of deposits and withdrawals. Of one asset alone, they move at most
    /// twice their share of the value from one asset to another.
    fn is_transferred_since(&self, previous: &Self, prices: Option<&[AssetPrice]>) -> bool {
        let issued = self.pool_tokens.abs_diff(previous.pool_tokens);
        if issued.is_zero() {
            return false;
        }
        let Some(prices) = prices else { return true };
        let changes: Vec<U512> =
            previous.amounts.iter().zip(&self.amounts).map(|(before, after)| before.abs_diff(*after)).collect();
        let moved = value(&changes, prices).zip(value(&previous.amounts, prices)).and_then(|(changes, whole)| {
            let fewest = self.pool_tokens.min(previous.pool_tokens);
            // Dividing first, since the product of all three may not fit.
            let allowed = whole.checked_div(fewest)?.checked_mul(issued)?.checked_mul(U512::from(2))?;
            Some(changes <= allowed.saturating_add(whole / U512::from(TOLERANCE)))
        });
        moved.unwrap_or(true)
    }

    /// What an earlier holding would be worth now if nothing had been swapped, and what this one is worth; per pool token
    /// and at `prices`.
    pub(crate) fn values_since(&self, earlier: &Self, prices: &[AssetPrice]) -> Option<(U512, U512)> {
        let held: Vec<U512> = (0..self.amounts.len()).map(|index| self.held_since(earlier, index)).collect();
        value(&held, prices).zip(value(&self.amounts, prices))
    }

    /// What would be held of an asset if it had not been swapped since `earlier`, and what is held without `outstanding`
    /// base units of it that may still leave; per pool token.
    pub(crate) fn amounts_since(&self, earlier: &Self, index: usize, outstanding: U512) -> (U512, U512) {
        let leaving = outstanding.saturating_mul(U512::from(1) << FRACTION_BITS).checked_div(self.pool_tokens);
        let amount = self.amounts.get(index).copied().unwrap_or_default();
        (self.held_since(earlier, index), amount.saturating_sub(leaving.unwrap_or_default()))
    }

    fn held_since(&self, earlier: &Self, index: usize) -> U512 {
        let of = |amounts: &[U512]| amounts.get(index).copied().unwrap_or_default();
        let added = of(&self.added).saturating_sub(of(&earlier.added));
        let removed = of(&self.removed).saturating_sub(of(&earlier.removed));
        of(&earlier.amounts).saturating_add(added).saturating_sub(removed)
    }
}

/// A change of 1/10,000 of the value is within rounding.
const TOLERANCE: u32 = 10_000;

#[cfg(test)]
mod tests {
    use firmquote_domain::{B256, U256};

    use super::*;

    fn prices() -> [AssetPrice; 2] {
        [("2000", 18), ("1", 6)].map(|(price, decimals)| AssetPrice {
            price: price.parse().unwrap(),
            decimals: Decimals::new(decimals).unwrap(),
        })
    }

    /// The holding of `eth` thousandths of ETH and `usd` US dollars, with this number of pool tokens.
    fn holding(eth: u64, usd: u64, pool_tokens: u64, previous: Option<&Holding>) -> Holding {
        let unit = |exponent: u8| U256::from(10).pow(U256::from(exponent));
        let sample = PoolSample {
            block_number: 1,
            block_hash: B256::ZERO,
            block_time: Timestamp::from_seconds(1),
            balances: vec![U256::from(eth) * unit(15), U256::from(usd) * unit(6)],
            pool_tokens: U256::from(pool_tokens) * unit(18),
        };
        Holding::new(&sample, previous, Some(&prices())).unwrap()
    }

    /// The loss of value between two holdings.
    fn loss(from: &Holding, to: &Holding) -> String {
        let (held, now) = to.values_since(from, &prices()).unwrap();
        share(held.saturating_sub(now), held).to_string()
    }

    #[test]
    fn swaps_at_bad_rates_are_losses_and_deposits_and_withdrawals_are_not() {
        let start = holding(1_000_000, 2_000_000, 100, None);
        // 100 ETH for 190,000 USD, which are 10,000 too few: of 4,000,000.
        let swapped = holding(900_000, 2_190_000, 100, Some(&start));
        assert_eq!((loss(&start, &start), loss(&start, &swapped).as_str()), ("0".to_owned(), "25"));
        // A deposit of USD alone, a withdrawal of half of everything, and one of ETH alone, all at the right price.
        let deposited = holding(900_000, 2_589_000, 110, Some(&swapped));
        let halved = holding(450_000, 1_294_500, 55, Some(&deposited));
        let withdrawn = holding(410_100, 1_294_500, 53, Some(&halved));
        for (now, name) in [(&deposited, "deposit"), (&halved, "half"), (&withdrawn, "one asset")] {
            let lost = loss(&start, now);
            assert!(lost.starts_with("25") || lost.starts_with("24.9"), "the loss stays after {name}: {lost}");
        }
    }

    #[test]
    fn a_dust_deposit_does_not_hide_a_swap() {
        let start = holding(1_000_000, 2_000_000, 1_000_000, None);
        let swapped = holding(900_000, 2_190_000, 1_000_001, Some(&start));
        assert_eq!(loss(&start, &swapped), "25.01");
    }

    #[test]
    fn what_may_still_leave_is_missing_already() {
        let start = holding(1_000_000, 2_000_000, 100, None);
        let now = holding(900_000, 2_200_000, 100, Some(&start));
        let outstanding = U512::from(100_000_000_000_000_000_000_u128);
        let (held, left) = now.amounts_since(&start, 0, outstanding);
        assert_eq!(share(held.saturating_sub(left), held).to_string(), "2000");
    }
}
