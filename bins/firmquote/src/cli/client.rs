//! The command line of clients: quote, sign, pool, verify.

use std::path::PathBuf;

use alloy_primitives::B256;
use clap::{ArgGroup, Args, Subcommand};
use firmquote_domain::{Address, BasisPoints, ChainId, QuoteId, parse_address};

/// The exit codes of these commands, at the end of their help.
const EXIT_CODES: &str = "\
Exit codes: 0 done, or verified; 1 the answer is no, or a check differs; 2 wrong use; 3 no answer now (not reachable, too
late, too many requests, a fault of the service), or nothing that could be decided. Errors go to standard error, with --json
as one line of JSON.";

/// What to ask a service, or to check of its answers.
#[derive(Subcommand)]
pub(crate) enum ClientCommand {
    /// Ask a service for a firm quote
    #[command(after_help = EXIT_CODES)]
    Quote(Box<QuoteArguments>),
    /// Have a quote signed
    #[command(after_help = EXIT_CODES)]
    Sign(Box<SignArguments>),
    /// Show the pools of a service: assets, weights, composition, fees
    #[command(after_help = EXIT_CODES)]
    Pool(PoolArguments),
    /// Recompute a quote, check its signature, and read its calldata
    #[command(after_help = EXIT_CODES)]
    Verify(Box<VerifyArguments>),
}

/// Whom to ask, and as whom.
#[derive(Args)]
pub(crate) struct Access {
    /// The service: https:// or http://, a host, perhaps a port and a path; else the variable FIRMQUOTE_URL
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// A file whose first line is the API key, for its owner only; else the variable FIRMQUOTE_API_KEY
    #[arg(long, value_name = "FILE")]
    pub(crate) api_key_file: Option<PathBuf>,
    /// Certificates (PEM) of the authorities to trust instead of the system's
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Seconds that each answer may take, 1 to 600
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=600))]
    pub(crate) timeout: u16,
}

/// Which pools.
#[derive(Args)]
pub(crate) struct Pools {
    /// The chain
    #[arg(long, value_name = "ID", default_value = "1", value_parser = chain_id)]
    pub(crate) chain: ChainId,
    /// One pool of the chain instead of all
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) pool_address: Option<Address>,
    /// Seconds from accepting a quote to the swap on chain, which the fee depends on; the pool's default otherwise
    #[arg(long, value_name = "SECONDS", value_parser = time_in_seconds)]
    pub(crate) time_in_seconds: Option<u32>,
}

