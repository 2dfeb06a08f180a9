//! The state of a sandbox: its services, its chain and the sessions of its takers.

use std::{collections::HashMap, convert::Infallible, sync::Arc};

use firmquote_desk::Desk;
use firmquote_domain::{ChainId, Timestamp};
use firmquote_http::{LiveService, Metrics, Service};
use parking_lot::Mutex;

use crate::{
    FaultInjection, Schedule,
    chain::SimulatedChain,
    operation::Operation,
    services::{SandboxError, Services, copy_desk, copy_market},
    session::Session,
};

/// Maximum number of takers with a session.
const MAX_SESSIONS: usize = 1_000;

/// A sandbox around a service.
pub struct Sandbox {
    pub(crate) live: Arc<LiveService>,
    pub(crate) services: Services,
    /// The simulated chain, for pools whose reserves are not read from a node.
    pub(crate) chain: Option<SimulatedChain>,
    schedule: Schedule,
    sessions: Mutex<HashMap<String, Session>>,
    desk: Arc<Desk>,
}

/// The parts of a sandbox.
pub struct SandboxParts<'p> {
    /// The service, which the sandbox takes over.
    pub live: Arc<LiveService>,
    /// Its desk.
    pub desk: Arc<Desk>,
    /// The metrics of the service.
    pub metrics: Arc<Metrics>,
    /// Creates a service for a desk, with the credentials and settings of the sandbox.
    pub service: &'p dyn Fn(Arc<Desk>) -> Service,
    /// Whether the pools are on a node, which executes transactions.
    pub has_node: bool,
    /// The faults that are injected automatically.
    pub schedule: Schedule,
}

impl Sandbox {
    /// Creates a sandbox around a service.
    ///
    /// # Errors
    /// [`SandboxError`].
    pub fn new(parts: SandboxParts<'_>) -> Result<Arc<Self>, SandboxError> {
        let SandboxParts { live, desk, metrics, service, has_node, schedule } = parts;
        let (desk, chain) = if has_node {
            (desk, None)
        } else {
            // Its reserves come from the simulated chain.
            let simulated = Arc::new(Desk { market: copy_market(&desk), ..copy_desk(&desk) });
            let chain = SimulatedChain::new(Arc::clone(&simulated), Arc::clone(&desk.market));
            live.replace(service(Arc::clone(&simulated)));
            (simulated, Some(chain))
        };
        let services = Services::new(&desk, &metrics, service)?;
        Ok(Arc::new(Self { live, services, chain, schedule, sessions: Mutex::default(), desk }))
    }

    /// Mines blocks and toggles pauses for as long as the future is polled.
    pub async fn run(&self) -> Infallible {
        let blocks = async {
            match &self.chain {
                Some(chain) => chain.run().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            never = blocks => never,
            never = self.services.run() => never,
        }
    }

    /// Lowers the price of a quote's input on the simulated chain. Returns whether that was possible.
    pub(crate) async fn lower_input_price(&self, quote_id: Option<&str>) -> bool {
        let Some(chain) = &self.chain else { return false };
        let Some(Ok(id)) = quote_id.map(str::parse) else { return false };
        match self.desk.store.find(id, self.now()).await {
            Ok(Some(found)) => chain.lower_price(found.quote.input.token),
            _ => false,
        }
    }

    /// Whether a pool is on `chain_id`.
    pub(crate) fn serves(&self, chain_id: ChainId) -> bool {
        self.desk.pools.iter().any(|pool| pool.id().chain_id == chain_id)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.desk.clock.now()
    }

    /// Returns the next scheduled fault for a request of `taker`.
    pub(crate) fn next_scheduled_fault(&self, taker: &str, operation: Operation) -> Option<FaultInjection> {
        let next = |session: &mut Session| {
            let schedule = session.schedule.clone().unwrap_or_else(|| self.schedule.clone());
            schedule.next(operation, &mut session.counters)
        };
        self.update_existing_session(taker, next).unwrap_or_else(|| next(&mut Session::default()))
    }

    /// Updates the session of `taker`, creating it if necessary; evicts the least recently used one.
    pub(crate) fn update_session<T>(&self, taker: &str, update: impl FnOnce(&mut Session) -> T) -> T {
        let mut sessions = self.sessions.lock();
        if sessions.len() >= MAX_SESSIONS
            && !sessions.contains_key(taker)
            && let Some(oldest) =
                sessions.iter().min_by_key(|(_, session)| session.used_at).map(|(taker, _)| taker.clone())
        {
            sessions.remove(&oldest);
        }
        let session = sessions.entry(taker.to_owned()).or_default();
        session.default_aux_data = self.live.default_aux_data();
        session.used_at = self.now().as_micros();
        update(session)
    }

    /// Updates the session of `taker`, if there is one. Requests alone create none, because their credentials may be
    /// invalid.
    pub(crate) fn update_existing_session<T>(&self, taker: &str, update: impl FnOnce(&mut Session) -> T) -> Option<T> {
        self.sessions.lock().get_mut(taker).map(update)
    }

    /// Removes the session of `taker`.
    pub(crate) fn remove_session(&self, taker: &str) {
        self.sessions.lock().remove(taker);
    }
}
