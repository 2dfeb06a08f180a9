//! The release binary with one plain pool.

use std::{fs, net::SocketAddr, path::Path, process::Command};

use firmquote_test_servers::Process;
use tempfile::TempDir;

/// A key that signs for nothing but this benchmark.
const KEY: &str = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
/// The API key that the configuration knows.
pub(crate) const API_KEY: &str = "e2e-partner-key";

const CONFIG: &str = r#"
[server]
bind = "127.0.0.1:0"
admin_bind = "127.0.0.1:0"

[[credential]]
client = "partner"
api_key_sha256 = "bf4650891e8e0d35a82954aba09851898626829b917b059b11ff6520f2685e70"

[[chain]]
id = 1
name = "Ethereum"
native_symbol = "ETH"
wrapped_native = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"

[[signer]]
name = "hot"
key_env = "FIRMQUOTE_SIGNER_KEY"

[[pool]]
chain_id = 1
address = "0x655eDCE464CC797526600a462A8154650EEe4B77"
signer = "hot"
domain = { name = "ClipperDirect", version = "1.0.0" }
good_until = "verified"
k = 0.06
acceptance_window_seconds = 3600

[[pool.asset]]
symbol = "ETH"
address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"
decimals = 18
weight = 79
reserve = "476877882758190421102"
price_usd = 2080.527

[[pool.asset]]
symbol = "USDC"
address = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
decimals = 6
weight = 188
reserve = "417751254142"
price_usd = 1

[[pool.pair]]
assets = ["ETH", "USDC"]
base_fee_bps = 5
annual_volatility = 0.60
"#;

/// A running replica. Its process ends with this value.
pub(crate) struct Replica {
    process: Process,
    address: SocketAddr,
    _directory: TempDir,
}

impl Replica {
    /// Starts one with this `[store]`, with the request log on, written to a file as a service manager would.
    pub(crate) fn start(store: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("firmquote.toml");
        fs::write(&file, format!("{store}{CONFIG}")).expect("a writable directory");
        let mut command = Command::new(binary());
        command.args(["serve", "--config"]).arg(file).current_dir(directory.path()).env_clear();
        command.env("FIRMQUOTE_SIGNER_KEY", KEY);
        let mut process = Process::start(command);
        let line = process.wait_for(" public=");
        let address = line.split(" public=").nth(1).and_then(|rest| rest.split_whitespace().next());
        let address = address.and_then(|address| address.parse().ok()).expect("the address after its name");
        Self { process, address, _directory: directory }
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Resident memory of the process.
    pub(crate) fn resident_kib(&self) -> u32 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.pid())).expect("a living process");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
        resident.and_then(|kib| kib.parse().ok()).expect("a number of KiB")
    }
}

/// Where cargo puts the release binary, which is built if need be.
fn binary() -> std::path::PathBuf {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "firmquote", "--bin", "firmquote"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(built.success(), "the binary does not build");
    let program = std::env::current_exe().expect("a path");
    program.parent().and_then(Path::parent).expect("a folder of cargo's").join("firmquote")
}
