//! What executed swaps were worth some time after their execution.

use std::{collections::BTreeMap, ops::AddAssign};

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use crate::{Money, money::decimal};

/// The times after an execution for which the mark-out is computed, in seconds.
pub const HORIZONS: [u32; 5] = [0, 10, 60, 300, 3_600];

/// The shortest block of an interval, in seconds.
const MIN_BLOCK_SECONDS: u64 = 600;
/// The fewest blocks of an interval.
const MIN_BLOCKS: usize = 12;

/// The mark-out of a group of swaps at one horizon: the value of their inputs less that of their outputs, at the prices of
/// that time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkOut {
    /// Swaps whose prices are known.
    pub known: u64,
    /// Swaps whose prices are not: they are in no sum.
    pub missing: u64,
    /// The mark-out.
    pub value: Money,
    /// The edge of the same swaps.
    pub edge: Money,
    /// The value of their inputs, at the prices of their quotes.
    pub executed_value: Money,
    /// The mark-out and the value of inputs of the swaps of each block of time.
    blocks: BTreeMap<u64, (Money, Money)>,
}

impl MarkOut {
    /// Creates the mark-out of a swap whose prices are missing.
    pub(super) fn missing() -> Self {
        Self { missing: 1, ..Self::default() }
    }

    /// Creates the mark-out of a swap that was executed at `unix_seconds`.
    pub(super) fn of(value: Money, edge: Money, executed_value: Money, horizon: u32, unix_seconds: u32) -> Self {
        let block_seconds = MIN_BLOCK_SECONDS.max(4 * u64::from(horizon));
        let block = (u64::from(unix_seconds) / block_seconds, (value.clone(), executed_value.clone()));
        Self { known: 1, missing: 0, value, edge, executed_value, blocks: [block].into() }
    }

    /// What prices did from the quotes to this time.
    pub fn drift(&self) -> Money {
        &self.value - &self.edge
    }

    /// The mark-out in basis points of the executed value, with two decimals, rounded down.
    pub fn in_basis_points(&self) -> Option<String> {
        self.value.hundredths_of_basis_points_of(&self.executed_value).map(|hundredths| decimal(&hundredths, 2))
    }

    /// The 95 % interval of [`Self::in_basis_points`]: a delete-one-block jackknife of the ratio of the sums, with
    /// Student's t. Blocks are of ten minutes, or of four times the horizon if that is more, so that swaps which share a
    /// move of the price count together. `None` for fewer than twelve blocks.
    pub fn interval_in_basis_points(&self) -> Option<[String; 2]> {
        let [low, high] = JackknifeEstimate::from_blocks(&self.blocks())?.interval()?;
        let hundredths = |ratio: f64, round: fn(f64) -> f64| format!("{:.2}", round(ratio * 1_000_000.0) / 100.0);
        Some([hundredths(low, f64::floor), hundredths(high, f64::ceil)])
    }

    /// The two-sided probability of a mark-out as far below zero if the true one were zero, 1 if it is not below zero;
    /// `None` for fewer than twelve blocks.
    pub(super) fn probability_of_loss_by_chance(&self) -> Option<f64> {
        Some(JackknifeEstimate::from_blocks(&self.blocks())?.probability_of_loss_by_chance())
    }

    fn blocks(&self) -> Vec<(f64, f64)> {
        self.blocks.values().map(|(value, volume)| (value.to_f64(), volume.to_f64())).collect()
    }
}

/// A ratio of sums with its standard error.
struct JackknifeEstimate {
    ratio: f64,
    error: f64,
    distribution: StudentsT,
}

