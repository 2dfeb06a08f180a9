//! The client and the operator of a built-in configuration: their fresh credentials, and instructions for using them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use firmquote_config::Config;
use firmquote_http::{
    AdminTokenHash, ApiKeyHash, ClientName, Credential, NewAdminToken, NewApiKey, NewPassword, Operator, PasswordHash,
    Username,
};
use firmquote_server::{Addresses, environment};

/// Name and username of the demo's client.
const DEMO: &str = "demo";
/// Name and username of the sandbox's client.
const SANDBOX: &str = "sandbox_demo";
/// An arbitrary account that receives the output.
pub(crate) const ACCOUNT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Freshly generated credentials of the client and the operator.
pub(crate) struct DemoCredentials {
    is_sandbox: bool,
    api_key: NewApiKey,
    password: NewPassword,
    /// The operator's token, unless the configuration has one.
    admin_token: Option<NewAdminToken>,
}

impl DemoCredentials {
    /// Generates the credentials and adds their hashes to `config`.
    ///
    /// # Errors
    /// When the system's random number generator fails.
    pub(crate) fn generate(config: &mut Config) -> anyhow::Result<Self> {
        let is_sandbox = config.sandbox.is_some();
        let api_key = if is_sandbox { NewApiKey::generate_for_sandbox()? } else { NewApiKey::generate()? };
        let (name, password) = (if is_sandbox { SANDBOX } else { DEMO }, NewPassword::generate()?);
        let client = ClientName::new(name)?;
        let hash = ApiKeyHash::from_hex(&api_key.sha256_hex())?;
        let (username, password_hash) = (Username::new(name)?, PasswordHash::from_phc(password.phc())?);
        config.credentials.push(Credential::ApiKey { client: client.clone(), hash }.into());
        config.credentials.push(Credential::Basic { client, username, password: password_hash }.into());
        let admin_token = config.operators.is_empty().then(NewAdminToken::generate).transpose()?;
        if let Some(token) = &admin_token {
            config.operators.push(Operator::admin(AdminTokenHash::from_hex(&token.sha256_hex())?));
        }
        Ok(Self { is_sandbox, api_key, password, admin_token })
    }

    /// Returns the client's API key.
    pub(crate) fn api_key(&self) -> &str {
        self.api_key.reveal()
    }

    /// Returns the text that shows the credentials once, with instructions. It contains the admin token only if the
    /// demo generated it.
    pub(crate) fn introduction(&self, addresses: &Addresses) -> String {
        let addresses = [addresses.public, addresses.version_2(), addresses.admin].map(reachable);
        let token = self.admin_token.as_ref().map_or("the one you configured", NewAdminToken::reveal);
        if self.is_sandbox {
            self.sandbox_introduction(addresses, token)
        } else {
            self.demo_introduction(addresses, token)
        }
    }

    fn sandbox_introduction(&self, [version_1, version_2, admin]: [SocketAddr; 3], token: &str) -> String {
        let key = self.api_key.reveal();
        format!(
            "\
Firmquote serves a sandbox: a pool, a signer and an EIP-712 domain that no contract uses, and a chain in this process.
This API key is fresh, shown only once, invalid once the service stops, and accepted by no other service:

    {key}

    export FIRMQUOTE_URL=http://{version_2} FIRMQUOTE_API_KEY={key}

Trigger errors with a header, and check how you handled them:

    curl -s http://{version_1}/sandbox
    curl -s 'http://{version_2}/rfq/v2/quote/31337?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000' \\
      -H 'x-api-key: {key}' -H 'x-sandbox-fault: stale-prices'
    curl -s http://{version_1}/sandbox/session -H 'x-api-key: {key}'

API documentation: http://{version_1}/docs. Operator's page: http://{admin}/. Admin token: {token}.

"
        )
    }

    fn demo_introduction(&self, [version_1, version_2, admin]: [SocketAddr; 3], token: &str) -> String {
        let (key, password) = (self.api_key.reveal(), self.password.reveal());
        let program = environment::program();
        let ask = r#"'{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"10000000000000000"}'"#;
        format!(
            "\
Firmquote serves its built-in demo pool: static prices, quotes in memory, a signing key that no contract accepts.
These credentials are fresh, shown only once, and invalid once the service stops:

    API key      {key}   of the client \"{DEMO}\"
    Admin token  {token}   for the operator's page

In a browser:

    http://{version_1}/docs   the API documentation, with live requests
    http://{admin}/       the operator's page: pools, quote curves, signatures, pause and resume

On the command line, request a quote, check it and have it signed:

    export FIRMQUOTE_URL=http://{version_2} FIRMQUOTE_API_KEY={key}
    {program} quote ETH USDC --in 0.01 --sign --destination {ACCOUNT}

With curl, request a quote without credentials:

    curl -s http://{version_1}/rfq/quote -H 'content-type: application/json' \\
      -d {ask}

Request a quote and its signature in one call:

    curl -s 'http://{version_2}/rfq/v2/quote-sign/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=10000000000000000&destination_address={ACCOUNT}&calldata=true' \\
      -H 'x-api-key: {key}'

A signature that is not executed lowers the next price for two minutes and counts toward limits for about four;
restart the demo to begin again.

Health, readiness and metrics: http://{admin}/healthz, /readyz, /metrics.
To serve your own pool, create a configuration: {program} config init --file FILE, then {program} serve --config FILE.
The deprecated Basic scheme of version 1: curl -s 'http://{version_1}/rfq/pool?chain_id=1' -u {DEMO}:{password}

"
        )
    }
}

/// Returns the address at which this machine reaches a listener.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
