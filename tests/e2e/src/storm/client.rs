//! One client: takes a number of random steps and checks every response against the allowed ones.

use std::{collections::BTreeMap, net::SocketAddr};

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::{
    draws::{self, CredentialKind, ExpectedClient, GeneratedRequest},
    expected_quotes::ExpectedQuotes,
    log::REQUEST_ID_PREFIX,
    policy::PolicyHistory,
    response_schema::{self, ResponseKind},
    settings::MAX_QUOTES,
    step_log::StepLog,
    wire::{Connection, Response},
};

/// State shared by all clients of a storm.
pub(super) struct StormContext<'s> {
    pub(super) public: SocketAddr,
    pub(super) admin: SocketAddr,
    pub(super) expected_quotes: &'s ExpectedQuotes,
    pub(super) policies: &'s PolicyHistory,
    pub(super) step_log: &'s StepLog,
}

/// A client and its observations.
pub(super) struct Client<'s> {
    name: String,
    context: &'s StormContext<'s>,
    rng: ChaCha8Rng,
    requests: usize,
    connection: Option<Connection>,
    observations: Observations,
}

/// The observations of a client.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// IDs of requests that got a response.
    pub(super) answered_ids: Vec<String>,
    /// Number of responses by kind of request and status.
    pub(super) counts: BTreeMap<(String, u16), usize>,
}

impl Observations {
    /// Adds the observations of another client.
    pub(super) fn merge(&mut self, other: Self) {
        self.answered_ids.extend(other.answered_ids);
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }
}

impl<'s> Client<'s> {
    /// Creates a client with a unique name.
    pub(super) fn new(name: String, context: &'s StormContext<'s>, rng: ChaCha8Rng) -> Self {
        Self { name, context, rng, requests: 0, connection: None, observations: Observations::default() }
    }

    /// Takes `steps` steps, or fewer if another client fails; calls `on_step` after each.
    pub(super) fn work(mut self, steps: usize, on_step: impl Fn()) -> Observations {
        let _guard = self.context.step_log.guard();
        for _ in 0..steps {
            if self.context.step_log.has_failed() {
                break;
            }
            self.step();
            on_step();
        }
        self.observations
    }

    fn step(&mut self) {
        match self.rng.random_range(0..1_000) {
            0..260 => self.exchange_drawn(draws::quote),
            260..550 => self.sign(),
            550..610 => self.sign_concurrently(),
            610..670 => self.exchange_drawn(draws::quote_sign),
            670..710 => self.exchange_drawn(draws::pool_data),
            710..850 => self.tamper(),
            850..890 => self.exchange_separately(self.context.public, draws::pages),
            890..930 => self.exchange_separately(self.context.admin, draws::operators),
            930..975 => self.make_noise(),
            975..997 => self.disconnect(),
            _ => self.flood(),
        }
    }

    fn exchange_drawn(&mut self, draw: impl FnOnce(&mut ChaCha8Rng) -> GeneratedRequest) {
        let generated = draw(&mut self.rng);
        self.exchange(generated);
    }

    /// Requests the signature of a known quote, mostly with credentials of the client that got it.
    fn sign(&mut self) {
        if let Some(generated) = self.draw_sign() {
            self.exchange(generated);
        }
    }

    fn draw_sign(&mut self) -> Option<GeneratedRequest> {
        let drawn = self.context.expected_quotes.draw(&mut self.rng)?;
        let credential_kind = match self.rng.random_range(0..8) {
            0 => CredentialKind::any(&mut self.rng),
            _ => CredentialKind::from_client(drawn.client, &mut self.rng),
        };
        let last_terms = drawn.terms.filter(|_| self.rng.random_ratio(2, 3));
        let terms = last_terms.unwrap_or_else(|| draws::terms(&mut self.rng));
        Some(draws::sign(&mut self.rng, credential_kind, &drawn.id, terms))
    }