impl JackknifeEstimate {
    /// Estimates the ratio of the sums of blocks; `None` for too few of them, and without volume.
    fn from_blocks(blocks: &[(f64, f64)]) -> Option<Self> {
        if blocks.len() < MIN_BLOCKS {
            return None;
        }
        let count = u32::try_from(blocks.len()).map(f64::from).ok()?;
        let sum = |part: fn(&(f64, f64)) -> f64| blocks.iter().map(part).sum::<f64>();
        let (value, volume) = (sum(|block| block.0), sum(|block| block.1));
        let without: Vec<f64> = blocks.iter().map(|block| (value - block.0) / (volume - block.1)).collect();
        let mean = without.iter().sum::<f64>() / count;
        let variance = without.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() * (count - 1.0) / count;
        let (ratio, error) = (value / volume, variance.sqrt());
        let distribution = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        (ratio.is_finite() && error.is_finite()).then_some(Self { ratio, error, distribution })
    }

    /// Returns the 95 % interval.
    fn interval(&self) -> Option<[f64; 2]> {
        let half = self.distribution.inverse_cdf(0.975) * self.error;
        half.is_finite().then_some([self.ratio - half, self.ratio + half])
    }

    fn probability_of_loss_by_chance(&self) -> f64 {
        match (self.ratio < 0.0, self.error > 0.0) {
            (true, true) => 2.0 * self.distribution.cdf(self.ratio / self.error),
            // The same loss in every block.
            (true, false) => 0.0,
            (false, _) => 1.0,
        }
    }
}

impl AddAssign for MarkOut {
    fn add_assign(&mut self, other: Self) {
        self.known += other.known;
        self.missing += other.missing;
        self.value += other.value;
        self.edge += other.edge;
        self.executed_value += other.executed_value;
        for (block, (value, volume)) in other.blocks {
            let sums = self.blocks.entry(block).or_default();
            sums.0 += value;
            sums.1 += volume;
        }
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Decimals, Price, U256};

    use super::*;

    #[test]
    fn intervals_are_those_of_a_mean_for_equal_volumes() {
        // With equal volumes the jackknife is the standard error of the mean.
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0];
        let blocks: Vec<_> = values.iter().map(|value| (*value, 1.0)).collect();
        let interval = |blocks: &[(f64, f64)]| JackknifeEstimate::from_blocks(blocks)?.interval();
        let [low, high] = interval(&blocks).unwrap();
        // R: t.test(c(3,1,4,1,5,9,2,6,5,3,5,8))
        assert!((low - 2.722_92).abs() < 1e-4 && (high - 5.943_75).abs() < 1e-4, "{low} {high}");
        assert_eq!(interval(&blocks[1..]), None);
        assert_eq!(interval(&[(1.0, 0.0); 12]), None);
        // R: t.test(c(...), mu = 6, alternative = "two.sided")$p.value
        let shifted: Vec<_> = blocks.iter().map(|(value, volume)| (value - 6.0, *volume)).collect();
        let probability = JackknifeEstimate::from_blocks(&shifted).unwrap().probability_of_loss_by_chance();
        assert!((probability - 0.043700).abs() < 1e-4, "{probability}");
        assert!(JackknifeEstimate::from_blocks(&blocks).unwrap().probability_of_loss_by_chance() > 0.999);
        assert!(JackknifeEstimate::from_blocks(&[(0.0, 1.0); 12]).unwrap().probability_of_loss_by_chance() > 0.999);
    }

    #[test]
    fn swaps_of_a_block_count_together() {
        let usd = |units: &str| {
            let price = units.parse::<Price>().unwrap();
            Money::of(U256::ONE, Decimals::new(0).unwrap(), price)
        };
        let mut mark_out = MarkOut::missing();
        for second in 0..100_u32 {
            mark_out += MarkOut::of(usd("1"), usd("2"), usd("1000"), 10, second * 60);
        }
        assert_eq!((mark_out.known, mark_out.missing, mark_out.blocks.len()), (100, 1, 10));
        assert_eq!((mark_out.in_basis_points().as_deref(), mark_out.interval_in_basis_points()), (Some("10.00"), None));
        assert_eq!(mark_out.drift().to_string(), "-100");
        assert_eq!(mark_out.blocks.values().map(|(value, _)| value.clone()).sum::<Money>(), mark_out.value);
    }
}
