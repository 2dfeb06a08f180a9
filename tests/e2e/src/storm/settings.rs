//! The operator's files, in all variants used in a storm.

use std::fmt::Write as _;

use super::{
    draws::{CredentialKind, DESTINATIONS},
    policy::Policy,
    secrets::{ACME_HASH, ACME_PASSWORD_HASH, ADMIN_HASH, BOLT_HASH},
};

/// The pools: two on chain 1, the first of which is verified, one on chain 137, and one on chain 10 whose quotes can be
/// signed for an hour.
pub(super) const POOLS: [&str; 4] = [
    "0x1111111111111111111111111111111111111111",
    "0x2222222222222222222222222222222222222222",
    "0x3333333333333333333333333333333333333333",
    "0x4444444444444444444444444444444444444444",
];

/// The chain of each pool.
pub(super) const CHAINS: [u64; 4] = [1, 1, 137, 10];

/// Maximum number of live quotes in the store.
pub(super) const MAX_QUOTES: usize = 256;

/// The pool that is added and removed.
const TRANSIENT: usize = 1;

/// The pool that lists the asset with pushed prices.
const LIVE: usize = 2;

/// Errors to inject into the configuration: valid text and its invalid replacement.
const MISTAKES: [(&str, &str); 5] = [
    ("k = 0", "k = 1"),
    ("[limits]", "[limits"),
    ("base_fee_bps", "base_fee_bsp"),
    ("max_quotes", "timeout_ms = 60\nmax_quotes"),
    ("[server]", "[server]\nworkers = 3"),
];

/// The variable contents of the files.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) k: &'static str,
    pub(super) fee_bps: u32,
    pub(super) weight: u32,
    pub(super) price_usd: &'static str,
    pub(super) has_transient_pool: bool,
    pub(super) are_swaps_enabled: bool,
    /// Bit set of the [`DESTINATIONS`] that the first two pools deny.
    pub(super) denied: usize,
    pub(super) max_usd_per_minute: Option<u32>,
    pub(super) is_anonymous_taken: bool,
    pub(super) is_basic_taken: bool,
    pub(super) anonymous_burst: u32,
    /// The index of the error in the configuration, if any.
    pub(super) mistake: Option<usize>,
    pub(super) knows_bolt: bool,
    /// Whether the credentials file is invalid.
    pub(super) is_credentials_file_broken: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            k: "0.06",
            fee_bps: 5,
            weight: 79,
            price_usd: "2080.527",
            has_transient_pool: true,
            are_swaps_enabled: true,
            denied: 0,
            max_usd_per_minute: None,
            is_anonymous_taken: true,
            is_basic_taken: true,
            anonymous_burst: 200,
            mistake: None,
            knows_bolt: true,
            is_credentials_file_broken: false,
        }
    }
}

impl Settings {
    /// Number of possible errors.
    pub(super) const MISTAKES: usize = MISTAKES.len();

    /// Whether the service accepts both files.
    pub(super) const fn is_valid(&self) -> bool {
        self.mistake.is_none() && !self.is_credentials_file_broken
    }

    /// Returns the restrictions of the configuration once it is effective.
    pub(super) fn policy(&self) -> Policy {
        let mut policy = Policy::default();
        if !self.has_transient_pool {
            policy.closed.insert(POOLS[TRANSIENT]);
        }
        if !self.are_swaps_enabled {
            policy.closed.extend(POOLS);
        }
        for pool in [POOLS[0], POOLS[1]] {
            policy.denied.extend(self.denied_destinations().map(|destination| (pool, destination)));
        }
        let rejected = [
            (!self.knows_bolt, CredentialKind::Bolt),
            (!self.is_basic_taken, CredentialKind::AcmeBasic),
            (!self.is_anonymous_taken, CredentialKind::Nothing),
        ];
        policy
            .rejected
            .extend(rejected.into_iter().filter(|(is_shut, _)| *is_shut).map(|(_, credential_kind)| credential_kind));
        policy
    }

