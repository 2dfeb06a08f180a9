//! Firm levels and budgets: usage is one figure for each client, pool and direction, and never exceeds its limit.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BasisPoints, Client, FirmLevels, LevelsId, PoolId, Price, QuoteId, StateId, Timestamp, U256,
};

use super::sample::{Replicas, sample_pool};
use crate::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome, Store};

pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let store = &Replicas::new(replicas);
    check_rules!(
        store, now;
        holds_levels_until_they_expire,
        counts_what_is_used_in_one_direction_for_one_client,
        replaces_what_the_same_quote_reserved,
        frees_what_no_longer_counts,
        is_exact_for_the_largest_amounts,
    );
    check_rules!(replicas, now; admits_no_more_than_the_limit_at_once);
}

/// Stores of levels used in rotation.
impl Replicas<'_> {
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> bool {
        self.next().store_levels(levels, renewal, now).await.expect("the store answers")
    }

    async fn find_levels(&self, levels: &FirmLevels, now: Timestamp) -> LevelsLookup {
        self.next().find_levels(levels.pool, levels.id, now).await.expect("the store answers")
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> ReservationOutcome {
        self.next().reserve(reservation, now).await.expect("the store answers")
    }

    async fn set_until(&self, budget: &LevelBudget, quote: u8, until: Timestamp, now: Timestamp) -> bool {
        self.next().set_reserved_until(budget, id(quote), until, now).await.expect("the store answers")
    }
}

fn amount(units: u64) -> Amount {
    Amount::new(U256::from(units)).expect("not zero")
}

const fn id(number: u8) -> QuoteId {
    QuoteId::from_bytes([number; 16])
}

/// Levels of a pool that hold for 30 seconds.
fn sample_levels(pool: PoolId, number: u8, now: Timestamp) -> FirmLevels {
    FirmLevels {
        id: LevelsId::from_bytes([number; 16]),
        pool,
        tokens: [1, 2].map(Address::repeat_byte),
        prices: [u64::MAX, 1].map(|steps| Price::new(steps).expect("not zero")),
        state_id: StateId::from_bytes([9; 16]),
        fee: BasisPoints::from_hundredths(863).expect("below the whole"),
        time_in_seconds: 60,
        knots: vec![[amount(10), amount(9)], [Amount::MAX, amount(99)]],
        budget: Amount::MAX,
        valid_until: now.plus_seconds(30),
    }
}

fn budget(pool: PoolId, client: &str) -> LevelBudget {
    LevelBudget { pool, tokens: [1, 2].map(Address::repeat_byte), client: Client::Named(client.into()) }
}

/// A quote that takes `input` of at most 100, for ten seconds.
fn sample_reservation(budget: &LevelBudget, quote: u8, input: u64, now: Timestamp) -> Reservation<'_> {
    Reservation {
        budget,
        levels_id: LevelsId::from_bytes([1; 16]),
        limit: amount(100),
        quote_id: id(quote),
        input: amount(input),
        until: now.plus_seconds(10),
    }
}

const fn reserved(used: u64) -> ReservationOutcome {
    ReservationOutcome::Reserved { used: U256::from_limbs([used, 0, 0, 0]) }
}

const fn exceeded(used: u64) -> ReservationOutcome {
    ReservationOutcome::LimitExceeded { used: U256::from_limbs([used, 0, 0, 0]) }
}

async fn holds_levels_until_they_expire(store: &Replicas<'_>, now: Timestamp) {
    let levels = sample_levels(sample_pool(101, now), 1, now);
    assert_eq!(store.find_levels(&levels, now).await, LevelsLookup::Expired, "never published");
    assert!(!store.store_levels(&levels, true, now).await, "there is nothing to renew");
    assert_eq!(store.find_levels(&levels, now).await, LevelsLookup::Expired);
    assert!(store.store_levels(&levels, false, now).await);
    assert_eq!(store.find_levels(&levels, now).await, LevelsLookup::Live(Box::new(levels.clone())));
    let elsewhere = FirmLevels { pool: sample_pool(102, now), ..levels.clone() };
    assert_eq!(store.find_levels(&elsewhere, now).await, LevelsLookup::Expired, "levels of another pool");
    assert_eq!(store.find_levels(&levels, now.plus_seconds(30)).await, LevelsLookup::Expired, "its end is too late");
    let renewed = FirmLevels { valid_until: now.plus_seconds(40), ..levels.clone() };
    assert!(store.store_levels(&renewed, true, now).await);
    assert_eq!(store.find_levels(&levels, now.plus_seconds(30)).await, LevelsLookup::Live(Box::new(renewed)));
}

async fn counts_what_is_used_in_one_direction_for_one_client(store: &Replicas<'_>, now: Timestamp) {
    let pool = sample_pool(103, now);
    let acme_budget = budget(pool, "acme");
    let first = sample_reservation(&acme_budget, 1, 60, now);
    assert_eq!(store.reserve(&first, now).await, ReservationOutcome::Lost, "there are no levels");
    for number in [1, 2] {
        assert!(store.store_levels(&sample_levels(pool, number, now), false, now).await);
    }
    assert_eq!(store.reserve(&first, now).await, reserved(0));
    let second =
        Reservation { levels_id: LevelsId::from_bytes([2; 16]), ..sample_reservation(&acme_budget, 2, 41, now) };
    assert_eq!(store.reserve(&second, now).await, exceeded(60), "other levels share the figure");
    assert_eq!(store.reserve(&Reservation { limit: amount(101), ..second }, now).await, reserved(60));
    assert_eq!(store.reserve(&sample_reservation(&acme_budget, 3, 1, now), now).await, exceeded(101));
    let others = [
        budget(pool, "other"),
        LevelBudget { client: Client::Anonymous, ..acme_budget.clone() },
        LevelBudget { tokens: [2, 1].map(Address::repeat_byte), ..acme_budget.clone() },
        LevelBudget { tokens: [1, 3].map(Address::repeat_byte), ..acme_budget },
    ];
    for other in &others {
        assert_eq!(store.reserve(&sample_reservation(other, 4, 100, now), now).await, reserved(0), "{other:?}");
    }
}

