//! The one client of the built-in demo: its fresh credentials, and what a person is told about them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use firmquote_http::{ApiKeyHash, ClientName, Credential, NewApiKey, NewPassword, PasswordHash, Username};

use crate::listen::Addresses;

/// Name and username of the client.
const NAME: &str = "demo";
/// Somebody's account, to receive what is swapped.
pub(crate) const ACCOUNT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// The client of the demo, whose credentials nobody has seen yet.
pub(crate) struct DemoClient {
    api_key: NewApiKey,
    password: NewPassword,
}

impl DemoClient {
    /// Makes its credentials.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub(crate) fn create() -> anyhow::Result<Self> {
        Ok(Self { api_key: NewApiKey::create()?, password: NewPassword::create()? })
    }

    /// Its API key.
    pub(crate) fn api_key(&self) -> &str {
        self.api_key.reveal()
    }

    /// What the service keeps of its credentials.
    ///
    /// # Errors
    /// When the service does not take what it made itself; a mistake in this program.
    pub(crate) fn kept(&self) -> anyhow::Result<[Credential; 2]> {
        let client = ClientName::new(NAME)?;
        let hash = ApiKeyHash::from_hex(&self.api_key.sha256_hex())?;
        let (username, password) = (Username::new(NAME)?, PasswordHash::from_phc(self.password.phc())?);
        Ok([Credential::ApiKey { client: client.clone(), hash }, Credential::Basic { client, username, password }])
    }

    /// Tells a person the credentials, this once, and what to do with them.
    pub(crate) fn introduction(&self, addresses: &Addresses) -> String {
        let (first, second) = (reachable(addresses.public), reachable(addresses.version_2()));
        let (key, password) = (self.api_key.reveal(), self.password.reveal());
        let ask = r#"'{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000000000000000000"}'"#;
        format!(
            "\
Firmquote runs its built-in demo pool: static prices, quotes in memory, a signing key that no contract knows.
These credentials of the client \"{NAME}\" are fresh, shown this once, and gone when the service stops:

    API key   {key}
    Basic     username {NAME}, password {password}

A first quote, without credentials:

    curl -s http://{first}/rfq/quote -H 'content-type: application/json' \\
      -d {ask}

A quote and its signature, within the 12 seconds it may be accepted:

    QUOTE_ID=$(curl -s http://{first}/rfq/quote -H 'content-type: application/json' -H 'x-api-key: {key}' \\
      -d {ask} \\
      | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/')
    curl -s http://{first}/rfq/sign -H 'content-type: application/json' -H 'x-api-key: {key}' \\
      -d '{{\"quote_id\":\"'$QUOTE_ID'\",\"destination_address\":\"{ACCOUNT}\",\"calldata\":true}}'

Version 2, with the API key, and the pool of version 1, with Basic:

    curl -s 'http://{second}/rfq/v2/quote/1?input_asset_symbol=DAI&output_asset_symbol=ETH&output_amount=1000000000000000000' \\
      -H 'x-api-key: {key}'
    curl -s 'http://{first}/rfq/pool?chain_id=1' -u {NAME}:{password}

Health, readiness and metrics are at http://{}: /healthz, /readyz, /metrics.
For your own pool write a configuration: firmquote serve --config FILE.

",
            reachable(addresses.admin)
        )
    }
}

/// The address under which this machine reaches a listener.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
