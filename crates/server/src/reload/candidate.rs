//! A configuration being prepared to take effect: the slow checks, which run while the service continues.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use firmquote_config::{Config, PoolConfig, RestartRequired};
use firmquote_desk::Desk;
use firmquote_domain::PoolId;
use firmquote_http::Credentials;
use firmquote_market::{Market, Snapshot};
use tokio::{
    task::{JoinError, JoinHandle, spawn_blocking},
    time::sleep,
};

use super::{
    ConfigFile,
    rejected_edits::{outstanding_at_change_of_reserves, unconfirmed_price_edit},
};
use crate::{
    Error,
    assembly::{self, DeskParts, ServerState},
    chain::{
        self, Chains,
        reserves::{self, ChainPool},
    },
    prices,
};

/// Which signing keys a configuration takes effect with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SignerKeys {
    /// The active ones of every signer whose table is unchanged: a key is only replaced on request.
    Keep,
    /// The ones that the files and variables contain now.
    Reload,
}

/// A configuration whose signers and pools have been checked.
pub(super) struct Candidate {
    config: Config,
    on_chain: Vec<ChainPool>,
}

/// The parts of the active configuration that a candidate is checked against.
struct CurrentConfig {
    restart_required: RestartRequired,
    signers: BTreeMap<String, RestartRequired>,
    pools: Vec<PoolConfig>,
    chains: Arc<Chains>,
}

impl CurrentConfig {
    /// Replaces the reopened signers whose tables are unchanged with the active ones. Returns whether these are all.
    fn reuse_signers(&self, config: &mut Config) -> bool {
        let Config { signers, pools, .. } = config;
        let active = |name: &String| {
            let is_unchanged = signers.get(name).is_some_and(|table| self.signers.get(name) == Some(table));
            self.pools.iter().find(|active| is_unchanged && active.signer.name == *name)
        };
        pools.iter_mut().fold(true, |are_all, pool| match active(&pool.signer.name) {
            Some(active) => {
                pool.signer = active.signer.clone();
                are_all
            }
            None => false,
        })
    }
}

impl Candidate {
    /// Starts reading the configuration and querying its signers and nodes.
    pub(super) fn spawn(file: &ConfigFile, state: &ServerState, keys: SignerKeys) -> JoinHandle<Result<Self, Error>> {
        let Config { restart_required, signers, pools, .. } = &state.config;
        let (restart_required, signers, pools) = (restart_required.clone(), signers.clone(), pools.clone());
        let current = CurrentConfig { restart_required, signers, pools, chains: Arc::clone(&state.chains) };
        let read = file.reader();
        tokio::spawn(async move {
            // Opening a keystore is slow.
            let config = spawn_blocking(read).await??;
            Self::verify(config, &current, keys).await
        })
    }

    async fn verify(mut config: Config, current: &CurrentConfig, keys: SignerKeys) -> Result<Self, Error> {
        if let Some(key) = current.restart_required.difference(&config.restart_required) {
            return Err(Error::NotReloadable(format!(
                "{key} cannot be changed while the service runs: restart it to apply the change"
            )));
        }
        if !(keys == SignerKeys::Keep && current.reuse_signers(&mut config))
            && let Some(warning) = assembly::unavailable_signers(&config).await?.first()
        {
            return Err(Error::NotReloadable(format!("a signer must respond before it takes over: {warning}")));
        }
        let on_chain = reserves::verified(reserves::open(&config, &current.chains)?).await?;
        chain::verify_static(&config, &current.chains, &current.pools).await?;
        Ok(Self { config, on_chain })
    }
}

/// Grace period for requests that started with the previous configuration.
const PRICE_GRACE_PERIOD: Duration = Duration::from_secs(1);

/// Clears the prices of a replaced desk after [`PRICE_GRACE_PERIOD`]: a request still in progress by then that has not
/// been signed must be repeated by the client.
fn clear_prices_later(desk: Arc<Desk>) {
    tokio::spawn(async move {
        sleep(PRICE_GRACE_PERIOD).await;
        desk.market.replace(Snapshot::default());
    });
}

