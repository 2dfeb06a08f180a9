//! Opens pools with a list of transactions that yields the same addresses on every chain.

use alloy_sol_types::SolCall;
use firmquote_domain::{Address, GoodUntilKind, SigningDomain, U256};

use crate::{
    artifact::creation,
    interface::{FirmquotePool, TestToken, WrappedNative},
    transaction::Transaction,
};

/// A token and its initial reserve in a pool.
#[derive(Clone, Copy, Debug)]
pub struct Stock {
    /// The token contract.
    pub token: Address,
    /// Base units that the owner deposits.
    pub reserve: U256,
}

/// Transactions of one account, to be sent in this order with no others in between.
#[derive(Debug)]
pub struct DeploymentPlan {
    owner: Address,
    nonce: u64,
    transactions: Vec<Transaction>,
}

impl DeploymentPlan {
    /// Creates an empty script of `owner`, whose next nonce is `nonce`.
    pub const fn new(owner: Address, nonce: u64) -> Self {
        Self { owner, nonce, transactions: Vec::new() }
    }

    /// Returns the transactions.
    pub fn into_transactions(self) -> Vec<Transaction> {
        self.transactions
    }

    /// Creates the wrapped-native contract.
    pub fn wrapped_native(&mut self) -> Address {
        self.create(creation("WrappedNative", &WrappedNative::constructorCall {}))
    }

    /// Creates a token that any account can mint.
    pub fn token(&mut self, decimals: u8) -> Address {
        let arguments = TestToken::constructorCall {
            tokenName: format!("Token {}", self.nonce),
            tokenSymbol: format!("T{}", self.nonce),
            tokenDecimals: decimals,
        };
        self.create(creation("TestToken", &arguments))
    }

    /// Opens a pool that accepts offers signed by `signer`. The first of `stocks` is wrapped native: its reserve is
    /// taken from the owner's native coin, the other reserves are minted.
    ///
    /// A pool of kind `Verified` declares that it verifies offers; both kinds execute both forms of `good_until`.
    pub fn pool(&mut self, kind: GoodUntilKind, signer: Address, domain: &SigningDomain, stocks: &[Stock]) -> Address {
        let tokens: Vec<Address> = stocks.iter().map(|stock| stock.token).collect();
        let wrapped = tokens.first().copied().unwrap_or_default();
        let pool = self.create_pool(kind, signer, domain, wrapped, tokens);
        for Stock { token, reserve } in stocks.iter().copied() {
            if token == wrapped {
                self.call(token, reserve, &WrappedNative::depositCall {});
            } else {
                self.call(token, U256::ZERO, &TestToken::mintCall { account: self.owner, amount: reserve });
            }
            self.call(token, U256::ZERO, &TestToken::approveCall { spender: pool, amount: reserve });
        }
        let amounts = stocks.iter().map(|stock| stock.reserve).collect();
        let deposit = FirmquotePool::depositCall { amounts, poolTokens: U256::from(1_000_000) };
        self.call(pool, U256::ZERO, &deposit);
        pool
    }

    fn create_pool(
        &mut self,
        kind: GoodUntilKind,
        signer: Address,
        domain: &SigningDomain,
        wrapper: Address,
        tokens: Vec<Address>,
    ) -> Address {
        let arguments = FirmquotePool::constructorCall {
            designatedSigner: signer,
            wrapper,
            domainName: domain.name.clone(),
            domainVersion: domain.version.clone(),
            tokens,
        };
        let contract = match kind {
            GoodUntilKind::Plain => "FirmquotePool",
            GoodUntilKind::Verified => "FirmquoteVerifiedPool",
        };
        self.create(creation(contract, &arguments))
    }

    /// Adds a contract creation and returns the address of the contract, which follows from the sender and its nonce.
    fn create(&mut self, code: Vec<u8>) -> Address {
        let address = self.owner.create(self.nonce);
        self.push(Transaction::creating(self.owner, code));
        address
    }

    fn call<C: SolCall>(&mut self, to: Address, value: U256, call: &C) {
        self.push(Transaction::calling(self.owner, to, call).with_value(value));
    }

    fn push(&mut self, transaction: Transaction) {
        self.transactions.push(transaction);
        self.nonce += 1;
    }
}
