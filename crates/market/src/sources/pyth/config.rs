//! The configuration of a Pyth source: the address of Hermes, the feeds of the assets, and the timeouts.

use std::time::Duration;

use firmquote_domain::{B256, Symbol};
use zeroize::Zeroizing;

use crate::{
    InvalidConfig,
    sources::{connection::check_durations, first_duplicate},
};

/// The configuration of a [`PythSource`](super::PythSource). Has no `Debug`: the address and the key may be secret.
#[derive(Clone)]
pub struct PythConfig {
    /// The address of Hermes: `https://host` with an optional port and path, without a query. `http://` is for tests
    /// and for a self-hosted Hermes on the same machine.
    pub base_url: String,
    /// The API key, sent as `Authorization: Bearer`; public instances require one.
    pub api_key: Option<Zeroizing<String>>,
    /// The certificate authorities to trust, in PEM; those of the system if absent.
    pub authorities: Option<Vec<u8>>,
    /// The identifiers of feeds in US dollars, with the assets that they price. Two assets may share a feed; one asset
    /// cannot have two.
    pub feeds: Vec<(B256, Symbol)>,
    /// The time limit until the response starts: name resolution, connection, TLS and the response head.
    pub connect_timeout: Duration,
    /// The maximum time without a price of any of the feeds. Messages that merely keep the connection alive do not
    /// count.
    pub idle_timeout: Duration,
    /// How long one stream is used. Servers end every stream after 24 hours; with a shorter lifetime the client chooses
    /// the moment.
    pub lifetime: Duration,
}

impl PythConfig {
    /// # Errors
    /// [`InvalidConfig`] for no feeds, an asset with two, and times of zero or of more than 30 days.
    pub(super) fn check(&self) -> Result<(), InvalidConfig> {
        if self.feeds.is_empty() {
            return Err(InvalidConfig("no feeds".to_owned()));
        }
        if let Some(symbol) = first_duplicate(self.feeds.iter().map(|(_, symbol)| symbol)) {
            return Err(InvalidConfig(format!("two feeds for {symbol}")));
        }
        check_durations([self.connect_timeout, self.idle_timeout, self.lifetime]).map_err(InvalidConfig)
    }
}
