//! Subscribers of price levels: how late a price reaches them, what they cost, and what quotes feel of them.

use std::{
    fmt::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, anyhow, ensure};
use clap::Args;
use sha2::{Digest as _, Sha256};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    runtime::Runtime,
    task::JoinSet,
    time::timeout,
};

use crate::{
    exchange::send,
    service::{API_KEY_HASH, ServerProcess, firmquote_binary},
    usage::{processor_seconds, resident_mb},
    wrk::Generator,
};

/// The streams of a client: as many as a client may have.
const STREAMS_PER_CLIENT: u32 = 32;

/// The token of the operator, by whom prices are sent.
const ADMIN_TOKEN: &str = "load-harness-admin-token-0123456789abcdef";

/// How long all subscribers may take to connect.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// The subscribers, and the books that all of them read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Levels {
    /// Subscribers over Server-Sent Events, and as many over WebSockets
    #[arg(long, value_delimiter = ',', default_value = "0,1,1000")]
    subscribers: Vec<u32>,
    /// Pairs, each a book in one direction
    #[arg(long, default_value_t = 50)]
    pairs: u32,
    /// Updates of all prices a second
    #[arg(long, default_value_t = 10)]
    updates: u32,
    /// Connections that request quotes while the streams are open
    #[arg(long, default_value_t = 4)]
    connections: u16,
    /// Duration of each measurement in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u32,
}

/// What a set of subscribers had.
struct Sample {
    /// From a price to the message about it, at the first subscriber.
    latencies: Vec<Duration>,
    megabytes_per_second: f64,
    books_per_second: f64,
    processor: f64,
    resident_mb: f64,
    quotes: crate::wrk::WrkResult,
}

/// What subscribers have received so far.
#[derive(Default)]
struct Received {
    bytes: AtomicU64,
    is_over: AtomicBool,
}

impl Levels {
    /// Measures each number of subscribers, and returns a table in Markdown.
    ///
    /// # Errors
    /// When a program fails, or the service refuses a stream, a price or a quote.
    pub(crate) fn table(&self) -> anyhow::Result<String> {
        let mut table = String::from(
            "| SSE + WebSockets | price to message p50, ms | p99, ms | books/s each | MB/s | processor, % | memory, MB | \
             quotes/s | quote p50, us | p99, us |\n|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for subscribers in &self.subscribers {
            let mut sample = self.measure(*subscribers)?;
            sample.latencies.sort_unstable();
            let quantile = |share: usize| {
                let position = sample.latencies.len().saturating_sub(1) * share / 100;
                sample.latencies.get(position).map_or(f64::NAN, |late| late.as_secs_f64() * 1e3)
            };
            writeln!(
                table,
                "| {subscribers} + {subscribers} | {:.1} | {:.1} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} |",
                quantile(50),
                quantile(99),
                sample.books_per_second,
                sample.megabytes_per_second,
                sample.processor,
                sample.resident_mb,
                sample.quotes.per_second(),
                sample.quotes.p50_us,
                sample.quotes.p99_us,
            )?;
        }
        Ok(table)
    }

