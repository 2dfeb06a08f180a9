//! Where the balances of pools went, from their blocks on the tape, to the base unit: between two blocks that were read
//! one after the other, balance after - before = swaps in - swaps out + deposited - withdrawn + unexplained.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
};

use firmquote_domain::{Address, Decimals, PoolId, Price, Symbol, Timestamp, U256};
use firmquote_tape::{BlockRow, SegmentFiles, TapeError};
use num_bigint::{BigInt, Sign};

use crate::{Money, PriceHistory};

/// What changed the balance of a token, in base units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalanceFlows {
    /// Paid in by swaps, ours and others'; of swaps that a reorganization undid, negative.
    pub swaps_in: BigInt,
    /// Paid out by swaps, likewise.
    pub swaps_out: BigInt,
    /// What else came in while the number of pool tokens changed.
    pub deposited: BigInt,
    /// What else went out while the number of pool tokens changed.
    pub withdrawn: BigInt,
    /// What else changed; negative if it is missing.
    pub unexplained: BigInt,
    /// The change between blocks of which one does not follow the other on the tape: nothing is known of it.
    pub unobserved: BigInt,
}

impl BalanceFlows {
    /// Whether swaps, deposits and withdrawals explain the change, as far as it was observed.
    pub fn is_explained(&self) -> bool {
        self.unexplained == BigInt::ZERO
    }

    /// The change of the balance.
    pub fn sum(&self) -> BigInt {
        &self.swaps_in - &self.swaps_out + &self.deposited - &self.withdrawn + &self.unexplained + &self.unobserved
    }
}

impl AddAssign for BalanceFlows {
    fn add_assign(&mut self, other: Self) {
        self.swaps_in += other.swaps_in;
        self.swaps_out += other.swaps_out;
        self.deposited += other.deposited;
        self.withdrawn += other.withdrawn;
        self.unexplained += other.unexplained;
        self.unobserved += other.unobserved;
    }
}

/// The balances of a pool from its first to its last block of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolReconciliation {
    /// The pool.
    pub pool: PoolId,
    /// The time of the first block.
    pub from: Timestamp,
    /// The time of the last block.
    pub to: Timestamp,
    /// The number of blocks.
    pub blocks: u64,
    /// The tokens, in the pool's order.
    pub tokens: Vec<TokenReconciliation>,
    /// The same in US dollars, of the tokens that the service quotes, from the first block with prices; `None` without
    /// prices at the last block.
    pub value: Option<ValueReconciliation>,
    /// The time of the first block with prices.
    pub valued_from: Timestamp,
    /// [`ValueReconciliation::trading`] up to some of the blocks, the last one included, at the prices of the last block;
    /// empty without them.
    pub trading: Vec<(Timestamp, Money)>,
}

/// The balance of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenReconciliation {
    /// The token.
    pub token: Address,
    /// Its symbol and decimals, if the service quotes it.
    pub asset: Option<(Symbol, Decimals)>,
    /// The balance at the first block, in base units.
    pub start: U256,
    /// The balance at the last block.
    pub end: U256,
    /// What changed it.
    pub flows: BalanceFlows,
}

/// The value of a pool. Flows are valued at the prices of the last block, so that trading is the result against holding
/// what the pool held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueReconciliation {
    /// The balances at the first block, at its prices.
    pub start: Money,
    /// What the prices of these balances did since.
    pub price_moves: Money,
    /// Swaps in less swaps out.
    pub trading: Money,
    /// Deposits less withdrawals.
    pub deposits: Money,
    /// What else changed.
    pub unexplained: Money,
    /// What is not known.
    pub unobserved: Money,
    /// The balances at the last block, at its prices.
    pub end: Money,
}

