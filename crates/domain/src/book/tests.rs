//! Sums of a book against those of a plain list of swaps.

use super::*;
use crate::{
    Amount, B256, ChainId, GoodUntil, MAX_REORG_DEPTH, NativeSide, PoolId, ReserveBounds,
    SwapState::{Lapsed, Outstanding, PartlySettled, Released, Settled},
    Timestamp, U512, UnixSeconds,
};

const X: Address = Address::repeat_byte(1);
const Y: Address = Address::repeat_byte(2);

fn swap(number: u8, client: &Client, [input, output]: [u64; 2]) -> BookEntry {
    let amount = |units: u64| Amount::new(U256::from(units)).unwrap();
    let swap = SignedSwap {
        quote_id: QuoteId::from_bytes([number; 16]),
        client: client.clone(),
        source_network: Some(SourceNetwork::new(7)),
        offer: Offer {
            pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
            input_token: X,
            output_token: Y,
            input_amount: amount(input),
            output_amount: amount(output),
            good_until: GoodUntil::Plain(UnixSeconds::new(100)),
            destination: Address::repeat_byte(3),
        },
        native: NativeSide::Neither,
        signed_at: Timestamp::from_seconds(1),
        block: Some(5),
        guarantee: None,
    };
    BookEntry { swap: Arc::new(swap), state: Outstanding }
}

/// Inflow of X and outflow of Y, as of `block`.
fn flows(book: &Book, block: Option<u64>) -> [u64; 2] {
    let totals = book.totals();
    [totals.flows(X, block).inflow, totals.flows(Y, block).outflow].map(|sum| sum.to::<u64>())
}

fn flows_of(book: &Book, client: &Client) -> [u64; 2] {
    // Every swap here is of one client and one source network, or of several clients.
    let total = |sum: Option<&TimedSum<TokenFlows>>| sum.map(TimedSum::total).unwrap_or_default();
    let network_inflow = total(book.flows_of_network(SourceNetwork::new(7), X)).inflow;
    let [x, y] = [X, Y].map(|token| total(book.flows_of(client, token)));
    assert!(network_inflow >= x.inflow, "{client:?}");
    [x.inflow, y.outflow].map(|sum| sum.to::<u64>())
}

#[test]
fn a_swap_counts_once_from_signature_to_close() {
    let (mut book, client) = (Book::default(), Client::Anonymous);
    let [one, other] = [swap(1, &client, [10, 20]), swap(2, &client, [3, 4])];
    assert!(book.insert(one.clone()) && book.insert(other.clone()) && !book.insert(one.clone()));
    assert_eq!((flows(&book, None), flows(&book, Some(7))), ([13, 24], [13, 24]));
    let id = one.swap.quote_id;
    for (state, now, seen_at_six, client_flows) in [
        (Settled(7), [3, 4], [13, 24], [3, 4]),
        (Settled(6), [3, 4], [3, 4], [3, 4]),
        (PartlySettled(7), [3, 4], [13, 24], [13, 24]),
        (Outstanding, [13, 24], [13, 24], [13, 24]),
        (Lapsed(Some(7)), [3, 4], [13, 24], [13, 24]),
        (Lapsed(None), [3, 4], [3, 4], [13, 24]),
        (Released(Some(7)), [3, 4], [13, 24], [3, 4]),
        (Released(None), [3, 4], [3, 4], [3, 4]),
    ] {
        assert!(book.set_state(id, state) && !book.set_state(id, state), "{state:?}");
        assert_eq!((flows(&book, None), flows(&book, Some(6))), (now, seen_at_six), "{state:?}");
        assert_eq!(flows_of(&book, &client), client_flows, "{state:?}");
        let without = book.flows_without(id, X, Some(6)).inflow.to::<u64>();
        assert_eq!(without, 3, "{state:?}");
        // Executed again, or after all, it takes out its output.
        let repeated = |depth| book.totals().reversal(Y, Some(7), depth).outflow.to::<u64>();
        let is_repeated = |depth| state.block().is_some_and(|block| block + depth > 7);
        assert_eq!(
            [0, 1, 2].map(repeated),
            [0, 1, 2].map(|depth| if is_repeated(depth) { 20 } else { 0 }),
            "{state:?}"
        );
    }
    assert!(book.remove(id) && !book.remove(id));
    assert_eq!((flows(&book, Some(0)), flows_of(&book, &client)), ([3, 4], [3, 4]));
    assert!(book.remove(other.swap.quote_id));
    assert!(
        book.is_empty()
            && book.outstanding.is_empty()
            && book.by_client.is_empty()
            && book.swaps_by_client.is_empty()
            && book.entries_by_client.is_empty()
            && book.by_network.is_empty()
            && book.offers.is_empty()
    );
}

