//! Swaps whose executions a reorganization undoes or moves; and equal swaps while the chain is reorganized at random and
//! two replicas read it at different times.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{collections::HashMap, sync::Arc};

use firmquote_desk::{Desk, ExecutedSwap, ObservationReport, ObservedBlock};
use firmquote_domain::{
    Address, Amount, B256, BookEntry, Client, GoodUntil, NativeSide, Offer, PoolConstant, PoolSpec, QuoteId,
    SignedSwap, SwapState, Timestamp, U256, UnixSeconds,
};
use firmquote_store::BookChange;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::{
    outstanding::sign_some,
    pool::{Bench, NOW, one_eth, replica_of, spec, terms},
    settlement::{block, event, executed, on_chain, states},
};

/// The number of the first block.
const FIRST: u64 = 100;

struct World {
    replicas: [Desk; 2],
    rng: ChaCha8Rng,
    swaps: Vec<SignedSwap>,
    /// The time of each block, and the swaps that it executed, each with the transaction.
    chain: Vec<(Timestamp, Vec<(usize, B256)>)>,
    /// The transaction that a swap was last executed by.
    transactions: HashMap<usize, B256>,
    seconds: u32,
}

impl World {
    fn new(seed: u64) -> Self {
        let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
        let second = replica_of(&desk, &desk.market);
        Self {
            replicas: [desk, second],
            rng: ChaCha8Rng::seed_from_u64(seed),
            swaps: Vec::new(),
            chain: vec![(NOW, Vec::new())],
            transactions: HashMap::new(),
            seconds: 0,
        }
    }

    fn now(&self) -> Timestamp {
        NOW.plus_seconds(self.seconds)
    }

    fn head(&self) -> u64 {
        FIRST + self.chain.len() as u64 - 1
    }

    /// Signs a swap that differs from the others only in its expiry.
    async fn sign(&mut self) {
        let number = self.swaps.len() as u128;
        let swap = SignedSwap {
            quote_id: QuoteId::from_bytes(number.to_be_bytes()),
            client: Client::Anonymous,
            source_network: None,
            offer: Offer {
                pool: spec().id,
                input_token: spec().assets[0].address,
                output_token: spec().assets[1].address,
                input_amount: Amount::new(U256::from(1_000)).unwrap(),
                output_amount: Amount::new(U256::from(3_000)).unwrap(),
                good_until: GoodUntil::Plain(self.now().plus_seconds(self.rng.random_range(5..60)).seconds()),
                destination: Address::repeat_byte(1),
            },
            native: NativeSide::Neither,
            signed_at: self.now(),
            block: Some(self.head()),
            guarantee: None,
        };
        self.swaps.push(swap.clone());
        let entered = BookEntry { swap: Arc::new(swap), state: SwapState::Outstanding };
        let [desk, _] = &self.replicas;
        desk.store.apply_changes(spec().id, &[BookChange::Entered(entered)], self.now()).await.unwrap();
    }

    fn is_executed(&self, swap: usize) -> bool {
        self.chain.iter().any(|(_, executed)| executed.iter().any(|(other, _)| *other == swap))
    }

    fn is_valid(&self, swap: usize) -> bool {
        self.now().seconds() <= self.swaps[swap].offer.good_until.expires_at()
    }

    /// Appends a block with some of the swaps that can be executed, mostly in transactions that were seen before.
    fn extend(&mut self) {
        let mut executable: Vec<usize> =
            (0..self.swaps.len()).filter(|swap| self.is_valid(*swap) && !self.is_executed(*swap)).collect();
        executable.shuffle(&mut self.rng);
        executable.truncate(self.rng.random_range(0..3));
        let mut executed = Vec::new();
        for swap in executable {
            let fresh = B256::from(U256::from(self.rng.random::<u64>()));
            let transaction = self.transactions.entry(swap).or_insert(fresh);
            if self.rng.random_bool(0.2) {
                *transaction = fresh;
            }
            executed.push((swap, *transaction));
        }
        self.chain.push((self.now(), executed));
    }

    /// Replaces up to four blocks by as many or one more. Returns the number of the last one that stays.
    fn reorganize(&mut self) -> u64 {
        let depth = self.rng.random_range(1..=4).min(self.chain.len() - 1);
        self.chain.truncate(self.chain.len() - depth);
        let fork = self.head();
        for _ in 0..self.rng.random_range(depth..=depth + 1) {
            self.extend();
        }
        fork
    }

