//! Edits that take effect, wait, or are refused.

use std::fs;

use firmquote_config::{Override, ReservesConfig};
use firmquote_domain::{
    Address, Amount, BookEntry, Client, GoodUntil, ManualClock, NativeSide, Offer, Pool, PoolConstant, PoolSpec,
    QuoteId, SignedSwap, SwapState, Timestamp, U256,
};
use firmquote_http::Metrics;
use firmquote_store::{BookChange, ChangedKey};

use super::*;
use crate::system_environment;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

/// The state of a running demo, and its clock.
async fn demo() -> (ServerState, Arc<ManualClock>) {
    open(Config::demo(&[], &system_environment()).unwrap()).await
}

/// The state of a running server, and its clock.
async fn open(config: Config) -> (ServerState, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(NOW));
    let metrics = Arc::new(Metrics::new("0").unwrap());
    let (state, _, _) =
        ServerState::open(config, HostParts::default(), Arc::clone(&clock) as _, metrics).await.unwrap();
    (state, clock)
}

/// Makes a changed configuration of the demo take effect.
async fn apply(state: &mut ServerState, change: impl FnOnce(&mut Config)) -> Result<(), Error> {
    let mut config = Config::demo(&[], &system_environment()).unwrap();
    change(&mut config);
    apply_config(state, config).await.map(drop)
}

/// Makes a configuration take effect.
async fn apply_config(state: &mut ServerState, config: Config) -> Result<Vec<ChangedKey>, Error> {
    let (open, pushed_prices) = (state.prices.texts(), state.prices.pushed_prices());
    let feeds = NewFeeds::create(&config, &open, &state.chains, pushed_prices, &state.host, &state.clock).await?;
    state.apply(Ok(Ok(PendingConfig { config, on_chain: Vec::new(), feeds })))
}

/// Enters a swap that was signed at `block`, and expires after a minute.
async fn enter_swap(state: &ServerState, block: Option<u64>) {
    let pool = &state.desk.pools[0];
    let swap = SignedSwap {
        quote_id: QuoteId::from_bytes([1; 16]),
        client: Client::Anonymous,
        source_network: None,
        offer: Offer {
            pool: pool.id(),
            input_token: Address::repeat_byte(1),
            output_token: Address::repeat_byte(2),
            input_amount: Amount::new(U256::from(1)).unwrap(),
            output_amount: Amount::ONE,
            good_until: GoodUntil::Plain(NOW.plus_seconds(60).seconds()),
            destination: Address::repeat_byte(3),
        },
        native: NativeSide::Neither,
        signed_at: NOW,
        block,
        guarantee: None,
    };
    let entered = BookChange::Entered(BookEntry { swap: Arc::new(swap), state: SwapState::Outstanding });
    state.desk.store.apply_changes(pool.id(), &[entered], NOW).await.unwrap();
    state.desk.refresh_book(pool).await.unwrap();
}

#[tokio::test]
async fn reserves_are_not_read_from_elsewhere_while_swaps_are_outstanding() {
    for (block, is_on_chain) in [(None, true), (Some(7), false)] {
        let (mut state, clock) = demo().await;
        let on_chain = |config: &mut Config| config.pools[0].reserves = ReservesConfig::Chain;
        let change = |config: &mut Config| {
            if is_on_chain {
                on_chain(config)
            }
        };
        if !is_on_chain {
            on_chain(&mut state.config);
        }
        enter_swap(&state, block).await;
        let refusal = apply(&mut state, change).await.unwrap_err().to_string();
        let pool = state.desk.pools[0].id().to_string();
        for part in [pool.as_str(), "1 are, valid until 1800000060 at the latest", "pause the pool"] {
            assert!(refusal.contains(part), "{refusal}");
        }
        // Without a block, the clock ends it; otherwise only a block does.
        clock.advance_micros(61_000_000);
        assert_eq!(apply(&mut state, change).await.is_ok(), block.is_none());
    }
}

