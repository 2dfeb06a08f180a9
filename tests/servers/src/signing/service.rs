//! The service: one accept thread, and one thread per connection.
#![expect(clippy::expect_used, reason = "what goes wrong here is a failed test")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use alloy_primitives::{Address, hex};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::{
    Certificates, Fault, Route,
    http::{self, Request},
    key::{Key, Response},
};

/// A received request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// Path of the request.
    pub path: String,
    /// Body of the request.
    pub body: String,
}

/// A signing service on its own port. Stopped on drop.
pub struct SigningService {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    tls: Option<Arc<ServerConfig>>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    key: Key,
    fault: Option<(Route, Fault)>,
    is_fault_for_once: bool,
    requests: Vec<ReceivedRequest>,
    connections: Vec<TcpStream>,
    connection_count: usize,
    is_stopping: bool,
}

impl SigningService {
    /// Starts a service with `key` and without TLS.
    ///
    /// # Panics
    /// For an invalid key, and without a free port.
    #[must_use]
    pub fn start(key: &[u8; 32]) -> Self {
        Self::start_with(key, None)
    }

    /// Starts a service with TLS that accepts only the client of `certificates`.
    ///
    /// # Panics
    /// As [`Self::start`].
    #[must_use]
    pub fn start_with_tls(key: &[u8; 32], certificates: &Certificates) -> Self {
        Self::start_with(key, Some(Arc::clone(&certificates.server)))
    }

    fn start_with(key: &[u8; 32], tls: Option<Arc<ServerConfig>>) -> Self {
        let shared = Shared {
            key: Key::new(key),
            fault: None,
            is_fault_for_once: false,
            requests: Vec::new(),
            connections: Vec::new(),
            connection_count: 0,
            is_stopping: false,
        };
        let shared = Arc::new(Mutex::new(shared));
        let mut service = Self { address: SocketAddr::from(([127, 0, 0, 1], 0)), shared, tls, accepting: None };
        service.start_again();
        service
    }

    /// Restarts the service on its port.
    ///
    /// # Panics
    /// When the port has been taken.
    pub fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).expect("a port");
        self.address = listener.local_addr().expect("its address");
        self.shared().is_stopping = false;
        let (shared, tls) = (Arc::clone(&self.shared), self.tls.clone());
        self.accepting = Some(thread::spawn(move || accept(&listener, &shared, tls.as_ref())));
    }

    /// Closes the port and every connection.
    pub fn stop(&mut self) {
        let Some(accepting) = self.accepting.take() else { return };
        self.shared().is_stopping = true;
        // This connection wakes up the accept thread, which then checks `is_stopping`.
        drop(TcpStream::connect(self.address));
        drop(accepting.join());
        for connection in self.shared().connections.drain(..) {
            // The client may have disconnected already.
            drop(connection.shutdown(Shutdown::Both));
        }
    }

    /// Returns the IP address and port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the account of the current key.
    #[must_use]
    pub fn account(&self) -> Address {
        self.shared().key.account()
    }

    /// Injects `fault` into every response of `route`, until [`heal`](Self::heal).
    pub fn fail(&self, route: Route, fault: Fault) {
        let mut shared = self.shared();
        (shared.fault, shared.is_fault_for_once) = (Some((route, fault)), false);
    }

    /// Injects `fault` into the next response of `route`.
    pub fn fail_once(&self, route: Route, fault: Fault) {
        let mut shared = self.shared();
        (shared.fault, shared.is_fault_for_once) = (Some((route, fault)), true);
    }

    /// Removes the injected fault.
    pub fn heal(&self) {
        self.shared().fault = None;
    }

    /// Replaces the key.
    ///
    /// # Panics
    /// For an invalid key.
    pub fn replace_key(&self, key: &[u8; 32]) {
        self.shared().key = Key::new(key);
    }

    /// Returns all requests received so far.
    #[must_use]
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared().requests.clone()
    }

    /// Returns the number of connections accepted so far.
    #[must_use]
    pub fn connection_count(&self) -> usize {
        self.shared().connection_count
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }
}

impl Drop for SigningService {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Mutex<Shared>>, tls: Option<&Arc<ServerConfig>>) {
    while let Ok((stream, _)) = listener.accept() {
        let mut state = lock(shared);
        if state.is_stopping {
            return;
        }
        state.connections.push(stream.try_clone().expect("another handle"));
        state.connection_count += 1;
        drop(state);
        let (shared, tls) = (Arc::clone(shared), tls.cloned());
        thread::spawn(move || {
            let connection = stream.try_clone().expect("another handle");
            match tls.map(|tls| ServerConnection::new(tls).expect("a configuration")) {
                None => serve(stream, &shared),
                Some(tls) => serve(StreamOwned::new(tls, stream), &shared),
            }
            // Dropping this handle would not close the connection, since other handles exist. It may be closed already.
            drop(connection.shutdown(Shutdown::Both));
        });
    }
}

/// Responds to requests until the connection ends or a fault closes it.
fn serve(stream: impl Read + Write, shared: &Mutex<Shared>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = http::read(&mut stream) {
        if answer(&mut stream, &request, shared).is_none() {
            return;
        }
    }
}

/// Writes one response, regular or faulty; `None` when the connection is to be closed.
fn answer<S: Read + Write>(stream: &mut BufReader<S>, request: &Request, shared: &Mutex<Shared>) -> Option<()> {
    let mut state = lock(shared);
    let Response { status, text, signature } = state.key.answer(request);
    let fault = state.next_fault(request);
    drop(state);
    match fault {
        None => http::write(stream.get_mut(), status, &text),
        Some(Fault::Status(status)) => http::write(stream.get_mut(), status, ""),
        Some(Fault::Text(text)) => http::write(stream.get_mut(), 200, &text),
        Some(Fault::Altered(alter)) => http::write(stream.get_mut(), status, &hex::encode_prefixed(alter(signature?))),
        Some(Fault::HalfAnswer) => http::write_half(stream.get_mut()).and(None),
        Some(Fault::Closes) => None,
        // Blocks until the client or the service closes the connection.
        Some(Fault::Silence) => stream.fill_buf().ok().and(None),
    }
}

impl Shared {
    /// Records a request and returns the fault to inject.
    fn next_fault(&mut self, request: &Request) -> Option<Fault> {
        self.requests.push(ReceivedRequest { path: request.path.clone(), body: request.body.clone() });
        let route = if request.method == "GET" { Route::List } else { Route::Sign };
        let (_, fault) = self.fault.clone().filter(|(failing, _)| *failing == route)?;
        if self.is_fault_for_once {
            self.fault = None;
        }
        Some(fault)
    }
}
