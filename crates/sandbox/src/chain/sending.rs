//! Sends signed transactions to the simulated chain: swaps of pools, and calls of tokens.

use std::cmp::Ordering;

use alloy_consensus::{Transaction as _, TxEnvelope};
use alloy_primitives::{B256, TxKind};
use firmquote_calldata::{SwapFunction, SwappedEvent, decode, encode_swapped};
use firmquote_desk::ServedPool;
use firmquote_domain::{Address, ChainId, NativeSide};

use super::{
    accounts::Accounts,
    blocks::Block,
    contracts::Erc20Call,
    sent_transaction::{EventLog, SendError, SentTransaction},
    simulated_chain::SimulatedChain,
    transaction::{Revert, Transaction},
};
use crate::Fault;

impl SimulatedChain {
    /// Sends a signed transaction to `chain_id`. Returns its hash, and for a swap the reason of a revert.
    ///
    /// # Errors
    /// [`SendError`] for one that is not accepted.
    pub(crate) fn send_signed(
        &self,
        chain_id: ChainId,
        (envelope, from): (TxEnvelope, Address),
        fault: Option<Fault>,
    ) -> Result<(B256, Option<Revert>), SendError> {
        let hash = *envelope.tx_hash();
        if envelope.chain_id() != Some(chain_id.get()) {
            return Err(SendError::OtherChain(envelope.chain_id(), chain_id.get()));
        }
        let TxKind::Call(to) = envelope.kind() else { return Err(SendError::Creation) };
        let mut chain = self.chain.lock();
        if chain.sent.contains(&hash) {
            return Err(SendError::Known);
        }
        let (next, nonce) = (chain.accounts.nonce(from), envelope.nonce());
        match nonce.cmp(&next) {
            Ordering::Less => return Err(SendError::NonceTooLow { next, nonce }),
            Ordering::Greater => return Err(SendError::NonceTooHigh { next, nonce }),
            Ordering::Equal => {}
        }
        let transaction = Transaction { to, data: envelope.input().clone(), value: envelope.value() };
        let executed = match self.pool_at(Some(chain_id), to) {
            Some(pool) => self
                .execute(&mut chain, pool, &transaction, hash, fault)
                .map(|()| chain.accounts.settle(pool, &transaction, from)),
            None => Ok(self.token(chain_id, to).and_then(|_| chain.accounts.call_token(&transaction, from))),
        };
        if fault == Some(Fault::Dropped) {
            return Ok((hash, executed.err()));
        }
        chain.accounts.increase_nonce(from);
        let block = chain.number + 1;
        let log_index = chain.hashes.get(&block).map_or(0, Vec::len);
        let (is_executed, log, reason) = match executed {
            Ok(log) => (true, log, None),
            Err(reason) => (false, None, Some(reason)),
        };
        let sent = SentTransaction { chain_id, envelope, from, block, is_executed, log, log_index };
        chain.sent.insert(hash, sent);
        chain.hashes.entry(block).or_default().push(hash);
        Ok((hash, reason))
    }

    /// Passes a transaction to `read`, with its block if it is mined; `None` if it is unknown.
    pub(crate) fn read_transaction<T>(
        &self,
        chain_id: ChainId,
        hash: B256,
        read: impl FnOnce(&SentTransaction, Option<&Block<'_>>) -> T,
    ) -> Option<T> {
        let chain = self.chain.lock();
        let sent = chain.sent.get(&hash).filter(|sent| sent.chain_id == chain_id)?;
        let block = chain.block(chain_id, sent.block).filter(|block| block.number <= chain.number);
        Some(read(sent, block.as_ref()))
    }

    /// The number of transactions of `account` up to the newest block, or with those that are not mined yet.
    pub(crate) fn transaction_count(&self, account: Address, with_pending: bool) -> u64 {
        let chain = self.chain.lock();
        let count = chain.accounts.nonce(account);
        if with_pending {
            return count;
        }
        let pending = chain.hashes.range(chain.number + 1..).flat_map(|(_, hashes)| hashes);
        let pending = pending.filter(|hash| chain.sent.get(*hash).is_some_and(|sent| sent.from == account)).count();
        count.saturating_sub(u64::try_from(pending).unwrap_or(0))
    }
}

impl Accounts {
    /// Moves the tokens of an executed swap, and returns the log of the pool.
    fn settle(&mut self, pool: &ServedPool, transaction: &Transaction, from: Address) -> Option<EventLog> {
        let swap = decode(&transaction.data).ok()?;
        let native = pool.signer().pool().spec().chain.wrapped_native;
        let [input_token, output_token] = [swap.input_token, swap.output_token].map(|token| token.unwrap_or(native));
        let [input_amount, output_amount] = [swap.input_amount, swap.output_amount].map(|amount| amount.base_units());
        let recipient = swap.destination;
        if matches!(swap.function, SwapFunction::TransmitAndSwap | SwapFunction::TransmitAndSellTokenForEth) {
            self.pay(input_token, from, input_amount);
        }
        if swap.native() != NativeSide::Output {
            self.receive(output_token, recipient, output_amount);
        }
        let aux_data = swap.aux_data;
        let event = SwappedEvent { input_token, output_token, recipient, input_amount, output_amount, aux_data };
        let (topics, data) = encode_swapped(&event);
        Some(EventLog { address: transaction.to, topics, data })
    }

    /// Executes a call of a token, and returns its log; other calls do nothing.
    fn call_token(&mut self, transaction: &Transaction, from: Address) -> Option<EventLog> {
        let call = Erc20Call::decode(&transaction.data)?;
        if let Erc20Call::Transfer { to, amount } = call {
            self.pay(transaction.to, from, amount);
            self.receive(transaction.to, to, amount);
        }
        let (topics, data) = call.log(from);
        Some(EventLog { address: transaction.to, topics, data })
    }
}
