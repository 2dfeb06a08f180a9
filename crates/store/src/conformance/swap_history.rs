//! The signed swaps of a client, in pages.

use firmquote_domain::{Client, Quote, SwapOutcome, Timestamp};

use super::sample::{
    Replicas, before, lapse, sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms,
};
use crate::{QuoteRecord, SigningRecord, SwapPage, SwapPosition, SwapRange};

/// The maximum retention in any store: a year.
const MAX_RETENTION_SECONDS: u32 = 366 * 86_400;

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        lists_the_signed_swaps_of_a_client_in_order,
        lists_no_swaps_of_the_anonymous_client,
    );
}

/// A client that no other rule and no other run uses.
fn client(name: &str, now: Timestamp) -> Client {
    Client::Named(format!("{name}-{}", now.as_micros()).into())
}

fn everything(limit: usize) -> SwapRange {
    let (since, until) = (Timestamp::from_micros(0), Timestamp::from_seconds(u32::MAX));
    SwapRange { since, until, after: None, limit }
}

async fn lists_the_signed_swaps_of_a_client_in_order(store: &Replicas<'_>, now: Timestamp) {
    let [client, other] = ["lister", "other"].map(|name| client(name, now));
    let page = async |client: &Client, range: SwapRange, now: Timestamp| {
        store.next().signed_swaps(client, &range, now).await.expect("the store answers")
    };
    assert_eq!(page(&client, everything(10), now).await, SwapPage::default(), "none yet");
    let mut records = Vec::new();
    // Signed in another order than that of their ids, two of them in the same microsecond.
    for (seed, delay) in [(124, 3), (122, 5), (123, 5), (121, 7)] {
        let quote = Quote { client: client.clone(), ..sample_quote(seed, now) };
        let mut signed = sample_signed(&quote, sample_terms(seed), 1);
        signed.signed_at = now.plus_micros(delay);
        let signed = store.commit_at_once(&signed, now).await;
        let record = SigningRecord::from(&signed);
        records.push(QuoteRecord { quote: signed.quote, signed: Some(record), outcome: None });
    }
    let stranger = Quote { client: other.clone(), ..sample_quote(125, now) };
    store.commit_at_once(&sample_signed(&stranger, sample_terms(1), 1), now).await;
    let unsigned = Quote { client: client.clone(), ..sample_quote(126, now) };
    store.insert(&unsigned, now).await;
    let ids = |page: &SwapPage| page.swaps.iter().map(|record| record.quote.id).collect::<Vec<_>>();
    assert_eq!(ids(&page(&other, everything(10), now).await), [stranger.id]);

    assert_eq!(page(&client, everything(10), now).await.swaps, records);
    let position = |record: &QuoteRecord| SwapPosition {
        signed_at: record.signed.as_ref().expect("signed").signed_at,
        quote_id: record.quote.id,
    };
    for limit in 1..=4 {
        let (mut range, mut found) = (everything(limit), Vec::new());
        loop {
            let SwapPage { swaps, next } = page(&client, range, now).await;
            assert!(swaps.len() <= limit, "{limit}");
            assert_eq!(next, swaps.last().map(position));
            found.extend(swaps);
            let Some(next) = next else { break };
            range.after = Some(next);
        }
        assert_eq!(found, records, "in pages of {limit}");
    }
    let signed_from =
        |from: u64, to: u64| SwapRange { since: now.plus_micros(from), until: now.plus_micros(to), ..everything(10) };
    for (range, expected) in [(signed_from(0, 3), 0..0), (signed_from(3, 5), 0..1), (signed_from(4, 7), 1..3)] {
        let expected = records.get(expected).unwrap_or_default();
        assert_eq!(page(&client, range, now).await.swaps, expected, "{range:?}");
    }

    let [first, ..] = &mut records[..] else { panic!("four swaps") };
    let signed = sample_signed(&first.quote, sample_terms(124), 1);
    let outcome = Some(SwapOutcome::Settled(sample_settlement(&signed)));
    store.next().set_outcome(&sample_swap(&signed), outcome, now).await.expect("the store answers");
    first.outcome = outcome;
    let ended = before(lapse(&first.quote)).plus_seconds(1);
    assert_eq!(page(&client, everything(10), ended).await.swaps, records, "after their end, with their outcomes");
    let forgotten = lapse(&stranger).plus_seconds(MAX_RETENTION_SECONDS);
    assert_eq!(page(&client, everything(10), forgotten).await.swaps, [], "forgotten");
}

async fn lists_no_swaps_of_the_anonymous_client(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(127, now);
    store.commit_at_once(&sample_signed(&quote, sample_terms(1), 1), now).await;
    let page = store.next().signed_swaps(&Client::Anonymous, &everything(10), now).await;
    assert_eq!(page.expect("the store answers"), SwapPage::default());
}
