//! A complete environment: a node with a pool of each kind, the real server for both, and a wallet.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a world that does not start is a failed test"
)]

use firmquote_domain::{Address, GoodUntilKind, NativeSide, SigningDomain, U256};
use firmquote_signer::{LocalSigner, Signer};
use serde_json::{Value, json};

use crate::{
    configuration::{self, ExtraConfig, NO_LIMITS, SYMBOLS},
    contracts::{DeploymentPlan, Stock},
    demo,
    evm::CHAIN_ID,
    exchange::{KEY, Listing},
    interface::{TestToken, WrappedNative},
    node::{Node, Receipt},
    service::Service,
    transaction::Transaction,
};

/// Node, server and wallet.
pub struct TestEnvironment {
    /// The node.
    pub node: Node,
    /// The server.
    pub service: Service,
    /// An account whose transactions the node signs.
    pub wallet: Address,
    /// The tokens of both pools.
    pub tokens: Vec<Address>,
    /// The pool with plain `good_until` values.
    pub plain: Address,
    /// The pool with packed `good_until` values.
    pub verified: Address,
}

/// A node with pools, and the configuration of a server that is not started yet.
pub struct PreparedWorld {
    /// The node.
    pub node: Node,
    /// The configuration.
    pub config: String,
    /// An account whose transactions the node signs.
    pub wallet: Address,
    /// The tokens of both pools.
    pub tokens: Vec<Address>,
    /// The pool with plain `good_until` values.
    pub plain: Address,
    /// The pool with packed `good_until` values.
    pub verified: Address,
}

impl PreparedWorld {
    /// Starts the server.
    pub fn start(self) -> TestEnvironment {
        let service = Service::start(&self.config);
        let Self { node, wallet, tokens, plain, verified, .. } = self;
        TestEnvironment { node, service, wallet, tokens, plain, verified }
    }
}

/// The form of a swap.
#[derive(Clone, Copy, Debug)]
pub struct SwapRoute {
    /// Positions of the input and the output token.
    pub tokens: (usize, usize),
    /// The side that is native coin.
    pub native: NativeSide,
    /// Whether the pool pulls the input.
    pub transmit: bool,
}

/// A signed swap as returned by the server.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The quote that was signed.
    pub quote_id: String,
    /// The pool contract, the target of the calldata.
    pub pool: Address,
    /// Input amount in base units.
    pub input: U256,
    /// Output amount in base units.
    pub output: U256,
    /// The recipient of the output.
    pub destination: Address,
    /// The signed `good_until`.
    pub good_until: U256,
    /// The calldata for the pool.
    pub calldata: Vec<u8>,
}

impl Signed {
    /// Parses the Sign object, which does not name its quote unless it was quoted and signed in one request.
    ///
    /// # Panics
    /// If a member is missing or has another type.
    pub fn from_response(answer: &Value) -> Self {
        let calldata: alloy_sol_types::private::Bytes = member(answer, "calldata");
        Self {
            quote_id: answer["id"].as_str().unwrap_or_default().to_owned(),
            pool: member(answer, "service_exchange_address"),
            input: member(answer, "input_amount"),
            output: member(answer, "output_amount"),
            destination: member(answer, "destination_address"),
            good_until: member(answer, "good_until"),
            calldata: calldata.into(),
        }
    }

    /// Returns the last second of validity: the whole of a plain `good_until`, the low 32 bits of a packed one.
    pub fn last_second(&self) -> u64 {
        (self.good_until & U256::from(u32::MAX)).to()
    }
}

/// Parses a response member that is encoded as a string.
fn member<T: std::str::FromStr>(answer: &Value, name: &str) -> T {
    let text = answer.get(name).and_then(Value::as_str);
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no {name} in {answer}"))
}

impl TestEnvironment {
    /// Starts everything, with prices and reserves from the configuration and no limits on trades beyond the formula's.
    pub async fn start() -> Self {
        let unlimited = ExtraConfig { pool: NO_LIMITS.to_owned(), ..ExtraConfig::default() };
        Self::start_with(async |_| unlimited).await
    }

    /// Starts everything, with the additions of `more` in the configuration. `more` may prepare the node first.
    pub async fn start_with(more: impl AsyncFnOnce(&Node) -> ExtraConfig) -> Self {
        Self::prepare_with(more).await.start()
    }

    /// Starts everything except the server.
    pub async fn prepare_with(more: impl AsyncFnOnce(&Node) -> ExtraConfig) -> PreparedWorld {
        let node = Node::start();
        let accounts = node.accounts().await;
        let [owner, wallet, ..] = accounts.as_slice() else { panic!("a node with two accounts") };
        let signer = LocalSigner::from_hex(KEY).expect("a key").address();
        let listings = demo::opening(GoodUntilKind::Plain).listings;
        let mut script = DeploymentPlan::new(*owner, 0);
        let stocks = stocks(&mut script, &listings);
        let mut pool = |kind| script.pool(kind, signer, &domain(), &stocks);
        let (plain, verified) = (pool(GoodUntilKind::Plain), pool(GoodUntilKind::Verified));
        for transaction in script.into_transactions() {
            let receipt = node.send(&transaction).await;
            assert!(receipt.is_executed, "{receipt:?}");
        }
        let tokens: Vec<Address> = stocks.iter().map(|stock| stock.token).collect();
        let pools = [(plain, "plain"), (verified, "verified")];
        let assets: Vec<_> = tokens.iter().copied().zip(listings).collect();
        let config = configuration::render(&domain(), &assets, &pools, &more(&node).await);
        PreparedWorld { node, config, wallet: *wallet, tokens, plain, verified }
    }

