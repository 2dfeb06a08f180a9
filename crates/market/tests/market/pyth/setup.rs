//! Sources for the tests' servers.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use firmquote_domain::Symbol;
use firmquote_market::pyth::{PythConfig, PythSource};

use crate::{
    listener::PATIENCE,
    pyth::hermes::{BTC, ETH},
};

/// Short enough to wait for, and longer than a busy machine takes for a first event.
pub(crate) const SOON: Duration = Duration::from_secs(1);

pub(crate) fn symbol(text: &str) -> Symbol {
    Symbol::new(text).expect("a symbol")
}

/// ETH, also under a second name, and BTC, of the Hermes at `address`; nothing ends by itself.
pub(crate) fn feed(address: SocketAddr) -> PythConfig {
    let feeds = [(ETH, "ETH"), (BTC, "BTC"), (ETH, "WETH")];
    PythConfig {
        base_url: format!("http://{address}"),
        api_key: None,
        authorities: None,
        feeds: feeds.map(|(id, name)| (id.parse().expect("an identifier"), symbol(name))).to_vec(),
        connect_timeout: PATIENCE,
        idle_timeout: PATIENCE,
        lifetime: PATIENCE,
    }
}

pub(crate) fn source(feed: PythConfig) -> Arc<PythSource> {
    Arc::new(PythSource::new(feed).expect("a usable configuration"))
}