/// What to quote.
#[derive(Args)]
#[command(group = ArgGroup::new("amount").required(true))]
pub(crate) struct QuoteArguments {
    /// The asset to give: its symbol, or the address of its token
    #[arg(value_name = "GIVE")]
    pub(crate) input: String,
    /// The asset to get: its symbol, or the address of its token
    #[arg(value_name = "GET")]
    pub(crate) output: String,
    /// How much to give, in whole tokens such as 1.5; the output is rounded down
    #[arg(long = "in", value_name = "AMOUNT", group = "amount", allow_negative_numbers = true)]
    pub(crate) give: Option<String>,
    /// How much to get, in whole tokens; the input is rounded up
    #[arg(long = "out", value_name = "AMOUNT", group = "amount", allow_negative_numbers = true)]
    pub(crate) get: Option<String>,
    /// The amount is in base units (wei-like)
    #[arg(long)]
    pub(crate) base_units: bool,
    #[command(flatten)]
    pub(crate) pools: Pools,
    /// Pool data as pool --json prints it, instead of asking for it; without an API key it is needed
    #[arg(long, value_name = "FILE")]
    pub(crate) pool: Option<PathBuf>,
    /// Have the quote signed at once
    #[arg(long, requires = "destination")]
    pub(crate) sign: bool,
    /// Who receives the output
    #[arg(long, value_name = "ADDRESS", requires = "sign", value_parser = parse_address)]
    pub(crate) destination: Option<Address>,
    #[command(flatten)]
    pub(crate) terms: TermArguments,
    #[command(flatten)]
    pub(crate) access: Access,
    /// The answers of the service and what follows from them, for scripts and for verify
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to sign.
#[derive(Args)]
pub(crate) struct SignArguments {
    /// The id of the quote
    #[arg(value_name = "QUOTE_ID")]
    pub(crate) quote_id: QuoteId,
    /// Who receives the output
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) destination: Address,
    #[command(flatten)]
    pub(crate) terms: TermArguments,
    #[command(flatten)]
    pub(crate) access: Access,
    /// The answer of the service and what follows from it, for scripts and for verify
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a quote is signed, beside its destination.
#[derive(Args)]
pub(crate) struct TermArguments {
    /// Ask for the call of the pool contract too
    #[arg(long, requires = "destination")]
    pub(crate) calldata: bool,
    /// The input is the chain's native coin
    #[arg(long, requires = "destination", conflicts_with = "native_output")]
    pub(crate) native_input: bool,
    /// The output is the chain's native coin
    #[arg(long, requires = "destination")]
    pub(crate) native_output: bool,
    /// The call pulls the input from its caller, as a plain wallet wants it
    #[arg(long, requires = "destination")]
    pub(crate) transmit: bool,
    /// The account that the input comes from; the destination otherwise
    #[arg(long, value_name = "ADDRESS", requires = "destination", value_parser = parse_address)]
    pub(crate) sender: Option<Address>,
    /// 32 bytes of hex that come back in the event of the swap; the service's name otherwise
    #[arg(long, value_name = "HEX", requires = "destination", value_parser = aux_data)]
    pub(crate) aux_data: Option<B256>,
}

/// Which pools to show.
#[derive(Args)]
pub(crate) struct PoolArguments {
    #[command(flatten)]
    pub(crate) pools: Pools,
    #[command(flatten)]
    pub(crate) access: Access,
    /// Both sets of the pool data as the service answers them: the file that --pool of quote and verify reads
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to verify, and against what.
#[derive(Args)]
pub(crate) struct VerifyArguments {
    /// What quote --json or sign --json printed, or an answer of the service; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Pool data as pool --json prints it; else that of the option --url, else that in FILE, else that of the service that
    /// FIRMQUOTE_URL names
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub(crate) pool: Option<PathBuf>,
    /// Do not recompute amounts: check signature and calldata only
    #[arg(long, conflicts_with_all = ["pool", "url"])]
    pub(crate) without_pool: bool,
    /// How far prices may have moved since the quote, in basis points
    #[arg(long, value_name = "BPS", default_value = "0", value_parser = BasisPoints::from_decimal)]
    pub(crate) price_tolerance_bps: BasisPoints,
    /// Who has to receive the output; without it whom FILE says that was asked for
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) destination: Option<Address>,
    /// The account whose signatures the pool contract honours; pool data does not say
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) signer: Option<Address>,
    /// The name of the contract's EIP-712 domain; without it the one of the pool data, else ClipperDirect
    #[arg(long, value_name = "NAME")]
    pub(crate) domain_name: Option<String>,
    /// The version of the contract's EIP-712 domain; without it the one of the pool data, else 1.0.0
    #[arg(long, value_name = "VERSION")]
    pub(crate) domain_version: Option<String>,
    #[command(flatten)]
    pub(crate) access: Access,
    /// The report for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

fn time_in_seconds(text: &str) -> Result<u32, &'static str> {
    text.parse().ok().filter(|seconds| (1..=86_400).contains(seconds)).ok_or("allowed: 1 to 86400")
}

fn aux_data(text: &str) -> Result<B256, &'static str> {
    text.strip_prefix("0x").and_then(|digits| digits.parse().ok()).ok_or("expected 0x and 64 hex digits")
}

fn chain_id(text: &str) -> Result<ChainId, &'static str> {
    const ALLOWED: &str = "allowed: 1 to 18446744073709551615";
    text.parse().ok().and_then(ChainId::new).ok_or(ALLOWED)
}