#[tokio::test]
async fn a_pool_on_a_chain_is_not_removed_while_swaps_are_outstanding() {
    let (mut state, _) = demo().await;
    let id = state.desk.pools[0].id();
    let remove = |config: &mut Config| config.pools.retain(|pool| pool.id() != id);
    state.config.pools[0].reserves = ReservesConfig::Chain;
    enter_swap(&state, Some(7)).await;
    let refusal = apply(&mut state, remove).await.unwrap_err().to_string();
    assert!(refusal.contains(&format!("pool {id} cannot be removed while swaps are outstanding: 1 are")), "{refusal}");
    let lapsed = BookChange::State(QuoteId::from_bytes([1; 16]), SwapState::Lapsed(Some(9)));
    state.desk.store.apply_changes(id, &[lapsed], NOW).await.unwrap();
    state.desk.refresh_book(&state.desk.pools[0]).await.unwrap();
    apply(&mut state, remove).await.unwrap();
}

#[tokio::test]
async fn a_pool_that_is_configured_again_keeps_its_book() {
    let (mut state, _) = demo().await;
    enter_swap(&state, None).await;
    let (id, book) = (state.desk.pools[0].id(), Arc::clone(state.desk.pools[0].book()));
    apply(&mut state, |config| config.pools.retain(|pool| pool.id() != id)).await.unwrap();
    assert!(state.desk.pool(id).is_none());
    apply(&mut state, |_| ()).await.unwrap();
    assert!(Arc::ptr_eq(state.desk.pool(id).unwrap().book(), &book));
    assert_eq!(book.outstanding(), 1);
}

#[tokio::test]
async fn the_states_of_quotes_stay_available_after_an_edit() {
    let (mut state, _) = demo().await;
    let (client, chain_id) = (Client::Anonymous, state.desk.pools[0].id().chain_id);
    let before = state.desk.default_pool(chain_id, None, &client).unwrap();
    let with_k = |k: &str| {
        let k = k.parse::<PoolConstant>().unwrap();
        move |config: &mut Config| {
            let pool = &mut config.pools[0].pool;
            *pool = Arc::new(Pool::new(PoolSpec { k, ..pool.spec().clone() }).unwrap());
        }
    };
    apply(&mut state, |_| ()).await.unwrap();
    assert!(state.desk.pool_in_state(chain_id, None, before.state_id, None, &client).is_ok(), "an unrelated edit");
    for k in ["0.02", "0.03"] {
        apply(&mut state, with_k(k)).await.unwrap();
        let again = state.desk.pool_in_state(chain_id, None, before.state_id, None, &client).unwrap();
        assert_eq!(again.pool.spec(), before.pool.spec(), "the configuration of the state");
        let now = state.desk.default_pool(chain_id, None, &client).unwrap();
        assert_eq!(now.pool.spec().k, k.parse::<PoolConstant>().unwrap());
        assert_ne!(now.state_id, before.state_id);
    }
}

#[tokio::test]
async fn a_signer_that_is_named_by_a_variable_is_replaced_with_its_key_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("firmquote.toml");
    let name = Override { name: "FIRMQUOTE__SIGNER__0__NAME".to_owned(), text: "hot".to_owned() };
    let config = |key: u8| {
        let key_file = directory.path().join(format!("key-{key}"));
        fs::write(&key_file, format!("{key:064x}")).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&key_file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        fs::write(&path, POOL.replace("KEY_FILE", key_file.to_str().unwrap())).unwrap();
        Config::from_file(&path, std::slice::from_ref(&name), &system_environment()).unwrap()
    };
    let Config { restart_required, signers, pools, price_sources, .. } = config(1);
    let (chains, clock) = (Arc::default(), Arc::new(ManualClock::at(NOW)));
    let (pushed_prices, host) = (None, HostParts::default());
    let current = CurrentConfig { restart_required, signers, pools, chains, price_sources, pushed_prices, clock, host };
    assert!(current.reuse_signers(&mut config(1)));
    let mut changed = config(2);
    let expected = changed.pools[0].signer.signer.address();
    assert!(!current.reuse_signers(&mut changed), "its key is another one");
    assert_eq!(changed.pools[0].signer.signer.address(), expected);
}

