//! Replicas of the real server with real Redis servers that are killed, suspended and replaced under load: no signature
//! is lost, and no quote is signed twice.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]
#![expect(clippy::print_stdout, reason = "measured figures are for whoever asks for them")]

mod clocks;
mod events;
mod failover;
mod firm;
mod hang;
mod ledger;
mod loss;
mod outage;
mod policy;
mod prices;
mod race;
mod replica;
mod revocation;
mod settlement;
mod setup;
mod webhooks;
