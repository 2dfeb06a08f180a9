//! Concurrent takers at replicas that share a pool: signatures and refusals of each replica, and signatures per second
//! of all.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{anyhow, ensure};
use clap::Args;
use firmquote_api::Reason;
use firmquote_test_servers::redis;

use crate::{
    delay,
    http_client::request,
    service::{ServerProcess, firmquote_binary},
    wrk::SIGN_PATH,
};

/// The takers, and the replicas that they send requests to in turn.
#[derive(Args, Clone, Debug)]
pub(crate) struct Contention {
    /// Numbers of concurrent takers
    #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
    takers: Vec<u32>,
    /// Extra round-trip time to Redis of each replica, in microseconds
    #[arg(long, value_delimiter = ',', default_value = "100,100,1000")]
    delays_us: Vec<u64>,
    /// Total number of quotes, shared by all takers
    #[arg(long, default_value_t = 768)]
    quotes: u32,
}

/// The outcomes of the quotes of a replica.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    signed: u32,
    refused: u32,
}

impl Contention {
    /// Measures each number of takers on an empty book, and returns a table in Markdown.
    ///
    /// # Errors
    /// When a program fails, or a response is neither a signature nor the refusal of a conflict.
    pub(crate) fn table(&self) -> anyhow::Result<String> {
        ensure!(!self.delays_us.is_empty(), "no replicas: --delays-us needs a value");
        let binary = firmquote_binary()?;
        let mut table = String::from(
            "| takers | signatures/s | round trip to Redis, ms | signed | refused | refused, % |\n|---|---|---|---|---|---|\n",
        );
        for takers in &self.takers {
            let (tallies, seconds) = self.measure(&binary, *takers)?;
            let signed: u32 = tallies.iter().map(|tally| tally.signed).sum();
            // Replicas without requests are left out.
            let replicas_with_takers = tallies.into_iter().zip(&self.delays_us).take(usize::try_from(*takers)?);
            for (Tally { signed: signed_by_replica, refused }, delay_us) in replicas_with_takers {
                let share = 100.0 * f64::from(refused) / f64::from((signed_by_replica + refused).max(1));
                let (rate, delay) = (f64::from(signed) / seconds, Duration::from_micros(*delay_us).as_secs_f64() * 1e3);
                table.push_str(&format!(
                    "| {takers} | {rate:.0} | + {delay} | {signed_by_replica} | {refused} | {share:.1} |\n"
                ));
            }
        }
        Ok(table)
    }

    fn measure(&self, binary: &Path, takers: u32) -> anyhow::Result<(Vec<Tally>, f64)> {
        let redis = redis::Server::start(redis::Options::default());
        let replica = |delay_us: &u64| {
            let address = delay::start(redis.port(), Duration::from_micros(*delay_us))?;
            ServerProcess::service(binary, &format!("kind = \"redis\"\nurl = \"redis://{address}\""), "0-1")
        };
        let replicas: Vec<ServerProcess> = self.delays_us.iter().map(replica).collect::<anyhow::Result<_>>()?;
        let (start, quotes_per_taker) = (Instant::now(), self.quotes.div_ceil(takers.max(1)));
        let tallies = thread::scope(|scope| {
            let takers: Vec<_> = (0..takers)
                .zip(replicas.iter().enumerate().cycle())
                .map(|(taker, (replica, server))| {
                    (
                        replica,
                        scope.spawn(move || {
                            run_taker(&server.address, taker * quotes_per_taker..(taker + 1) * quotes_per_taker)
                        }),
                    )
                })
                .collect();
            let mut tallies = vec![Tally::default(); replicas.len()];
            for (replica, taker) in takers {
                let outcome = taker.join().map_err(|_| anyhow!("a taker panicked"))??;
                if let Some(tally) = tallies.get_mut(replica) {
                    tally.signed += outcome.signed;
                    tally.refused += outcome.refused;
                }
            }
            anyhow::Ok(tallies)
        })?;
        Ok((tallies, start.elapsed().as_secs_f64()))
    }
}

/// Requests quotes one after the other, and the signature of each.
fn run_taker(address: &str, numbers: std::ops::Range<u32>) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    for number in numbers {
        // 1 to 200 US dollars in either direction: too much for all swaps to be sound together.
        let dollars = 1 + number * 37 % 200;
        let pair = if number.is_multiple_of(2) {
            format!("input_asset_symbol=USDC&output_asset_symbol=ETH&input_amount={}", u64::from(dollars) * 1_000_000)
        } else {
            let wei = u64::from(dollars) * 480_000_000_000_000;
            format!("input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={wei}")
        };
        let (status, quote) = request(address, "GET", &format!("/rfq/v2/quote/1?{pair}"), "")?;
        ensure!(status == 200, "a quote request returned {status}: {}", String::from_utf8_lossy(&quote.body));
        let id = quote.quote_id()?;
        // Each has its own destination, so that no two offers are equal.
        let body = format!(r#"{{"quote_id":"{id}","destination_address":"0x{:040x}"}}"#, number + 1);
        match request(address, "POST", SIGN_PATH, &body)? {
            (200, _) => tally.signed += 1,
            (400, refusal) if refusal.reason().is_some_and(Reason::is_conflict) => tally.refused += 1,
            (status, refusal) => {
                anyhow::bail!("a sign request returned {status}: {}", String::from_utf8_lossy(&refusal.body));
            }
        }
    }
    Ok(tally)
}
