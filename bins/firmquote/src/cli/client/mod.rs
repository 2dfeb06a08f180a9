//! Arguments of the client commands: quote, sign, status, levels, pool, verify.

mod groups;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use firmquote_domain::{Address, BasisPoints, LevelsId, MAX_REORG_DEPTH, QuoteId, Symbol, parse_address};

pub(in crate::cli) use groups::chain_id;
pub(crate) use groups::{ConnectionArguments, Pools, TermArguments};

/// The exit codes of these commands, shown after their help.
const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 rejected request, invalid response, failed check, or lapsed swap (--wait); 2 usage error; 3
temporary failure (unreachable, timeout, rate limit, server error), or inconclusive verification.
Errors go to standard error, as one line of JSON with --json.";

/// A command that queries a service or checks its responses.
#[derive(Subcommand)]
pub(crate) enum ClientCommand {
    /// Request a firm quote
    #[command(after_help = EXIT_CODES)]
    Quote(Box<QuoteArguments>),
    /// Request the signature of a quote
    #[command(after_help = EXIT_CODES)]
    Sign(Box<SignArguments>),
    /// Show the status of a quote: created, signed, settled or lapsed
    #[command(after_help = EXIT_CODES)]
    Status(StatusArguments),
    /// Show price levels, the sizes and prices of quotes, once or continuously
    #[command(after_help = EXIT_CODES)]
    Levels(LevelsArguments),
    /// Show the pools of a service: assets, weights, composition, fees
    #[command(after_help = EXIT_CODES)]
    Pool(PoolArguments),
    /// Recompute a quote, check its signature, and decode its calldata
    #[command(after_help = EXIT_CODES)]
    Verify(Box<VerifyArguments>),
}

/// Arguments of `firmquote quote`.
#[derive(Args)]
#[command(group = ArgGroup::new("amount").required(true))]
pub(crate) struct QuoteArguments {
    /// The input asset, which you pay: a symbol or a token address
    #[arg(value_name = "INPUT")]
    pub(crate) input: String,
    /// The output asset, which you receive: a symbol or a token address
    #[arg(value_name = "OUTPUT")]
    pub(crate) output: String,
    /// The input amount, in whole tokens such as 1.5; the output is rounded down
    #[arg(long = "in", value_name = "AMOUNT", group = "amount", allow_negative_numbers = true)]
    pub(crate) input_amount: Option<String>,
    /// The output amount, in whole tokens; the input is rounded up
    #[arg(long = "out", value_name = "AMOUNT", group = "amount", allow_negative_numbers = true)]
    pub(crate) output_amount: Option<String>,
    /// Read the amount as base units (such as wei)
    #[arg(long)]
    pub(crate) base_units: bool,
    /// Quote at these firm levels: the levels_id of a firm book
    #[arg(long = "levels", value_name = "ID")]
    pub(crate) levels_id: Option<LevelsId>,
    #[command(flatten)]
    pub(crate) pools: Pools,
    /// Read the pool data from this file (output of pool --json) instead of the service; required without an API key
    #[arg(long, value_name = "FILE")]
    pub(crate) pool: Option<PathBuf>,
    /// Also request the signature of the quote
    #[arg(long, requires = "destination")]
    pub(crate) sign: bool,
    /// The account that receives the output
    #[arg(long, value_name = "ADDRESS", requires = "sign", value_parser = parse_address)]
    pub(crate) destination: Option<Address>,
    #[command(flatten)]
    pub(crate) terms: TermArguments,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the responses and the values derived from them as JSON, for scripts and for verify
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `firmquote sign`.
#[derive(Args)]
#[command(group = ArgGroup::new("quoted").required(true))]
pub(crate) struct SignArguments {
    /// The ID of the quote; with the ID alone, the signature cannot be checked against the quote
    #[arg(value_name = "QUOTE_ID", group = "quoted")]
    pub(crate) quote_id: Option<QuoteId>,
    /// Sign the quote in this file, and check the signature against it: the output of quote --json, or the quote as the
    /// service returns it; - for standard input
    #[arg(long, value_name = "FILE", group = "quoted")]
    pub(crate) quote: Option<PathBuf>,
    /// The account that receives the output
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) destination: Address,
    #[command(flatten)]
    pub(crate) terms: TermArguments,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the response and the values derived from it as JSON, for scripts and for verify
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `firmquote status`.
#[derive(Args)]
pub(crate) struct StatusArguments {
    /// The ID of the quote
    #[arg(value_name = "QUOTE_ID")]
    pub(crate) quote_id: QuoteId,
    /// Print each change until the swap is settled with enough confirmations, or has lapsed, which is exit code 1
    #[arg(long)]
    pub(crate) wait: bool,
    /// Confirmations required by --wait, including the block of the swap
    #[arg(long, value_name = "BLOCKS", default_value_t = MAX_REORG_DEPTH + 1, requires = "wait")]
    pub(crate) confirmations: u64,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the responses of the service, one line of JSON each
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `firmquote levels`.
#[derive(Args)]
pub(crate) struct LevelsArguments {
    /// The pairs to show, each as two symbols with a hyphen, such as ETH-USDC; default: all in both directions
    #[arg(value_name = "PAIR", value_parser = pair)]
    pub(crate) pairs: Vec<[Symbol; 2]>,
    /// Maximum number of knots in a book, 2 to 64
    #[arg(long, value_name = "KNOTS", value_parser = clap::value_parser!(u32).range(2..=64))]
    pub(crate) knots: Option<u32>,
    /// Show the books as they change, until interrupted
    #[arg(long, conflicts_with = "json")]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) pools: Pools,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the response of the service
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `firmquote pool`.
#[derive(Args)]
pub(crate) struct PoolArguments {
    #[command(flatten)]
    pub(crate) pools: Pools,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the pool data as the service returns it, for the --pool option of quote and verify
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `firmquote verify`.
#[derive(Args)]
pub(crate) struct VerifyArguments {
    /// The output of quote --json or sign --json, or a response of the service; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Pool data (the output of pool --json); default: from --url, else from FILE, else from the service at
    /// $FIRMQUOTE_URL
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    pub(crate) pool: Option<PathBuf>,
    /// Check signature and calldata only, without recomputing amounts
    #[arg(long, conflicts_with_all = ["pool", "url"])]
    pub(crate) without_pool: bool,
    /// Maximum price movement since the quote, in basis points
    #[arg(long, value_name = "BPS", default_value = "0")]
    pub(crate) price_tolerance_bps: BasisPoints,
    /// The expected recipient of the output; default: the requested destination in FILE
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) destination: Option<Address>,
    /// The account whose signatures the pool contract accepts; default: the signer in the pool data
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) signer: Option<Address>,
    /// The name of the contract's EIP-712 domain; default: from the pool data, else ClipperDirect
    #[arg(long, value_name = "NAME")]
    pub(crate) domain_name: Option<String>,
    /// The version of the contract's EIP-712 domain; default: from the pool data, else 1.0.0
    #[arg(long, value_name = "VERSION")]
    pub(crate) domain_version: Option<String>,
    #[command(flatten)]
    pub(crate) access: ConnectionArguments,
    /// Print the report as JSON, for scripts
    #[arg(long)]
    pub(crate) json: bool,
}

fn pair(text: &str) -> Result<[Symbol; 2], &'static str> {
    const EXPECTED: &str = "expected two symbols joined by a hyphen, such as ETH-USDC";
    let (input, output) = text.split_once('-').ok_or(EXPECTED)?;
    let symbol = |text| Symbol::new(text).map_err(|_| EXPECTED);
    Ok([symbol(input)?, symbol(output)?])
}
