//! Which steps the breakers of a pool take: a function of the blocks that were read, the prices and the time.

use std::collections::{BTreeMap, VecDeque};

use firmquote_config::{BreakerPolicy, BreakerThresholds};
use firmquote_domain::{Address, BasisPoints, Timestamp, U256, U512};
use firmquote_store::{Breaker, BreakerStep, PoolSample};

use super::{
    holdings::{AssetPrice, value},
    swaps::{MarkOuts, RecentSwaps},
    window::{Figure, HoldingWindow},
};

/// A step that the figures of a pool call for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) breaker: Breaker,
    /// Of an outflow.
    pub(crate) token: Option<Address>,
    pub(crate) step: BreakerStep,
    pub(crate) figures: String,
}

/// What the figures of a pool are computed with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions<'c> {
    /// The current price of each asset.
    pub(crate) prices: &'c [AssetPrice],
    /// The address of each asset, with what outstanding swaps may still take of it.
    pub(crate) outstanding: &'c [(Address, U512)],
    /// When the pool was resumed last: nothing before counts.
    pub(crate) resumed_at: Option<Timestamp>,
}

/// Watches the blocks of a pool.
#[derive(Clone, Debug)]
pub(crate) struct PoolMonitor {
    policy: BreakerPolicy,
    confirmations: u64,
    window: HoldingWindow,
    mark_outs: MarkOuts,
    /// The last block that was compared with the one before, with its swaps.
    compared: Option<(PoolSample, RecentSwaps)>,
    /// What the pool held in the last block that was read.
    balances: Vec<U256>,
    /// Blocks that may still be replaced.
    unconfirmed: VecDeque<PoolSample>,
    /// The largest share of the value that has left without explanation.
    unexplained: Option<Figure>,
    /// When the figures last called for a step.
    last_causes: BTreeMap<(Breaker, Option<Address>), Timestamp>,
}

impl PoolMonitor {
    /// Creates a monitor that knows the `samples` of an earlier process.
    pub(crate) fn new(policy: BreakerPolicy, confirmations: u64, samples: &[PoolSample]) -> Self {
        let mut window = HoldingWindow::default();
        for sample in samples {
            window.push(sample, None);
        }
        Self {
            policy,
            confirmations,
            window,
            mark_outs: MarkOuts::default(),
            compared: None,
            balances: Vec::new(),
            unconfirmed: VecDeque::new(),
            unexplained: None,
            last_causes: BTreeMap::new(),
        }
    }

    /// Replaces the policy.
    pub(crate) const fn set_policy(&mut self, policy: BreakerPolicy, confirmations: u64) {
        (self.policy, self.confirmations) = (policy, confirmations);
    }

    /// Adds a block with the swaps up to it. Returns the samples that it confirms, one for each interval.
    pub(crate) fn observe(
        &mut self,
        sample: PoolSample,
        swaps: RecentSwaps,
        prices: Option<&[AssetPrice]>,
        now: Timestamp,
    ) -> Vec<PoolSample> {
        self.balances.clone_from(&sample.balances);
        self.mark_outs.observe(&swaps, now);
        // A block of the same height or a lower one replaces those from its height on.
        self.unconfirmed.retain(|unconfirmed| unconfirmed.block_number < sample.block_number);
        self.unconfirmed.push_back(sample.clone());
        let confirmed_until = sample.block_number.saturating_sub(self.confirmations);
        if let Some((earlier, prices)) = self.compared.as_ref().zip(prices) {
            let figure = unexplained((&earlier.0, &earlier.1), (&sample, &swaps), prices);
            self.unexplained = self.unexplained.max(figure);
        }
        // Without prices, the next block that has some is compared with the same one.
        if prices.is_some() || self.compared.is_none() {
            self.compared = Some((sample, swaps));
        }
        let mut confirmed = Vec::new();
        while let Some(sample) = self.unconfirmed.pop_front_if(|first| first.block_number <= confirmed_until) {
            if self.window.push(&sample, prices) {
                confirmed.push(sample);
            }
        }
        confirmed
    }

