//! The one client and the operator of the built-in demo: their fresh credentials, and how a person uses them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use firmquote_http::{
    AdminTokenHash, ApiKeyHash, ClientName, Credential, NewAdminToken, NewApiKey, NewPassword, PasswordHash, Username,
};

use crate::{environment, listen::Addresses};

/// Name and username of the client.
const NAME: &str = "demo";
/// Somebody's account, to receive what is swapped.
pub(crate) const ACCOUNT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// The client and the operator of the demo, whose credentials nobody has seen yet.
pub(crate) struct DemoClient {
    api_key: NewApiKey,
    password: NewPassword,
    admin_token: NewAdminToken,
}

impl DemoClient {
    /// Makes its credentials.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub(crate) fn create() -> anyhow::Result<Self> {
        Ok(Self {
            api_key: NewApiKey::create()?,
            password: NewPassword::create()?,
            admin_token: NewAdminToken::create()?,
        })
    }

    /// Its API key.
    pub(crate) fn api_key(&self) -> &str {
        self.api_key.reveal()
    }

    /// What the service keeps of the operator's token.
    ///
    /// # Errors
    /// When the service does not take what it made itself; a mistake in this program.
    pub(crate) fn admin_token_hash(&self) -> anyhow::Result<AdminTokenHash> {
        Ok(AdminTokenHash::from_hex(&self.admin_token.sha256_hex())?)
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

    /// Tells a person the credentials, this once, and what to do with them; the admin token only if the demo made it.
    pub(crate) fn introduction(&self, addresses: &Addresses, has_own_token: bool) -> String {
        let (first, second, admin) =
            (reachable(addresses.public), reachable(addresses.version_2()), reachable(addresses.admin));
        let (key, password) = (self.api_key.reveal(), self.password.reveal());
        let token = if has_own_token { "the one you configured" } else { self.admin_token.reveal() };
        let program = environment::program();
        let ask = r#"'{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000000000000000000"}'"#;
        format!(
            "\
Firmquote runs its built-in demo pool: static prices, quotes in memory, a signing key that no contract knows.
These credentials are fresh, shown this once, and gone when the service stops:

    API key      {key}   of the client \"{NAME}\"
    Admin token  {token}   for the operator's page

In a browser:

    http://{first}/docs   the API, to read and to try
    http://{admin}/       the operator's page: pools, quote curves, signatures, pause and resume

On the command line, a quote that is checked and signed:

    export FIRMQUOTE_URL=http://{second} FIRMQUOTE_API_KEY={key}
    {program} quote ETH USDC --in 1 --sign --destination {ACCOUNT}

With curl, a first quote without credentials:

    curl -s http://{first}/rfq/quote -H 'content-type: application/json' \\
      -d {ask}

A quote and its signature at once:

    curl -s 'http://{second}/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000&destination_address={ACCOUNT}&calldata=true' \\
      -H 'x-api-key: {key}'

Health, readiness and metrics: http://{admin}/healthz, /readyz, /metrics.
For your own pool write a configuration: {program} config init --file FILE, then {program} serve --config FILE.
The deprecated Basic scheme of version 1: curl -s 'http://{first}/rfq/pool?chain_id=1' -u {NAME}:{password}

"
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
