//! A client follows its own swaps on a real chain, through a reorganization and a restart of the service.
#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_client::{EventsChange, QuoteEvent, QuoteEventKind, QuoteEvents};
use firmquote_domain::Address;
use firmquote_e2e::evm::chain_id;
use firmquote_test_servers::patience::PATIENCE;
use tokio::time::timeout;

use crate::{
    client::setup::{api_key, client},
    live::setup::{SELL, amount, live_world, until_quoted},
};

const DESTINATION: Address = Address::repeat_byte(1);

async fn next(events: &mut QuoteEvents) -> QuoteEvent {
    let event = async {
        loop {
            match events.next().await.unwrap() {
                EventsChange::Quote(event) => return *event,
                EventsChange::Reset => panic!("events may be missing"),
                _ => {}
            }
        }
    };
    timeout(PATIENCE, event).await.expect("an event in time")
}

#[tokio::test]
async fn a_client_follows_its_swaps_through_a_reorganization_and_a_restart() {
    let (mut world, _feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let mut events = client(&world.service, api_key()).follow_events(chain_id(), None);
    assert!(matches!(events.next().await.unwrap(), EventsChange::UpToDate));
    let swap = world.sign(world.verified, SELL, amount(SELL), DESTINATION).await;
    let signed = next(&mut events).await;
    assert_eq!((signed.event, signed.quote_id.to_string()), (QuoteEventKind::Signed, swap.quote_id.clone()));
    world.provide(world.token(SELL.tokens.0), world.wallet, swap.input).await;
    world.prepare(SELL, &swap).await;
    world.execute(&world.transaction(SELL, &swap)).await;
    let settled = next(&mut events).await;
    let settlement = settled.settled.expect("a settlement");
    assert_eq!((settled.event, &settled.quote_id), (QuoteEventKind::Settled, &signed.quote_id));
    assert_eq!((*settlement.input_amount, *settlement.output_amount), (swap.input, swap.output));
    let status = world.status(&swap.quote_id).await;
    assert_eq!(status["settled"]["transaction_hash"], settlement.transaction_hash.to_string());
    world.node.reorganise(1).await;
    let reorged = next(&mut events).await;
    assert_eq!((reorged.event, &reorged.quote_id), (QuoteEventKind::Reorged, &signed.quote_id));

    let last = events.last_event_id().map(str::to_owned);
    world.service = world.service.restart();
    until_quoted(&world, SELL).await;
    let later = world.sign(world.verified, SELL, amount(SELL), Address::repeat_byte(2)).await;
    let mut resumed = client(&world.service, api_key()).follow_events(chain_id(), last);
    assert_eq!(next(&mut resumed).await.quote_id.to_string(), later.quote_id);
    let mut from_the_first = client(&world.service, api_key()).follow_events(chain_id(), Some(signed.id.clone()));
    assert_eq!(next(&mut from_the_first).await.settled, settled.settled);
    assert_eq!(next(&mut from_the_first).await.event, QuoteEventKind::Reorged);
}
