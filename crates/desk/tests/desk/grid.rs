//! A grid of quotes: what quotes would be, all in one state.

use firmquote_desk::{DeskError, Limit, QuoteGridRequest, QuoteRequest, SigningPolicy, UnsupportedInput};
use firmquote_domain::{Address, Amount, Client, GoodUntilKind, PoolId, PoolSpec, SwapAmount, U256, Usd};
use firmquote_market::{Rejection, Snapshot, Trusted};

use crate::pool::{Bench, bench, chain, one_eth, sign, spec, state};

fn amounts(units: &[u128]) -> Vec<Amount> {
    units.iter().map(|units| Amount::new(U256::from(*units)).unwrap()).collect()
}

fn request<'a>(inputs: &'a [Amount], times: &'a [u32]) -> QuoteGridRequest<'a> {
    QuoteGridRequest {
        client: Client::Anonymous,
        chain_id: chain(),
        input: "ETH".into(),
        output: "USDC".into(),
        inputs,
        times,
        pool_address: None,
    }
}

#[tokio::test]
async fn every_output_matches_a_quote_of_the_same_state() {
    let inputs = amounts(&[1, 48_064_745_134_286, 1_000_000_000_000_000_000, 77_000_000_000_000_000_001, u128::MAX]);
    for kind in [GoodUntilKind::Plain, GoodUntilKind::Verified] {
        let Bench { desk, .. } = bench(vec![PoolSpec { good_until: kind, ..spec() }]);
        // Something is outstanding, so that it counts here as there.
        let first = desk.quote(&one_eth()).await.unwrap();
        desk.sign(&sign(first.id, 1)).await.unwrap();
        let times = [600, 1, 60];
        let grid = desk.quote_grid(&request(&inputs, &times)).unwrap();
        assert_eq!(grid.rows.iter().map(|row| row.time_in_seconds).collect::<Vec<_>>(), times);
        let mut served = 0;
        for row in &grid.rows {
            assert_eq!(row.outputs.len(), inputs.len());
            for (input, output) in inputs.iter().zip(&row.outputs) {
                let amount = SwapAmount::ExactInput(*input);
                let time_in_seconds = Some(row.time_in_seconds);
                match desk.quote(&QuoteRequest { amount, time_in_seconds, ..one_eth() }).await {
                    Ok(quote) => {
                        served += 1;
                        assert_eq!((Some(quote.output.amount), quote.fee), (*output, row.fee));
                        assert_eq!((quote.state_id, quote.pool), (grid.state_id, grid.pool));
                    }
                    Err(DeskError::TooSmall { .. } | DeskError::TooLarge { .. }) => assert_eq!(*output, None),
                    Err(error) => panic!("{error:?}"),
                }
            }
        }
        assert_eq!(served, 9, "all but one unit and more than there is");
    }
}

#[test]
fn a_grid_without_times_uses_the_pools_default() {
    let desk = bench(vec![spec()]).desk;
    let grid = desk.quote_grid(&request(&amounts(&[1_000_000_000_000_000_000]), &[])).unwrap();
    assert_eq!(grid.rows.len(), 1);
    assert_eq!((grid.rows[0].time_in_seconds, grid.rows[0].outputs.len()), (60, 1));
    assert_eq!((grid.input.symbol.as_str(), grid.output.symbol.as_str()), ("ETH", "USDC"));
}

#[test]
fn a_request_that_cannot_be_quoted_is_rejected_as_a_whole() {
    let inputs = amounts(&[1_000_000_000_000_000_000]);
    let Bench { desk, market, .. } = bench(vec![spec()]);
    let refused = desk.quote_grid(&request(&inputs, &[60, 601])).unwrap_err();
    assert!(matches!(refused, DeskError::NotAllowed { field: "times", .. }), "{refused:?}");
    let elsewhere = QuoteGridRequest { output: "WBTC".into(), ..request(&inputs, &[]) };
    assert!(matches!(
        desk.quote_grid(&elsewhere),
        Err(DeskError::Unsupported { input: UnsupportedInput::OutputSymbol, .. })
    ));
    let mut untrusted = state("2080.527");
    untrusted.assets[0].price = Err(Rejection::Silent);
    market.replace(Snapshot::default().with(spec().id, untrusted));
    assert!(matches!(desk.quote_grid(&request(&inputs, &[])), Err(DeskError::Untrusted { .. })));
    let off = bench(vec![PoolSpec { swaps_enabled: false, ..spec() }]).desk;
    assert!(matches!(off.quote_grid(&request(&inputs, &[])), Err(DeskError::SwapsDisabled)));
}

#[test]
fn client_limits_apply() {
    let Bench { mut desk, .. } = bench(vec![spec()]);
    desk.pools[0].policy =
        SigningPolicy { max_trade: Limit::Usd("3000".parse::<Usd>().unwrap()), ..SigningPolicy::default() };
    let inputs = amounts(&[1_000_000_000_000_000_000, 2_000_000_000_000_000_000]);
    let grid = desk.quote_grid(&request(&inputs, &[])).unwrap();
    assert_eq!(grid.rows[0].outputs.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
}

#[tokio::test]
async fn without_a_pool_the_one_serving_most_sizes_is_chosen() {
    let other = PoolId { address: Address::repeat_byte(0xbb), ..spec().id };
    let Bench { desk, market, .. } = bench(vec![spec(), PoolSpec { id: other, ..spec() }]);
    let mut drained = state("2080.527");
    for asset in &mut drained.assets {
        asset.reserve = Ok(Trusted::without_expiry(Amount::new(U256::from(1_000_000_u32)).unwrap()));
    }
    market.replace(Snapshot::default().with(spec().id, drained).with(other, state("2080.527")));
    let inputs = amounts(&[1_000_000_000_000_000_000]);
    let grid = desk.quote_grid(&request(&inputs, &[])).unwrap();
    let quote = desk.quote(&one_eth()).await.unwrap();
    assert_eq!((grid.pool, grid.rows[0].outputs[0]), (other, Some(quote.output.amount)));
    // Of two that serve nothing, the more specific refusal is returned.
    let off = bench(vec![PoolSpec { swaps_enabled: false, ..spec() }, PoolSpec { id: other, ..spec() }]);
    let mut untrusted = state("2080.527");
    untrusted.assets[0].price = Err(Rejection::Silent);
    off.market.replace(Snapshot::default().with(spec().id, untrusted.clone()).with(other, untrusted));
    assert!(matches!(off.desk.quote_grid(&request(&inputs, &[])), Err(DeskError::Untrusted { .. })));
}
