//! A pool on an in-memory chain, and the key that signs for it, as seen by the service.
#![expect(clippy::expect_used, reason = "a pool that does not open is a failed test")]

use std::sync::Arc;

use alloy_sol_types::SolCall as _;

use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, Decimals, FeeCurve, GoodUntilKind, Pair, Pool, PoolConstant, PoolId, PoolSpec,
    Price, SigningDomain, Symbol, U256, Volatility, Weight,
};
use firmquote_pricing::{PairAsset, PairState};
use firmquote_signer::{LocalSigner, PoolSigner, Signer};

use crate::{
    contracts::{DeploymentPlan, Stock},
    evm::{Chain, chain_id},
    interface::{FirmquotePool, TestToken},
    transaction::Transaction,
};

/// Timestamp of the first block.
pub const NOW: u32 = 1_700_000_000;

/// The account that opens pools.
const OWNER: Address = Address::repeat_byte(0xaa);

/// The signing key whose signatures pools accept.
pub const KEY: &str = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";

/// A token of a pool as known to the service.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// Decimals of the token.
    pub decimals: Decimals,
    /// Listing weight.
    pub weight: Weight,
    /// Price of one whole token.
    pub price: Price,
    /// Initial reserve in base units.
    pub reserve: U256,
}

/// The initial parameters of a pool.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The form of `good_until` in its offers.
    pub kind: GoodUntilKind,
    /// The pool constant.
    pub k: PoolConstant,
    /// The tokens; the first is wrapped native with 18 decimals.
    pub listings: Vec<Listing>,
}

/// The contracts of one pool.
#[derive(Clone, Debug)]
pub struct Contracts {
    /// The pool contract.
    pub pool: Address,
    /// The token contracts in the pool's order; the first is wrapped native.
    pub tokens: Vec<Address>,
}

impl Contracts {
    /// Returns the wrapped-native contract.
    pub fn wrapped_native(&self) -> Address {
        self.tokens.first().copied().unwrap_or_default()
    }
}

/// A pool on its own chain.
pub struct PoolHarness {
    /// The chain.
    pub chain: Chain,
    /// The addresses of pool and tokens.
    pub contracts: Contracts,
    /// The signing guard of the pool, using its key.
    pub signer: PoolSigner,
    /// The key without the guard.
    pub key: Arc<LocalSigner>,
    /// Prices and weights in the pool's order.
    pub listings: Vec<Listing>,
}

impl PoolHarness {
    /// Opens a pool at [`NOW`].
    pub fn open(opening: Opening) -> Self {
        let key = Arc::new(LocalSigner::from_hex(KEY).expect("a key"));
        let domain = SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() };
        let mut chain = Chain::at(NOW);
        chain.fund(OWNER, U256::MAX >> 1);
        let contracts = open_contracts(&mut chain, opening.kind, key.address(), &domain, &opening.listings);
        let pool = Pool::new(specification(&opening, &contracts, domain)).expect("a consistent pool");
        let signer = PoolSigner::new(Arc::new(pool), Arc::clone(&key) as Arc<dyn Signer>);
        Self { chain, contracts, signer, key, listings: opening.listings }
    }

    /// Returns the specification of the pool.
    pub fn spec(&self) -> &PoolSpec {
        self.signer.pool().spec()
    }

    /// Returns the reserves in base units according to the pool's books, in its token order.
    pub fn reserves(&mut self) -> Vec<U256> {
        let read =
            Transaction::raw(Address::ZERO, self.contracts.pool, FirmquotePool::allTokensBalanceCall {}.abi_encode());
        let (answer, _) = self.chain.attempt(&read).executed();
        let books = FirmquotePool::allTokensBalanceCall::abi_decode_returns(&answer).expect("balances");
        assert_eq!(books.tokens, self.contracts.tokens, "the pool lists its tokens in order");
        books.balances
    }

    /// Returns the pricing inputs for a swap of the `input`th token for the `output`th, with reserves read from the
    /// chain.
    pub fn pair(&mut self, (input, output): (usize, usize), fee: BasisPoints) -> PairState {
        let books = self.reserves();
        let side = |position: usize| {
            let listing = self.listings.get(position)?;
            let reserve = Amount::new(*books.get(position)?)?;
            Some(PairAsset { reserve, price: listing.price, weight: listing.weight, decimals: listing.decimals })
        };
        let (input, output) = side(input).zip(side(output)).expect("two listed tokens with reserves");
        PairState { input, output, k: self.spec().k, fee, max_improvement: None }
    }

    /// Returns the token balance of `account` in base units.
    pub fn balance(&mut self, token: Address, account: Address) -> U256 {
        self.chain.ask(token, &TestToken::balanceOfCall { account }).expect("a token")
    }
}

fn open_contracts(
    chain: &mut Chain,
    kind: GoodUntilKind,
    signer: Address,
    domain: &SigningDomain,
    listings: &[Listing],
) -> Contracts {
    let mut script = DeploymentPlan::new(OWNER, 0);
    let mut stocks = Vec::new();
    for (position, listing) in listings.iter().enumerate() {
        let token = if position == 0 { script.wrapped_native() } else { script.token(listing.decimals.get()) };
        stocks.push(Stock { token, reserve: listing.reserve });
    }
    let pool = script.pool(kind, signer, domain, &stocks);
    for transaction in script.into_transactions() {
        chain.send(&transaction).executed();
    }
    Contracts { pool, tokens: stocks.into_iter().map(|stock| stock.token).collect() }
}

/// Builds the pool specification. One pair suffices: prices come from the pricing crate, not from a desk.
fn specification(opening: &Opening, contracts: &Contracts, domain: SigningDomain) -> PoolSpec {
    let symbol = |position: usize| Symbol::new(&format!("T{position}")).expect("a symbol");
    let asset = |(position, (listing, address)): (usize, (&Listing, &Address))| Asset {
        symbol: symbol(position),
        address: *address,
        decimals: listing.decimals,
        weight: listing.weight,
    };
    let base = BasisPoints::from_hundredths(500).expect("5 basis points");
    let chain = firmquote_domain::Chain {
        name: "Ethereum".to_owned(),
        native_symbol: Symbol::new("ETH").expect("a symbol"),
        wrapped_native: contracts.wrapped_native(),
    };
    PoolSpec {
        max_time_in_seconds: 600,
        ..PoolSpec::new(
            PoolId { chain_id: chain_id(), address: contracts.pool },
            chain,
            domain,
            opening.kind,
            opening.k,
            opening.listings.iter().zip(&contracts.tokens).enumerate().map(asset).collect(),
            vec![Pair {
                assets: [symbol(0), symbol(1)],
                fee: FeeCurve { base, annual_volatility: Volatility::default() },
            }],
        )
    }
}