    /// Returns the steps that the figures call for at `now`.
    pub(crate) fn evaluate(&mut self, conditions: &Conditions<'_>, now: Timestamp) -> Vec<Cause> {
        let BreakerPolicy { loss, unexplained_pause_at, outflow, mark_out, .. } = self.policy;
        let longest = self.policy.longest_window_seconds();
        let start = |seconds: u32| {
            let start = now.minus_seconds(seconds);
            conditions.resumed_at.map_or(start, |resumed_at| resumed_at.max(start))
        };
        self.window.start_at(start(longest));
        self.mark_outs.start_at(start(longest));
        self.mark_outs.value(conditions.prices, now);
        if self.unexplained.is_some_and(|figure| figure.since < start(longest)) {
            self.unexplained = None;
        }
        let mut causes = Vec::new();
        let mut add = |breaker, token, thresholds: &BreakerThresholds, figure: Option<Figure>, name: &str| {
            causes.extend(figure.and_then(|figure| cause(breaker, token, thresholds, figure, name)));
        };
        let figure = self.window.loss(start(loss.window_seconds), conditions.prices);
        add(Breaker::Loss, None, &loss, figure, "lost per pool token against holding");
        let at_once = BreakerThresholds { window_seconds: longest, widen_at: None, pause_at: unexplained_pause_at };
        add(Breaker::Unexplained, None, &at_once, self.unexplained, "left without a swap or a withdrawal");
        for (position, (token, outstanding)) in conditions.outstanding.iter().enumerate() {
            let figure = self.window.outflow(start(outflow.window_seconds), position, *outstanding);
            add(Breaker::Outflow, Some(*token), &outflow, figure, "of the token left");
        }
        let balances = self.balances.iter().map(|balance| U512::from(*balance));
        let whole = value(&balances.collect::<Vec<U512>>(), conditions.prices);
        let figure = whole.and_then(|whole| self.mark_outs.loss(start(mark_out.window_seconds), whole));
        add(Breaker::MarkOut, None, &mark_out, figure, "lost by executed swaps ten seconds later");
        for cause in &causes {
            self.last_causes.insert((cause.breaker, cause.token), now);
        }
        causes
    }

    /// The number of the newest confirmed block.
    pub(crate) fn confirmed_block(&self) -> Option<u64> {
        self.window.newest_block()
    }

    /// Whether a whole window has passed without cause since a raised fee began at `tripped_at`.
    pub(crate) fn may_end(
        &self,
        breaker: Breaker,
        token: Option<Address>,
        tripped_at: Timestamp,
        now: Timestamp,
    ) -> bool {
        let thresholds = match breaker {
            Breaker::Loss | Breaker::Unexplained => self.policy.loss,
            Breaker::Outflow => self.policy.outflow,
            Breaker::MarkOut => self.policy.mark_out,
        };
        let last = self.last_causes.get(&(breaker, token)).copied().unwrap_or(tripped_at).max(tripped_at);
        now >= last.plus_seconds(thresholds.window_seconds)
    }

    /// Returns the current loss per pool token in its window, for display.
    pub(crate) fn loss(&self, prices: &[AssetPrice], now: Timestamp) -> Option<BasisPoints> {
        self.window.loss(now.minus_seconds(self.policy.loss.window_seconds), prices).map(|figure| figure.share)
    }
}

/// Returns the furthest step that a figure calls for.
fn cause(
    breaker: Breaker,
    token: Option<Address>,
    thresholds: &BreakerThresholds,
    figure: Figure,
    name: &str,
) -> Option<Cause> {
    let exceeds = |threshold: Option<BasisPoints>| threshold.filter(|threshold| figure.share >= *threshold);
    let (step, threshold) = match (exceeds(thresholds.pause_at), exceeds(thresholds.widen_at)) {
        (Some(threshold), _) => (BreakerStep::Pause, threshold),
        (None, Some(threshold)) => (BreakerStep::Widen, threshold),
        (None, None) => return None,
    };
    let since = jiff::Timestamp::from_second(i64::from(figure.since.seconds().get())).unwrap_or_default();
    let figures = format!("{} bps {name} since {since}, threshold {threshold} bps", figure.share);
    Some(Cause { breaker, token, step, figures })
}

