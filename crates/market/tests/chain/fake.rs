//! A node that plays a chain over HTTP, and fails as it is told to.

use std::sync::{Arc, Mutex, MutexGuard};

use alloy_primitives::hex;
use alloy_sol_types::SolValue as _;
use firmquote_domain::{Address, B256, U256};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader},
    net::TcpListener,
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

pub(crate) const CHAIN_ID: u64 = 7;

/// The time of every block, unless a test says otherwise.
pub(crate) const TIME: u64 = 1_800_000_000;

/// What a node answers.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    Result(Value),
    /// An error of JSON-RPC, with HTTP status 200.
    Error(i64, &'static str),
    /// These bytes, and then nothing: the connection stays open.
    Raw(String),
    /// Nothing: the connection stays open.
    Silence,
    /// Nothing: the connection is closed.
    Close,
    /// The right answer to another question.
    OtherId,
}

/// The newest block of a node: blocks up from `left` are those of the branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) number: u64,
    pub(crate) branch: u8,
    pub(crate) left: u64,
    pub(crate) time: u64,
}

impl Block {
    pub(crate) const fn at(number: u64) -> Self {
        Self { number, branch: 0, left: 0, time: TIME }
    }

    fn hash(self, number: u64) -> B256 {
        let mut hash = B256::with_last_byte(if number >= self.left { self.branch } else { 0 });
        hash[..8].copy_from_slice(&number.to_be_bytes());
        hash
    }
}

type Fault = Box<dyn Fn(&str) -> Option<Reply> + Send>;

/// What a node is told to be.
pub(crate) struct Part {
    pub(crate) chain_id: u64,
    pub(crate) newest: Block,
    /// What it does instead of answering.
    pub(crate) fault: Option<Fault>,
    /// The methods that it was asked.
    pub(crate) asked: Vec<String>,
    /// Told as the supply of the pool's tokens, so that whoever reads knows from whom.
    name: u64,
}

/// A node on a port of its own.
pub(crate) struct Fake {
    address: String,
    part: Arc<Mutex<Part>>,
    server: Option<JoinHandle<()>>,
    tls: Option<TlsAcceptor>,
}

impl Fake {
    pub(crate) async fn start(name: u64) -> Self {
        Self::start_with(name, None).await
    }

    /// One that speaks TLS, if it is given what that takes.
    pub(crate) async fn start_with(name: u64, tls: Option<TlsAcceptor>) -> Self {
        let part = Part { chain_id: CHAIN_ID, newest: Block::at(100), fault: None, asked: Vec::new(), name };
        let mut fake = Self { address: "127.0.0.1:0".to_owned(), part: Arc::new(Mutex::new(part)), server: None, tls };
        fake.listen().await;
        fake
    }

    /// Takes connections, on the port that it had before.
    pub(crate) async fn listen(&mut self) {
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.address = listener.local_addr().unwrap().to_string();
        let (part, tls) = (Arc::clone(&self.part), self.tls.clone());
        self.server = Some(tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (part, tls) = (Arc::clone(&part), tls.clone());
                connections.spawn(async move {
                    let Some(tls) = tls else { return serve(stream, part).await };
                    // Who does not trust the certificate hangs up.
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, part).await;
                    }
                });
            }
        }));
    }

    /// Closes every connection and takes no more.
    pub(crate) async fn end(&mut self) {
        let server = self.server.take().unwrap();
        server.abort();
        assert!(server.await.is_err());
    }

    pub(crate) fn url(&self) -> String {
        match self.tls {
            Some(_) => format!("https://{}", self.address.replace("127.0.0.1", "localhost")),
            None => format!("http://{}", self.address),
        }
    }

    pub(crate) fn part(&self) -> MutexGuard<'_, Part> {
        self.part.lock().unwrap()
    }

    /// Answers every question with `reply`.
    pub(crate) fn fail(&self, reply: Reply) {
        self.part().fault = Some(Box::new(move |_| Some(reply.clone())));
    }

    /// Answers questions by one method with `reply`.
    pub(crate) fn fail_at(&self, method: &'static str, reply: Reply) {
        self.part().fault = Some(Box::new(move |asked| (asked == method).then(|| reply.clone())));
    }

    pub(crate) fn asked(&self, method: &str) -> usize {
        self.part().asked.iter().filter(|asked| *asked == method).count()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S, part: Arc<Mutex<Part>>) {
    let mut stream = BufReader::new(stream);
    while let Some(question) = read(&mut stream).await {
        let method = question["method"].as_str().unwrap_or_default().to_owned();
        let reply = answer(&mut part.lock().unwrap(), &method, &question["params"]);
        let envelope = |id: &Value, name: &str, value: Value| {
            let body = json!({"jsonrpc": "2.0", "id": id, name: value}).to_string();
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        };
        let text = match reply {
            Reply::Result(result) => envelope(&question["id"], "result", result),
            Reply::OtherId => envelope(&json!(987_654), "result", json!("0x7")),
            Reply::Error(code, message) => {
                envelope(&question["id"], "error", json!({"code": code, "message": message}))
            }
            Reply::Raw(text) => text,
            Reply::Silence => continue,
            Reply::Close => return,
        };
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// The next question, or `None` when the connection ends.
async fn read<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufReader<S>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

fn answer(part: &mut Part, method: &str, params: &Value) -> Reply {
    part.asked.push(method.to_owned());
    if let Some(reply) = part.fault.as_ref().and_then(|fault| fault(method)) {
        return reply;
    }
    let newest = part.newest;
    let hash = newest.hash(newest.number).to_string();
    match method {
        "eth_chainId" => Reply::Result(json!(format!("{:#x}", part.chain_id))),
        "eth_getBlockByNumber" => Reply::Result(json!({
            "number": format!("{:#x}", newest.number),
            "hash": hash,
            "parentHash": newest.hash(newest.number - 1).to_string(),
            "timestamp": format!("{:#x}", newest.time),
            "transactions": [],
        })),
        "eth_call" if params[1]["blockHash"] == json!(hash) => {
            let (balances, tokens) = (vec![U256::from(newest.number)], vec![Address::repeat_byte(1)]);
            let books = (balances, tokens, U256::from(part.name)).abi_encode_params();
            Reply::Result(json!(hex::encode_prefixed(books)))
        }
        "eth_call" => Reply::Error(-32_000, "header not found"),
        _ => Reply::Error(-32_601, "the method does not exist"),
    }
}
