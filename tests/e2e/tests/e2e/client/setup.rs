//! A server whose pool is on no chain, and its clients.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_client::{Client, ClientSettings, Credential, QuoteRequest, Secret, SwapAmount, Symbol};
use firmquote_domain::{Address, GoodUntilKind, SigningDomain};
use firmquote_e2e::{
    configuration::{self, ExtraConfig},
    demo::opening,
    endpoint::API_KEY,
    evm::chain_id,
    service::Service,
};

/// The address of the pool in the configuration.
pub(crate) const POOL: Address = Address::repeat_byte(0xff);

/// A username of the Basic scheme.
pub(crate) const USERNAME: &str = "old-partner";

/// The password of [`USERNAME`].
pub(crate) const PASSWORD: &str = "e2e-partner-password";

/// The configured hash of [`PASSWORD`].
const BASIC: &str = r#"
[[credential]]
client = "old-partner"
username = "old-partner"
password_hash = "$argon2id$v=19$m=19456,t=2,p=1$ZTJlLXBhcnRuZXItc2FsdA$Wx9ZmCFfY9EWm8E9Vjxbov9jRd091rjj7v1kW4BuPwM"
"#;

/// Starts a server with one plain pool whose quotes are valid for ten minutes.
pub(crate) fn service() -> Service {
    let assets: Vec<_> = (1..).map(Address::repeat_byte).zip(opening(GoodUntilKind::Plain).listings).collect();
    let domain = SigningDomain { name: "Firmquote Test".into(), version: "7".into() };
    let more = ExtraConfig {
        pool: "acceptance_window_seconds = 600\n".to_owned(),
        tables: BASIC.to_owned(),
        ..ExtraConfig::default()
    };
    Service::start(&configuration::render(&domain, &assets, &[(POOL, "plain")], &more))
}

/// Returns a client of `service` with this credential.
pub(crate) fn client(service: &Service, credential: Credential) -> Client {
    let mut settings = ClientSettings::new(service.public().base());
    settings.credential = credential;
    Client::new(settings).unwrap()
}

/// Returns the API key in generated configurations.
pub(crate) fn api_key() -> Credential {
    Credential::ApiKey(Secret::new(API_KEY))
}

/// Returns a quote request for two symbols.
pub(crate) fn request(input: &str, output: &str, amount: SwapAmount) -> QuoteRequest {
    let symbol = |name| Symbol::new(name).unwrap();
    QuoteRequest::new(chain_id(), symbol(input), symbol(output), amount)
}

/// Returns a fixed input of this many base units.
pub(crate) fn give(base_units: &str) -> SwapAmount {
    SwapAmount::ExactInput(base_units.parse().unwrap())
}

/// Returns a fixed output of this many base units.
pub(crate) fn get(base_units: &str) -> SwapAmount {
    SwapAmount::ExactOutput(base_units.parse().unwrap())
}
