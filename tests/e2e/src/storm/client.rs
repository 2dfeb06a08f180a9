//! One client: takes a number of random steps and checks every response against the allowed ones.

use std::{collections::BTreeMap, net::SocketAddr};

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::{
    draws::{self, CredentialKind, ExpectedClient, GeneratedRequest},
    expected_quotes::ExpectedQuotes,
    log::NAMED,
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
    seen: Seen,
}

/// The observations of a client.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// IDs of requests that got a response.
    pub(super) answered: Vec<String>,
    /// Number of responses by kind of request and status.
    pub(super) counts: BTreeMap<(String, u16), usize>,
}

impl Seen {
    /// Adds the observations of another client.
    pub(super) fn merge(&mut self, other: Self) {
        self.answered.extend(other.answered);
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }
}

impl<'s> Client<'s> {
    /// Creates a client with a unique name.
    pub(super) fn new(name: String, context: &'s StormContext<'s>, rng: ChaCha8Rng) -> Self {
        Self { name, context, rng, requests: 0, connection: None, seen: Seen::default() }
    }

    /// Takes `steps` steps, or fewer if another client fails; calls `stepped` after each.
    pub(super) fn work(mut self, steps: usize, stepped: impl Fn()) -> Seen {
        let _guard = self.context.step_log.guard();
        for _ in 0..steps {
            if self.context.step_log.has_failed() {
                break;
            }
            self.step();
            stepped();
        }
        self.seen
    }

    fn step(&mut self) {
        match self.rng.random_range(0..1_000) {
            0..260 => self.ask(draws::quote),
            260..550 => self.sign(),
            550..610 => self.sign_at_once(),
            610..670 => self.ask(draws::quote_sign),
            670..710 => self.ask(draws::pool_data),
            710..850 => self.tamper(),
            850..890 => self.ask_aside(self.context.public, draws::pages),
            890..930 => self.ask_aside(self.context.admin, draws::operators),
            930..975 => self.make_noise(),
            975..997 => self.leave(),
            _ => self.flood(),
        }
    }

    fn ask(&mut self, draw: impl FnOnce(&mut ChaCha8Rng) -> GeneratedRequest) {
        let ask = draw(&mut self.rng);
        self.exchange(ask);
    }

    /// Requests the signature of a known quote, mostly with credentials of the client that got it.
    fn sign(&mut self) {
        if let Some(ask) = self.draw_sign() {
            self.exchange(ask);
        }
    }

    fn draw_sign(&mut self) -> Option<GeneratedRequest> {
        let drawn = self.context.expected_quotes.draw(&mut self.rng)?;
        let credential_kind = match self.rng.random_range(0..8) {
            0 => CredentialKind::any(&mut self.rng),
            _ => CredentialKind::of(drawn.client, &mut self.rng),
        };
        let again = drawn.terms.filter(|_| self.rng.random_ratio(2, 3));
        let terms = again.unwrap_or_else(|| draws::terms(&mut self.rng));
        Some(draws::sign(&mut self.rng, credential_kind, &drawn.id, terms))
    }

    /// Concurrently requests the signature of one quote for several terms.
    fn sign_at_once(&mut self) {
        let Some(drawn) = self.context.expected_quotes.draw(&mut self.rng) else { return };
        let mut sent = Vec::new();
        for _ in 0..3 {
            let (credential_kind, terms) =
                (CredentialKind::of(drawn.client, &mut self.rng), draws::terms(&mut self.rng));
            let ask = draws::sign(&mut self.rng, credential_kind, &drawn.id, terms);
            let mut connection = Connection::open(self.context.public);
            let request = self.send(&mut connection, ask);
            sent.push((connection, request));
        }
        for (mut connection, request) in sent {
            let answer = connection.receive(request.ask.raw_request.method);
            self.take(&request, answer);
        }
    }

    fn tamper(&mut self) {
        let drawn = match self.rng.random_range(0..5) {
            0 => Some(draws::quote_sign(&mut self.rng)),
            1 => Some(draws::pool_data(&mut self.rng)),
            2 | 3 => self.draw_sign(),
            _ => None,
        };
        let ask = drawn.unwrap_or_else(|| draws::quote(&mut self.rng));
        self.ask_aside(self.context.public, |rng| draws::tampered(rng, ask));
    }

    /// Sends a request over its own connection: it is unknown how many of the sent bytes the server takes for the
    /// request.
    fn ask_aside(&mut self, address: SocketAddr, draw: impl FnOnce(&mut ChaCha8Rng) -> GeneratedRequest) {
        let ask = draw(&mut self.rng);
        let mut connection = Connection::open(address);
        let request = self.send(&mut connection, ask);
        let answer = connection.receive(request.ask.raw_request.method);
        self.take(&request, answer);
    }

    fn make_noise(&mut self) {
        let address = if self.rng.random_ratio(1, 4) { self.context.admin } else { self.context.public };
        let bytes = draws::noise(&mut self.rng);
        self.context.step_log.note(&self.name, &bytes);
        let mut connection = Connection::open(address);
        connection.send(&bytes);
        connection.finish_sending();
        for answer in connection.receive_all() {
            self.count("noise", answer.status);
            response_schema::check_any(&answer);
        }
    }

