//! A pool as configured by its operator.

use std::fmt;

use alloy_primitives::Address;

use crate::{
    Asset, BasisPoints, Execution, FeeCurve, GoodUntilKind, PoolConstant, PoolId, SettlementCheck, Symbol, Usd,
};

/// The longest `acceptance_window_seconds`.
pub const MAX_ACCEPTANCE_WINDOW_SECONDS: u32 = 3_600;
/// The longest `max_time_in_seconds`.
const MAX_TIME_IN_SECONDS: u32 = 86_400;
/// How long after a quote was made a signature of it is valid at most, in seconds, in any pool.
pub const MAX_LIFETIME_SECONDS: u32 = MAX_ACCEPTANCE_WINDOW_SECONDS + MAX_TIME_IN_SECONDS + 1;

/// The EIP-712 domain of a pool contract; its chain id and verifying contract are the pool's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningDomain {
    /// `name` of the domain.
    pub name: String,
    /// `version` of the domain.
    pub version: String,
}

/// A chain, as its users know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The display name.
    pub name: String,
    /// The symbol of the native coin.
    pub native_symbol: Symbol,
    /// The wrapped-native contract.
    pub wrapped_native: Address,
}

/// Two assets that trade against each other in both directions, with their fee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The two symbols, in either order.
    pub assets: [Symbol; 2],
    /// The fee parameters of a trade.
    pub fee: FeeCurve,
}

impl Pair {
    /// Returns the input and the output asset of both directions.
    pub fn directions(&self) -> [[&Symbol; 2]; 2] {
        let [first, second] = &self.assets;
        [[first, second], [second, first]]
    }
}

/// Displays the symbols, such as `ETH/USDC`.
impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.assets;
        write!(f, "{first}/{second}")
    }
}

/// The configuration of a pool. [`Pool::new`] checks that it is consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSpec {
    /// Chain and contract.
    pub id: PoolId,
    /// The EIP-712 domain the contract was deployed with.
    pub domain: SigningDomain,
    /// The form of `good_until` the contract expects.
    pub good_until: GoodUntilKind,
    /// The check that a verified contract applies to a swap.
    pub settlement: SettlementCheck,
    /// Whether the contract executes each signature once.
    pub single_use: bool,
    /// The share of its fee that a signed swap has to leave to the pool even if all other outstanding swaps are
    /// executed.
    pub min_fee_share: BasisPoints,
    /// The chain, as its users know it.
    pub chain: Chain,
    /// The pool constant.
    pub k: PoolConstant,
    /// The most that a swap is offered better than the prices of its assets; `None` without a bound.
    pub max_improvement: Option<BasisPoints>,
    /// Seconds from a quote to its `must_accept_by`, 1 to 3600.
    pub acceptance_window_seconds: u32,
    /// The smallest `time_in_seconds` that a client may request, 1 or more.
    pub min_time_in_seconds: u32,
    /// The `time_in_seconds` of a request that has none.
    pub default_time_in_seconds: u32,
    /// The largest `time_in_seconds` that a client may request, at most 86400.
    pub max_time_in_seconds: u32,
    /// How far the pool's price may have worsened against the quoted one when the quote is signed.
    pub last_look_tolerance: BasisPoints,
    /// The smallest trade that is quoted, by the value of its input.
    pub min_trade: Usd,
    /// Whether the pool quotes at all.
    pub swaps_enabled: bool,
    /// The listed tokens, at least two.
    pub assets: Vec<Asset>,
    /// The pairs that trade, at least one.
    pub pairs: Vec<Pair>,
}

impl PoolSpec {
    /// The smallest trade unless the operator configures another: 0.10 USD.
    pub const DEFAULT_MIN_TRADE: Usd = Usd::new(10_000_000);

    /// Creates the specification of a pool that quotes as one does whose operator configures nothing else: trades from
    /// 0.10 USD without a bound of the improvement, valid for 1 to 120 seconds (60 unless requested otherwise) after at
    /// most 12 seconds to sign them, at prices that have not worsened, keeping half of the fee.
    pub fn new(
        id: PoolId,
        chain: Chain,
        domain: SigningDomain,
        good_until: GoodUntilKind,
        k: PoolConstant,
        assets: Vec<Asset>,
        pairs: Vec<Pair>,
    ) -> Self {
        Self {
            id,
            domain,
            good_until,
            settlement: SettlementCheck::default(),
            single_use: false,
            min_fee_share: BasisPoints::from_hundredths(BasisPoints::SCALE / 2).unwrap_or_default(),
            chain,
            k,
            max_improvement: None,
            acceptance_window_seconds: 12,
            min_time_in_seconds: 1,
            default_time_in_seconds: 60,
            // The option that a longer one gives away may be worth more than the fee.
            max_time_in_seconds: 120,
            last_look_tolerance: BasisPoints::default(),
            min_trade: Self::DEFAULT_MIN_TRADE,
            swaps_enabled: true,
            assets,
            pairs,
        }
    }

