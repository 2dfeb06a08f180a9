//! What it takes to open pools: a list of transactions that gives the same addresses on every chain.

use alloy_sol_types::SolCall;
use firmquote_domain::{Address, GoodUntilKind, SigningDomain, U256};

use crate::{
    artifact::creation,
    interface::{FirmquotePool, TestToken, WrappedNative},
    transaction::Transaction,
};

/// A token that a pool is opened with.
#[derive(Clone, Copy, Debug)]
pub struct Stock {
    /// The token contract.
    pub token: Address,
    /// Base units that the owner deposits.
    pub reserve: U256,
}

/// Transactions of one account, to be sent in this order and no others between them.
#[derive(Debug)]
pub struct Script {
    owner: Address,
    nonce: u64,
    transactions: Vec<Transaction>,
}

impl Script {
    /// An empty script of `owner`, who has sent `nonce` transactions before.
    pub const fn new(owner: Address, nonce: u64) -> Self {
        Self { owner, nonce, transactions: Vec::new() }
    }

    /// What is to be sent.
    pub fn into_transactions(self) -> Vec<Transaction> {
        self.transactions
    }

    /// Creates wrapped native.
    pub fn wrapped_native(&mut self) -> Address {
        self.create(creation("WrappedNative", &WrappedNative::constructorCall {}))
    }

    /// Creates a token that anybody can mint.
    pub fn token(&mut self, decimals: u8) -> Address {
        let arguments = TestToken::constructorCall {
            tokenName: format!("Token {}", self.nonce),
            tokenSymbol: format!("T{}", self.nonce),
            tokenDecimals: decimals,
        };
        self.create(creation("TestToken", &arguments))
    }

    /// Opens a pool for the offers of `signer`. The first of `stocks` is wrapped native: its reserve is taken from the
    /// owner's native coin, those of the others are minted.
    ///
    /// A pool of kind `Verified` says that it verifies; both execute both forms of `good_until`.
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

    /// The address that the creation will have: it follows from the sender and its nonce.
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
