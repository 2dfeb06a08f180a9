//! A running server, and requests to it.

use std::{collections::BTreeSet, net::TcpListener, sync::Arc};

use firmquote_desk::{Desk, FirmLevelsState, OperatorView, Pauses, PriceDesk, ServedPool, SigningPolicy};
use firmquote_domain::{ManualClock, PoolSpec, Settlement, SwapOutcome, Symbol, Timestamp, UnixSeconds};
use firmquote_http::{
    AdminTokenHash, ApiKeyHash, ClientName, ConnectionSettings, Credential, Credentials, Limits, Listeners,
    LiveService, Metrics, NewAdminToken, NewApiKey, NewPassword, Operator, OperatorName, PasswordHash, Quota, Role,
    Server, Service, Settings, StopHandle, TlsIdentity, Username,
};
use firmquote_market::{Market, PoolState, Snapshot, push::PricePublisher};
use firmquote_signer::{LocalSigner, PoolSigner, Signer};
use firmquote_store::{MemoryStore, Store};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use super::{
    TestResponse,
    demo::{built, demo_pool, demo_state},
    document,
    publishers::RecordingPublisher,
};

/// Options of a server; by default the demo pool, a store in memory and anonymous use.
pub(crate) struct Start {
    pub(crate) pools: Vec<PoolSpec>,
    /// The signing policy of each pool.
    pub(crate) policy: SigningPolicy,
    pub(crate) settings: Settings,
    pub(crate) connections: ConnectionSettings,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) signer: Arc<dyn Signer>,
    /// Whether version 2 has its own listener.
    pub(crate) is_split: bool,
    /// Whether the market is empty.
    pub(crate) is_blind: bool,
    /// The publisher for prices of ETH and USDC.
    pub(crate) publisher: Arc<dyn PricePublisher>,
    /// Whether an admin token is configured.
    pub(crate) has_admin_token: bool,
    /// What the operator `on-call` may do.
    pub(crate) roles: Vec<Role>,
    /// The TLS identity of the public listeners.
    pub(crate) tls: Option<TlsIdentity>,
    /// The operator's view.
    pub(crate) operator_view: Arc<OperatorView>,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            pools: vec![demo_pool()],
            policy: SigningPolicy::default(),
            settings: Settings { limits: NO_LIMITS, log_sample_ratio: 1.0, ..Settings::default() },
            connections: ConnectionSettings { workers: 1, ..ConnectionSettings::default() },
            store: Arc::new(MemoryStore::new(1_000)),
            signer: Arc::new(LocalSigner::random().unwrap()),
            is_split: false,
            is_blind: false,
            publisher: Arc::new(RecordingPublisher::default()),
            has_admin_token: true,
            roles: Vec::new(),
            tls: None,
            operator_view: Arc::default(),
        }
    }
}

/// A running server, stopped on drop.
pub(crate) struct Rig {
    /// `http://<address>` of version 1.
    pub(crate) base: String,
    /// `http://<address>` of version 2; the same unless version 2 has its own listener.
    pub(crate) base_v2: String,
    pub(crate) admin: String,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) market: Arc<Market>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) live: Arc<LiveService>,
    pub(crate) stop: StopHandle,
    pub(crate) serving: tokio::task::JoinHandle<std::io::Result<()>>,
    pub(crate) signer: Arc<dyn Signer>,
    /// API keys of the clients `acme` and `apex`.
    pub(crate) acme_key: NewApiKey,
    pub(crate) apex_key: NewApiKey,
    /// The password of the username `old-partner` of client `acme`.
    pub(crate) acme_password: NewPassword,
    /// The admin token.
    pub(crate) admin_token: NewAdminToken,
    /// The token of the operator `on-call`.
    pub(crate) operator_token: NewAdminToken,
    pub(crate) http: Client,
}

/// A quota that no test exceeds.
const NO_LIMITS: Limits = Limits {
    anonymous: Quota::per_second(1_000_000, 1_000_000),
    failed_logins: Quota::per_second(1_000_000, 1_000_000),
    credential: None,
};

/// The initial time of the clock: 2023-10-13 22:24:08.932560.
const NOON: Timestamp = Timestamp::from_micros(1_697_235_848_932_560);

pub(crate) fn api_key(client: &str, key: &NewApiKey) -> Credential {
    Credential::ApiKey {
        client: ClientName::new(client).unwrap(),
        hash: ApiKeyHash::from_hex(&key.sha256_hex()).unwrap(),
    }
}

fn login(client: &str, username: &str, password: &NewPassword) -> Credential {
    Credential::Basic {
        client: ClientName::new(client).unwrap(),
        username: Username::new(username).unwrap(),
        password: PasswordHash::from_phc(password.phc()).unwrap(),
    }
}

impl Rig {
    pub(crate) async fn start() -> Self {
        Self::start_with(Start::default()).await
    }