/// Returns the share of the value that left between two blocks beyond what swaps and the change of the pool tokens explain;
/// `None` if that is not known.
fn unexplained(
    (last, earlier): (&PoolSample, &RecentSwaps),
    (sample, swaps): (&PoolSample, &RecentSwaps),
    prices: &[AssetPrice],
) -> Option<Figure> {
    let worth = |sample: &PoolSample| {
        value(&sample.balances.iter().map(|balance| U512::from(*balance)).collect::<Vec<U512>>(), prices)
    };
    let (before, after) = (worth(last)?, worth(sample)?);
    let net = swaps.net_since(earlier, prices)?;
    let tokens = |sample: &PoolSample| U512::from(sample.pool_tokens);
    let expected = before.checked_mul(tokens(sample))?.checked_div(tokens(last))?;
    let expected = expected.checked_add(net.gained)?.saturating_sub(net.lost);
    let share = super::holdings::share(expected.saturating_sub(after), before);
    Some(Figure { share, since: sample.block_time })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use firmquote_domain::{B256, Decimals};

    use super::*;
    use crate::breakers::swaps::Movement;

    fn prices(eth: &str) -> [AssetPrice; 2] {
        [(eth, 18), ("1", 6)].map(|(price, decimals)| AssetPrice {
            price: price.parse().unwrap(),
            decimals: Decimals::new(decimals).unwrap(),
        })
    }

    fn eth(thousandths: u64) -> U256 {
        U256::from(thousandths) * U256::from(10).pow(U256::from(15))
    }

    fn dollars(amount: u64) -> U256 {
        U256::from(amount) * U256::from(1_000_000)
    }

    fn sample(block_number: u64, thousandths_of_eth: u64, usd: u64, pool_tokens: u64) -> PoolSample {
        PoolSample {
            block_number,
            block_hash: B256::ZERO,
            block_time: Timestamp::from_seconds(1_000 + u32::try_from(block_number).unwrap()),
            balances: vec![eth(thousandths_of_eth), dollars(usd)],
            pool_tokens: U256::from(pool_tokens),
        }
    }

    /// The swaps of ETH for dollars in these blocks, since block 90.
    fn swaps(until: u64, executed: &[(u64, u64, u64)]) -> RecentSwaps {
        let movement = |(block, thousandths, usd): &(u64, u64, u64)| {
            let time = Timestamp::from_seconds(1_000 + u32::try_from(*block).unwrap());
            ((B256::ZERO, *block), Movement::test(*block, time, (0, eth(*thousandths)), (1, dollars(*usd))))
        };
        RecentSwaps { since: 90, until, movements: executed.iter().map(movement).collect::<HashMap<_, _>>() }
    }

    fn monitor(policy: BreakerPolicy) -> PoolMonitor {
        PoolMonitor::new(policy, 0, &[])
    }

    fn evaluate(monitor: &mut PoolMonitor, eth_price: &str, second: u32) -> Vec<String> {
        let prices = prices(eth_price);
        let conditions = Conditions { prices: &prices, outstanding: &[], resumed_at: None };
        monitor.evaluate(&conditions, Timestamp::from_seconds(second)).into_iter().map(|cause| cause.figures).collect()
    }

    #[test]
    fn what_leaves_without_a_swap_or_a_withdrawal_is_a_cause_at_once() {
        let policy = BreakerPolicy {
            loss: BreakerThresholds { window_seconds: 600, ..BreakerThresholds::default() },
            unexplained_pause_at: BasisPoints::from_hundredths(1_000),
            ..BreakerPolicy::default()
        };
        let mut monitor = PoolMonitor::new(policy, 5, &[]);
        let mut read = |block: u64, [thousandths, usd, tokens]: [u64; 3], executed: &[(u64, u64, u64)]| {
            let prices = prices("2000");
            let now = Timestamp::from_seconds(1_000 + u32::try_from(block).unwrap());
            monitor.observe(sample(block, thousandths, usd, tokens), swaps(block, executed), Some(&prices), now);
            evaluate(&mut monitor, "2000", now.seconds().get())
        };
        let none: Vec<String> = Vec::new();
        assert_eq!(read(100, [1_000_000, 2_000_000, 100], &[]), none);
        assert_eq!(read(101, [1_010_000, 1_980_010, 100], &[(101, 10_000, 19_990)]), none, "a swap");
        assert_eq!(read(102, [1_000_000, 2_000_000, 100], &[]), none, "and its reorganization");
        assert_eq!(read(103, [500_000, 1_000_000, 50], &[]), none, "a withdrawal of half");
        assert_eq!(read(104, [500_000, 998_500, 50], &[]), none, "within the threshold");
        let [figures] = &read(105, [499_000, 998_500, 50], &[])[..] else { panic!() };
        assert_eq!(
            figures, "10.01 bps left without a swap or a withdrawal since 1970-01-01T00:18:25Z, threshold 10 bps",
            "although the block is not confirmed"
        );
    }

    #[test]
    fn what_leaves_while_prices_are_not_known_is_found_with_the_next_ones() {
        let policy =
            BreakerPolicy { unexplained_pause_at: BasisPoints::from_hundredths(1_000), ..BreakerPolicy::default() };
        let mut monitor = monitor(policy);
        let (now, prices) = (Timestamp::from_seconds(1_103), prices("2000"));
        let executed = [(102, 10_000, 19_990)];
        for (block, thousandths, usd, is_priced) in [
            (100, 1_000_000, 2_000_000, true),
            (101, 990_000, 2_000_000, false),
            (102, 1_000_000, 1_980_010, false),
            (103, 1_000_000, 1_980_010, true),
        ] {
            let prices = is_priced.then_some(&prices[..]);
            let executed = if block < 102 { &[][..] } else { &executed };
            monitor.observe(sample(block, thousandths, usd, 100), swaps(block, executed), prices, now);
        }
        let [figures] = &evaluate(&mut monitor, "2000", 1_103)[..] else { panic!() };
        assert!(figures.starts_with("50 bps left"), "{figures}");
    }

    #[test]
    fn executed_swaps_are_valued_ten_seconds_later() {
        let mark_out = BreakerThresholds {
            window_seconds: 600,
            widen_at: BasisPoints::from_hundredths(100),
            pause_at: BasisPoints::from_hundredths(400),
        };
        let mut monitor = monitor(BreakerPolicy { mark_out, ..BreakerPolicy::default() });
        let executed = [(100, 10_000, 19_990), (101, 10_000, 19_990)];
        let now = Timestamp::from_seconds(1_101);
        monitor.observe(sample(101, 1_000_000, 2_000_000, 100), swaps(101, &executed), Some(&prices("2000")), now);
        assert!(evaluate(&mut monitor, "1900", 1_109).is_empty(), "not yet");
        // 10 ETH are worth 1,000 dollars less, of 3,900,000.
        let first = evaluate(&mut monitor, "1900", 1_110);
        assert_eq!(
            first,
            ["2.54 bps lost by executed swaps ten seconds later since 1970-01-01T00:18:20Z, threshold 1 bps"]
        );
        let both = evaluate(&mut monitor, "1900", 1_111);
        assert!(both[0].starts_with("5.08 bps") && both[0].ends_with("threshold 4 bps"), "{both:?}");
        // The second one is undone.
        monitor.observe(sample(102, 1_000_000, 2_000_000, 100), swaps(102, &executed[..1]), Some(&prices("1900")), now);
        assert_eq!(evaluate(&mut monitor, "1900", 1_112), first);
        assert!(evaluate(&mut monitor, "1900", 1_701).is_empty(), "out of the window");
    }

    #[test]
    fn nothing_before_a_resume_counts() {
        let loss =
            BreakerThresholds { window_seconds: 600, widen_at: None, pause_at: BasisPoints::from_hundredths(5_000) };
        let samples = [sample(100, 1_000_000, 2_000_000, 100), sample(120, 1_000_000, 1_900_000, 100)];
        let mut monitor = PoolMonitor::new(BreakerPolicy { loss, ..BreakerPolicy::default() }, 0, &samples);
        assert_eq!(evaluate(&mut monitor, "2000", 1_130).len(), 1, "the samples of an earlier process count");
        let prices = prices("2000");
        let resumed_at = Some(Timestamp::from_seconds(1_110));
        let conditions = Conditions { prices: &prices, outstanding: &[], resumed_at };
        assert_eq!(monitor.evaluate(&conditions, Timestamp::from_seconds(1_130)), []);
        assert!(!monitor.may_end(Breaker::Loss, None, Timestamp::from_seconds(1_000), Timestamp::from_seconds(1_729)));
        assert!(monitor.may_end(Breaker::Loss, None, Timestamp::from_seconds(1_000), Timestamp::from_seconds(1_730)));
    }
}
