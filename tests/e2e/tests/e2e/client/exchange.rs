//! Every operation with every credential, against the real server.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_client::{
    Amount, Credential, Error, ErrorType, OffchainData, OnchainData, PoolRequest, Reaction, Reason, Secret,
    SignRequest, SwapAmount, SwapTerms,
};
use firmquote_domain::{Address, GoodUntilKind, U256};
use firmquote_e2e::evm::chain_id;
use firmquote_pricing::{PairAsset, PairState, price};

use crate::client::setup::{PASSWORD, POOL, USERNAME, api_key, client, get, give, request, service};

const DESTINATION: Address = Address::repeat_byte(0xdd);

fn basic() -> Credential {
    Credential::Basic { username: USERNAME.into(), password: Secret::new(PASSWORD) }
}

#[tokio::test]
async fn every_kind_of_client_gets_quotes_and_signatures() {
    let service = service();
    for credential in [api_key, basic, || Credential::Anonymous] {
        let client = client(&service, credential());
        for amount in [give("25000000"), get("24000000000000000003")] {
            let quote = client.quote(&request("USDC", "DAI", amount)).await.unwrap();
            match amount {
                SwapAmount::ExactInput(amount) => assert_eq!(*quote.input_amount, amount),
                SwapAmount::ExactOutput(amount) => assert_eq!(*quote.output_amount, amount),
            }
            assert_eq!(quote.must_accept_by.seconds().checked_add(60), Some(*quote.good_until));
            let terms = SwapTerms::transmit_and_swap(DESTINATION);
            let to_sign = SignRequest { quote_id: *quote.id, terms };
            let swap = client.sign(&to_sign).await.unwrap();
            assert_eq!((swap.input_amount, swap.output_amount), (quote.input_amount, quote.output_amount));
            assert_eq!((*swap.service_exchange_address, swap.good_until.expires_at()), (POOL, *quote.good_until));
            assert_eq!(client.sign(&to_sign).await.unwrap().text, swap.text, "the same terms, the same answer");

            let other_terms =
                SignRequest { terms: SwapTerms::transmit_and_swap(Address::repeat_byte(0xee)), ..to_sign };
            let error = client.sign(&other_terms).await.unwrap_err();
            assert_eq!((error.refusal().unwrap().error_code, error.reaction()), (Some(409), Reaction::Requote));
        }
        let request = request("ETH", "USDC", give("1000000000000000"));
        let signed = client.quote_and_sign(&request, &SwapTerms::swap(DESTINATION)).await.unwrap();
        let repeated = SignRequest { quote_id: *signed.quote.id, terms: SwapTerms::swap(DESTINATION) };
        assert_eq!(client.sign(&repeated).await.unwrap().value, signed.swap);
    }
}

#[tokio::test]
async fn a_client_with_a_key_sees_the_traded_pairs_and_sizes() {
    let service = service();
    let client_with_key = client(&service, api_key());
    let chains = client_with_key.chains().await.unwrap();
    let [chain] = &**chains else { panic!("{chains:?}") };
    let pool = &chain.pools[0];
    assert_eq!((*chain.chain_id, chain.native_symbol.as_str(), *pool.address), (chain_id(), "ETH", POOL));
    let offchain = client_with_key.offchain_pools(&PoolRequest::new(chain_id())).await.unwrap();
    let [listed, quoted] = [
        offchain[0].assets.iter().map(|asset| (&asset.name, asset.address, asset.decimals)).collect::<Vec<_>>(),
        pool.assets.iter().map(|asset| (&asset.name, asset.address, asset.decimals)).collect(),
    ];
    assert_eq!((listed, pool.pairs.len()), (quoted, offchain[0].pairs.len()));
    let quote = client_with_key.quote(&request("USDC", "DAI", give("25000000"))).await.unwrap();
    let [of_pair, of_pool] = [quote.largest_trade_in_usd, pool.largest_trade_in_usd].map(Option::unwrap);
    assert!(of_pair < of_pool, "a share of the reserve of DAI, and of the pool's value");
    let refused = client(&service, Credential::Anonymous).chains().await.unwrap_err();
    assert!(matches!(refused, Error::NeedsApiKey(_)), "{refused:?}");
}

#[tokio::test]
async fn a_client_recomputes_a_quote_exactly_from_pool_data() {
    let service = service();
    let chain = PoolRequest::new(chain_id());
    for credential in [api_key(), basic()] {
        let client = client(&service, credential);
        let onchain = client.onchain_pools(&chain).await.unwrap();
        let offchain = client.offchain_pools(&chain).await.unwrap();
        assert_eq!((onchain.len(), offchain.len()), (1, 1));
        for (input, output) in [("ETH", "USDC"), ("USDC", "DAI"), ("DAI", "ETH")] {
            let state = state(&onchain[0], &offchain[0], input, output);
            let amount = Amount::new(state.input.reserve.base_units() / U256::from(977)).unwrap();
            let expected = price(&state, GoodUntilKind::Plain, SwapAmount::ExactInput(amount)).unwrap();
            let quote = client.quote(&request(input, output, SwapAmount::ExactInput(amount))).await.unwrap();
            assert_eq!((*quote.input_amount, *quote.output_amount), (expected.input, expected.output));
        }
    }
}

