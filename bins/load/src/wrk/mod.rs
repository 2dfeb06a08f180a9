//! The load generator: wrk with small Lua scripts that build the requests.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, bail, ensure};
use tempfile::TempDir;

use crate::service::API_KEY;

const QUOTE: &str = concat!(include_str!("quote.lua"), include_str!("done.lua"));
const COLLECT: &str = concat!(include_str!("collect.lua"), include_str!("done.lua"));
const SIGN: &str = concat!(include_str!("sign.lua"), include_str!("done.lua"));
const QUOTE_THEN_SIGN: &str = concat!(include_str!("quote_then_sign.lua"), include_str!("done.lua"));

/// The quote request, so small that all swaps of a run fit the pool's reserves together.
pub(crate) const QUOTE_PATH: &str = "/rfq/v2/quote/1?input_asset_symbol=USDC&output_asset_symbol=ETH&input_amount=1000";
/// The request for such a quote and its signature.
const QUOTE_SIGN_PATH: &str = "/rfq/v2/quote-sign/1?input_asset_symbol=USDC&output_asset_symbol=ETH&input_amount=1000\
    &destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&calldata=true";
/// The route that signs quotes.
pub(crate) const SIGN_PATH: &str = "/rfq/v2/sign";

/// wrk, pinned to its own processors.
pub(crate) struct Generator {
    /// In `taskset` syntax.
    pub(crate) processors: String,
}

/// One wrk run.
struct Run<'r> {
    script: &'r str,
    address: &'r str,
    path: &'r str,
    connections: u16,
    seconds: u32,
    /// Arguments of the script, after the API key.
    arguments: &'r [&'r str],
}

/// The result of one wrk run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrkResult {
    pub(crate) requests: f64,
    pub(crate) seconds: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) p999_us: f64,
}

impl Generator {
    /// Requests quotes for `seconds`.
    pub(crate) fn quote(&self, address: &str, connections: u16, seconds: u32) -> anyhow::Result<WrkResult> {
        self.run(&Run { script: QUOTE, address, path: QUOTE_PATH, connections, seconds, arguments: &[] })
    }

    /// Requests quotes at full speed for `seconds` and writes their IDs to `file`.
    pub(crate) fn collect(&self, address: &str, file: &Path, seconds: u32) -> anyhow::Result<()> {
        let arguments = &[path_text(file)?];
        self.run(&Run { script: COLLECT, address, path: QUOTE_PATH, connections: 64, seconds, arguments }).map(drop)
    }

    /// Requests signatures of the quotes in `file` for `seconds`. Fails if the file has too few quotes.
    pub(crate) fn sign(&self, address: &str, connections: u16, seconds: u32, file: &Path) -> anyhow::Result<WrkResult> {
        let arguments = &[path_text(file)?];
        self.run(&Run { script: SIGN, address, path: SIGN_PATH, connections, seconds, arguments })
    }

    /// Requests quotes with their signatures for `seconds`.
    pub(crate) fn quote_sign(&self, address: &str, connections: u16, seconds: u32) -> anyhow::Result<WrkResult> {
        self.run(&Run { script: QUOTE, address, path: QUOTE_SIGN_PATH, connections, seconds, arguments: &[] })
    }

    /// Requests quotes and the signature of each for `seconds`.
    pub(crate) fn quote_then_sign(&self, address: &str, connections: u16, seconds: u32) -> anyhow::Result<WrkResult> {
        let arguments = &[SIGN_PATH];
        self.run(&Run { script: QUOTE_THEN_SIGN, address, path: QUOTE_PATH, connections, seconds, arguments })
    }

    fn run(&self, run: &Run<'_>) -> anyhow::Result<WrkResult> {
        let Run { script, address, path, connections, seconds, arguments } = *run;
        let directory = TempDir::new()?;
        let file = directory.path().join("script.lua");
        fs::write(&file, script)?;
        let (connections, duration) = (connections.to_string(), format!("{seconds}s"));
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", &self.processors, "wrk", "--threads", "1", "--connections", &connections]);
        command.args(["--duration", &duration, "--timeout", "10s", "--script"]).arg(&file);
        command.arg(format!("http://{address}{path}")).arg("--").arg(API_KEY).args(arguments);
        let output = command.output().context("cannot start wrk: is the package wrk installed?")?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "wrk: {stdout}{}", String::from_utf8_lossy(&output.stderr));
        WrkResult::parse(&stdout)
    }
}

fn path_text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().context("the path is not UTF-8")
}

impl WrkResult {
    /// Parses the line printed by `done.lua`. Fails if any response was not a 200, since the figures are then
    /// meaningless.
    fn parse(stdout: &str) -> anyhow::Result<Self> {
        let line = stdout.lines().find_map(|line| line.strip_prefix("figures ")).context("wrk printed no figures")?;
        let figures: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let &[requests, micros, p50_us, p99_us, p999_us, errors] = figures.as_slice() else {
            bail!("expected six figures, found: {line}");
        };
        ensure!(errors == 0.0, "{errors} requests failed: {stdout}");
        Ok(Self { requests, seconds: micros / 1e6, p50_us, p99_us, p999_us })
    }

    /// Returns the requests per second.
    pub(crate) fn per_second(&self) -> f64 {
        self.requests / self.seconds
    }
}