    pub(crate) async fn start_with(start: Start) -> Self {
        let Start { pools, policy, settings, connections, store, signer, is_split, is_blind, .. } = start;
        let Start { publisher, has_admin_token, roles, tls, operator_view, .. } = start;
        let (acme_key, apex_key) = (NewApiKey::generate().unwrap(), NewApiKey::generate().unwrap());
        let acme_password = NewPassword::generate().unwrap();
        let credentials =
            [api_key("acme", &acme_key), api_key("apex", &apex_key), login("acme", "old-partner", &acme_password)];
        let snapshot = pools
            .iter()
            .filter(|_| !is_blind)
            .fold(Snapshot::default(), |snapshot, spec| snapshot.with(spec.id, demo_state("2080.527")));
        let (market, clock) = (Arc::new(Market::new(snapshot)), Arc::new(ManualClock::at(NOON)));
        let signed = pools.into_iter().map(|spec| {
            let signer = PoolSigner::new(Arc::new(built(spec)), Arc::clone(&signer));
            ServedPool::new(signer, policy.clone())
        });
        let pauses = Pauses::with_paused(Arc::new(MemoryStore::new(0)), BTreeSet::new());
        let desk = Desk {
            pools: signed.collect(),
            pauses: Arc::new(pauses),
            market: Arc::clone(&market),
            store,
            firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
            clock: Arc::clone(&clock) as _,
            operator_view,
            recorder: None,
        };
        let desk = Arc::new(desk);
        let admin_token = NewAdminToken::generate().unwrap();
        let hash = |token: &NewAdminToken| AdminTokenHash::from_hex(&token.sha256_hex()).unwrap();
        let operator_token = NewAdminToken::generate().unwrap();
        let named = OperatorName::new("on-call").unwrap();
        let operators = vec![Operator::admin(hash(&admin_token)), Operator::new(named, hash(&operator_token), roles)];
        let operators = if has_admin_token { operators } else { Vec::new() };
        let symbols = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap()).to_vec();
        let prices = Arc::new(PriceDesk { symbols, publisher, clock: Arc::clone(&clock) as _ });
        let service = Service {
            desk: Arc::clone(&desk),
            prices: Arc::clone(&prices),
            operators,
            credentials: Credentials::new(credentials).unwrap(),
            settings,
        };
        let metrics = Arc::new(Metrics::new("0.0.0-test").unwrap());
        let live = Arc::new(LiveService::new(service, metrics).unwrap());
        let [public, second, admin] = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let address = |listener: &TcpListener| format!("http://{}", listener.local_addr().unwrap());
        let (base, admin_base) = (address(&public), address(&admin));
        let base_v2 = if is_split { address(&second) } else { base.clone() };
        let listeners = Listeners { public, version_2: is_split.then_some(second), admin, tls };
        let server = Server::new(Arc::clone(&live), listeners, connections).unwrap();
        let stop = server.stop_handle();
        let serving = tokio::spawn(server.run());
        let http = Client::new();
        Self {
            base,
            base_v2,
            admin: admin_base,
            clock,
            market,
            desk,
            prices,
            live,
            stop,
            serving,
            signer,
            acme_key,
            apex_key,
            acme_password,
            admin_token,
            operator_token,
            http,
        }
    }

    pub(crate) fn set_eth_price(&self, price: &str) {
        self.market.replace(Snapshot::default().with(demo_pool().id, demo_state(price)));
    }

    /// Records the execution of the signed swap of a quote, two blocks before the head of the chain.
    pub(crate) async fn settle(&self, quote_id: &str) {
        const BLOCK: u64 = 18_345_678;
        let id = quote_id.parse().unwrap();
        let swap = self.desk.pools.iter().find_map(|pool| pool.book().swap(id)).unwrap().swap;
        let settlement = Settlement {
            transaction_hash: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060".parse().unwrap(),
            log_index: 12,
            block_number: BLOCK,
            block_time: UnixSeconds::new(1_697_235_863),
            input_amount: swap.offer.input_amount.base_units(),
            output_amount: swap.offer.output_amount.base_units(),
        };
        let settled = Some(SwapOutcome::Settled(settlement));
        self.desk.store.set_outcome(&swap, settled, self.desk.clock.now()).await.unwrap();
        let state = PoolState { block: Some(BLOCK + 2), ..demo_state("2080.527") };
        self.market.replace(Snapshot::default().with(demo_pool().id, state));
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let base = if path.starts_with("/rfq/v2") { &self.base_v2 } else { &self.base };
        self.http.request(method, format!("{base}{path}"))
    }

    /// Sends a GET request with the API key of `acme`.
    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path).header("x-api-key", self.acme_key.reveal())).await
    }

    /// Posts a JSON body without credentials.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.post_text(path, &body.to_string()).await
    }

    /// Posts a text as JSON without credentials.
    pub(crate) async fn post_text(&self, path: &str, body: &str) -> TestResponse {
        let request = self.request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(body.to_owned())).await
    }

    /// Posts a JSON body with the API key of `acme`.
    pub(crate) async fn post_as_acme(&self, path: &str, body: &Value) -> TestResponse {
        self.send(self.request(Method::POST, path).header("x-api-key", self.acme_key.reveal()).json(body)).await
    }

    /// Sends a request, and validates the response against the document of the listener.
    pub(crate) async fn send(&self, request: RequestBuilder) -> TestResponse {
        let request = request.build().unwrap();
        let sent = request.try_clone().unwrap();
        let answer = TestResponse::read(self.http.execute(sent).await.unwrap()).await;
        document::check(self, &request, &answer);
        answer
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