/// Returns what changed the balances between two blocks, for each token of either; all of it is unobserved unless `after`
/// follows `before`.
pub fn balance_flows(before: &BlockRow, after: &BlockRow) -> BTreeMap<Address, BalanceFlows> {
    let balance = |row: &BlockRow, token: Address| {
        let found = row.balances.iter().find(|balance| balance.token == token);
        found.map_or(BigInt::ZERO, |balance| integer(balance.balance))
    };
    let mut flows: BTreeMap<Address, BalanceFlows> = BTreeMap::new();
    let follows = after.follows == Some(before.hash);
    for swap in after.swaps.iter().filter(|_| follows) {
        let signed = |amount: U256| if swap.is_undone { -integer(amount) } else { integer(amount) };
        flows.entry(swap.input_token).or_default().swaps_in += signed(swap.input_amount);
        flows.entry(swap.output_token).or_default().swaps_out += signed(swap.output_amount);
    }
    for balance in before.balances.iter().chain(&after.balances) {
        flows.entry(balance.token).or_default();
    }
    for (token, flows) in &mut flows {
        let rest = balance(after, *token) - balance(before, *token) - flows.sum();
        if !follows {
            flows.unobserved = rest;
        } else if before.pool_tokens == after.pool_tokens {
            flows.unexplained = rest;
        } else if rest.sign() == Sign::Minus {
            flows.withdrawn = -rest;
        } else {
            flows.deposited = rest;
        }
    }
    flows
}

/// Reconciles the balances of each pool on these tapes in a period, from the last block before it. What several processes
/// read, at the same time or one after the other, is one sequence of blocks.
///
/// # Errors
/// For a tape that cannot be read.
pub fn reconcile(
    segments: &[SegmentFiles],
    prices: &PriceHistory,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<PoolReconciliation>, TapeError> {
    let mut by_process: BTreeMap<_, Vec<BlockRow>> = BTreeMap::new();
    for segment in segments {
        for row in segment.read::<BlockRow>()?.into_iter().filter(|row| row.block_time < to) {
            let rows = by_process.entry((row.pool, segment.directory())).or_default();
            // Of those before the period only the last one counts.
            if rows.last().is_some_and(|last| last.block_time < from) && row.block_time < from {
                rows.clear();
            }
            rows.push(row);
        }
    }
    let mut by_pool: BTreeMap<PoolId, Vec<Vec<BlockRow>>> = BTreeMap::new();
    let is_of_period = |rows: &Vec<BlockRow>| rows.last().is_some_and(|last| from <= last.block_time);
    for ((pool, _), rows) in by_process.into_iter().filter(|(_, rows)| is_of_period(rows)) {
        by_pool.entry(pool).or_default().push(rows);
    }
    Ok(by_pool.into_values().filter_map(|processes| reconcile_pool(&joined(processes), prices)).collect())
}

/// Joins the blocks that several processes read: those of a process count from where the one before ended.
fn joined(mut processes: Vec<Vec<BlockRow>>) -> Vec<BlockRow> {
    processes.sort_by_key(|rows| rows.first().map(|row| row.time));
    let mut joined: Vec<BlockRow> = Vec::new();
    for rows in processes {
        let end = joined.last().map(|row| row.time);
        joined.extend(rows.into_iter().filter(|row| end.is_none_or(|end| row.time > end)));
    }
    joined
}

/// The number of blocks for which [`PoolReconciliation::trading`] is known, about.
const PATH_POINTS: usize = 200;

/// Reconciles blocks in the order in which they were read.
fn reconcile_pool(rows: &[BlockRow], prices: &PriceHistory) -> Option<PoolReconciliation> {
    let (first, last) = (rows.first()?, rows.last()?);
    // A process reads blocks before it has prices.
    let is_priced = |row: &BlockRow| {
        row.balances
            .iter()
            .filter_map(|balance| balance.asset.as_ref())
            .all(|(symbol, _)| prices.after(symbol, row.block_time, 0).is_some())
    };
    let priced = rows.iter().position(is_priced).and_then(|at| rows.get(at..)).unwrap_or_default();
    let (tokens, _) = reconcile_tokens(rows, |_| None::<()>);
    let (valued, trading) = reconcile_tokens(priced, |flows| traded(last, flows, prices));
    let times = priced.first().map_or([first.block_time; 2], |priced| [priced.block_time, last.block_time]);
    let valued = valued.iter().filter(|token| token.asset.is_some());
    let value = valued.map(|token| value(token, prices, times)).sum();
    let blocks = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let (from, to) = (first.block_time, last.block_time);
    let value = Some(value).filter(|_| !priced.is_empty()).flatten();
    Some(PoolReconciliation { pool: first.pool, from, to, blocks, tokens, value, valued_from: times[0], trading })
}

/// Reconciles each token, and calls `sample` with the flows so far after some of the blocks, the last one included.
fn reconcile_tokens<T>(
    rows: &[BlockRow],
    sample: impl Fn(&BTreeMap<Address, BalanceFlows>) -> Option<T>,
) -> (Vec<TokenReconciliation>, Vec<(Timestamp, T)>) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return (Vec::new(), Vec::new()) };
    let mut flows: BTreeMap<Address, BalanceFlows> = BTreeMap::new();
    let mut path = Vec::new();
    for (number, (before, after)) in rows.iter().zip(rows.iter().skip(1)).enumerate() {
        for (token, step) in balance_flows(before, after) {
            *flows.entry(token).or_default() += step;
        }
        if number % rows.len().div_ceil(PATH_POINTS) == 0 || number + 2 == rows.len() {
            path.extend(sample(&flows).map(|sample| (after.block_time, sample)));
        }
    }
    let mut seen = BTreeSet::new();
    let listed = last.balances.iter().chain(&first.balances).filter(|balance| seen.insert(balance.token));
    let balance = |row: &BlockRow, token| {
        row.balances.iter().find(|balance| balance.token == token).map_or(U256::ZERO, |balance| balance.balance)
    };
    let tokens = listed.map(|known| TokenReconciliation {
        token: known.token,
        asset: known.asset.clone(),
        start: balance(first, known.token),
        end: balance(last, known.token),
        flows: flows.get(&known.token).cloned().unwrap_or_default(),
    });
    (tokens.collect(), path)
}

