//! A simulated pool with informed and uninformed takers, a late feed and blocks every two seconds, watched by its breakers.

use std::collections::VecDeque;

use firmquote_config::{BreakerPolicy, BreakerThresholds};
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Decimals, GoodUntilKind, SwapAmount, Timestamp, U256, U512, Volatility, Weight,
};
use firmquote_pricing::{PairAsset, PairState, price};
use firmquote_store::{Breaker, BreakerStep, PoolSample};

use super::{
    holdings::{AssetPrice, share, value},
    monitor::{Cause, Conditions, PoolMonitor},
    swaps::RecentSwaps,
};

/// How late the feed is, in seconds.
const FEED_DELAY: usize = 2;
/// The time between blocks, in seconds.
const BLOCK_SECONDS: u32 = 2;
/// The confirmations after which a block counts.
const CONFIRMATIONS: u64 = 1;
const TOKENS: [Address; 2] = [Address::repeat_byte(1), Address::repeat_byte(2)];
const START: u32 = 1_700_000_000;
/// The loss at which the pool is paused, in hundredths of a basis point: 0.5 %.
const THRESHOLD: u32 = 5_000;

/// A sequence of pseudorandom numbers (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number from 0 up to 1.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        f64::from(u32::try_from(bits >> 21).unwrap()) / f64::from(u32::MAX)
    }

    /// Returns a number whose distribution is about standard normal.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// A signed swap of an amount of one asset for another.
#[derive(Clone, Copy)]
struct SignedSwap {
    second: u32,
    input: usize,
    amounts: [U256; 2],
}

struct World {
    random: Random,
    /// The dollar prices of the volatile asset; the last one is known to informed takers only.
    prices: VecDeque<f64>,
    balances: [U256; 2],
    pool_tokens: U256,
    outstanding: Vec<SignedSwap>,
    executed: Vec<SignedSwap>,
    monitor: PoolMonitor,
    second: u32,
}

fn units(amount: f64, decimals: u8) -> U256 {
    // 24 binary places are exact in a double, and enough for a simulation.
    let scaled = amount * f64::from(1_u32 << 16);
    let scaled = U256::from(format!("{scaled:.0}").parse::<u128>().unwrap());
    (scaled * U256::from(10).pow(U256::from(decimals))) >> 16
}

fn bps(hundredths: u32) -> BasisPoints {
    BasisPoints::from_hundredths(hundredths).unwrap()
}

fn at(second: u32) -> Timestamp {
    Timestamp::from_seconds(START + second)
}

impl World {
    fn new(seed: u64, policy: BreakerPolicy) -> Self {
        Self {
            random: Random::new(seed),
            prices: VecDeque::from(vec![2_000.0; FEED_DELAY + 1]),
            balances: [units(1_000.0, 18), units(2_000_000.0, 6)],
            pool_tokens: units(4_000_000.0, 18),
            outstanding: Vec::new(),
            executed: Vec::new(),
            monitor: PoolMonitor::new(policy, CONFIRMATIONS, &[]),
            second: 0,
        }
    }

    /// The prices that the service knows.
    fn feed(&self) -> [AssetPrice; 2] {
        let price = |text: String, decimals| AssetPrice {
            price: text.parse().unwrap(),
            decimals: Decimals::new(decimals).unwrap(),
        };
        [price(format!("{:.8}", self.prices[0]), 18), price("1".to_owned(), 6)]
    }

    fn now(&self) -> Timestamp {
        at(self.second)
    }

    /// Moves the price by a second, with this annual volatility, and a jump from time to time.
    fn move_price(&mut self, volatility: f64, jump: f64) {
        let step = volatility * (1.0 / f64::from(Volatility::SECONDS_PER_YEAR)).sqrt() * self.random.normal();
        let jumps = self.random.uniform() < jump;
        let jump = if jumps { 0.02 * self.random.normal().clamp(-2.0, 2.0) } else { 0.0 };
        let last = *self.prices.back().unwrap();
        self.prices.push_back(last * (1.0 + step + jump).max(0.5));
        self.prices.pop_front();
    }

    /// Signs the most profitable swap for a taker who knows the price before the feed does, if there is any.
    fn sign_informed(&mut self) {
        let last = *self.prices.back().unwrap();
        let dollars = |index: usize, amount: U256| {
            let whole = amount.to_string().parse::<f64>().unwrap();
            if index == 0 { whole / 1e18 * last } else { whole / 1e6 }
        };
        let mut best: Option<(f64, SignedSwap)> = None;
        for input in [0, 1] {
            for part in [0.01, 0.04] {
                let Some(swap) = self.quote(input, part, "8.63") else { continue };
                let profit = dollars(1 - input, swap.amounts[1]) - dollars(input, swap.amounts[0]);
                if profit > best.map_or(0.0, |(profit, _)| profit) {
                    best = Some((profit, swap));
                }
            }
        }
        self.outstanding.extend(best.map(|(_, swap)| swap));
    }