#[test]
fn sums_tell_when_their_parts_leave() {
    let (mut book, client) = (Book::default(), Client::Anonymous);
    for (number, expires_at) in [(1, 100), (2, 100), (3, 90)] {
        let BookEntry { swap, state } = swap(number, &client, [number.into(), 10 * u64::from(number)]);
        let mut swap = SignedSwap::clone(&swap);
        swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at));
        assert!(book.insert(BookEntry { swap: Arc::new(swap), state }));
    }
    let outflows = |sum: Option<&TimedSum<TokenFlows>>| {
        let departures = sum.into_iter().flat_map(TimedSum::departures);
        departures.map(|(second, flows)| (second.get(), flows.outflow.to::<u64>())).collect::<Vec<_>>()
    };
    assert_eq!(outflows(book.outstanding_flows(Y)), [(150, 30), (160, 30)]);
    // As long again as it could be outstanding, since the second 1.
    assert_eq!(outflows(book.flows_of(&client, Y)), [(179, 30), (199, 30)]);
    assert_eq!(book.swaps_of(&client).unwrap().departures().map(|(_, swaps)| swaps).collect::<Vec<_>>(), [1, 2]);
    let first = QuoteId::from_bytes([1; 16]);
    book.set_state(first, Lapsed(Some(7)));
    assert_eq!(outflows(book.outstanding_flows(Y)), [(150, 30), (160, 20)]);
    assert_eq!(outflows(book.flows_of(&client, Y)), [(179, 30), (199, 30)], "it still counts");
    book.set_state(first, Settled(7));
    assert_eq!(outflows(book.flows_of_network(SourceNetwork::new(7), Y)), [(179, 30), (199, 20)]);
}

#[test]
fn a_reorganization_undoes_what_the_contract_executed_whether_or_not_it_closed_a_swap() {
    let mut book = Book::default();
    let executed = |transaction, block, [input, output]: [u64; 2]| ExecutedAmounts {
        transaction_hash: B256::repeat_byte(transaction),
        block,
        input: (X, U256::from(input)),
        output: (Y, U256::from(output)),
    };
    let undone = |book: &Book, block, depth| {
        let [x, y] = [X, Y].map(|token| book.totals().reversal(token, block, depth));
        assert_eq!([x.inflow, y.outflow], [U512::ZERO; 2]);
        [x.outflow, y.inflow].map(|sum| sum.to::<u64>())
    };
    assert!(book.record_executions(7, vec![executed(2, 7, [10, 20]), executed(1, 5, [3, 4]), executed(2, 7, [1, 1])]));
    assert!(!book.record_executions(7, vec![executed(1, 5, [3, 4]), executed(2, 7, [10, 20]), executed(2, 7, [1, 1])]));
    assert_eq!([0, 1, 2, 3].map(|depth| undone(&book, Some(7), depth)), [[0, 0], [11, 21], [11, 21], [14, 25]]);
    assert_eq!(undone(&book, None, 3), [0, 0], "nothing is known of the reserves");
    assert_eq!(undone(&book, Some(6), 1), [11, 21], "the reserves of block 7 may come next");
    assert!(book.record_executions(8, vec![executed(1, 8, [3, 4])]), "another branch");
    assert_eq!(undone(&book, Some(8), 1), [3, 4], "in another block now");
    assert_eq!(undone(&book, Some(8), 2), [14, 25], "reserves of the dropped branch may be in use");
    book.clear();
    assert_eq!(undone(&book, Some(8), 2), [14, 25], "whatever the store knows");
    assert!(book.record_executions(7 + MAX_REORG_DEPTH, vec![executed(1, 8, [3, 4])]));
    assert_eq!(undone(&book, Some(9), 9), [3, 4]);
    assert!(book.record_executions(8 + MAX_REORG_DEPTH, Vec::new()));
    assert_eq!(undone(&book, Some(9), 9), [0, 0]);
}