    fn measure(&self, subscribers: u32) -> anyhow::Result<Sample> {
        let clients = (2 * subscribers + 1).div_ceil(STREAMS_PER_CLIENT);
        let service = ServerProcess::configured(&firmquote_binary()?, &self.configuration(clients), "0")?;
        let admin = service.address_after(r#""admin":""#)?;
        let received = Arc::<Received>::default();
        let ticker = {
            let (received, levels) = (Arc::clone(&received), self.clone());
            thread::spawn(move || levels.send_prices(&admin, &received))
        };
        let runtime = Runtime::new()?;
        let mut readers = JoinSet::new();
        let path = self.path();
        let (sampler, others) = runtime.block_on(async {
            let mut others = Vec::new();
            for subscriber in 0..subscribers {
                for is_socket in [false, true] {
                    let client = (2 * subscriber + u32::from(is_socket) + 1) / STREAMS_PER_CLIENT;
                    others.push(open(&service.address, &path, client, is_socket).await?);
                }
            }
            anyhow::Ok((open(&service.address, &path, 0, false).await?, others))
        })?;
        for stream in others {
            readers.spawn_on(count(stream, Arc::clone(&received)), runtime.handle());
        }
        let sampling = runtime.spawn(sample(sampler, Arc::clone(&received)));
        thread::sleep(Duration::from_secs(1));
        let (bytes, processor, start) =
            (received.bytes.load(Ordering::Relaxed), processor_seconds(service.pid())?, Instant::now());
        thread::sleep(Duration::from_secs(self.seconds.into()));
        let seconds = start.elapsed().as_secs_f64();
        let kilobytes = u32::try_from((received.bytes.load(Ordering::Relaxed) - bytes) / 1_000)?;
        let bytes = 1e3 * f64::from(kilobytes);
        let processor = 100.0 * (processor_seconds(service.pid())? - processor) / seconds;
        let generator = Generator { processors: "1".to_owned() };
        let quotes = generator.quote(&service.address, self.connections, self.seconds)?;
        let resident_mb = resident_mb(service.pid())?;
        received.is_over.store(true, Ordering::Relaxed);
        let (latencies, book_bytes) = runtime.block_on(sampling)??;
        ticker.join().map_err(|_| anyhow!("the sender of prices panicked"))??;
        runtime.shutdown_background();
        Ok(Sample {
            latencies,
            megabytes_per_second: bytes / seconds / 1e6,
            books_per_second: bytes / seconds / book_bytes / f64::from((2 * subscribers).max(1)),
            processor,
            resident_mb,
            quotes,
        })
    }

    /// The books that every subscriber reads.
    fn path(&self) -> String {
        let pairs: Vec<String> = (0..self.pairs).map(|number| format!("{}-USDC", symbol(number))).collect();
        format!("/rfq/v2/levels/1{{}}?pairs={}", pairs.join(","))
    }

    /// A pool of as many pairs, whose prices are sent.
    fn configuration(&self, clients: u32) -> String {
        let mut more = String::new();
        for number in 0..self.pairs {
            let symbol = symbol(number);
            _ = write!(
                more,
                "[[pool.asset]]\nsymbol = \"{symbol}\"\naddress = \"{}\"\ndecimals = 18\nweight = 100\n\
                 reserve = \"476877882758190421102\"\nprice_usd = 2080\n\n[[pool.pair]]\nassets = [\"{symbol}\", \"USDC\"]\n\
                 base_fee_bps = 5\nannual_volatility = 0.60\n\n",
                token(number)
            );
        }
        more.push_str("[[price_source]]\nkind = \"push\"\n\n");
        for number in 0..self.pairs {
            _ = write!(more, "[[price_source.asset]]\nsymbol = \"{}\"\n\n", symbol(number));
        }
        for number in 0..self.pairs {
            let symbol = symbol(number);
            _ = write!(
                more,
                "[[price_rule]]\nsymbol = \"{symbol}\"\nmax_age_ms = 60000\nmax_jump_bps_per_second = 9999\n\n"
            );
        }
        for client in 0..clients {
            let hash = hex(&Sha256::digest(key(client)));
            _ = write!(more, "[[credential]]\nclient = \"subscriber-{client}\"\napi_key_sha256 = \"{hash}\"\n\n");
        }
        include_str!("levels.toml")
            .replace("{api_key_sha256}", API_KEY_HASH)
            .replace("{admin_token_sha256}", &hex(&Sha256::digest(ADMIN_TOKEN)))
            + &more
    }

    /// Sends all prices again and again, each time others, until the measurement is over.
    fn send_prices(&self, admin: &str, received: &Received) -> anyhow::Result<()> {
        let pause = Duration::from_secs(1) / self.updates.max(1);
        let authorization = format!("authorization: Bearer {ADMIN_TOKEN}");
        let mut next = Instant::now();
        for tick in 0_u64.. {
            if received.is_over.load(Ordering::Relaxed) {
                break;
            }
            let observed_at = now_us() / 1_000;
            let price = |number: u32| {
                let cents = 208_052 + (tick * 7 + u64::from(number)) % 1_000;
                let (whole, rest) = (cents / 100, cents % 100);
                format!(
                    r#"{{"symbol":"{}","price_usd":"{whole}.{rest:02}","observed_at":{observed_at}}}"#,
                    symbol(number)
                )
            };
            let prices: Vec<String> = (0..self.pairs).map(price).collect();
            let body = format!(r#"{{"prices":[{}]}}"#, prices.join(","));
            let (status, answer) = send(admin, "PUT", "/prices", &authorization, &body)?;
            ensure!(status == 200, "prices are answered {status}: {}", String::from_utf8_lossy(&answer.body));
            next += pause;
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        Ok(())
    }
}

fn symbol(number: u32) -> String {
    if number == 0 { "ETH".to_owned() } else { format!("T{number}") }
}

fn token(number: u32) -> String {
    // The native coin goes by its wrapped-native contract.
    if number == 0 {
        "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2".to_owned()
    } else {
        format!("0x{:040x}", 0x1000 + number)
    }
}

fn key(client: u32) -> String {
    format!("load-subscriber-{client:08}-0123456789abcdef")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn now_us() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}

/// Opens a stream over either transport.
async fn open(address: &str, path: &str, client: u32, is_socket: bool) -> anyhow::Result<TcpStream> {
    let opening = async {
        let mut stream = TcpStream::connect(address).await?;
        let (route, upgrade) = if is_socket {
            let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
            ("/ws", upgrade)
        } else {
            ("/stream", "")
        };
        let (path, key) = (path.replace("{}", route), key(client));
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\n{upgrade}\r\n");
        stream.write_all(head.as_bytes()).await?;
        let mut status = [0; 12];
        stream.read_exact(&mut status).await?;
        let expected: &[u8] = if is_socket { b"HTTP/1.1 101" } else { b"HTTP/1.1 200" };
        ensure!(status == expected, "a stream is answered {}", String::from_utf8_lossy(&status));
        Ok(stream)
    };
    timeout(OPEN_TIMEOUT, opening).await.context("a stream is not answered")?
}

/// Counts the bytes of a stream until it ends.
async fn count(mut stream: TcpStream, received: Arc<Received>) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        received.bytes.fetch_add(u64::try_from(read).unwrap_or(0), Ordering::Relaxed);
    }
}

/// Reads every message of a stream of events. Returns how late each book was, and the mean size of a book in bytes.
async fn sample(mut stream: TcpStream, received: Arc<Received>) -> anyhow::Result<(Vec<Duration>, f64)> {
    const EVENT: &[u8] = b"event: book";
    const TIME: &[u8] = b"\"as_of_ms\":";
    let (mut text, mut buffer, mut latencies, mut bytes) = (Vec::new(), vec![0; 65_536], Vec::new(), 0_u32);
    while !received.is_over.load(Ordering::Relaxed) {
        let read = stream.read(&mut buffer).await?;
        ensure!(read > 0, "the service ended the stream");
        text.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let now = now_us();
        while let Some(end) = text.windows(2).position(|end| end == b"\n\n") {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            if !event.windows(EVENT.len()).any(|part| part == EVENT) {
                continue;
            }
            let start = event.windows(TIME.len()).position(|part| part == TIME).context("a book without a time")?;
            let digits = event.get(start + TIME.len()..).unwrap_or_default();
            let digits: Vec<u8> = digits.iter().copied().take_while(u8::is_ascii_digit).collect();
            let as_of_ms: u64 = std::str::from_utf8(&digits)?.parse()?;
            latencies.push(Duration::from_micros(now.saturating_sub(as_of_ms * 1_000)));
            bytes = bytes.saturating_add(u32::try_from(event.len())?);
        }
    }
    let books = u32::try_from(latencies.len().max(1))?;
    Ok((latencies, f64::from(bytes) / f64::from(books)))
}
