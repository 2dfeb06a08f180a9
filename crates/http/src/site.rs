//! What the requests of a listener have in common.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use crate::{links::Scheme, live_service::LiveService, routes::Routes};

/// A listener, as its requests see it. Every worker has its own.
pub(crate) struct Site {
    pub(crate) live: Arc<LiveService>,
    pub(crate) routes: Routes,
    pub(crate) scheme: Scheme,
    /// How long a client may take for a body.
    pub(crate) body_timeout: Duration,
    /// Whether the server was asked to stop.
    pub(crate) draining: Arc<AtomicBool>,
}