    /// Whether a swap at the reserves of `block` executes regardless of others: if its contract executes each signature
    /// once and does not check the curve, and is known to hold what the swaps take out. Reserves of no block do not follow
    /// the chain.
    pub fn execution(&self, block: Option<u64>) -> Execution {
        match self.pricing_kind() {
            GoodUntilKind::Plain if self.single_use && block.is_some() => Execution::Guaranteed,
            GoodUntilKind::Plain | GoodUntilKind::Verified => Execution::BestEffort,
        }
    }

    /// Returns the kind of contract that amounts are computed for: [`GoodUntilKind::Plain`] unless the contract checks
    /// the curve.
    pub const fn pricing_kind(&self) -> GoodUntilKind {
        match self.settlement {
            SettlementCheck::Curve => self.good_until,
            SettlementCheck::Price => GoodUntilKind::Plain,
        }
    }

    /// Whether the contract checks nothing and executes signatures repeatedly.
    pub fn is_replayable(&self) -> bool {
        self.good_until == GoodUntilKind::Plain && !self.single_use
    }

    /// How long after a quote was made a signature of it may be valid, in seconds: to the end of its last second; at most
    /// [`MAX_LIFETIME_SECONDS`].
    pub const fn max_lifetime_seconds(&self) -> u32 {
        self.acceptance_window_seconds.saturating_add(self.max_time_in_seconds).saturating_add(1)
    }
}

/// Why a [`PoolSpec`] is inconsistent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPool {
    /// A number is outside its range.
    #[error("{field} is {value}, allowed: {allowed}")]
    OutOfRange {
        /// The field of [`PoolSpec`].
        field: &'static str,
        /// The value.
        value: String,
        /// The allowed values.
        allowed: &'static str,
    },
    /// A symbol, token or pair is listed twice.
    #[error("{what} is listed twice")]
    Duplicate {
        /// The duplicate.
        what: String,
    },
    /// A pair names a symbol that is not an asset of the pool, or the same symbol twice.
    #[error("pair {first}/{second} needs two different symbols of the pool's assets")]
    UnknownPair {
        /// First symbol of the pair.
        first: Symbol,
        /// Second symbol of the pair.
        second: Symbol,
    },
    /// A token of a verified pool has more decimals than its contract computes with: every swap of it would revert.
    #[error("{symbol} has {decimals} decimals, a verified pool takes at most {MAX_VERIFIED_DECIMALS}")]
    TooManyDecimals {
        /// The asset.
        symbol: Symbol,
        /// The number of decimals.
        decimals: u8,
    },
    /// Settlement by price for a contract that checks no price, or that executes signatures repeatedly: only the curve
    /// ends that.
    #[error("settlement by price needs a verified pool that executes each signature once")]
    UncheckedPrice,
    /// A pair of a verified pool has no fee: its contract would refuse most swaps.
    #[error("pair {first}/{second} of a verified pool needs a fee above zero")]
    FreePair {
        /// First symbol of the pair.
        first: Symbol,
        /// Second symbol of the pair.
        second: Symbol,
    },
}

/// The most decimals that the check of a verified pool supports.
const MAX_VERIFIED_DECIMALS: u8 = 18;

/// A pool that can be quoted and signed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool(PoolSpec);

impl Pool {
    /// Checks that `spec` is consistent.
    ///
    /// # Errors
    /// [`InvalidPool`] for the first inconsistency.
    pub fn new(spec: PoolSpec) -> Result<Self, InvalidPool> {
        check_times(&spec)?;
        let is_checked_once = spec.good_until == GoodUntilKind::Verified && spec.single_use;
        if spec.settlement == SettlementCheck::Price && !is_checked_once {
            return Err(InvalidPool::UncheckedPrice);
        }
        check_assets(&spec)?;
        check_pairs(&spec)?;
        Ok(Self(spec))
    }

