//! `firmquote verify`.

use std::process::ExitCode;

use firmquote_calldata::decode;
use firmquote_client::PoolRequest;
use firmquote_server::system_time;
use firmquote_verify::{
    Check, CheckStatus, PricedSwap, PublishedPool, PublishedPools, Verification, VerificationResult,
};

use super::report::{Report, subject};
use crate::{
    cli::VerifyArguments,
    client::{access, call::Call, document::Document, failure::Failure, pool_data},
    commands::output::Output,
};

/// Runs every check that the document permits, and prints a report.
pub(super) async fn run(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let text = access::read_document(&arguments.file)?;
    let document = Document::parse(&text).map_err(|error| Failure::usage(format!("nothing to verify: {error}")))?;
    let verification = Verification {
        quote: document.quote.as_ref(),
        signed: document.signed.as_deref(),
        requested: document.requested.to_swap(),
        pool_data: None,
        destination: arguments.destination,
        signer: arguments.signer,
        domain_name: arguments.domain_name.as_deref(),
        domain_version: arguments.domain_version.as_deref(),
    };
    let swap = verification.swap().ok_or_else(|| Failure::usage("nothing to verify"))?;
    let published = load_pool_data(arguments, &document, &swap).await?;
    let pool_data = published.as_ref().map(|LoadedPoolData { pools, is_unchanged }| PublishedPools {
        pools,
        is_unchanged: *is_unchanged,
        price_tolerance: arguments.price_tolerance_bps,
    });
    let report = report(&document, &swap, &Verification { pool_data, ..verification });
    let mut out = Output::lock();
    report.write(&mut out, arguments.json)?;
    Ok(report.exit_code())
}

/// Pool data to recompute amounts from.
struct LoadedPoolData {
    pools: Vec<PublishedPool>,
    /// Whether the pool published it as the state that the quote names.
    is_unchanged: bool,
}

/// Returns the pool data of `--pool`, else of the option `--url`, else of the document, else of the service that the
/// environment names.
async fn load_pool_data(
    arguments: &VerifyArguments,
    document: &Document,
    swap: &PricedSwap,
) -> Result<Option<LoadedPoolData>, Failure> {
    if arguments.without_pool {
        return Ok(None);
    }
    if let Some(path) = &arguments.pool {
        return Ok(Some(LoadedPoolData { pools: pool_data::from_file(path)?, is_unchanged: false }));
    }
    if let (Some(pools), None) = (&document.pools, &arguments.access.url) {
        return Ok(Some(LoadedPoolData { pools: pools.clone(), is_unchanged: document.pool_is_unchanged }));
    }
    if arguments.access.url().is_none() {
        return Err(Failure::usage(
            "no pool data to recompute amounts from: use --pool FILE or --url URL, or --without-pool to check \
             signature and calldata only",
        ));
    }
    let current = PoolRequest {
        pool_address: swap.pool,
        time_in_seconds: swap.time_in_seconds,
        ..PoolRequest::new(swap.chain_id)
    };
    let client = arguments.access.client()?;
    // The service retains a state for a minute, and only on the replica that published it.
    if let Some(state_id) = document.quote.as_ref().and_then(|quote| quote.state_id)
        && let Ok(pools) = client.pools(&PoolRequest { state_id: Some(*state_id), ..current }).await
    {
        return Ok(Some(LoadedPoolData { pools: pool_data::published(pools.value), is_unchanged: true }));
    }
    let pools = pool_data::fetch(&client, &current).await?;
    Ok(Some(LoadedPoolData { pools: pool_data::published(pools.value), is_unchanged: false }))
}

fn report(document: &Document, swap: &PricedSwap, verification: &Verification<'_>) -> Report {
    let pools = verification.pool_data.map_or(&[][..], |data| data.pools);
    let now = system_time();
    let mut checks = verification.checks();
    checks.iter_mut().for_each(add_hint);
    checks.extend(document.good_until().and_then(|until| Check::expiry(until, now)));
    let call = verification.signed.and_then(|signed| decode(signed.calldata.as_ref()?).ok());
    Report {
        verdict: VerificationResult::from_checks(&checks),
        subject: subject(swap, document, pools, now),
        call: call.zip(document.signed.as_ref()).map(|(call, signed)| Call::new(&call, signed, pools)),
        checks,
    }
}

/// Adds the option that decides an undecided check to its message.
fn add_hint(check: &mut Check) {
    let option = match (check.status, check.check) {
        (CheckStatus::Undecided, "terms") => "--destination",
        (CheckStatus::Undecided, "signature") => "--signer",
        _ => return,
    };
    check.message.push_str(": give ");
    check.message.push_str(option);
}
