//! A book that is restored from the ledger of the process before.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{fs, sync::Arc};

use firmquote_desk::{Desk, ExecutedSwap, ObservedBlock};
use firmquote_domain::{
    Address, Amount, B256, BookEntry, Client, GoodUntil, NativeSide, Offer, PoolSpec, QuoteId, Settlement, SignedQuote,
    SignedSwap, SwapOutcome, SwapState, U256,
};
use firmquote_store::{
    BookChange,
    ledger::{line, outcome_line, restore},
};

use crate::{
    pool::{Bench, NOW, bench, one_eth, spec, terms},
    settlement::{block, on_chain},
};

/// A swap of wrapped native coin that is valid for `seconds`.
fn swap(number: u8, [input, output]: [u64; 2], seconds: u32) -> SignedSwap {
    let amount = |units| Amount::new(U256::from(units)).unwrap();
    SignedSwap {
        quote_id: QuoteId::from_bytes([number; 16]),
        client: Client::Named("acme".into()),
        source_network: None,
        offer: Offer {
            pool: spec().id,
            input_token: spec().chain.wrapped_native,
            output_token: spec().assets[1].address,
            input_amount: amount(input),
            output_amount: amount(output),
            good_until: GoodUntil::Plain(NOW.plus_seconds(seconds).seconds()),
            destination: Address::repeat_byte(1),
        },
        native: NativeSide::Neither,
        signed_at: NOW,
        block: Some(100),
        guarantee: None,
    }
}

/// `signed` for the terms of `swap`.
fn signed_as(swap: &SignedSwap, signed: &SignedQuote) -> SignedQuote {
    let mut signed = signed.clone();
    let quote = &mut signed.quote;
    (quote.id, quote.block, quote.good_until) = (swap.quote_id, swap.block, swap.offer.good_until);
    (quote.input.amount, quote.output.amount) = (swap.offer.input_amount, swap.offer.output_amount);
    signed.signed_at = swap.signed_at;
    assert_eq!(signed.offer(), swap.offer);
    signed
}

#[tokio::test]
async fn a_restart_closes_no_swap_whose_event_a_lapsed_swap_may_have_caused() {
    let pool = PoolSpec { single_use: true, ..spec() };
    let swaps = [swap(1, [4_000, 12_000], 8), swap(2, [4_000, 12_000], 22), swap(3, [3_000, 9_000], 64)];
    let [short, long, third] = &swaps;
    let enter = async |desk: &Desk, entries: Vec<BookEntry>| {
        let changes: Vec<_> = entries.into_iter().map(BookChange::Entered).collect();
        desk.store.apply_changes(spec().id, &changes, desk.clock.now()).await.unwrap();
    };
    // The long one is executed, and the short one pushed to the amounts of the third.
    let executed = |number: u64, swap: &SignedSwap| ExecutedSwap {
        transaction_hash: B256::from(U256::from(number)),
        log_index: number,
        block_number: 102,
        block_time: NOW.plus_seconds(4).seconds(),
        event: (&swap.offer).into(),
    };
    let events = [executed(1, long), executed(2, third)];
    let observe = async |desk: &Desk, number, seconds| {
        let block = ObservedBlock { since: 30, swaps: events.to_vec(), ..block(number, seconds, &[]) };
        desk.observe(spec().id, &block).await.unwrap();
        swaps.each_ref().map(|swap| desk.pools[0].book().swap(swap.quote_id).map(|entry| entry.state))
    };

    let Bench { desk, clock, .. } = on_chain(pool.clone());
    let entry = |swap: &SignedSwap| BookEntry { swap: Arc::new(swap.clone()), state: SwapState::Outstanding };
    enter(&desk, swaps.iter().map(entry).collect()).await;
    observe(&desk, 102, 4).await;
    clock.advance_micros(23_000_000);
    let before = observe(&desk, 105, 23).await;
    let expected = [Some(SwapState::Settled(102)), Some(SwapState::Lapsed(Some(105))), Some(SwapState::Outstanding)];
    assert_eq!(before, expected);

    let signed = bench(vec![pool.clone()]).desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let mut lines: Vec<String> = swaps.iter().map(|swap| line(&signed_as(swap, &signed)).unwrap()).collect();
    let settled = Some(SwapOutcome::Settled(Settlement::from(&events[0])));
    lines.push(outcome_line(short, settled, NOW.plus_seconds(4)).unwrap());
    lines.push(outcome_line(long, Some(SwapOutcome::Lapsed), NOW.plus_seconds(23)).unwrap());
    let ledger = tempfile::NamedTempFile::new().unwrap();
    fs::write(ledger.path(), lines.join("\n") + "\n").unwrap();
    let restored = restore(ledger.path(), 86_400, NOW.plus_seconds(25)).unwrap();
    assert_eq!((restored.swaps.len(), restored.invalid_lines), (3, 0));

    let Bench { desk, clock, .. } = on_chain(pool);
    clock.advance_micros(25_000_000);
    enter(&desk, restored.swaps).await;
    let [after_short, _, after_third] = observe(&desk, 106, 26).await;
    assert_eq!(after_short, Some(SwapState::Settled(102)));
    assert_eq!(after_third, Some(SwapState::Outstanding), "its event may be that of the short one");
}