async fn replaces_what_the_same_quote_reserved(store: &Replicas<'_>, now: Timestamp) {
    let pool = sample_pool(104, now);
    let acme_budget = budget(pool, "acme");
    assert!(store.store_levels(&sample_levels(pool, 1, now), false, now).await);
    assert_eq!(store.reserve(&sample_reservation(&acme_budget, 1, 70, now), now).await, reserved(0));
    assert_eq!(store.reserve(&sample_reservation(&acme_budget, 1, 40, now), now).await, reserved(0));
    assert_eq!(store.reserve(&sample_reservation(&acme_budget, 2, 60, now), now).await, reserved(40));
    assert_eq!(
        store.reserve(&sample_reservation(&acme_budget, 1, 41, now), now).await,
        exceeded(60),
        "and stays as it is"
    );
    assert_eq!(store.reserve(&sample_reservation(&acme_budget, 3, 1, now), now).await, exceeded(100));
}

async fn frees_what_no_longer_counts(store: &Replicas<'_>, now: Timestamp) {
    let pool = sample_pool(105, now);
    let acme_budget = budget(pool, "acme");
    assert!(store.store_levels(&sample_levels(pool, 1, now), false, now).await);
    let at = |seconds| now.plus_seconds(seconds);
    // A store may count in whole milliseconds.
    let after = |seconds| at(seconds).plus_micros(1_000);
    let take = |quote, input, until| Reservation { until, ..sample_reservation(&acme_budget, quote, input, now) };
    assert!(!store.set_until(&acme_budget, 1, at(9), now).await, "nothing is reserved");
    assert_eq!(store.reserve(&take(1, 30, at(1)), now).await, reserved(0));
    assert_eq!(store.reserve(&take(2, 50, at(2)), now).await, reserved(30));
    assert!(store.set_until(&acme_budget, 2, at(9), now).await);
    assert_eq!(store.reserve(&take(3, 51, at(9)), after(1)).await, exceeded(50), "the first is too old");
    assert!(!store.set_until(&acme_budget, 1, at(9), after(1)).await);
    assert_eq!(store.reserve(&take(3, 50, at(9)), after(3)).await, reserved(50), "the second counts for longer");
    assert!(store.set_until(&acme_budget, 2, at(3), after(3)).await);
    assert_eq!(store.reserve(&take(4, 50, at(9)), after(3)).await, reserved(50));
    assert!(!store.set_until(&acme_budget, 2, at(9), after(3)).await, "it was freed");
}

async fn is_exact_for_the_largest_amounts(store: &Replicas<'_>, now: Timestamp) {
    let pool = sample_pool(106, now);
    let acme_budget = budget(pool, "acme");
    assert!(store.store_levels(&sample_levels(pool, 1, now), false, now).await);
    let max = Amount::MAX.base_units();
    let limit = Amount::MAX;
    let take = |quote, input| Reservation { limit, input, ..sample_reservation(&acme_budget, quote, 1, now) };
    let rest = Amount::new(max - U256::ONE).expect("not zero");
    assert_eq!(store.reserve(&take(1, rest), now).await, ReservationOutcome::Reserved { used: U256::ZERO });
    assert_eq!(
        store.reserve(&take(2, amount(2)), now).await,
        ReservationOutcome::LimitExceeded { used: rest.base_units() }
    );
    let last = store.reserve(&take(3, amount(1)), now).await;
    assert_eq!(last, ReservationOutcome::Reserved { used: rest.base_units() });
    let none = store.reserve(&take(4, limit), now).await;
    assert_eq!(none, ReservationOutcome::LimitExceeded { used: max });
}

/// Of sixty concurrent reservations in a budget of forty, forty succeed, each with a different usage.
async fn admits_no_more_than_the_limit_at_once(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let pool = sample_pool(107, now);
    let levels = sample_levels(pool, 1, now);
    let store = replicas.first().expect("at least one store");
    assert!(store.store_levels(&levels, false, now).await.expect("the store answers"));
    let reserve = |number: u8| {
        let store = Arc::clone(replicas.get(usize::from(number) % replicas.len()).expect("in range"));
        tokio::spawn(async move {
            let acme_budget = budget(pool, "acme");
            let one = Reservation { limit: amount(40), ..sample_reservation(&acme_budget, number, 1, now) };
            store.reserve(&one, now).await.expect("the store answers")
        })
    };
    let tasks: Vec<_> = (0..60).map(reserve).collect();
    let (mut admitted, mut refused) = (Vec::new(), 0);
    for task in tasks {
        match task.await.expect("no panic") {
            ReservationOutcome::Reserved { used } => admitted.push(used),
            ReservationOutcome::LimitExceeded { used } => refused += usize::from(used == U256::from(40)),
            ReservationOutcome::Lost => panic!("the levels are held"),
        }
    }
    admitted.sort_unstable();
    assert_eq!(admitted, (0..40).map(U256::from).collect::<Vec<_>>());
    assert_eq!(refused, 20);
}