#[tokio::test]
async fn price_sources_change_while_the_prices_of_other_assets_remain() {
    const TOKEN: &str = "[server]\nadmin_token_sha256 = \
                         \"0000000000000000000000000000000000000000000000000000000000000001\"\n";
    let directory = tempfile::tempdir().unwrap();
    let key_file = directory.path().join("key");
    fs::write(&key_file, format!("{:064x}", 1)).unwrap();
    fs::set_permissions(&key_file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let config = |sources: &[(&str, &[&str])]| {
        let asset = |symbol: &&str| format!("[[price_source.asset]]\nsymbol = \"{symbol}\"\n");
        let source = |(kind, assets): &(&str, &[&str])| {
            let assets: String = assets.iter().map(asset).collect();
            format!("[[price_source]]\nkind = \"{kind}\"\n{assets}")
        };
        let sources: String = sources.iter().map(source).collect();
        let path = directory.path().join("firmquote.toml");
        let pool = POOL.replace("KEY_FILE", key_file.to_str().unwrap());
        fs::write(&path, [TOKEN, &pool, &sources].concat()).unwrap();
        let name = Override { name: "FIRMQUOTE__SIGNER__0__NAME".to_owned(), text: "hot".to_owned() };
        Config::from_file(&path, &[name], &system_environment()).unwrap()
    };
    let push = async |state: &ServerState, prices: &[(&str, &str)]| {
        let price = |(symbol, price): &(&str, &str)| format!("{{\"symbol\":\"{symbol}\",\"price_usd\":\"{price}\"}}");
        let list = format!("{{\"prices\":[{}]}}", prices.iter().map(price).collect::<Vec<_>>().join(","));
        state.prices.desk().post(list.as_bytes()).await.unwrap();
    };
    let prices = |state: &ServerState| {
        let id = state.desk.pools[0].id();
        let assets = state.desk.market.snapshot().pool(id).unwrap().assets.clone();
        assets
            .into_iter()
            .map(|asset| asset.price_at(NOW).map_or_else(|error| error.to_string(), |price| price.to_string()))
            .collect::<Vec<_>>()
    };
    let silent = "no update was received yet";
    let (mut state, clock) = open(config(&[("push", &["ETH"])])).await;
    push(&state, &[("ETH", "2081")]).await;
    assert_eq!(prices(&state), ["2081", "1"]);
    // The second source of an asset, before the first one.
    apply_config(&mut state, config(&[("static", &["USDC", "ETH"]), ("push", &["ETH"])])).await.unwrap();
    assert_eq!(prices(&state), ["2081", "1"]);
    apply_config(&mut state, config(&[("push", &["USDC", "ETH"])])).await.unwrap();
    assert_eq!(prices(&state), ["2081", silent], "the table of ETH is the same");
    push(&state, &[("ETH", "2081.5")]).await;
    assert_eq!(prices(&state), ["2081.5", silent]);
    // From here on the price would be that of the file, 2080.527.
    clock.advance_micros(60_000_000);
    push(&state, &[("ETH", "2120"), ("USDC", "1")]).await;
    let moved = apply_config(&mut state, config(&[])).await.unwrap_err().to_string();
    assert!(moved.contains("price_usd moves ETH from 2120 to 2080.527 by"), "{moved}");
    clock.advance_micros(3_600_000_000);
    let untrusted = apply_config(&mut state, config(&[])).await.unwrap_err().to_string();
    assert!(untrusted.contains("price of ETH from its sources, none of which is trusted now"), "{untrusted}");
    push(&state, &[("ETH", "2080.6"), ("USDC", "1")]).await;
    apply_config(&mut state, config(&[("static", &["USDC"]), ("push", &["ETH"])])).await.unwrap();
}

const POOL: &str = r#"
    [store]
    kind = "memory"
    [limits]
    anonymous = true
    [[chain]]
    id = 1
    name = "Ethereum"
    native_symbol = "ETH"
    wrapped_native = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
    [[signer]]
    key_file = "KEY_FILE"
    [[pool]]
    chain_id = 1
    address = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
    signer = "hot"
    domain = { name = "ClipperDirect", version = "1.0.0" }
    good_until = "verified"
    k = 0.06
    [[pool.asset]]
    symbol = "ETH"
    address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
    decimals = 18
    weight = 79
    reserve = "476877882758190421102"
    price_usd = 2080.527
    [[pool.asset]]
    symbol = "USDC"
    address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
    decimals = 6
    weight = 188
    reserve = 417751254142
    price_usd = 1
    [[pool.pair]]
    assets = ["ETH", "USDC"]
    base_fee_bps = 5
    annual_volatility = 0.60
"#;