    /// Sends a request, or only a part of it, and disconnects without waiting for the response.
    fn leave(&mut self) {
        let ask = self.draw_sign().unwrap_or_else(|| draws::quote_sign(&mut self.rng));
        let request = self.prepare(ask);
        let bytes = request.ask.raw_request.bytes();
        let sent = if self.rng.random() { bytes.len() } else { self.rng.random_range(0..bytes.len()) };
        Connection::open(self.context.public).send(bytes.get(..sent).unwrap_or_default());
    }

    /// Requests more quotes than the store can hold, pipelined over one connection.
    fn flood(&mut self) {
        let mut connection = Connection::open(self.context.public);
        let ask = |rng: &mut ChaCha8Rng| draws::quote_from(rng, CredentialKind::Acme, 2);
        let requests: Vec<_> = (0..MAX_QUOTES + 8).map(|_| ask(&mut self.rng)).collect();
        for part in requests.chunks(16) {
            let sent: Vec<_> = part.iter().map(|ask| self.send(&mut connection, ask.clone())).collect();
            for request in sent {
                let answer = connection.receive(request.ask.raw_request.method);
                let is_last = answer.as_ref().is_some_and(|answer| answer.header("connection") == Some("close"));
                self.take(&request, answer);
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
    fn exchange(&mut self, ask: GeneratedRequest) {
        let mut connection = self.connection.take().unwrap_or_else(|| Connection::open(self.context.public));
        let request = self.send(&mut connection, ask);
        let answer = connection.receive(request.ask.raw_request.method);
        let stays = answer.as_ref().is_some_and(|answer| answer.header("connection") != Some("close"));
        self.connection = Some(connection).filter(|_| stays);
        self.take(&request, answer);
    }

    fn send(&mut self, connection: &mut Connection, ask: GeneratedRequest) -> Request {
        let request = self.prepare(ask);
        connection.send(&request.ask.raw_request.bytes());
        request
    }

    /// Assigns an ID to a request, and records what it requests.
    fn prepare(&mut self, mut ask: GeneratedRequest) -> Request {
        self.requests += 1;
        let id = format!("{NAMED}{}-{}", self.name, self.requests);
        ask.raw_request = ask.raw_request.header("x-request-id", id.as_str());
        let policy = self.context.policies.number();
        if let Some(wanted) = &ask.wanted
            && let Some(quote_id) = &wanted.quote_id
        {
            self.context.expected_quotes.ask(quote_id, wanted.terms, policy);
        }
        self.context.step_log.note(&id, &ask.raw_request.bytes());
        Request { ask, id, policy }
    }

    /// Checks a response against the allowed ones.
    fn take(&mut self, request: &Request, answer: Option<Response>) {
        let Request { ask, id, .. } = request;
        let Some(answer) = answer else {
            assert!(!ask.is_strict(), "no answer to {id}");
            return self.count("none", 0);
        };
        self.context.step_log.note_answer(id, answer.status, &answer.text);
        self.count(&format!("{:?}", ask.form), answer.status);
        if !ask.is_strict() && answer.header("x-request-id").is_none() {
            return response_schema::check_any(&answer);
        }
        response_schema::check(&answer, ask.raw_request.method, ask.form);
        assert_eq!(answer.header("x-request-id"), Some(id.as_str()), "{answer:?}");
        self.seen.answered.push(id.clone());
        if answer.status == 200 && ask.raw_request.method != "HEAD" {
            self.take_success(request, &answer);
        } else if let (ExpectedClient::Client(client), true) =
            (ask.expected_client, answer.text.contains("\"fresh_quote\""))
        {
            self.context
                .expected_quotes
                .quoted(answer.json()["fresh_quote"]["id"].as_str().unwrap_or_default(), client);
            self.count("conflict", answer.status);
        }
    }

    fn take_success(&mut self, Request { ask, id, policy }: &Request, answer: &Response) {
        let StormContext { policies, expected_quotes, .. } = self.context;
        assert!(ask.expected_client != ExpectedClient::Rejected, "{id} has nothing that opens anything: {answer:?}");
        assert!(
            !policies.always_reject(*policy, ask.credential_kind),
            "{id} shows what opens nothing any more: {answer:?}"
        );
        let client = match ask.expected_client {
            ExpectedClient::Client(client) => Some(client),
            ExpectedClient::Rejected | ExpectedClient::Unsure => None,
        };
        let given = answer_id(ask.form, answer);
        if let (Some(given), Some(client)) = (&given, client) {
            expected_quotes.quoted(given, client);
        }
        let Some(wanted) = ask.wanted.as_ref() else { return };
        let quote_id = wanted.quote_id.as_ref().or(given.as_ref()).unwrap_or_else(|| panic!("no id: {answer:?}"));
        if given.is_some() {
            expected_quotes.ask(quote_id, wanted.terms, *policy);
        }
        let terms = Some(wanted.terms).filter(|_| !ask.is_tampered);
        let is_again = expected_quotes.signed(quote_id, client, terms, answer, policies);
        self.count(if is_again { "signed again" } else { "signed" }, 200);
    }

    fn count(&mut self, what: &str, status: u16) {
        *self.seen.counts.entry((what.to_owned(), status)).or_default() += 1;
    }
}

/// A request, with the number of the law at the time it was sent.
struct Request {
    ask: GeneratedRequest,
    id: String,
    policy: usize,
}

/// Returns the ID of the quote in a response.
fn answer_id(form: ResponseKind, answer: &Response) -> Option<String> {
    let gives = matches!(form, ResponseKind::Quote | ResponseKind::QuoteSign);
    gives.then(|| answer.json()["id"].as_str().unwrap_or_default().to_owned())
}
