//! The cost of a request by its credentials: `cargo bench -p firmquote-http --bench requests`.
//!
//! Each request gets a 400 for its empty body right after authentication, so the figures differ only by the cost of
//! authentication. One client pipelines 16 requests over one connection; a figure is the time of 16.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use criterion::{Criterion, criterion_group, criterion_main};
use firmquote_desk::{Desk, FirmLevelsState, Pauses, PriceDesk};
use firmquote_domain::{ManualClock, Timestamp};
use firmquote_http::{
    ApiKeyHash, ClientName, ConnectionSettings, Credential, Credentials, Limits, Listeners, LiveService, Metrics,
    NewApiKey, NewPassword, PasswordHash, Quota, Server, Service, Settings, Username,
};
use firmquote_market::Market;
use firmquote_store::MemoryStore;

/// Requests sent before the first response is read.
const UNDER_WAY: usize = 16;
const PLENTY: Quota = Quota::per_second(1_000_000, 1_000_000);

/// Starts a server with these credentials, which runs until the process ends.
fn serve(credentials: [Credential; 2], limits: Limits) -> SocketAddr {
    let clock = Arc::new(ManualClock::at(Timestamp::from_seconds(1_697_235_848)));
    let (market, store) = (Arc::new(Market::default()), Arc::new(MemoryStore::new(1)));
    let pauses = Arc::new(Pauses::with_paused(store.clone(), BTreeSet::new()));
    let service = Service {
        desk: Arc::new(Desk {
            pools: Vec::new(),
            pauses,
            market,
            firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
            store,
            clock: Arc::clone(&clock) as _,
            operator_view: Arc::default(),
            recorder: None,
        }),
        prices: Arc::new(PriceDesk::disabled(clock)),
        operators: Vec::new(),
        credentials: Credentials::new(credentials).unwrap(),
        settings: Settings { limits, ..Settings::default() },
    };
    let live = Arc::new(LiveService::new(service, Arc::new(Metrics::new("0.0.0").unwrap())).unwrap());
    let [public, admin] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let address = public.local_addr().unwrap();
    thread::spawn(move || {
        let connections = ConnectionSettings { workers: 1, ..ConnectionSettings::default() };
        let serving = async {
            Server::new(live, Listeners { public, version_2: None, admin, tls: None }, connections)?.run().await
        };
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(serving)
    });
    address
}

/// Returns requests with `credentials`, one header line or none, and the length of their responses.
struct Exchange {
    stream: TcpStream,
    requests: Vec<u8>,
    answers: Vec<u8>,
}

impl Exchange {
    fn new(address: SocketAddr, credentials: &str) -> Self {
        let request = format!(
            "POST /rfq/quote HTTP/1.1\r\nhost: x\r\nx-request-id: bench\r\ncontent-type: application/json\r\n\
             {credentials}content-length: 2\r\n\r\n{{}}"
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut answer = Vec::new();
        // The second response is like all that follow: only the first required a password check.
        for _ in 0..2 {
            stream.write_all(request.as_bytes()).unwrap();
            answer = one_answer(&mut stream);
            assert!(answer.starts_with(b"HTTP/1.1 400 "));
        }
        Self { stream, requests: request.repeat(UNDER_WAY).into_bytes(), answers: vec![0; answer.len() * UNDER_WAY] }
    }

    fn run(&mut self) {
        self.stream.write_all(&self.requests).unwrap();
        self.stream.read_exact(&mut self.answers).unwrap();
    }
}

/// Reads up to the end of the JSON body, which ends a response.
fn one_answer(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = vec![0; 64 * 1_024];
    let length = stream.read(&mut answer).unwrap();
    answer.truncate(length);
    assert!(answer.ends_with(b"]}"), "{}", String::from_utf8_lossy(&answer));
    answer
}

fn requests(c: &mut Criterion) {
    let (key, password) = (NewApiKey::generate().unwrap(), NewPassword::generate().unwrap());
    let client = || ClientName::new("acme").unwrap();
    let credentials = || {
        let hash = ApiKeyHash::from_hex(&key.sha256_hex()).unwrap();
        let (username, password) = (Username::new("acme").unwrap(), PasswordHash::from_phc(password.phc()).unwrap());
        [Credential::ApiKey { client: client(), hash }, Credential::Basic { client: client(), username, password }]
    };
    let limits = Limits { anonymous: PLENTY, failed_logins: PLENTY, credential: None };
    let unlimited = serve(credentials(), limits);
    let limited = serve(credentials(), Limits { credential: Some(PLENTY), ..limits });
    let by_key = format!("x-api-key: {}\r\n", key.reveal());
    let login = STANDARD.encode(format!("acme:{}", password.reveal()));
    let by_login = format!("authorization: Basic {login}\r\n");
    for (name, address, credentials) in [
        ("nobody, limited by address", unlimited, ""),
        ("API key", unlimited, &by_key),
        ("API key, limited by client", limited, &by_key),
        ("Basic that was right before", unlimited, &by_login),
    ] {
        let mut exchange = Exchange::new(address, credentials);
        c.bench_function(&format!("16 requests: {name}"), |b| b.iter(|| exchange.run()));
    }
}

criterion_group!(benches, requests);
criterion_main!(benches);
