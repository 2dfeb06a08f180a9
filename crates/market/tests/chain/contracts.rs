//! The project's own contracts on a node: a pool with two tokens, and a feed.

use alloy_primitives::{I256, aliases::U80, hex};
use alloy_sol_types::{SolConstructor, sol};
use firmquote_domain::{Address, PoolId, U256};

use crate::anvil::Anvil;

sol! {
    contract TestToken {
        constructor(string tokenName, string tokenSymbol, uint8 tokenDecimals);
        function mint(address account, uint256 amount) external;
        function approve(address spender, uint256 amount) external returns (bool);
    }

    contract FirmquotePool {
        constructor(
            address designatedSigner, address wrapper, string domainName, string domainVersion, address[] tokens
        );
        function deposit(uint256[] amounts, uint256 poolTokens) external;
    }

    contract MockAggregator {
        struct Round {
            uint80 roundId;
            int256 answer;
            uint256 startedAt;
            uint256 updatedAt;
            uint80 answeredInRound;
        }
        function set(uint8 newDecimals, Round round) external;
    }
}

pub(crate) const SIGNER: Address = Address::repeat_byte(0x51);
pub(crate) const DECIMALS: [u8; 2] = [18, 6];

/// A pool of two tokens, of which the first stands for wrapped native.
pub(crate) struct Pool {
    pub(crate) address: Address,
    pub(crate) tokens: [Address; 2],
}

impl Pool {
    pub(crate) async fn create(anvil: &Anvil) -> Self {
        let mut tokens = [Address::ZERO; 2];
        for (token, decimals) in tokens.iter_mut().zip(DECIMALS) {
            let arguments = TestToken::constructorCall {
                tokenName: "Token".to_owned(),
                tokenSymbol: "T".to_owned(),
                tokenDecimals: decimals,
            };
            *token = anvil.create(&code(include_str!("artifacts/TestToken.hex"), &arguments.abi_encode())).await;
        }
        let arguments = FirmquotePool::constructorCall {
            designatedSigner: SIGNER,
            wrapper: tokens[0],
            domainName: "Firmquote".to_owned(),
            domainVersion: "1".to_owned(),
            tokens: tokens.to_vec(),
        };
        let address = anvil.create(&code(include_str!("artifacts/FirmquotePool.hex"), &arguments.abi_encode())).await;
        for token in tokens {
            anvil.call(token, &TestToken::mintCall { account: anvil.owner, amount: U256::MAX }).await;
            anvil.call(token, &TestToken::approveCall { spender: address, amount: U256::MAX }).await;
        }
        Self { address, tokens }
    }

    pub(crate) fn id(&self) -> PoolId {
        PoolId { chain_id: Anvil::chain_id(), address: self.address }
    }

    pub(crate) async fn deposit(&self, anvil: &Anvil, amounts: [u64; 2], pool_tokens: u64) {
        let amounts = amounts.map(U256::from).to_vec();
        anvil.call(self.address, &FirmquotePool::depositCall { amounts, poolTokens: U256::from(pool_tokens) }).await;
    }
}

/// A feed that answers what it is told to.
pub(crate) struct Feed(pub(crate) Address);

/// What a feed is told to answer.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) decimals: u8,
    pub(crate) round: u128,
    pub(crate) price: i64,
    pub(crate) updated_at: u64,
    pub(crate) answered_in: u128,
}

impl Feed {
    pub(crate) async fn create(anvil: &Anvil) -> Self {
        Self(anvil.create(&code(include_str!("artifacts/MockAggregator.hex"), &[])).await)
    }

    pub(crate) async fn answer(&self, anvil: &Anvil, answer: Answer) {
        let round = MockAggregator::Round {
            roundId: U80::from(answer.round),
            answer: I256::try_from(answer.price).unwrap(),
            startedAt: U256::from(answer.updated_at),
            updatedAt: U256::from(answer.updated_at),
            answeredInRound: U80::from(answer.answered_in),
        };
        anvil.call(self.0, &MockAggregator::setCall { newDecimals: answer.decimals, round }).await;
    }
}

fn code(creation: &str, arguments: &[u8]) -> Vec<u8> {
    [hex::decode(creation.trim()).unwrap(), arguments.to_vec()].concat()
}
