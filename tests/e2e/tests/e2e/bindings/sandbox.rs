//! The checklist of the sandbox, with the clients in other languages and the Rust client.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::time::Duration;

use firmquote_client::{
    Client, ClientSettings, Credential, Error, LevelBook, LevelsChange, LevelsRequest, Quote, QuoteRequest, QuoteState,
    Reaction, Secret, SignedSwap, SwapAmount, SwapTerms, Symbol, parse_address,
};
use firmquote_domain::{Address, GoodUntilKind, SigningDomain};
use firmquote_e2e::{
    configuration::{self, ExtraConfig, NO_LIMITS},
    demo::opening,
    endpoint::API_KEY_SHA256,
    evm::chain_id,
    exchange::KEY,
    service::Service,
};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer as _, digest, recover};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{ALL, Binding, succeed};

/// The API key of the taker, and its hash.
pub(super) const API_KEY: &str = "sandbox_e2e-partner-key";
const SANDBOX_KEY_SHA256: &str = "a11fd0a9a4d11670b968a6cc6a2795acf652eba79934f84864bb3d14eb6f2ca8";

const POOL: Address = Address::repeat_byte(0xff);
const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn domain() -> SigningDomain {
    SigningDomain { name: "Firmquote Test".into(), version: "7".into() }
}

/// Starts a sandbox from a configuration file, with one pool that has the numbers of the demo.
pub(super) fn sandbox() -> Service {
    let assets: Vec<_> = (1..).map(Address::repeat_byte).zip(opening(GoodUntilKind::Verified).listings).collect();
    let pool = format!("single_use = true\n{NO_LIMITS}");
    let more = ExtraConfig { pool, tables: "\n[sandbox]\n".to_owned(), ..ExtraConfig::default() };
    let file = configuration::render(&domain(), &assets, &[(POOL, "verified")], &more);
    Service::start(&file.replace(API_KEY_SHA256, SANDBOX_KEY_SHA256))
}

#[test]
fn clients_in_other_languages_pass_every_sandbox_check() {
    for binding in ALL {
        let service = sandbox();
        let mut program = binding.program("sandbox");
        program.env("FIRMQUOTE_URL", service.public().base()).env("FIRMQUOTE_API_KEY", API_KEY);
        let stdout = succeed(&mut program);
        assert_eq!(stdout.lines().filter(|line| line.starts_with("passed ")).count(), 10, "{binding:?}: {stdout}");
    }
}

#[test]
fn viem_and_ethers_send_swaps_to_the_simulated_chain() {
    let service = sandbox();
    let mut program = Binding::TypeScript.program("wallets");
    program.env("FIRMQUOTE_URL", service.public().base()).env("FIRMQUOTE_API_KEY", API_KEY);
    assert_eq!(succeed(&mut program), "passed viem\npassed ethers\n");
}

/// A taker that uses the Rust client.
struct Taker {
    base: String,
    client: Client,
    http: reqwest::Client,
}

impl Taker {
    fn new(service: &Service) -> Self {
        let base = service.public().base().to_owned();
        let mut settings = ClientSettings::new(&base);
        settings.credential = Credential::ApiKey(Secret::new(API_KEY));
        Self { base, client: Client::new(settings).unwrap(), http: reqwest::Client::new() }
    }

    fn request(&self) -> QuoteRequest {
        let symbol = |name| Symbol::new(name).unwrap();
        let amount = SwapAmount::ExactInput("100000000000000000".parse().unwrap());
        QuoteRequest::new(chain_id(), symbol("ETH"), symbol("USDC"), amount)
    }

    async fn json(&self, method: reqwest::Method, path: &str, body: Value) -> Value {
        let request = self.http.request(method, format!("{}{path}", self.base)).header("x-api-key", API_KEY);
        let response = request.json(&body).send().await.unwrap();
        assert!(response.status().is_success(), "{response:?}");
        serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default()
    }

    /// Injects a fault into all following requests that it applies to.
    async fn schedule(&self, faults: &[&str]) {
        let entries: Vec<_> = faults.iter().map(|fault| json!({"fault": fault, "every": 1})).collect();
        self.json(reqwest::Method::PUT, "/sandbox/schedule", Value::Array(entries)).await;
    }

    async fn quote(&self) -> Quote {
        Quote::clone(&*self.client.quote(&self.request()).await.unwrap())
    }

    async fn sign(&self, quote: &Quote) -> Result<SignedSwap, Error> {
        let terms = SwapTerms::transmit_and_swap(parse_address(DESTINATION).unwrap());
        Ok(SignedSwap::clone(&*self.client.sign_quote(quote, &terms).await?))
    }

