//! A sandbox for integrators: the real service, on which takers force what they have to handle.
//!
//! A fault is named by a header of a request, or happens by a schedule; most are answered by another real service that
//! differs in one thing. Signed swaps execute on a chain in this process. A session tells each taker what it did right.
//! Nothing here is part of a service that is no sandbox.
#![doc = include_str!("../README.md")]

mod body;
mod chain;
mod fault;
mod level_events;
mod middleware;
mod operation;
mod routes;
mod schedule;
mod services;
mod session;
mod unreachable_store;

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use actix_web::web::ServiceConfig;
use firmquote_desk::{Desk, ServedPool};
use firmquote_domain::Timestamp;
use firmquote_http::{LiveService, Metrics, Service};
use firmquote_market::{Market, Snapshot};

use self::{chain::SimulatedChain, operation::Operation, services::Services, session::Session};
pub use self::{
    fault::{FAULT_HEADER, Fault, ForcedFault},
    schedule::{MAX_ENTRIES, Schedule, ScheduleEntry},
    services::SandboxError,
};

/// The most takers that have a session at a time.
const MAX_SESSIONS: usize = 1_000;

/// A sandbox around a service.
pub struct Sandbox {
    live: Arc<LiveService>,
    services: Services,
    /// The chain of pools whose reserves are not read from a node.
    chain: Option<SimulatedChain>,
    schedule: Schedule,
    sessions: Mutex<HashMap<String, Session>>,
    desk: Arc<Desk>,
}

/// What a sandbox is made of.
pub struct SandboxParts<'p> {
    /// The service, which from now on is that of the sandbox.
    pub live: Arc<LiveService>,
    /// Its desk.
    pub desk: Arc<Desk>,
    /// The metrics of the service.
    pub metrics: Arc<Metrics>,
    /// Makes a service of a desk, with the credentials and settings of the sandbox.
    pub service: &'p dyn Fn(Arc<Desk>) -> Service,
    /// Whether the pools are on a node, which executes transactions.
    pub has_node: bool,
    /// The faults that happen by themselves.
    pub schedule: Schedule,
}

impl Sandbox {
    /// Makes a sandbox of a service.
    ///
    /// # Errors
    /// [`SandboxError`].
    pub fn new(parts: SandboxParts<'_>) -> Result<Arc<Self>, SandboxError> {
        let SandboxParts { live, desk, metrics, service, has_node, schedule } = parts;
        let (desk, chain) = if has_node {
            (desk, None)
        } else {
            let simulated = Arc::new(on_simulated_chain(&desk));
            live.replace(service(Arc::clone(&simulated)));
            (Arc::clone(&simulated), Some(SimulatedChain::new(simulated)))
        };
        let services = Services::new(&desk, &metrics, service)?;
        Ok(Arc::new(Self { live, services, chain, schedule, sessions: Mutex::default(), desk }))
    }

    /// Mounts the routes of the service and those of the sandbox.
    pub fn configure(self: &Arc<Self>, config: &mut ServiceConfig) {
        routes::mount(self, config);
    }

    /// Makes blocks, and has levels come and go, for as long as the future is polled.
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

    /// Lowers the price of what a quote takes in, on the simulated chain. Returns whether that was possible.
    async fn move_price(&self, quote_id: Option<&str>) -> bool {
        let Some(chain) = &self.chain else { return false };
        let Some(Ok(id)) = quote_id.map(str::parse) else { return false };
        match self.desk.store.find(id, self.now()).await {
            Ok(Some(found)) => {
                chain.lower_price(found.quote.input.token);
                true
            }
            _ => false,
        }
    }

    fn now(&self) -> Timestamp {
        self.desk.clock.now()
    }

    /// Returns the fault whose turn it is for a request of `taker`.
    fn scheduled(&self, taker: &str, operation: Operation) -> Option<ForcedFault> {
        self.session(taker, |session| {
            let schedule = session.schedule.clone().unwrap_or_else(|| self.schedule.clone());
            schedule.next(operation, &mut session.counters)
        })
    }

    /// Applies `learn` to the session of `taker`.
    fn session<T>(&self, taker: &str, learn: impl FnOnce(&mut Session) -> T) -> T {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MAX_SESSIONS && !sessions.contains_key(taker) {
            sessions.clear();
        }
        learn(sessions.entry(taker.to_owned()).or_default())
    }

    /// Ends the session of `taker`.
    fn forget(&self, taker: &str) {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(taker);
    }
}

/// Returns the same desk with a market of its own, whose reserves are those of a simulated chain.
fn on_simulated_chain(desk: &Desk) -> Desk {
    let pools = desk
        .pools
        .iter()
        .map(|pool| ServedPool::new(pool.signer().clone(), pool.policy.clone()).with_book(Arc::clone(pool.book())));
    Desk {
        pools: pools.collect(),
        market: Arc::new(Market::new(Snapshot::clone(&desk.market.snapshot()))),
        pauses: Arc::clone(&desk.pauses),
        store: Arc::clone(&desk.store),
        books: Arc::clone(&desk.books),
        promises: Arc::clone(&desk.promises),
        clock: Arc::clone(&desk.clock),
        operator_view: Arc::clone(&desk.operator_view),
    }
}
