//! What a source of Pyth prices is told: where Hermes is, which of its feeds are which assets, how long to wait.

use std::{collections::HashSet, time::Duration};

use firmquote_domain::{B256, Symbol};
use zeroize::Zeroizing;

/// The longest that any of the times may be; longer ones are a mistake.
const MAX_DURATION: Duration = Duration::from_hours(24 * 30);

/// What a source of Pyth prices is told. Has no `Debug`: the address and the key may be secret.
#[derive(Clone)]
pub struct PythConfig {
    /// Where Hermes is, as `https://host` with a port and a path where there are; without a query. `http://` is for
    /// tests and for a Hermes of one's own on the same machine.
    pub base_url: String,
    /// Goes to the server as `Authorization: Bearer`; public instances answer nobody without one.
    pub api_key: Option<Zeroizing<String>>,
    /// Certificates of the authorities that may have signed the server's, in PEM; those that this system trusts when
    /// absent.
    pub authorities: Option<Vec<u8>>,
    /// The identifiers of feeds in US dollars, with the assets whose prices they are. Two assets may share a feed, one
    /// asset cannot have two.
    pub feeds: Vec<(B256, Symbol)>,
    /// How long it may take until the server has begun to answer: name, connection, TLS and the head of the answer.
    pub connect_timeout: Duration,
    /// How long the stream may tell no price of any of the feeds. What merely keeps the connection alive does not count.
    pub idle_timeout: Duration,
    /// How long one stream is used. Servers end every stream after 24 hours; somewhat less chooses the moment.
    pub lifetime: Duration,
}

impl PythConfig {
    /// # Errors
    /// [`InvalidPythConfig`] for no feeds, an asset with two, and times of zero or of more than 30 days.
    pub(super) fn check(&self) -> Result<(), InvalidPythConfig> {
        if self.feeds.is_empty() {
            return Err(InvalidPythConfig("no feeds".to_owned()));
        }
        let mut symbols = HashSet::new();
        if let Some((_, twice)) = self.feeds.iter().find(|(_, symbol)| !symbols.insert(symbol)) {
            return Err(InvalidPythConfig(format!("two feeds for {twice}")));
        }
        let times = [self.connect_timeout, self.idle_timeout, self.lifetime];
        if times.into_iter().any(|time| time.is_zero() || time > MAX_DURATION) {
            return Err(InvalidPythConfig("each time has to be more than zero and at most 30 days".to_owned()));
        }
        Ok(())
    }
}

/// What no source can be made of, whatever the server does. Tells nothing secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidPythConfig(pub(super) String);