fn state(onchain: &OnchainData, offchain: &OffchainData, input: &str, output: &str) -> PairState {
    let side = |name: &str| {
        let balance = onchain.assets.iter().find(|asset| asset.name.as_str() == name).unwrap();
        let asset = offchain.assets.iter().find(|asset| asset.name.as_str() == name).unwrap();
        assert_eq!((balance.price_in_usd, balance.decimals), (asset.price_in_usd, asset.decimals));
        let (price, weight, decimals) = (*asset.price_in_usd.unwrap(), *asset.listing_weight, *asset.decimals);
        PairAsset { reserve: *balance.balance.unwrap(), price, weight, decimals }
    };
    let is_pair = |names: [&str; 2]| names.contains(&input) && names.contains(&output);
    let pair = offchain.pairs.iter().find(|pair| is_pair(pair.assets.each_ref().map(|name| name.as_str()))).unwrap();
    PairState {
        input: side(input),
        output: side(output),
        k: *offchain.pool.k,
        fee: *pair.fee_in_basis_points,
        max_improvement: None,
    }
}

#[tokio::test]
async fn a_stale_quote_is_replaced_by_the_one_in_the_conflict() {
    let mut service = service();
    let client = client(&service, api_key());
    let quote = client.quote(&request("USDC", "DAI", give("25000000"))).await.unwrap();
    let log_line = service.edit(|file| file.replace("base_fee_bps = 5\n", "base_fee_bps = 50\n"));
    assert!(log_line.contains("reloaded"), "{log_line}");
    let terms = SwapTerms::transmit_and_swap(DESTINATION);
    let error = client.sign(&SignRequest { quote_id: *quote.id, terms }).await.unwrap_err();
    assert_eq!(error.reaction(), Reaction::Requote);
    let conflict = error.refusal().unwrap().conflict.as_ref().unwrap();
    assert_eq!(error.refusal().unwrap().reason, Some(Reason::Fee));
    assert!(conflict.moved.unwrap().hundredths() >= 4_400, "{conflict:?}");
    let fresh = error.fresh_quote().unwrap();
    assert!(fresh.output_amount < quote.output_amount);
    let swap = client.sign(&SignRequest { quote_id: *fresh.id, terms }).await.unwrap();
    assert_eq!(swap.output_amount, fresh.output_amount);
}

#[tokio::test]
async fn rejections_carry_the_required_reaction() {
    let service = service();
    let (partner, anonymous) = (client(&service, api_key()), client(&service, Credential::Anonymous));
    let terms = SwapTerms::transmit_and_swap(DESTINATION);
    let about = |error: Error| {
        let refusal = error.refusal().unwrap();
        (refusal.status, refusal.error_type, refusal.error_code, error.reaction())
    };
    let quote = partner.quote(&request("USDC", "DAI", give("25000000"))).await.unwrap();
    let theirs = anonymous.sign(&SignRequest { quote_id: *quote.id, terms }).await.unwrap_err();
    assert_eq!(about(theirs), (403, Some(ErrorType::Forbidden), None, Reaction::GiveUp));

    let quote_id = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4".parse().unwrap();
    let unknown = partner.sign(&SignRequest { quote_id, terms }).await.unwrap_err();
    assert_eq!(about(unknown), (400, Some(ErrorType::QuoteProblem), Some(409), Reaction::Requote));

    let unsupported = partner.quote(&request("WBTC", "DAI", give("25000000"))).await.unwrap_err();
    assert_eq!(unsupported.refusal().unwrap().message, "input_asset_symbol: WBTC is not supported");
    assert_eq!(about(unsupported), (400, Some(ErrorType::BadData), None, Reaction::GiveUp));

    let too_large = partner.quote(&request("USDC", "DAI", get("999999999999999999999999999"))).await.unwrap_err();
    assert_eq!(about(too_large), (400, Some(ErrorType::QuoteProblem), Some(409), Reaction::GiveUp));

    let zero_destination = SignRequest { quote_id, terms: SwapTerms::transmit_and_swap(Address::ZERO) };
    let invalid = partner.sign(&zero_destination).await.unwrap_err();
    assert_eq!(invalid.refusal().unwrap().invalid_fields[0].location, ["destination_address"]);
    assert_eq!(about(invalid), (400, Some(ErrorType::BadData), Some(422), Reaction::GiveUp));

    let no_pools = anonymous.onchain_pools(&PoolRequest::new(chain_id())).await.unwrap_err();
    assert_eq!(about(no_pools), (401, Some(ErrorType::Unauthorized), None, Reaction::GiveUp));
    let unknown_client = client(&service, Credential::ApiKey(Secret::new("a-key-of-nobody")));
    let unknown_client = unknown_client.quote(&request("USDC", "DAI", give("25000000"))).await.unwrap_err();
    assert_eq!(about(unknown_client), (403, Some(ErrorType::Forbidden), None, Reaction::GiveUp));
}

#[tokio::test]
async fn a_rate_limited_client_sees_its_remaining_quota_and_retry_delay() {
    let service = service();
    let client = client(&service, Credential::Anonymous);
    let request = request("USDC", "DAI", give("25000000"));
    let limit = client.quote(&request).await.unwrap().meta.rate_limit.clone().unwrap();
    assert_eq!((limit.policy.as_str(), limit.quota), ("anonymous", Some(20)));
    // Thirty concurrent requests exceed the limit. A machine too slow to reach it sends thirty more.
    let error = loop {
        let tasks: Vec<_> = (0..30)
            .map(|_| {
                tokio::spawn({
                    let (client, request) = (client.clone(), request.clone());
                    async move { client.quote(&request).await.err() }
                })
            })
            .collect();
        let mut refused = None;
        for task in tasks {
            refused = task.await.unwrap().or(refused);
        }
        if let Some(error) = refused {
            break error;
        }
    };
    let refusal = error.refusal().unwrap();
    assert_eq!((refusal.status, &refusal.error_type), (429, &Some(ErrorType::RateLimited)));
    assert!(refusal.retry_after.is_some() && refusal.meta.rate_limit.is_some(), "{refusal:?}");
    assert_eq!(error.reaction(), Reaction::Retry { after: refusal.retry_after });
}