    /// What a replica does that reads the block `head`.
    async fn observe(&self, replica: usize, head: u64) -> ObservationReport {
        let desk = &self.replicas[replica];
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        let blocks = (FIRST..=head).zip(&self.chain);
        let swaps = blocks.clone().flat_map(|(number, (time, executed))| {
            executed.iter().map(move |(swap, transaction)| ExecutedSwap {
                transaction_hash: *transaction,
                log_index: 0,
                block_number: number,
                block_time: time.seconds(),
                event: (&self.swaps[*swap].offer).into(),
            })
        });
        let (_, (time, _)) = blocks.clone().last().unwrap();
        let block = ObservedBlock {
            max_age_seconds: 60,
            number: head,
            time: *time,
            since: FIRST,
            counted_until: head,
            swaps: swaps.collect(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        };
        desk.observe(spec().id, &block).await.unwrap()
    }

    /// Has some replicas read some blocks on the way, and then both the newest.
    async fn read(&mut self, from: u64) {
        if self.rng.random_bool(0.5) {
            for head in from..=self.head() {
                for replica in [0, 1] {
                    if self.rng.random_bool(0.5) {
                        self.observe(replica, head).await;
                    }
                }
            }
        }
        let first = self.rng.random_range(0..2);
        for replica in [first, 1 - first, first] {
            self.observe(replica, self.head()).await;
        }
    }

    /// Whether the outstanding entries cover all swaps that may still be executed, each until its own expiry.
    fn check(&self, seed: u64) {
        let book = self.replicas[0].pools[0].book().swaps();
        let outstanding = book.iter().filter(|booked| booked.state == SwapState::Outstanding);
        let expiry = |swap: &SignedSwap| swap.offer.good_until.expires_at();
        let mut entries: Vec<_> = outstanding.map(|booked| expiry(&booked.swap)).collect();
        let executable = (0..self.swaps.len()).filter(|swap| self.is_valid(*swap) && !self.is_executed(*swap));
        let mut truth: Vec<_> = executable.map(|swap| expiry(&self.swaps[swap])).collect();
        entries.sort_unstable_by(|one, other| other.cmp(one));
        truth.sort_unstable_by(|one, other| other.cmp(one));
        let covers = entries.len() >= truth.len() && truth.iter().zip(&entries).all(|(swap, entry)| entry >= swap);
        assert!(covers, "seed {seed}, {} s: {truth:?} may be executed, and {entries:?} are outstanding", self.seconds);
    }
}

#[tokio::test]
async fn after_reorganizations_executable_swaps_stay_outstanding_and_replicas_agree() {
    for seed in 0..60 {
        let mut world = World::new(seed);
        for _ in 0..60 {
            for _ in 0..world.rng.random_range(0..3) {
                world.sign().await;
            }
            world.seconds += world.rng.random_range(0..4);
            let from = world.head() + 1;
            let from = if world.rng.random_bool(0.3) && world.chain.len() > 1 {
                world.reorganize()
            } else {
                world.extend();
                from
            };
            world.read(from).await;
            world.check(seed);
            for replica in [0, 1] {
                let again = world.observe(replica, world.head()).await;
                assert_eq!(
                    again,
                    ObservationReport::default(),
                    "seed {seed}: replica {replica} changes what they agreed on"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_reorganization_may_execute_a_swap_in_an_earlier_block() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 1).await;
    let deep = |number| ObservedBlock { since: 30, ..block(102, 2, &[(number, &signed[0])]) };
    let mut old = deep(90);
    old.swaps[0].block_time = UnixSeconds::new(NOW.seconds().get() - 16);
    for (block, why) in [(deep(35), "deeper than any reorganization"), (old, "older than the signature")] {
        assert_eq!(desk.observe(spec().id, &block).await.unwrap(), ObservationReport::default(), "{why}");
        assert_eq!(states(&desk, &signed), [Some(SwapState::Outstanding)], "{why}");
    }
    desk.observe(spec().id, &deep(90)).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Settled(90))]);
}

#[tokio::test]
async fn after_a_reorganization_the_equal_swap_that_expires_last_stays_outstanding() {
    let without_slippage = PoolSpec { single_use: true, k: PoolConstant::ZERO, ..spec() };
    for (transaction, is_read_block_by_block) in [(1, false), (2, false), (3, false), (1, true), (2, true), (3, true)] {
        let why = format!("transaction {transaction}, block by block: {is_read_block_by_block}");
        let Bench { desk, clock, .. } = on_chain(without_slippage.clone());
        let first = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
        clock.advance_micros(2_000_000);
        let second = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
        assert_eq!(event(&first), event(&second));
        let by = |number, transaction| ExecutedSwap {
            transaction_hash: B256::repeat_byte(transaction),
            ..executed(number, &first)
        };
        let observe = async |number, swaps| {
            desk.observe(spec().id, &ObservedBlock { swaps, ..block(number, 3, &[]) }).await.unwrap();
            states(&desk, &[first.clone(), second.clone()])
        };
        let [at_102, at_103] = [102, 103].map(|number| Some(SwapState::Settled(number)));
        let outstanding = Some(SwapState::Outstanding);
        assert_eq!(observe(103, vec![by(102, 1), by(103, 2)]).await, [at_102, at_103], "{why}");
        if is_read_block_by_block {
            assert_eq!(observe(102, vec![]).await, [outstanding, outstanding], "{why}");
        }
        assert_eq!(observe(103, vec![by(103, transaction)]).await, [at_103, outstanding], "{why}");
    }
}

#[tokio::test]
async fn nothing_is_guaranteed_after_a_deep_reorganization() {
    use firmquote_domain::{Execution, SettlementCheck};
    let Bench { desk, clock, .. } =
        on_chain(PoolSpec { single_use: true, settlement: SettlementCheck::Price, ..spec() });
    let execution =
        async |destination| desk.quote_and_sign(&one_eth(), terms(destination)).await.map(|signed| signed.execution);
    assert_eq!(execution(1).await.unwrap(), Execution::Guaranteed);
    let deep = ObservedBlock { is_deeply_reorganized: true, ..block(101, 1, &[]) };
    assert!(desk.observe(spec().id, &deep).await.unwrap().is_deeply_reorganized);
    assert_eq!(execution(2).await.unwrap(), Execution::BestEffort);
    clock.advance_micros(u64::from(spec().max_lifetime_seconds()) * 1_000_000);
    assert_eq!(execution(3).await.unwrap(), Execution::Guaranteed, "what it may have undone has expired");
}
