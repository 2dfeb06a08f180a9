//! A mock price feed contract on the node.
#![expect(clippy::expect_used, reason = "a feed that does not take an answer is a failed test")]

use alloy_sol_types::private::primitives::{I256, aliases::U80};
use firmquote_domain::{Address, U256};

use crate::{
    artifact::creation,
    interface::MockAggregator::{Round, constructorCall, setCall},
    node::Node,
    transaction::Transaction,
};

/// The contract, and the account that sets its answers.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    /// Address of the contract.
    pub address: Address,
    teller: Address,
}

/// The latest round data of the feed.
#[derive(Clone, Copy, Debug)]
pub struct RoundData {
    /// Round ID.
    pub round: u64,
    /// Price in US dollars, with 8 decimals.
    pub price: i64,
    /// Time of the update, in Unix seconds.
    pub updated_at: u64,
    /// The round in which the price was computed (`answeredInRound`).
    pub answered_in: u64,
}

impl RoundData {
    /// Creates an answer that was computed in its own round.
    pub const fn new(round: u64, price: i64, updated_at: u64) -> Self {
        Self { round, price, updated_at, answered_in: round }
    }
}

impl Feed {
    /// Creates a feed without data, controlled by the last account of the node.
    pub async fn create(node: &Node) -> Self {
        let accounts = node.accounts().await;
        let teller = *accounts.last().expect("a node with accounts");
        let address = teller.create(node.nonce(teller).await);
        let created = node.send(&Transaction::creating(teller, creation("MockAggregator", &constructorCall {}))).await;
        assert!(created.is_executed, "{created:?}");
        Self { address, teller }
    }

    /// Sets the answer from the next block on, with 8 decimals.
    pub async fn set_round(&self, node: &Node, answer: RoundData) {
        let round = Round {
            roundId: U80::from(answer.round),
            answer: I256::try_from(answer.price).expect("a number"),
            startedAt: U256::from(answer.updated_at),
            updatedAt: U256::from(answer.updated_at),
            answeredInRound: U80::from(answer.answered_in),
        };
        let call = setCall { newDecimals: 8, round };
        let receipt = node.send(&Transaction::calling(self.teller, self.address, &call)).await;
        assert!(receipt.is_executed, "{receipt:?}");
    }
}