    /// Signs a swap of this share of the reserve of an asset, if the pool quotes it.
    fn sign(&mut self, input: usize, part: f64, fee: &str) {
        let swap = self.quote(input, part, fee);
        self.outstanding.extend(swap);
    }

    fn quote(&self, input: usize, part: f64, fee: &str) -> Option<SignedSwap> {
        let output = 1 - input;
        let feed = self.feed();
        let side = |index: usize| PairAsset {
            reserve: Amount::new(self.balances[index]).unwrap(),
            price: feed[index].price,
            weight: Weight::new(1).unwrap(),
            decimals: feed[index].decimals,
        };
        let pair = PairState {
            input: side(input),
            output: side(output),
            k: "0.05".parse().unwrap(),
            fee: fee.parse().unwrap(),
            max_improvement: BasisPoints::from_hundredths(10_000),
        };
        let parts = U256::from(format!("{:.0}", part * 1e6).parse::<u64>().unwrap());
        let amount = self.balances[input] * parts / U256::from(1_000_000);
        let swap = price(&pair, GoodUntilKind::Plain, SwapAmount::ExactInput(Amount::new(amount)?)).ok()?;
        Some(SignedSwap { second: self.second, input, amounts: [swap.input.base_units(), swap.output.base_units()] })
    }

    /// Executes all outstanding swaps in a block, and has the monitor read it.
    fn mine(&mut self) {
        for swap in std::mem::take(&mut self.outstanding) {
            let output = 1 - swap.input;
            self.balances[swap.input] += swap.amounts[0];
            self.balances[output] -= swap.amounts[1];
            self.executed.push(swap);
        }
        let sample = PoolSample {
            block_number: u64::from(self.second / BLOCK_SECONDS),
            block_hash: B256::ZERO,
            block_time: self.now(),
            balances: self.balances.to_vec(),
            pool_tokens: self.pool_tokens,
        };
        // Without the events of swaps, which nothing here is asked about.
        let swaps = RecentSwaps { since: u64::MAX, ..RecentSwaps::default() };
        let feed = self.feed();
        self.monitor.observe(sample, swaps, Some(&feed), at(self.second));
    }

    fn evaluate(&mut self) -> Vec<Cause> {
        let (feed, now) = (self.feed(), self.now());
        let outstanding = TOKENS.map(|token| (token, U512::ZERO));
        let conditions = Conditions { prices: &feed, outstanding: &outstanding, resumed_at: None };
        self.monitor.evaluate(&conditions, now)
    }

    /// What these swaps cost the pool at the prices of the feed, as a share of `whole`.
    fn loss_of<'s>(&self, swaps: impl Iterator<Item = &'s SignedSwap>, whole: U512) -> BasisPoints {
        let (mut gained, mut lost) = (U512::ZERO, U512::ZERO);
        for swap in swaps {
            let worth = |index: usize, amount: U256| {
                let mut amounts = [U512::ZERO; 2];
                amounts[index] = U512::from(amount);
                value(&amounts, &self.feed()).unwrap()
            };
            gained += worth(swap.input, swap.amounts[0]);
            lost += worth(1 - swap.input, swap.amounts[1]);
        }
        share(lost.saturating_sub(gained), whole)
    }
}

fn loss_policy() -> BreakerPolicy {
    let loss = BreakerThresholds { window_seconds: 600, widen_at: None, pause_at: Some(bps(THRESHOLD)) };
    BreakerPolicy { loss, ..BreakerPolicy::default() }
}

/// Runs a taker who knows the price before the feed does until the breaker trips. Returns the loss at the pause, and its
/// parts beyond the threshold: by swaps that were outstanding, and by swaps signed since the losing execution.
fn drained(seed: u64) -> Option<[BasisPoints; 3]> {
    let mut world = World::new(seed, loss_policy());
    let whole_of = |world: &World, balances: [U256; 2]| value(&balances.map(U512::from), &world.feed()).unwrap();
    let start = world.balances;
    for second in 1..120 {
        world.second = second;
        world.move_price(0.8, 0.3);
        world.sign_informed();
        if second % BLOCK_SECONDS == 0 {
            world.mine();
        }
        if world.evaluate().iter().any(|cause| cause.step == BreakerStep::Pause) {
            let whole = whole_of(&world, start);
            let all: Vec<SignedSwap> = world.executed.iter().chain(&world.outstanding).copied().collect();
            // The losing execution: the first after which the loss is the threshold, at the prices of the pause.
            let losing = (1..=all.len()).find(|count| world.loss_of(all[..*count].iter(), whole) >= bps(THRESHOLD))?;
            let since = all[losing - 1].second;
            let total = world.loss_of(all.iter(), whole);
            let outstanding = world.loss_of(world.outstanding.iter(), whole);
            let between = world.executed.iter().filter(|swap| swap.second >= since);
            return Some([total, outstanding, world.loss_of(between, whole)]);
        }
    }
    None
}

