//! `firmquote sign`, and the checks of calldata and pool before a signature is shown.

use std::{
    io::{Write as _, stderr},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use firmquote_client::{Client, NativeSide, PoolRequest, Quote, Response, SignRequest, SignedSwap, SwapTerms};
use firmquote_domain::Address;
use firmquote_verify::{CheckStatus, Difference, PricedSwap, PublishedPool, check_calldata};
use tokio::time::timeout;

use super::print;
use crate::{
    cli::{SignArguments, TermArguments},
    client::{
        Derived, access,
        document::{Document, RequestedTerms},
        failure::Failure,
        json_output::{JsonOutput, body},
        pool_data,
    },
    commands::output::Output,
};

/// The time that the pool data may take: it only shows amounts in whole tokens, and the swap expires.
const DISPLAY_TIMEOUT: Duration = Duration::from_secs(1);

/// Requests the signature of a quote and prints it.
pub(super) async fn run(arguments: &SignArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    let terms = arguments.terms.to_swap_terms(arguments.destination);
    // clap ensures that exactly one of the two is set.
    let (document, signed) = match (&arguments.quote, arguments.quote_id) {
        (None, Some(quote_id)) => {
            let signed = client.sign(&SignRequest { quote_id, terms }).await?;
            check_call(&signed, &terms)?;
            (Document::default(), signed)
        }
        (path, _) => {
            let (quote, document) = read_quote(path.as_deref().unwrap_or(Path::new("-")))?;
            let signed = sign_and_check(&client, &quote, &terms, document.pools.as_deref()).await?;
            (Document { quote: Some(quote), ..document }, signed)
        }
    };
    let requested = document.requested.with_terms(&terms);
    print_signed(arguments, &client, Document { requested, ..document }, signed).await
}

/// Prints a signature, with the document of its quote. Nothing may fail before it is printed: it may be impossible to
/// get it again.
async fn print_signed(
    arguments: &SignArguments,
    client: &Client,
    document: Document,
    signed: Response<SignedSwap>,
) -> Result<ExitCode, Failure> {
    let Document { quote, quote_body, requested, pools, pool_body, pool_is_unchanged, .. } = document;
    let pools = match pools {
        Some(pools) => Ok(pools),
        None if client.has_api_key() => pools_of(&signed, client).await,
        None => Ok(Vec::new()),
    };
    let (pools, warning) = pools.map_or_else(|reason| (Vec::new(), Some(reason)), |pools| (pools, None));
    let quoted = quote.map(|quote| PricedSwap::from_quote(&quote, requested.fixed()));
    let swap = PricedSwap::from_signed(&signed, quoted.as_ref());
    let derived = Derived::new(&swap, signed.good_until.expires_at(), &pools);
    let mut out = Output::lock();
    if arguments.json {
        let json_output = JsonOutput {
            quote: quote_body,
            signed: body(signed.text),
            requested,
            derived,
            seconds_left_to_accept: None,
            pool: pool_body,
            pool_is_unchanged,
        };
        json_output.write(&mut out)?;
    } else {
        print::signed(&mut out, &signed, &derived)?;
    }
    out.flush()?;
    if let Some(reason) = warning {
        writeln!(stderr(), "warning: amounts are shown in base units only: {reason}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the quote in a document, with the rest of the document.
fn read_quote(path: &Path) -> Result<(Quote, Document), Failure> {
    let no_quote = |reason: &str| Failure::usage(format!("no quote in {}: {reason}", path.display()));
    let mut document = Document::parse(&access::read_document(path)?).map_err(|error| no_quote(&error.to_string()))?;
    let quote = document.quote.take().ok_or_else(|| no_quote("it is a signature"))?;
    Ok((quote, document))
}

/// Requests the signature of `quote`, and checks it against the quote, its own calldata and, if there is pool data,
/// against the pools that may have quoted.
pub(super) async fn sign_and_check(
    client: &Client,
    quote: &Quote,
    terms: &SwapTerms,
    pools: Option<&[PublishedPool]>,
) -> Result<Response<SignedSwap>, Failure> {
    let response = client.sign_quote(quote, terms).await?;
    pools.map_or(Ok(()), |pools| check_pool(&response, pools))?;
    check_call(&response, terms)?;
    Ok(response)
}

/// Fetches the data of the pool that the swap is signed for, to show amounts in whole tokens.
///
/// # Errors
/// The reason why there is none in time.
async fn pools_of(signed: &SignedSwap, client: &Client) -> Result<Vec<PublishedPool>, String> {
    let pool_address = Some(*signed.service_exchange_address);
    let request = PoolRequest { pool_address, ..PoolRequest::new(*signed.chain_id) };
    match timeout(DISPLAY_TIMEOUT, client.pools(&request)).await {
        Ok(Ok(pools)) => Ok(pool_data::published(pools.value)),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!("no pool data within {} ms", DISPLAY_TIMEOUT.as_millis())),
    }
}

impl TermArguments {
    /// Converts the arguments to terms for `destination`.
    pub(super) fn to_swap_terms(&self, destination: Address) -> SwapTerms {
        // clap ensures that at most one of the two is set.
        let native = NativeSide::from_flags(self.native_input, self.native_output).unwrap_or_default();
        let Self { calldata, transmit, guarantee, sender, aux_data, .. } = *self;
        SwapTerms { destination, sender, aux_data, native, transmit, guarantee, calldata }
    }
}

/// Checks that the calldata of `signed`, if present, matches the signed swap and `terms`.
fn check_call(signed: &SignedSwap, terms: &SwapTerms) -> Result<(), Failure> {
    let Some((check, _)) = check_calldata(signed, &RequestedTerms::default().with_terms(terms).to_swap()) else {
        return Ok(());
    };
    if check.status == CheckStatus::Holds {
        return Ok(());
    }
    let first = check
        .differences
        .first()
        .map(|Difference { field, actual, expected }| format!(" ({field} is {actual}, expected: {expected})"));
    Err(Failure::permanent(format!(
        "the calldata does not match the signed swap: {}{}",
        check.message,
        first.unwrap_or_default()
    )))
}

/// Checks that `signed` is for one of the pools that the quote was requested from: a quote may not name its own.
fn check_pool(signed: &SignedSwap, pools: &[PublishedPool]) -> Result<(), Failure> {
    if pools.iter().any(|pool| pool.id == signed.pool_id()) {
        return Ok(());
    }
    Err(Failure::permanent(format!(
        "the swap is signed for the contract {}, which is not in the pool data",
        signed.service_exchange_address
    )))
}
