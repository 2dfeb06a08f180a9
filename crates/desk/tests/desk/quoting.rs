//! What the desk quotes, and what it refuses to.
use crate::pool::{Bench, NOW, bench, one_eth, spec, state};
use firmquote_desk::{DeskError, QuoteRequest};
use firmquote_domain::{Address, BasisPoints, ChainId, GoodUntil, GoodUntilKind, PoolId, PoolSpec, Quote, SwapAmount};
use firmquote_market::Snapshot;

#[tokio::test]
async fn a_quote_carries_its_pricing_inputs() {
    let quote = bench(vec![spec()]).desk.quote(&one_eth()).await.unwrap();
    assert_eq!(quote.output.amount.to_string(), "2078539413");
    assert_eq!(quote.fee.to_string(), "8.63");
    assert_eq!(quote.created_at, NOW);
    assert_eq!(quote.must_accept_by.as_micros(), 1_697_235_860_932_560);
    let GoodUntil::Packed(packed) = quote.good_until else { panic!("a verified pool reads a packed word") };
    assert_eq!(packed.expires_at.get(), 1_697_235_920, "must_accept_by cut to seconds, plus 60");
    assert_eq!((packed.input_price, packed.output_price), (quote.input.price, quote.output.price));
    assert_eq!(
        (packed.k.to_string().as_str(), packed.input_weight.get(), packed.output_weight.get()),
        ("0.06", 79, 188)
    );
}

#[tokio::test]
async fn an_exact_output_costs_no_more_than_the_input_that_yields_it() {
    let desk = bench(vec![spec()]).desk;
    let given = desk.quote(&one_eth()).await.unwrap();
    let wanted = QuoteRequest { amount: SwapAmount::ExactOutput(given.output.amount), ..one_eth() };
    let quote = desk.quote(&wanted).await.unwrap();
    assert!(quote.input.amount <= given.input.amount);
    assert_eq!(quote.output.amount, given.output.amount);
}

#[tokio::test]
async fn every_quote_is_priced_on_the_current_state() {
    let Bench { desk, market, .. } = bench(vec![spec()]);
    let back = QuoteRequest {
        input: "USDC".into(),
        output: "ETH".into(),
        amount: SwapAmount::ExactInput("2000000000".parse().unwrap()),
        ..one_eth()
    };
    let longer = QuoteRequest { time_in_seconds: Some(600), ..one_eth() };
    for price in ["2080.527", "2080.528", "2080.527", "1500", "1500"] {
        market.replace(Snapshot::default().with(spec().id, state(price)));
        // A desk of its own has evaluated nothing before.
        let fresh = bench(vec![spec()]);
        fresh.market.replace(Snapshot::default().with(spec().id, state(price)));
        for request in [&one_eth(), &longer, &back, &one_eth()] {
            let [quote, expected] = [desk.quote(request).await.unwrap(), fresh.desk.quote(request).await.unwrap()];
            assert_eq!(Quote { id: expected.id, ..quote }, expected, "{price}");
        }
    }
}

fn second(change: impl FnOnce(&mut PoolSpec)) -> PoolSpec {
    let mut second = spec();
    second.id = PoolId { address: Address::repeat_byte(0x22), ..second.id };
    change(&mut second);
    second
}

#[tokio::test]
async fn the_best_enabled_pool_with_both_assets_is_chosen() {
    let cheaper = |spec: &mut PoolSpec| spec.pairs[0].fee.base = BasisPoints::from_hundredths(100).unwrap();
    let disabled = |spec: &mut PoolSpec| {
        cheaper(spec);
        spec.swaps_enabled = false;
    };
    for (second, is_second_taken) in [(second(cheaper), true), (second(disabled), false), (second(|_| {}), false)] {
        let second_id = second.id;
        for amount in [
            SwapAmount::ExactInput("1000000000000000000".parse().unwrap()),
            SwapAmount::ExactOutput("2000000000".parse().unwrap()),
        ] {
            let desk = bench(vec![spec(), second.clone()]).desk;
            let quote = desk.quote(&QuoteRequest { amount, ..one_eth() }).await.unwrap();
            assert_eq!(quote.pool == second_id, is_second_taken, "{amount:?}");
            let named = QuoteRequest { amount, pool_address: Some(spec().id.address), ..one_eth() };
            assert_eq!(desk.quote(&named).await.unwrap().pool, spec().id);
        }
    }
}

#[tokio::test]
async fn an_asset_is_named_by_its_symbol_or_its_address() {
    let desk = bench(vec![spec()]).desk;
    let by_symbol = desk.quote(&one_eth()).await.unwrap();
    let [input, output] = [by_symbol.input.token, by_symbol.output.token];
    for request in [
        QuoteRequest { input: input.into(), output: output.into(), ..one_eth() },
        QuoteRequest { output: output.into(), ..one_eth() },
    ] {
        let by_address = desk.quote(&request).await.unwrap();
        assert_eq!((by_address.input, by_address.output), (by_symbol.input, by_symbol.output));
    }
}