#[test]
fn guaranteed_swaps_bound_the_reserves_while_outstanding() {
    let mut book = Book::default();
    let guaranteed = |number, max_input: u64, min_output: u64| {
        let BookEntry { swap, state } = swap(number, &Client::Anonymous, [number.into(), 1]);
        let [max_input, min_output] = [max_input, min_output].map(U256::from);
        let guarantee = Some(ReserveBounds { max_input, min_output });
        BookEntry { swap: Arc::new(SignedSwap { guarantee, ..SignedSwap::clone(&swap) }), state }
    };
    let swaps = [guaranteed(1, 100, 50), guaranteed(2, 90, 40), swap(3, &Client::Anonymous, [3, 1])];
    let [first, second, other] = swaps.each_ref().map(|entry| entry.swap.quote_id);
    swaps.into_iter().for_each(|swap| assert!(book.insert(swap)));
    let bounds = |book: &Book, id, tokens, block| {
        let (max_inputs, min_outputs) = reserve_bounds(book.guaranteed(id, block), tokens);
        [max_inputs, min_outputs].map(|bound| bound.map(|bound| bound.to::<u64>()))
    };
    assert_eq!(bounds(&book, other, [X, Y], None), [Some(90), Some(50)]);
    assert_eq!(bounds(&book, first, [X, Y], None), [Some(90), Some(40)]);
    assert_eq!(bounds(&book, other, [X, X], None), [Some(90), None]);
    assert_eq!(bounds(&book, other, [Y, X], None), [None, None]);
    book.set_state(second, Settled(7));
    assert_eq!(bounds(&book, other, [X, Y], Some(6)), [Some(90), Some(50)], "as of a block before");
    assert_eq!(bounds(&book, other, [X, Y], Some(7)), [Some(100), Some(50)]);
    assert!(book.remove(first) && book.remove(second));
    assert_eq!(bounds(&book, other, [X, Y], Some(6)), [None, None]);
    assert_eq!(book.guaranteed(other, Some(0)).count(), 0);
}

#[test]
fn clients_are_counted_separately_and_equal_offers_are_detected() {
    let (mut book, acme) = (Book::default(), Client::Named("acme".into()));
    let (one, other) = (swap(1, &acme, [10, 20]), swap(2, &Client::Anonymous, [10, 21]));
    book.insert(one.clone());
    assert_eq!(book.equal_offer(&one.swap.offer), Some(one.swap.quote_id));
    assert_eq!(book.equal_offer(&other.swap.offer), None);
    let again = swap(3, &acme, [10, 20]);
    assert!(book.insert(again.clone()), "a pool may execute several signatures of one offer");
    assert!(book.remove(one.swap.quote_id));
    assert_eq!(book.equal_offer(&again.swap.offer), Some(again.swap.quote_id));
    book.insert(other);
    assert_eq!(flows_of(&book, &acme), [10, 20]);
    assert_eq!(flows_of(&book, &Client::Anonymous), [10, 21]);
    assert_eq!(book.flows_of(&acme, Y).unwrap().total().inflow, U512::ZERO);
}