    /// Concurrently requests the signature of one quote for several terms.
    fn sign_concurrently(&mut self) {
        let Some(drawn) = self.context.expected_quotes.draw(&mut self.rng) else { return };
        let mut pending = Vec::new();
        for _ in 0..3 {
            let (credential_kind, terms) =
                (CredentialKind::from_client(drawn.client, &mut self.rng), draws::terms(&mut self.rng));
            let generated = draws::sign(&mut self.rng, credential_kind, &drawn.id, terms);
            let mut connection = Connection::open(self.context.public);
            let request = self.send(&mut connection, generated);
            pending.push((connection, request));
        }
        for (mut connection, request) in pending {
            let answer = connection.receive(request.generated.raw_request.method);
            self.check_response(&request, answer);
        }
    }

    fn tamper(&mut self) {
        let drawn = match self.rng.random_range(0..5) {
            0 => Some(draws::quote_sign(&mut self.rng)),
            1 => Some(draws::pool_data(&mut self.rng)),
            2 | 3 => self.draw_sign(),
            _ => None,
        };
        let generated = drawn.unwrap_or_else(|| draws::quote(&mut self.rng));
        self.exchange_separately(self.context.public, |rng| draws::tampered(rng, generated));
    }

    /// Sends a request over its own connection, since it is unknown how many of the bytes the server reads as the
    /// request.
    fn exchange_separately(&mut self, address: SocketAddr, draw: impl FnOnce(&mut ChaCha8Rng) -> GeneratedRequest) {
        let generated = draw(&mut self.rng);
        let mut connection = Connection::open(address);
        let request = self.send(&mut connection, generated);
        let answer = connection.receive(request.generated.raw_request.method);
        self.check_response(&request, answer);
    }

    fn make_noise(&mut self) {
        let address = if self.rng.random_ratio(1, 4) { self.context.admin } else { self.context.public };
        let bytes = draws::noise(&mut self.rng);
        self.context.step_log.record_request(&self.name, &bytes);
        let mut connection = Connection::open(address);
        connection.send(&bytes);
        connection.finish_sending();
        for answer in connection.receive_all() {
            self.count("noise", answer.status);
            response_schema::check_any(&answer);
        }
    }

    /// Sends a request, or only a part of it, and disconnects without waiting for the response.
    fn disconnect(&mut self) {
        let generated = self.draw_sign().unwrap_or_else(|| draws::quote_sign(&mut self.rng));
        let request = self.prepare(generated);
        let bytes = request.generated.raw_request.bytes();
        let length = if self.rng.random() { bytes.len() } else { self.rng.random_range(0..bytes.len()) };
        Connection::open(self.context.public).send(bytes.get(..length).unwrap_or_default());
    }

    /// Requests more quotes than the store can hold, pipelined over one connection.
    fn flood(&mut self) {
        let mut connection = Connection::open(self.context.public);
        let draw = |rng: &mut ChaCha8Rng| draws::quote_from(rng, CredentialKind::Acme, 2);
        let requests: Vec<_> = (0..MAX_QUOTES + 8).map(|_| draw(&mut self.rng)).collect();
        for part in requests.chunks(16) {
            let pending: Vec<_> = part.iter().map(|generated| self.send(&mut connection, generated.clone())).collect();
            for request in pending {
                let answer = connection.receive(request.generated.raw_request.method);
                let is_last = answer.as_ref().is_some_and(|answer| answer.header("connection") == Some("close"));
                self.check_response(&request, answer);
                // If a read ended within the body of the next request, the HTTP library closes the connection: the
                // pipelined requests are lost.
                if is_last {
                    connection = Connection::open(self.context.public);
                    break;
                }
            }
        }
    }

    /// Sends a request over the client's connection, or over a new one if the server has closed it.
    fn exchange(&mut self, generated: GeneratedRequest) {
        let mut connection = self.connection.take().unwrap_or_else(|| Connection::open(self.context.public));
        let request = self.send(&mut connection, generated);
        let answer = connection.receive(request.generated.raw_request.method);
        let is_kept_alive = answer.as_ref().is_some_and(|answer| answer.header("connection") != Some("close"));
        self.connection = Some(connection).filter(|_| is_kept_alive);
        self.check_response(&request, answer);
    }

