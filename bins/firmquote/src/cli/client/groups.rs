//! Arguments that several client commands have in common: the connection, the pools, and the terms of a signature.

use std::path::PathBuf;

use alloy_primitives::B256;
use clap::Args;
use firmquote_domain::{Address, ChainId, parse_address};

/// The service and the credentials to use with it.
#[derive(Args)]
pub(crate) struct ConnectionArguments {
    /// The base URL of the service: http:// or https://, host, optional port and path; default: $FIRMQUOTE_URL
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// A file with the API key in its first line, readable by its owner only; default: $FIRMQUOTE_API_KEY
    #[arg(long, value_name = "FILE")]
    pub(crate) api_key_file: Option<PathBuf>,
    /// CA certificates (PEM) to trust instead of the system's
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Timeout of each request in seconds, 1 to 600
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=600))]
    pub(crate) timeout: u16,
}

/// The pools to use.
#[derive(Args)]
pub(crate) struct Pools {
    /// The chain ID; default: the only chain of the service or of the file; without an API key, 1
    #[arg(long, value_name = "ID", value_parser = chain_id)]
    pub(crate) chain: Option<ChainId>,
    /// Use only this pool of the chain
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) pool_address: Option<Address>,
    /// Seconds between accepting a quote and the swap on chain; affects the fee; default: that of the pool
    #[arg(long, value_name = "SECONDS", value_parser = time_in_seconds)]
    pub(crate) time_in_seconds: Option<u32>,
}

/// The terms of a signature, except for the destination.
#[derive(Args)]
pub(crate) struct TermArguments {
    /// Also request the calldata for the pool contract
    #[arg(long, requires = "destination")]
    pub(crate) calldata: bool,
    /// Pay the input in the chain's native coin
    #[arg(long, requires = "destination", conflicts_with = "native_output")]
    pub(crate) native_input: bool,
    /// Receive the output in the chain's native coin
    #[arg(long, requires = "destination")]
    pub(crate) native_output: bool,
    /// Let the contract pull the input from the caller; required when an account without a contract sends the
    /// transaction
    #[arg(long, requires = "destination")]
    pub(crate) transmit: bool,
    /// Require a guaranteed swap; the request is refused if none is possible
    #[arg(long, requires = "destination")]
    pub(crate) guarantee: bool,
    /// The account that the input comes from; default: the destination
    #[arg(long, value_name = "ADDRESS", requires = "destination", value_parser = parse_address)]
    pub(crate) sender: Option<Address>,
    /// 32 bytes of hex emitted in the swap event; default: the name of the service
    #[arg(long, value_name = "HEX", requires = "destination", value_parser = aux_data)]
    pub(crate) aux_data: Option<B256>,
}

fn time_in_seconds(text: &str) -> Result<u32, &'static str> {
    text.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).ok_or("allowed: 1 to 86400")
}

fn aux_data(text: &str) -> Result<B256, &'static str> {
    text.strip_prefix("0x").and_then(|digits| digits.parse().ok()).ok_or("expected 0x and 64 hex digits")
}

/// Parses a chain id.
pub(in crate::cli) fn chain_id(text: &str) -> Result<ChainId, &'static str> {
    text.parse().ok().and_then(ChainId::new).ok_or("allowed: 1 to 18446744073709551615")
}
