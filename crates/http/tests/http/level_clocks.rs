//! Price levels of a replica with a wrong clock: a consumer that uses its own clock holds no levels longer than the
//! age limit of their prices.

use firmquote_domain::{BasisPoints, Timestamp};
use firmquote_market::{Aggregation, CompositePrice, Deviation, Observation, PriceRules, Snapshot};
use serde_json::Value;

use crate::support::{Rig, demo_pool, demo_state};

/// The age limit of prices.
const MAX_AGE_MS: u64 = 10_000;

/// The offset of the replica's clock from the true time, in milliseconds.
const AHEAD_MS: [i64; 5] = [-3_000, -1_000, 0, 1_000, 3_000];

/// The delay of a price, in milliseconds.
const DELAYS_MS: [u64; 3] = [0, 400, 1_500];

/// A price received at `now` by the replica's clock, and observed at `observed_at` by its source's clock.
fn price_received_at(observed_at: Timestamp, now: Timestamp) -> CompositePrice {
    let basis_points = |text: &str| text.parse::<BasisPoints>().unwrap();
    let rules = PriceRules {
        max_age_ms: MAX_AGE_MS,
        max_jump_per_second: basis_points("50"),
        max_move_per_minute: basis_points("500"),
        max_deviation: Deviation::from_basis_points(basis_points("100")),
        max_confidence: Deviation::from_basis_points(basis_points("20")),
        aggregation: Aggregation::Priority,
    };
    let mut price = CompositePrice::new(rules, 1);
    price.receive(0, Observation::from_decimal("2080.527", observed_at), now);
    price
}

#[tokio::test]
async fn no_book_of_a_replica_with_a_wrong_clock_outlives_its_price_age_limit() {
    let mut books = 0;
    for ahead_ms in AHEAD_MS {
        for delay_ms in DELAYS_MS {
            let rig = Rig::start().await;
            let now = rig.desk.clock.now();
            let true_ms = (now.as_micros() / 1_000).saturating_add_signed(-ahead_ms);
            let observed_ms = true_ms - delay_ms;
            let mut state = demo_state("2080.527");
            state.assets[0].price = price_received_at(Timestamp::from_micros(observed_ms * 1_000), now).price(now);
            rig.market.replace(Snapshot::default().with(demo_pool().id, state));
            let snapshot = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC").await.success();
            let Some(book) = snapshot["books"].get(0) else {
                // A price more than two seconds ahead of the clock is not trusted.
                assert!(ahead_ms == -3_000 && delay_ms < 1_000, "{ahead_ms} {delay_ms}: {snapshot}");
                assert_eq!(snapshot["withdrawn"][0]["reason"], "stale_prices");
                continue;
            };
            let member = |name: &str| book[name].as_u64().unwrap();
            let dropped_ms = true_ms + member("valid_until_ms") - member("published_ms");
            // A delayed message looks like a clock that is behind.
            let unseen_ms = delay_ms.min(ahead_ms.min(0).unsigned_abs());
            assert!(dropped_ms <= observed_ms + MAX_AGE_MS + unseen_ms, "{ahead_ms} {delay_ms}: {book}");
            assert_eq!(book["firm"], Value::Bool(false));
            books += 1;
        }
    }
    assert_eq!(books, 13);
}