    fn send(&mut self, connection: &mut Connection, generated: GeneratedRequest) -> Request {
        let request = self.prepare(generated);
        connection.send(&request.generated.raw_request.bytes());
        request
    }

    /// Assigns an ID to a request, and records what it requests.
    fn prepare(&mut self, mut generated: GeneratedRequest) -> Request {
        self.requests += 1;
        let id = format!("{REQUEST_ID_PREFIX}{}-{}", self.name, self.requests);
        generated.raw_request = generated.raw_request.header("x-request-id", id.as_str());
        let policy = self.context.policies.number();
        if let Some(signature) = &generated.signature
            && let Some(quote_id) = &signature.quote_id
        {
            self.context.expected_quotes.request_signature(quote_id, signature.terms, policy);
        }
        self.context.step_log.record_request(&id, &generated.raw_request.bytes());
        Request { generated, id, policy }
    }

    /// Checks a response against the allowed ones.
    fn check_response(&mut self, request: &Request, answer: Option<Response>) {
        let Request { generated, id, .. } = request;
        let Some(answer) = answer else {
            assert!(!generated.is_strict(), "no response to {id}");
            return self.count("none", 0);
        };
        self.context.step_log.record_response(id, answer.status, &answer.text);
        self.count(&format!("{:?}", generated.kind), answer.status);
        if !generated.is_strict() && answer.header("x-request-id").is_none() {
            return response_schema::check_any(&answer);
        }
        response_schema::check(&answer, generated.raw_request.method, generated.kind);
        assert_eq!(answer.header("x-request-id"), Some(id.as_str()), "{answer:?}");
        self.observations.answered_ids.push(id.clone());
        if answer.status == 200 && generated.raw_request.method != "HEAD" {
            self.check_success(request, &answer);
        } else if let (ExpectedClient::Client(client), true) =
            (generated.expected_client, answer.text.contains("\"fresh_quote\""))
        {
            self.context.expected_quotes.add(answer.json()["fresh_quote"]["id"].as_str().unwrap_or_default(), client);
            self.count("conflict", answer.status);
        }
    }

    fn check_success(&mut self, Request { generated, id, policy }: &Request, answer: &Response) {
        let StormContext { policies, expected_quotes, .. } = self.context;
        assert!(
            generated.expected_client != ExpectedClient::Rejected,
            "{id} succeeded without valid credentials: {answer:?}"
        );
        assert!(
            !policies.always_reject(*policy, generated.credential_kind),
            "{id} succeeded with credentials that are no longer accepted: {answer:?}"
        );
        let client = match generated.expected_client {
            ExpectedClient::Client(client) => Some(client),
            ExpectedClient::Rejected | ExpectedClient::Unsure => None,
        };
        let new_quote_id = quote_id(generated.kind, answer);
        if let (Some(id), Some(client)) = (&new_quote_id, client) {
            expected_quotes.add(id, client);
        }
        let Some(signature) = generated.signature.as_ref() else { return };
        let quote_id =
            signature.quote_id.as_ref().or(new_quote_id.as_ref()).unwrap_or_else(|| panic!("no id: {answer:?}"));
        if new_quote_id.is_some() {
            expected_quotes.request_signature(quote_id, signature.terms, *policy);
        }
        let terms = Some(signature.terms).filter(|_| !generated.is_tampered);
        let is_repeated = expected_quotes.add_signature(quote_id, client, terms, answer, policies);
        self.count(if is_repeated { "signed again" } else { "signed" }, 200);
    }

    fn count(&mut self, what: &str, status: u16) {
        *self.observations.counts.entry((what.to_owned(), status)).or_default() += 1;
    }
}

/// A request, with the number of the policy at the time it was sent.
struct Request {
    generated: GeneratedRequest,
    id: String,
    policy: usize,
}

/// Returns the ID of the quote in a response.
fn quote_id(kind: ResponseKind, answer: &Response) -> Option<String> {
    let has_id = matches!(kind, ResponseKind::Quote | ResponseKind::QuoteSign);
    has_id.then(|| answer.json()["id"].as_str().unwrap_or_default().to_owned())
}