/// Returns the value of swaps in less that of swaps out, at the prices of the block `last`.
fn traded(last: &BlockRow, flows: &BTreeMap<Address, BalanceFlows>, prices: &PriceHistory) -> Option<Money> {
    let quoted = last.balances.iter().filter_map(|balance| Some((balance.token, balance.asset.as_ref()?)));
    let values = quoted.map(|(token, (symbol, decimals))| {
        let (price, flows) = (prices.after(symbol, last.block_time, 0)?, flows.get(&token)?);
        Some(Money::of_integer(&(&flows.swaps_in - &flows.swaps_out), *decimals, price))
    });
    values.sum()
}

fn value(token: &TokenReconciliation, prices: &PriceHistory, times: [Timestamp; 2]) -> Option<ValueReconciliation> {
    let (symbol, decimals) = token.asset.as_ref()?;
    let [first, last] = times.map(|time| prices.after(symbol, time, 0));
    let worth = |amount: &BigInt, price: Price| Money::of_integer(amount, *decimals, price);
    let (first, last, flows) = (first?, last?, &token.flows);
    let start = worth(&integer(token.start), first);
    Some(ValueReconciliation {
        price_moves: &worth(&integer(token.start), last) - &start,
        start,
        trading: worth(&(&flows.swaps_in - &flows.swaps_out), last),
        deposits: worth(&(&flows.deposited - &flows.withdrawn), last),
        unexplained: worth(&flows.unexplained, last),
        unobserved: worth(&flows.unobserved, last),
        end: worth(&integer(token.end), last),
    })
}

impl std::iter::Sum for ValueReconciliation {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::default(), |sum, value| Self {
            start: sum.start + value.start,
            price_moves: sum.price_moves + value.price_moves,
            trading: sum.trading + value.trading,
            deposits: sum.deposits + value.deposits,
            unexplained: sum.unexplained + value.unexplained,
            unobserved: sum.unobserved + value.unobserved,
            end: sum.end + value.end,
        })
    }
}

fn integer(amount: U256) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, &amount.to_le_bytes::<32>())
}