    /// Returns the token at a position.
    pub fn token(&self, position: usize) -> Address {
        self.tokens.get(position).copied().expect("a listed token")
    }

    /// Requests a quote and its signature in two calls of version 2.
    pub async fn sign(&self, pool: Address, route: SwapRoute, amount: &str, destination: Address) -> Signed {
        let quote = self.quote(pool, route, amount).await;
        let mut body = self.terms(route, destination);
        body["quote_id"] = quote["id"].clone();
        let quote_id = quote["id"].as_str().expect("an ID").to_owned();
        Signed { quote_id, ..Signed::from_response(&self.service.post("/rfq/v2/sign", &body).await.ok()) }
    }

    /// Requests a quote. `amount` is a query parameter such as `input_amount=1`.
    pub async fn quote(&self, pool: Address, route: SwapRoute, amount: &str) -> Value {
        let query = format!("{}&{amount}&pool_address={pool}&time_in_seconds=600", symbols(route));
        self.service.get(&format!("/rfq/v2/quote/{CHAIN_ID}"), &query).await.ok()
    }

    /// Requests the status of a quote; again while the service says that its store did not respond in time, which a busy
    /// machine can cause.
    pub async fn status(&self, quote_id: &str) -> Value {
        const MAX_RETRIES: usize = 20;
        let path = format!("/rfq/v2/quote-status/{quote_id}");
        for _ in 0..MAX_RETRIES {
            let response = self.service.get(&path, "").await;
            if !response.is_retryable() {
                return response.ok();
            }
        }
        self.service.get(&path, "").await.ok()
    }

    /// Returns the members of a sign request except for the quote ID.
    pub fn terms(&self, route: SwapRoute, destination: Address) -> Value {
        json!({
            "destination_address": destination.to_string(),
            "sender_address": self.wallet.to_string(),
            "calldata": true,
            "native_input": route.native == NativeSide::Input,
            "native_output": route.native == NativeSide::Output,
            "transmit": route.transmit,
        })
    }

    /// Returns the wallet's transaction that executes a signed swap.
    pub fn transaction(&self, route: SwapRoute, signed: &Signed) -> Transaction {
        let value = if route.native == NativeSide::Input { signed.input } else { U256::ZERO };
        Transaction::raw(self.wallet, signed.pool, signed.calldata.clone()).with_value(value)
    }

    /// Sends 10 ETH to `account`, for gas and swaps.
    pub async fn provide_native(&self, account: Address) {
        let ten_ether = U256::from(10_000_000_000_000_000_000_u64);
        self.execute(&Transaction::raw(self.wallet, account, Vec::new()).with_value(ten_ether)).await;
    }

    /// Provides `account` with base units of a token, which are minted or, for wrapped native, wrapped by the wallet.
    pub async fn provide(&self, token: Address, account: Address, amount: U256) {
        if Some(&token) != self.tokens.first() {
            return self
                .execute(&Transaction::calling(self.wallet, token, &TestToken::mintCall { account, amount }))
                .await;
        }
        let wrap = Transaction::calling(self.wallet, token, &WrappedNative::depositCall {}).with_value(amount);
        self.execute(&wrap).await;
        if account != self.wallet {
            self.execute(&Transaction::calling(self.wallet, token, &TestToken::transferCall { to: account, amount }))
                .await;
        }
    }

    /// Performs the prerequisite of a swap in this form: a push, an approval, or nothing.
    pub async fn prepare(&self, route: SwapRoute, signed: &Signed) {
        let token = self.token(route.tokens.0);
        let (pool, amount) = (signed.pool, signed.input);
        match (route.native, route.transmit) {
            (NativeSide::Input, _) => {}
            (_, true) => {
                let call = TestToken::approveCall { spender: pool, amount };
                self.execute(&Transaction::calling(self.wallet, token, &call)).await;
            }
            (_, false) => {
                let call = TestToken::transferCall { to: pool, amount };
                self.execute(&Transaction::calling(self.wallet, token, &call)).await;
            }
        }
    }

    /// Returns the token balance of `account` in base units.
    pub async fn balance(&self, token: Address, account: Address) -> U256 {
        self.node.ask(token, &TestToken::balanceOfCall { account }).await
    }

    /// Sends a transaction that must succeed.
    pub async fn execute(&self, transaction: &Transaction) {
        let receipt: Receipt = self.node.send(transaction).await;
        assert!(receipt.is_executed, "{receipt:?}");
    }
}

/// Returns the query parameters with the token symbols.
pub fn symbols(route: SwapRoute) -> String {
    let symbol = |position: usize| SYMBOLS.get(position).copied().unwrap_or_default();
    format!("input_asset_symbol={}&output_asset_symbol={}", symbol(route.tokens.0), symbol(route.tokens.1))
}

fn domain() -> SigningDomain {
    SigningDomain { name: "Firmquote Test".into(), version: "7".into() }
}

fn stocks(script: &mut DeploymentPlan, listings: &[Listing]) -> Vec<Stock> {
    let stock = |(position, listing): (usize, &Listing)| {
        let token = if position == 0 { script.wrapped_native() } else { script.token(listing.decimals.get()) };
        Stock { token, reserve: listing.reserve }
    };
    listings.iter().enumerate().map(stock).collect()
}