    fn denied_destinations(&self) -> impl Iterator<Item = &'static str> {
        let denied = self.denied;
        DESTINATIONS.into_iter().enumerate().filter(move |(bit, _)| denied >> bit & 1 == 1).map(|(_, account)| account)
    }

    /// Returns the credentials file.
    pub(super) fn credentials(&self) -> String {
        let bolt = format!("[[credential]]\nclient = \"bolt\"\napi_key_sha256 = \"{BOLT_HASH}\"\n");
        match (self.is_credentials_file_broken, self.knows_bolt) {
            (true, _) => bolt.replace("client", "clinet"),
            (false, true) => bolt,
            (false, false) => "# nobody\n".to_owned(),
        }
    }

    /// Returns the configuration.
    pub(super) fn configuration(&self) -> String {
        let Self { is_anonymous_taken, anonymous_burst, is_basic_taken, .. } = self;
        let mut file = format!(
            r#"
[server]
admin_token_sha256 = "{ADMIN_HASH}"
trusted_proxies = ["127.0.0.1/32"]
keep_alive_seconds = 600
body_timeout_seconds = 1

[store]
max_quotes = {MAX_QUOTES}

[limits]
anonymous = {is_anonymous_taken}
anonymous_per_second = 50
anonymous_burst = {anonymous_burst}

[auth]
basic = {is_basic_taken}
credentials_file = "credentials.toml"

[log]
format = "json"
level = "debug"

[[credential]]
client = "acme"
api_key_sha256 = "{ACME_HASH}"

[[credential]]
client = "acme"
username = "acme-login"
password_hash = "{ACME_PASSWORD_HASH}"

[[price_source]]
kind = "push"
[[price_source.asset]]
symbol = "PSH"

[[price_rule]]
symbol = "PSH"
max_age_ms = 60000
max_jump_bps_per_second = 9999

[[signer]]
name = "hot"
key_env = "FIRMQUOTE_SIGNER_KEY"
"#
        );
        for id in [1, 137, 10] {
            let wrapped = "0x7777777777777777777777777777777777777777";
            let _ = write!(
                file,
                "[[chain]]\nid = {id}\nname = \"{id}\"\nnative_symbol = \"ETH\"\nwrapped_native = \"{wrapped}\"\n"
            );
        }
        for number in (0..POOLS.len()).filter(|number| self.has_transient_pool || *number != TRANSIENT) {
            file.push_str(&self.pool(number));
        }
        match self.mistake.and_then(|mistake| MISTAKES.get(mistake)) {
            Some((valid, invalid)) => file.replacen(valid, invalid, 1),
            None => file,
        }
    }

    fn pool(&self, number: usize) -> String {
        let Self { k, fee_bps, weight, price_usd, are_swaps_enabled, max_usd_per_minute, .. } = self;
        let (address, chain) = (POOLS[number], CHAINS[number]);
        let kind = if number == 0 { "verified" } else { "plain" };
        let window = [2, 3, 2, 3_600][number];
        let limit = max_usd_per_minute.filter(|_| number < 2);
        let limit = limit.map_or_else(|| "\"none\"".to_owned(), |usd| usd.to_string());
        let denied: Vec<_> =
            self.denied_destinations().filter(|_| number < 2).map(|destination| format!("{destination:?}")).collect();
        let mut pool = format!(
            r#"
[[pool]]
chain_id = {chain}
address = "{address}"
signer = "hot"
domain = {{ name = "Storm", version = "7" }}
good_until = "{kind}"
k = {k}
acceptance_window_seconds = {window}
default_time_in_seconds = 2
max_time_in_seconds = 600
swaps_enabled = {are_swaps_enabled}
[pool.signing]
deny_destinations = [{}]
max_trade_usd = "none"
max_usd_per_minute = {limit}
max_usd_per_minute_per_client = "none"
max_usd_per_minute_anonymous = "none"
max_outstanding_bps = "none"
max_outstanding_bps_per_client = "none"
max_outstanding_bps_anonymous = "none"
max_outstanding_impact_bps = "none"
max_outstanding_impact_bps_anonymous = "none"
"#,
            denied.join(", "),
        );
        let assets = [
            ("ETH", "0x7777777777777777777777777777777777777777", 18, *weight, "476877882758190421102", *price_usd),
            ("USDC", "0x8888888888888888888888888888888888888888", 6, 188, "417751254142", "1"),
            ("DAI", "0x9999999999999999999999999999999999999999", 18, 200, "391044281045118374829011", "1.0001"),
            ("PSH", "0x6666666666666666666666666666666666666666", 0, 65_535, "40000", "12"),
        ];
        let assets = if number == LIVE { &assets[..] } else { &assets[..3] };
        for (symbol, address, decimals, weight, reserve, price) in assets {
            let _ = write!(
                pool,
                "[[pool.asset]]\nsymbol = \"{symbol}\"\naddress = \"{address}\"\ndecimals = {decimals}\nweight = {weight}\n\
                 reserve = \"{reserve}\"\nprice_usd = {price}\nconfirm_price_usd = {price}\n"
            );
        }
        for (position, first) in assets.iter().enumerate() {
            for second in assets.iter().skip(position + 1) {
                let _ = write!(
                    pool,
                    "[[pool.pair]]\nassets = [\"{}\", \"{}\"]\nbase_fee_bps = {fee_bps}\nannual_volatility = 0.6\n",
                    first.0, second.0
                );
            }
        }
        pool
    }
}