#[tokio::test]
async fn unsupported_assets_are_named() {
    let desk = bench(vec![spec()]).desk;
    let chain_5 = ChainId::new(5).unwrap();
    let stranger = Address::repeat_byte(0x77);
    let cases = [
        (QuoteRequest { chain_id: chain_5, ..one_eth() }, "chain_id: 5 is not supported".to_owned()),
        (QuoteRequest { input: "eth".into(), ..one_eth() }, "input_asset_symbol: eth is not supported".into()),
        (QuoteRequest { output: "WBTC".into(), ..one_eth() }, "output_asset_symbol: WBTC is not supported".into()),
        (QuoteRequest { output: "ETH".into(), ..one_eth() }, "pair: ETH/ETH is not supported".into()),
        (QuoteRequest { output: "USDT".into(), ..one_eth() }, "pair: ETH/USDT is not supported".into()),
        (
            QuoteRequest { output: stranger.into(), ..one_eth() },
            format!("output_asset_address: {stranger} is not supported"),
        ),
        (
            QuoteRequest { pool_address: Some(stranger), ..one_eth() },
            format!("pool_address: {stranger} is not supported"),
        ),
    ];
    for (request, message) in cases {
        let error = desk.quote(&request).await.unwrap_err();
        assert!(matches!(error, DeskError::Unsupported { .. }));
        assert_eq!(error.to_string(), message);
    }
}

#[tokio::test]
async fn amounts_out_of_bounds_are_rejected_with_a_servable_bound() {
    let desk = bench(vec![spec()]).desk;
    let quote = async |amount| desk.quote(&QuoteRequest { amount, ..one_eth() }).await;
    for (amount, field) in [
        (SwapAmount::ExactInput("48000000000000".parse().unwrap()), "input_amount"),
        (SwapAmount::ExactOutput("99900".parse().unwrap()), "output_amount"),
        (SwapAmount::ExactInput("1".parse().unwrap()), "input_amount"),
    ] {
        let error = quote(amount).await.unwrap_err();
        let DeskError::TooSmall { field: named, limit } = error else { panic!("{error}") };
        assert_eq!(named, field);
        let at_limit =
            if field == "input_amount" { SwapAmount::ExactInput(limit) } else { SwapAmount::ExactOutput(limit) };
        quote(at_limit).await.unwrap();
    }
    for (amount, field) in [
        (SwapAmount::ExactInput("1000000000000000000000000".parse().unwrap()), "input_amount"),
        (SwapAmount::ExactOutput("417751254142".parse().unwrap()), "output_amount"),
    ] {
        let error = quote(amount).await.unwrap_err();
        let DeskError::TooLarge { field: named, limit } = error else { panic!("{error}") };
        assert_eq!(named, field);
        quote(if field == "input_amount" { SwapAmount::ExactInput(limit) } else { SwapAmount::ExactOutput(limit) })
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn the_widest_bound_of_several_pools_is_reported() {
    let wide = second(|spec| spec.min_trade = "0.05".parse::<firmquote_domain::Usd>().unwrap());
    let desk = bench(vec![spec(), wide]).desk;
    let error = desk
        .quote(&QuoteRequest { amount: SwapAmount::ExactInput("1".parse().unwrap()), ..one_eth() })
        .await
        .unwrap_err();
    let DeskError::TooSmall { limit, .. } = error else { panic!("{error}") };
    assert_eq!(limit.to_string(), "24032372567143", "0.05 USD, not 0.10");
}

#[tokio::test]
async fn time_in_seconds_is_limited_to_the_pools_range_and_worsens_the_price() {
    let desk = bench(vec![spec()]).desk;
    let quote = async |time| desk.quote(&QuoteRequest { time_in_seconds: Some(time), ..one_eth() }).await;
    for time in [0, 601, u32::MAX] {
        let error = quote(time).await.unwrap_err();
        assert_eq!(error.to_string(), "time_in_seconds: must be 1 to 600 seconds for this pool");
    }
    let (short, long) = (quote(1).await.unwrap(), quote(600).await.unwrap());
    assert!(short.output.amount > long.output.amount);
    assert_eq!(long.good_until.expires_at().get() - short.good_until.expires_at().get(), 599);
}

#[tokio::test]
async fn plain_pools_use_plain_seconds_and_disabled_pools_do_not_quote() {
    let plain = PoolSpec { good_until: GoodUntilKind::Plain, ..spec() };
    let quote = bench(vec![plain]).desk.quote(&one_eth()).await.unwrap();
    assert!(matches!(quote.good_until, GoodUntil::Plain(seconds) if seconds.get() == 1_697_235_920));
    let disabled = PoolSpec { swaps_enabled: false, ..spec() };
    assert!(matches!(bench(vec![disabled]).desk.quote(&one_eth()).await, Err(DeskError::SwapsDisabled)));
}