    /// Requests the signature of a quote, and checks that the pool's signer made it.
    async fn verified(&self, quote: &Quote) -> SignedSwap {
        let signed = self.sign(quote).await.unwrap();
        assert!(is_of_signer(&signed), "{signed:?}");
        signed
    }

    /// Requests the signature of a quote with an injected fault, and returns the error.
    async fn refused(&self, fault: &str, quote: &Quote) -> Error {
        self.schedule(&[fault]).await;
        let refused = self.sign(quote).await.unwrap_err();
        self.schedule(&[]).await;
        refused
    }

    async fn send(&self, signed: &SignedSwap) {
        let data = signed.calldata.as_ref().unwrap().to_string();
        let body = json!({"to": signed.service_exchange_address.to_string(), "data": data});
        assert_eq!(self.json(reqwest::Method::POST, "/sandbox/transactions", body).await["status"], "accepted");
    }

    /// Follows the levels until `is_enough`, and returns the first book at that moment.
    async fn follow(&self, mut is_enough: impl FnMut(&LevelsChange, Option<&LevelBook>) -> bool) -> Option<LevelBook> {
        let pair = ["ETH", "USDC"].map(|name| Symbol::new(name).unwrap());
        let request = LevelsRequest { pairs: vec![pair], ..LevelsRequest::new(chain_id()) };
        let mut levels = self.client.follow_levels(request);
        loop {
            let change = levels.changed().await.unwrap();
            let book = levels.books().next().cloned();
            if is_enough(&change, book.as_ref()) {
                return book;
            }
        }
    }
}

/// Whether the key of the pool made the signature.
fn is_of_signer(signed: &SignedSwap) -> bool {
    let signer = LocalSigner::from_hex(KEY).unwrap().address();
    let separator = DomainSeparator::new(&domain(), signed.pool_id());
    recover(digest(&separator, &signed.offer()), &signed.signature) == Some(signer)
}

#[tokio::test]
async fn the_rust_client_passes_every_sandbox_check() {
    let service = sandbox();
    let taker = Taker::new(&service);

    let quote = taker.quote().await;
    taker.send(&taker.verified(&quote).await).await;
    while taker.client.quote_status(*quote.id).await.unwrap().state != QuoteState::Settled {
        sleep(Duration::from_millis(50)).await;
    }

    let conflict = taker.refused("conflict", &taker.quote().await).await;
    assert!(matches!(conflict.reaction(), Reaction::Requote), "{conflict}");
    taker.verified(conflict.fresh_quote().unwrap()).await;

    let expired = taker.refused("expired", &taker.quote().await).await;
    assert!(matches!(expired.reaction(), Reaction::Requote), "{expired}");
    let quote = taker.quote().await;
    let lost = taker.refused("lost-answer", &quote).await;
    assert!(matches!(lost.reaction(), Reaction::Retry { .. }), "{lost}");
    taker.verified(&quote).await;
    let quote = taker.quote().await;
    let cut = taker.refused("cut", &quote).await;
    assert!(matches!(cut.reaction(), Reaction::Retry { .. }), "{cut}");
    taker.verified(&quote).await;

    let quote = taker.quote().await;
    let Reaction::Retry { after: Some(after) } = taker.refused("rate-limited=1", &quote).await.reaction() else {
        panic!("a reaction without a delay");
    };
    sleep(after).await;
    taker.verified(&quote).await;

    taker.schedule(&["forged"]).await;
    let forged = taker.sign(&taker.quote().await).await.unwrap();
    taker.schedule(&[]).await;
    assert!(!is_of_signer(&forged));
    taker.send(&taker.verified(&taker.quote().await).await).await;

    taker.schedule(&["gap"]).await;
    taker.follow(|change, _| matches!(change, LevelsChange::Disconnected { .. })).await;
    taker.schedule(&["withdraw"]).await;
    let (mut was_live, mut is_withdrawn) = (false, false);
    let book = taker.follow(|_, book| {
        let is_newer = is_withdrawn && book.is_some();
        was_live |= book.is_some();
        is_withdrawn = was_live && book.is_none();
        is_newer
    });
    let levels_id = book.await.map(|book| *book.levels_id);
    taker.schedule(&[]).await;
    // Indicative levels are refused, but not as withdrawn ones.
    taker.client.quote(&QuoteRequest { levels_id, ..taker.request() }).await.unwrap_err();

    let session = taker.json(reqwest::Method::GET, "/sandbox/session", Value::Null).await;
    for point in session["checklist"].as_array().unwrap() {
        assert_eq!(point["state"], "passed", "{point}");
    }
}