#[test]
fn the_loss_to_takers_who_know_stays_within_its_bound_in_a_thousand_runs() {
    let (mut tripped, mut largest) = (0, [0; 3]);
    for seed in 0..1_000 {
        let Some(parts) = drained(seed) else { continue };
        let [total, outstanding, between] = parts.map(BasisPoints::hundredths);
        assert!(total <= THRESHOLD + outstanding + between, "{seed}: {parts:?}");
        tripped += 1;
        largest = [0, 1, 2].map(|index| largest[index].max([total, outstanding, between][index]));
    }
    let [total, outstanding, between] = largest.map(|part| part / 100);
    println!("{tripped} tripped; at most {total} bps, {outstanding} bps outstanding, {between} bps signed meanwhile");
    assert!(tripped > 500, "{tripped}");
}

/// What happens in a quiet day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disturbance {
    Nothing,
    Crash,
    Deposit,
    Withdrawal,
    Reorganization,
}

#[test]
fn nothing_trips_in_a_day_of_uninformed_flow() {
    use Disturbance::{Crash, Deposit, Nothing, Reorganization, Withdrawal};
    for happening in [Nothing, Crash, Deposit, Withdrawal, Reorganization] {
        let mut world = World::new(7, loss_policy());
        // Blocks of a quarter of a minute, so that a day is short.
        for second in (0..86_400).step_by(14) {
            world.second = second;
            for _ in 0..14 {
                world.move_price(0.6, 0.0);
            }
            // A dozen trades an hour at the price of the feed, in both directions.
            if world.random.uniform() < 0.05 {
                let input = usize::from(world.random.uniform() < 0.5);
                world.sign(input, 0.002, "8.63");
            }
            if second == 43_204 {
                match happening {
                    Crash => world.prices.iter_mut().for_each(|price| *price *= 0.9),
                    Deposit => {
                        // A quarter more, in dollars alone.
                        world.balances[1] += units(1_000_000.0, 6);
                        world.pool_tokens += world.pool_tokens / U256::from(4);
                    }
                    Withdrawal => {
                        world.balances = world.balances.map(|balance| balance / U256::from(2));
                        world.pool_tokens /= U256::from(2);
                    }
                    Nothing | Reorganization => {}
                }
            }
            world.mine();
            assert_eq!(world.evaluate(), [], "{happening:?} at {second}");
            if happening == Reorganization && second == 43_204 {
                // The blocks of the last half minute are replaced, without the swaps in them.
                let undone: Vec<SignedSwap> =
                    world.executed.iter().filter(|swap| swap.second + 28 > second).copied().collect();
                for swap in undone {
                    world.balances[swap.input] -= swap.amounts[0];
                    world.balances[1 - swap.input] += swap.amounts[1];
                }
                world.second = second - 28;
            }
        }
    }
}

#[test]
fn an_outflow_stops_its_token_after_fees_were_raised() {
    let outflow =
        BreakerThresholds { window_seconds: 3_600, widen_at: Some(bps(50_000)), pause_at: Some(bps(100_000)) };
    let mut world = World::new(1, BreakerPolicy { outflow, ..BreakerPolicy::default() });
    let mut steps = Vec::new();
    for second in (2..200).step_by(2) {
        world.second = second;
        world.sign(1, 0.005, "0");
        world.mine();
        let causes = world.evaluate();
        assert!(causes.iter().all(|cause| (cause.breaker, cause.token) == (Breaker::Outflow, Some(TOKENS[0]))));
        steps.extend(causes.first().map(|cause| cause.step));
    }
    steps.dedup();
    assert_eq!(steps, [BreakerStep::Widen, BreakerStep::Pause]);
    assert!(!world.monitor.may_end(Breaker::Outflow, Some(TOKENS[0]), at(10), at(3_700)));
    assert!(world.monitor.may_end(Breaker::Outflow, Some(TOKENS[0]), at(10), at(200 + 3_600)));
}