impl ServerState {
    /// Carries over to the pools of `desk` their books, also those of pools that were removed before, the states that were
    /// returned to clients, and, where assets and configured reserves are unchanged, the value anchors that bound the
    /// limits. If the operator changed these, the value of the pool is anchored again.
    fn with_state_of_pools(&mut self, mut desk: Desk, config: &Config) -> Desk {
        self.books.extend(self.desk.pools.iter().map(|pool| (pool.id(), Arc::clone(pool.book()))));
        let is_same = |id: PoolId| {
            let of = |config: &'_ Config| config.pools.iter().find(|pool| pool.id() == id).cloned();
            of(&self.config).zip(of(config)).is_some_and(|(old, new)| {
                old.reserves == new.reserves && old.pool.spec().assets == new.pool.spec().assets
            })
        };
        let pools = desk.pools.into_iter().map(|pool| {
            let id = pool.id();
            let pool = match self.books.get(&id) {
                Some(book) => pool.with_book(Arc::clone(book)),
                None => pool,
            };
            match self.desk.pool(id) {
                Some(old) if is_same(id) => {
                    pool.with_states_of(old).with_initial_value(Arc::clone(old.initial_value()))
                }
                Some(old) => pool.with_states_of(old),
                None => pool,
            }
        });
        desk.pools = pools.collect();
        desk
    }

    /// Makes a configuration take effect.
    ///
    /// # Errors
    /// For anything that prevents it from taking effect as a whole; then no part of it does.
    pub(super) fn apply(&mut self, candidate: Result<Result<Candidate, Error>, JoinError>) -> Result<(), Error> {
        let Candidate { config, on_chain } = candidate??;
        let is_same = |pool: &ChainPool| self.config.pools.iter().any(|current| pool.describes(current));
        let is_unverified_change = |pool: &&ChainPool| !pool.is_verified() && !is_same(pool) && self.is_read(pool.id());
        if let Some(pool) = on_chain.iter().find(is_unverified_change) {
            let id = pool.id();
            let reason = format!("pool {id} was changed, and no node can be queried to verify it");
            return Err(Error::NotReloadable(reason));
        }
        let unchanged: Vec<PoolId> = on_chain.iter().filter(|pool| is_same(pool)).map(ChainPool::id).collect();
        if let Some(unconfirmed) = unconfirmed_price_edit(&self.config, &config) {
            return Err(Error::NotReloadable(unconfirmed));
        }
        if let Some(outstanding) = outstanding_at_change_of_reserves(self, &config) {
            return Err(Error::NotReloadable(outstanding));
        }
        let market = Arc::new(Market::default());
        let parts = DeskParts {
            market: Arc::clone(&market),
            store: Arc::clone(&self.stores.quotes),
            books: Arc::clone(&self.stores.books),
            firm_levels: Arc::clone(&self.desk.firm_levels),
            pauses: Arc::clone(&self.pauses),
            clock: Arc::clone(&self.clock),
            operator_view: Arc::clone(&self.desk.operator_view),
        };
        let desk = assembly::desk(&config, self.signers.instrument(&config), parts);
        let desk = Arc::new(self.with_state_of_pools(desk, &config));
        let credentials = Credentials::new(assembly::credentials(&config)?)?;
        let service = assembly::service(&config, credentials, Arc::clone(&desk), Arc::clone(&self.prices));
        // Nothing can fail from here on. The active desk keeps reading its own market until it is replaced.
        prices::write_pools(&self.market, &config, &market, self.clock.now());
        self.live.replace(service);
        self.pairs.replace(&config);
        self.read_reserves(on_chain, &unchanged);
        self.config = config;
        clear_prices_later(std::mem::replace(&mut self.desk, desk));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use firmquote_config::{Override, ReservesConfig};
    use firmquote_domain::{
        Address, Amount, BookEntry, Client, GoodUntil, ManualClock, NativeSide, Offer, Pool, PoolConstant, PoolSpec,
        QuoteId, SignedSwap, SwapState, Timestamp, U256,
    };
    use firmquote_http::Metrics;
    use firmquote_store::BookChange;

    use super::*;
    use crate::system_sources;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    /// The state of a running demo, and its clock.
    async fn demo() -> (ServerState, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::at(NOW));
        let config = Config::demo(&[], &system_sources()).unwrap();
        let metrics = Arc::new(Metrics::new("0").unwrap());
        let (state, _, _) = ServerState::open(config, Arc::clone(&clock) as _, metrics).await.unwrap();
        (state, clock)
    }

