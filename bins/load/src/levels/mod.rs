//! Load of price level subscribers: publication latency, resource usage, and the effect on concurrent quotes.

mod configuration;
mod subscriber;

use std::{
    fmt::Write as _,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{anyhow, ensure};
use clap::Args;
use tokio::{runtime::Runtime, task::JoinSet};

use self::{
    configuration::{ADMIN_TOKEN, configuration, symbol},
    subscriber::{SubscriberState, count, now_us, open, sample},
};
use crate::{
    http_client::send,
    service::{ServerProcess, firmquote_binary},
    usage::{processor_seconds, resident_mb},
    wrk::Generator,
};

/// The number of streams per client: the maximum.
const STREAMS_PER_CLIENT: u32 = 32;

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

/// The figures of a set of subscribers.
struct Sample {
    /// The time from a price to its message, at the first subscriber.
    latencies: Vec<Duration>,
    megabytes_per_second: f64,
    books_per_second: f64,
    processor: f64,
    resident_mb: f64,
    quotes: crate::wrk::WrkResult,
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
        let service = ServerProcess::configured(&firmquote_binary()?, &configuration(self.pairs, clients), "0")?;
        let admin = service.address_after(r#""admin":""#)?;
        let state = Arc::<SubscriberState>::default();
        let ticker = {
            let (state, levels) = (Arc::clone(&state), self.clone());
            thread::spawn(move || levels.send_prices(&admin, &state))
        };
        let runtime = Runtime::new()?;
        let mut readers = JoinSet::new();
        let path = self.path();
        let (sampler, other_streams) = runtime.block_on(async {
            let mut other_streams = Vec::new();
            for subscriber in 0..subscribers {
                for is_socket in [false, true] {
                    let client = (2 * subscriber + u32::from(is_socket) + 1) / STREAMS_PER_CLIENT;
                    other_streams.push(open(&service.address, &path, client, is_socket).await?);
                }
            }
            anyhow::Ok((open(&service.address, &path, 0, false).await?, other_streams))
        })?;
        for stream in other_streams {
            readers.spawn_on(count(stream, Arc::clone(&state)), runtime.handle());
        }
        let sampling = runtime.spawn(sample(sampler, Arc::clone(&state)));
        thread::sleep(Duration::from_secs(1));
        let (bytes, processor, start) =
            (state.bytes.load(Ordering::Relaxed), processor_seconds(service.pid())?, Instant::now());
        thread::sleep(Duration::from_secs(self.seconds.into()));
        let seconds = start.elapsed().as_secs_f64();
        let kilobytes = u32::try_from((state.bytes.load(Ordering::Relaxed) - bytes) / 1_000)?;
        let bytes = 1e3 * f64::from(kilobytes);
        let processor = 100.0 * (processor_seconds(service.pid())? - processor) / seconds;
        let generator = Generator { processors: "1".to_owned() };
        let quotes = generator.quote(&service.address, self.connections, self.seconds)?;
        let resident_mb = resident_mb(service.pid())?;
        state.is_over.store(true, Ordering::Relaxed);
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

    /// Sends new prices of all assets repeatedly until the measurement is over.
    fn send_prices(&self, admin: &str, state: &SubscriberState) -> anyhow::Result<()> {
        let pause = Duration::from_secs(1) / self.updates.max(1);
        let authorization = format!("authorization: Bearer {ADMIN_TOKEN}");
        let mut next = Instant::now();
        for tick in 0_u64.. {
            if state.is_over.load(Ordering::Relaxed) {
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
            ensure!(status == 200, "PUT /prices returned {status}: {}", String::from_utf8_lossy(&answer.body));
            next += pause;
            thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        Ok(())
    }
}