    /// The operator's configuration of the pool.
    pub const fn spec(&self) -> &PoolSpec {
        &self.0
    }

    /// Position and description of the asset called `symbol`, or `None` if the pool does not list it.
    pub fn asset(&self, symbol: &str) -> Option<(usize, &Asset)> {
        self.0.assets.iter().enumerate().find(|(_, asset)| asset.symbol.as_str() == symbol)
    }

    /// Position and description of the pair of two symbols, in either order, or `None` if they do not trade.
    pub fn pair(&self, one: &Symbol, other: &Symbol) -> Option<(usize, &Pair)> {
        self.0.pairs.iter().enumerate().find(|(_, pair)| is_pair(pair, one, other))
    }
}

fn is_pair(pair: &Pair, one: &Symbol, other: &Symbol) -> bool {
    let [first, second] = &pair.assets;
    (first == one && second == other) || (first == other && second == one)
}

fn check_times(spec: &PoolSpec) -> Result<(), InvalidPool> {
    let range = |field, value: u32, fits: bool, allowed| match fits {
        true => Ok(()),
        false => Err(InvalidPool::OutOfRange { field, value: value.to_string(), allowed }),
    };
    let (window, min) = (spec.acceptance_window_seconds, spec.min_time_in_seconds);
    let (default, max) = (spec.default_time_in_seconds, spec.max_time_in_seconds);
    range("acceptance_window_seconds", window, (1..=MAX_ACCEPTANCE_WINDOW_SECONDS).contains(&window), "1 to 3600")?;
    range("max_time_in_seconds", max, (1..=MAX_TIME_IN_SECONDS).contains(&max), "1 to 86400")?;
    range("min_time_in_seconds", min, (1..=max).contains(&min), "1 to max_time_in_seconds")?;
    range(
        "default_time_in_seconds",
        default,
        (min..=max).contains(&default),
        "min_time_in_seconds to max_time_in_seconds",
    )
}

fn check_assets(spec: &PoolSpec) -> Result<(), InvalidPool> {
    if spec.assets.len() < 2 {
        let value = format!("{} asset(s)", spec.assets.len());
        return Err(InvalidPool::OutOfRange { field: "asset", value, allowed: "two assets or more" });
    }
    for (position, asset) in spec.assets.iter().enumerate() {
        if asset.address.is_zero() || asset.address == spec.id.address {
            let value = asset.address.to_string();
            return Err(InvalidPool::OutOfRange {
                field: "asset.address",
                value,
                allowed: "a token contract, not the pool",
            });
        }
        let decimals = asset.decimals.get();
        if spec.good_until == GoodUntilKind::Verified && decimals > MAX_VERIFIED_DECIMALS {
            return Err(InvalidPool::TooManyDecimals { symbol: asset.symbol.clone(), decimals });
        }
        for earlier in spec.assets.iter().take(position) {
            if earlier.symbol == asset.symbol {
                return Err(InvalidPool::Duplicate { what: format!("symbol {}", asset.symbol) });
            }
            if earlier.address == asset.address {
                return Err(InvalidPool::Duplicate { what: format!("token {}", asset.address) });
            }
        }
    }
    Ok(())
}

fn check_pairs(spec: &PoolSpec) -> Result<(), InvalidPool> {
    if spec.pairs.is_empty() {
        return Err(InvalidPool::OutOfRange { field: "pair", value: "none".into(), allowed: "one pair or more" });
    }
    for (position, pair) in spec.pairs.iter().enumerate() {
        let [first, second] = &pair.assets;
        let is_listed = |symbol: &Symbol| spec.assets.iter().any(|asset| asset.symbol == *symbol);
        if first == second || !is_listed(first) || !is_listed(second) {
            return Err(InvalidPool::UnknownPair { first: first.clone(), second: second.clone() });
        }
        if spec.pairs.iter().take(position).any(|earlier| is_pair(earlier, first, second)) {
            return Err(InvalidPool::Duplicate { what: format!("pair {first}/{second}") });
        }
        let is_free = pair.fee.base.hundredths() == 0 && pair.fee.annual_volatility.steps() == 0;
        if is_free && spec.good_until == GoodUntilKind::Verified {
            return Err(InvalidPool::FreePair { first: first.clone(), second: second.clone() });
        }
    }
    Ok(())
}