    /// Makes a changed configuration of the demo take effect.
    fn apply(state: &mut ServerState, change: impl FnOnce(&mut Config)) -> Result<(), Error> {
        let mut config = Config::demo(&[], &system_sources()).unwrap();
        change(&mut config);
        state.apply(Ok(Ok(Candidate { config, on_chain: Vec::new() })))
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
        state.desk.books.apply_changes(pool.id(), &[entered], NOW).await.unwrap();
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
            let refusal = apply(&mut state, change).unwrap_err().to_string();
            let pool = state.desk.pools[0].id().to_string();
            for part in [pool.as_str(), "1 are, until 1800000060 at the latest", "pause the pool"] {
                assert!(refusal.contains(part), "{refusal}");
            }
            // Without a block, the clock ends it; otherwise only a block does.
            clock.advance_micros(61_000_000);
            assert_eq!(apply(&mut state, change).is_ok(), block.is_none());
        }
    }

    #[tokio::test]
    async fn a_pool_on_a_chain_is_not_removed_while_swaps_are_outstanding() {
        let (mut state, _) = demo().await;
        let id = state.desk.pools[0].id();
        let remove = |config: &mut Config| config.pools.retain(|pool| pool.id() != id);
        state.config.pools[0].reserves = ReservesConfig::Chain;
        enter_swap(&state, Some(7)).await;
        let refusal = apply(&mut state, remove).unwrap_err().to_string();
        assert!(
            refusal.contains(&format!("pool {id} cannot be removed while swaps are outstanding: 1 are")),
            "{refusal}"
        );
        let lapsed = BookChange::State(QuoteId::from_bytes([1; 16]), SwapState::Lapsed(Some(9)));
        state.desk.books.apply_changes(id, &[lapsed], NOW).await.unwrap();
        state.desk.refresh_book(&state.desk.pools[0]).await.unwrap();
        apply(&mut state, remove).unwrap();
    }

    #[tokio::test]
    async fn a_pool_that_is_configured_again_keeps_its_book() {
        let (mut state, _) = demo().await;
        enter_swap(&state, None).await;
        let (id, book) = (state.desk.pools[0].id(), Arc::clone(state.desk.pools[0].book()));
        apply(&mut state, |config| config.pools.retain(|pool| pool.id() != id)).unwrap();
        assert!(state.desk.pool(id).is_none());
        apply(&mut state, |_| ()).unwrap();
        assert!(Arc::ptr_eq(state.desk.pool(id).unwrap().book(), &book));
        assert_eq!(book.outstanding(), 1);
    }

    #[tokio::test]
    async fn the_states_of_quotes_stay_available_after_an_edit() {
        let (mut state, _) = demo().await;
        let (client, chain_id) = (Client::Anonymous, state.desk.pools[0].id().chain_id);
        let before = state.desk.default_pool(chain_id, None, &client).unwrap();
        let with_k = |k: &str| {
            let k = PoolConstant::from_decimal(k).unwrap();
            move |config: &mut Config| {
                let pool = &mut config.pools[0].pool;
                *pool = Arc::new(Pool::new(PoolSpec { k, ..pool.spec().clone() }).unwrap());
            }
        };
        apply(&mut state, |_| ()).unwrap();
        assert!(state.desk.pool_in_state(chain_id, None, before.state_id, None, &client).is_ok(), "an unrelated edit");
        for k in ["0.02", "0.03"] {
            apply(&mut state, with_k(k)).unwrap();
            let again = state.desk.pool_in_state(chain_id, None, before.state_id, None, &client).unwrap();
            assert_eq!(again.pool.spec(), before.pool.spec(), "the configuration of the state");
            let now = state.desk.default_pool(chain_id, None, &client).unwrap();
            assert_eq!(now.pool.spec().k, PoolConstant::from_decimal(k).unwrap());
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
            Config::from_file(&path, std::slice::from_ref(&name), &system_sources()).unwrap()
        };
        let Config { restart_required, signers, pools, .. } = config(1);
        let current = CurrentConfig { restart_required, signers, pools, chains: Arc::default() };
        assert!(current.reuse_signers(&mut config(1)));
        let mut changed = config(2);
        let expected = changed.pools[0].signer.signer.address();
        assert!(!current.reuse_signers(&mut changed), "its key is another one");
        assert_eq!(changed.pools[0].signer.signer.address(), expected);
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
}
