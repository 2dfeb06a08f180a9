//! One measurement: a fresh process, a short warm-up, a run of wrk, and the resources used.

use std::path::PathBuf;

use firmquote_test_servers::redis;
use tempfile::TempDir;

use crate::{
    arguments::Plan,
    baseline::Sizes,
    http_client::expect_ok,
    service::{ServerProcess, firmquote_binary, pinned},
    usage::{processor_seconds, resident_mb},
    wrk::{Generator, QUOTE_PATH, SIGN_PATH, WrkResult},
};

/// The measured server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Bare,
    Memory,
    Redis,
}

/// The measured operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Quote,
    /// Signatures of existing quotes, more of them than the process caches.
    Sign,
    /// Quotes that are signed in the same request.
    QuoteSign,
    /// Quotes and their signatures in turn.
    QuoteThenSign,
}

/// The result of a measurement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) wrk: WrkResult,
    /// CPU time of the server process per request, in microseconds.
    pub(crate) cpu_us: f64,
    /// CPU time of Redis per request, in microseconds; zero without Redis.
    pub(crate) redis_cpu_us: f64,
    /// Resident memory of the server process after the run, in MB.
    pub(crate) resident_mb: f64,
}

/// State shared by all measurements.
pub(crate) struct Bench {
    plan: Plan,
    binary: PathBuf,
    generator: Generator,
    sizes: Sizes,
    redis: Option<redis::Server>,
    directory: TempDir,
}

impl Bench {
    /// Starts Redis if enabled, and determines the response sizes of the service and of the bare handlers.
    ///
    /// # Errors
    /// When a program is missing, does not start, or responds unexpectedly.
    pub(crate) fn prepare(plan: &Plan) -> anyhow::Result<Self> {
        // Disable rewrites of the append-only file: the rewriting child process would share the processor with wrk.
        let options = redis::Options { append_only: true, ..redis::Options::default() };
        let options = options.with("appendfsync", "everysec").with("auto-aof-rewrite-percentage", "0");
        let bench = Self {
            binary: firmquote_binary()?,
            generator: Generator { processors: plan.client_processors.clone() },
            sizes: Sizes { quote_body: 0, quote_filler: 0, sign_body: 200, sign_filler: 0 },
            redis: (!plan.without_redis).then(|| redis::Server::start(options)),
            directory: TempDir::new()?,
            plan: plan.clone(),
        };
        if let Some(redis) = &bench.redis {
            let pid = redis.pid().to_string();
            let mut pin = std::process::Command::new("taskset");
            pin.args(["--all-tasks", "--cpu-list", "--pid", &plan.client_processors, &pid]);
            anyhow::ensure!(pin.output()?.status.success(), "taskset does not pin Redis");
        }
        let sizes = bench.sizes_of_service()?;
        Ok(Self { sizes, ..bench })
    }

    /// Determines the sizes that make bare responses as large as the service's.
    fn sizes_of_service(&self) -> anyhow::Result<Sizes> {
        const HEADER: usize = "x-filler: \r\n".len();
        let (service, bare) = (self.start(Target::Memory)?, self.start(Target::Bare)?);
        let request_quote = |server: &ServerProcess| expect_ok(&server.address, "GET", QUOTE_PATH, "");
        let (quote, bare_quote) = (request_quote(&service)?, request_quote(&bare)?);
        let id = quote.quote_id()?;
        let body = format!(
            r#"{{"quote_id":"{id}","destination_address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","calldata":true}}"#
        );
        let request_signature = |server: &ServerProcess| expect_ok(&server.address, "POST", SIGN_PATH, &body);
        let (sign, bare_sign) = (request_signature(&service)?, request_signature(&bare)?);
        Ok(Sizes {
            quote_body: quote.body.len(),
            quote_filler: quote.head.saturating_sub(bare_quote.head + HEADER),
            sign_body: sign.body.len(),
            sign_filler: sign.head.saturating_sub(bare_sign.head + HEADER),
        })
    }

    /// Runs one measurement.
    ///
    /// # Errors
    /// When a program fails, or any response is not a 200.
    pub(crate) fn measure(&self, target: Target, operation: Operation, connections: u16) -> anyhow::Result<Sample> {
        let (server, seconds) = (self.start(target)?, self.plan.seconds);
        let ids = self.directory.path().join("ids");
        match operation {
            Operation::Quote => drop(self.generator.quote(&server.address, connections, 1)?),
            Operation::QuoteSign => drop(self.generator.quote_sign(&server.address, connections, 1)?),
            Operation::QuoteThenSign => drop(self.generator.quote_then_sign(&server.address, connections, 1)?),
            // Quotes are faster than signatures for every target, so one run collects enough of them.
            Operation::Sign if target != Target::Bare => self.generator.collect(&server.address, &ids, seconds)?,
            Operation::Sign => self.generator.collect(&self.start(Target::Memory)?.address, &ids, seconds)?,
        }
        let before = processor_seconds(server.pid())?;
        let redis_before = self.redis_seconds()?;
        let wrk = match operation {
            Operation::Quote => self.generator.quote(&server.address, connections, seconds)?,
            Operation::Sign => self.generator.sign(&server.address, connections, seconds, &ids)?,
            Operation::QuoteSign => self.generator.quote_sign(&server.address, connections, seconds)?,
            Operation::QuoteThenSign => self.generator.quote_then_sign(&server.address, connections, seconds)?,
        };
        let per_request = |seconds: f64| seconds * 1e6 / wrk.requests;
        Ok(Sample {
            wrk,
            cpu_us: per_request(processor_seconds(server.pid())? - before),
            redis_cpu_us: per_request(self.redis_seconds()? - redis_before),
            resident_mb: resident_mb(server.pid())?,
        })
    }

    fn redis_seconds(&self) -> anyhow::Result<f64> {
        self.redis.as_ref().map_or(Ok(0.0), |redis| processor_seconds(redis.pid()))
    }

    /// Starts a fresh server process.
    fn start(&self, target: Target) -> anyhow::Result<ServerProcess> {
        let processors = &self.plan.server_processors;
        match (target, &self.redis) {
            (Target::Bare, _) => {
                let Sizes { quote_body, quote_filler, sign_body, sign_filler } = self.sizes;
                let mut command = pinned(processors, &std::env::current_exe()?);
                command.arg("bare").args(["--quote-body", &quote_body.to_string()]);
                command.args(["--quote-filler", &quote_filler.to_string(), "--sign-body", &sign_body.to_string()]);
                command.args(["--sign-filler", &sign_filler.to_string()]);
                ServerProcess::start(command, TempDir::new()?, r#""public":""#)
            }
            (Target::Redis, Some(redis)) => {
                redis.command(&["FLUSHALL"]);
                let store = format!("kind = \"redis\"\nurl = \"{}\"", redis.url());
                ServerProcess::service(&self.binary, &store, processors)
            }
            (Target::Memory | Target::Redis, _) => {
                ServerProcess::service(&self.binary, "kind = \"memory\"\nmax_quotes = 10000000", processors)
            }
        }
    }
}
