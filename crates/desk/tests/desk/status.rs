//! What became of a quote, as its client can ask.

use firmquote_desk::{DeskError, QuoteStatus};
use firmquote_domain::{Client, PoolSpec, QuoteId, QuoteState, Settlement, SwapOutcome, Timestamp};
use firmquote_market::Snapshot;
use firmquote_store::SigningRecord;

use crate::{
    pool::{Bench, bench, one_eth, sign, spec, terms},
    settlement::{at_block, block, executed, on_chain},
};

const NOBODY: Client = Client::Anonymous;

#[tokio::test]
async fn a_quote_is_created_until_it_expires_and_signed_until_it_lapses() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    let [quote, unsigned] = [desk.quote(&one_eth()).await.unwrap(), desk.quote(&one_eth()).await.unwrap()];
    let QuoteStatus { record, state, confirmations } = desk.status(quote.id, &NOBODY).await.unwrap();
    assert_eq!((record.quote.clone(), record.signed, state, confirmations), (quote, None, QuoteState::Created, None));
    let signed = desk.sign(&sign(record.quote.id, 1)).await.unwrap();
    let status = desk.status(record.quote.id, &NOBODY).await.unwrap();
    assert_eq!((status.record.signed, status.state), (Some(SigningRecord::from(&signed)), QuoteState::Signed));
    let over = record.quote.good_until.expires_at().get() + 60;
    for (second, expected) in [(over - 1, QuoteState::Signed), (over, QuoteState::Lapsed)] {
        clock.set(Timestamp::from_seconds(second));
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        desk.store_lapses(&desk.pools[0]).await.unwrap();
        let status = desk.status(record.quote.id, &NOBODY).await.unwrap();
        let outcome = (expected == QuoteState::Lapsed).then_some(SwapOutcome::Lapsed);
        assert_eq!((status.state, status.record.outcome), (expected, outcome), "{second}");
    }
    let expired = desk.status(unsigned.id, &NOBODY).await.unwrap_err();
    assert!(matches!(expired, DeskError::StatusNotFound(id) if id == unsigned.id));
    clock.set(Timestamp::from_seconds(over + 86_400));
    assert!(matches!(desk.status(record.quote.id, &NOBODY).await, Err(DeskError::StatusNotFound(_))), "forgotten");
}

#[tokio::test]
async fn a_settled_swap_has_its_transaction_until_a_reorganization() {
    for single_use in [true, false] {
        let Bench { desk, market, .. } = on_chain(PoolSpec { single_use, ..spec() });
        let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
        let settlement = Settlement::from(&executed(102, &signed));
        let status = async || {
            let QuoteStatus { record, state, confirmations } = desk.status(signed.quote.id, &NOBODY).await.unwrap();
            (record.outcome, state, confirmations)
        };
        let open = (None, QuoteState::Signed, None);
        assert_eq!(status().await, open);
        let settled = Some(SwapOutcome::Settled(settlement));
        desk.observe(spec().id, &block(102, 2, &[(102, &signed)])).await.unwrap();
        assert_eq!(status().await, (settled, QuoteState::Settled, None), "the market is still at block 100");
        market.replace(Snapshot::default().with(spec().id, at_block(104)));
        assert_eq!(status().await, (settled, QuoteState::Settled, Some(3)));
        desk.observe(spec().id, &block(103, 3, &[])).await.unwrap();
        assert_eq!(status().await, open, "reorganized");
        desk.observe(spec().id, &block(104, 4, &[(104, &signed)])).await.unwrap();
        let again = Settlement { block_number: 104, ..settlement };
        assert_eq!(status().await, (Some(SwapOutcome::Settled(again)), QuoteState::Settled, Some(1)));
        desk.observe(spec().id, &block(103, 3, &[])).await.unwrap();
        let late_by_a_block = status().await.1;
        assert_eq!(late_by_a_block, if single_use { QuoteState::Settled } else { QuoteState::Signed });
        desk.observe(spec().id, &block(110, 73, &[])).await.unwrap();
        assert_eq!(status().await, (Some(SwapOutcome::Lapsed), QuoteState::Lapsed, None));
    }
}

#[tokio::test]
async fn a_swap_of_a_pool_that_is_no_longer_served_may_have_been_executed() {
    let Bench { mut desk, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    desk.pools.clear();
    clock.set(Timestamp::from_seconds(signed.quote.good_until.expires_at().get() + 3_600));
    let status = desk.status(signed.quote.id, &NOBODY).await.unwrap();
    assert_eq!((status.state, status.record.outcome), (QuoteState::Signed, None));
}

#[tokio::test]
async fn only_the_client_of_a_quote_sees_its_status() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let other = desk.status(quote.id, &Client::Named("acme".into())).await;
    assert!(matches!(other, Err(DeskError::OtherClient)));
    let unknown = desk.status(QuoteId::from_bytes([9; 16]), &NOBODY).await;
    assert!(matches!(unknown, Err(DeskError::StatusNotFound(_))));
}
