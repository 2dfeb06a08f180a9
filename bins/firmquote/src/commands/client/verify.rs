//! `firmquote verify`.

use std::{
    io::{self, Read as _, stdin},
    path::Path,
    process::ExitCode,
};

use firmquote_client::{PoolRequest, SignedSwap};
use firmquote_domain::{PoolId, SigningDomain};
use firmquote_server::system_time;

use super::report::Report;
use crate::{
    cli::VerifyArguments,
    client::{
        access,
        amounts::{self, Standpoint},
        call,
        check::Check,
        claim::Claim,
        document::Document,
        failure::Failure,
        names::Names,
        pool_sets::{PoolSets, pools_of_file},
        published::PublishedPool,
        signature::{self, ExpectedSignature},
        terms, values,
    },
    commands::output::Output,
};

/// More than any document, in bytes.
const LONGEST_DOCUMENT: u64 = 16 << 20;

/// Name and version of the EIP-712 domain of most pool contracts.
const USUAL_DOMAIN: [&str; 2] = ["ClipperDirect", "1.0.0"];

/// Checks whatever can be checked of a document, and says how it stands.
pub(super) async fn run(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let text = document_text(&arguments.file)?;
    let document = Document::read(&text).map_err(|error| Failure::usage(format!("nothing to verify: {error}")))?;
    let quoted = document.quote.as_ref().map(|quote| Claim::of_quote(quote, None, document.asked.fixed()));
    let claim = match (&document.signed, quoted) {
        (Some(signed), quoted) => Claim::of_signed(signed, quoted.as_ref()),
        (None, Some(quoted)) => quoted,
        (None, None) => return Err(Failure::usage("nothing to verify")),
    };
    let known = pool_data(arguments, &document, &claim).await?;
    let report = check(arguments, &document, &claim, known.as_ref());
    let mut out = Output::lock();
    report.write(&mut out, arguments.json)?;
    Ok(report.verdict().exit_code())
}

/// Pool data with how it stands to the answer.
struct Known {
    pools: Vec<PublishedPool>,
    standpoint: Standpoint,
}

/// The pool data of `--pool`, else of the option `--url`, else of the document, else of the service that the environment names.
async fn pool_data(arguments: &VerifyArguments, document: &Document, claim: &Claim) -> Result<Option<Known>, Failure> {
    if arguments.without_pool {
        return Ok(None);
    }
    let known = |pools, is_still| {
        let standpoint = Standpoint { is_still, price_tolerance: arguments.price_tolerance_bps };
        Ok(Some(Known { pools, standpoint }))
    };
    if let Some(path) = &arguments.pool {
        return known(pools_of_file(path)?, false);
    }
    if let (Some(sets), None) = (&document.pool, &arguments.access.url) {
        let pools = sets.pools().map_err(|error| Failure::usage(format!("the pool data of the document: {error}")))?;
        return known(pools, document.pool_is_still);
    }
    if arguments.access.url().is_none() {
        return Err(Failure::usage(
            "no pool data to recompute amounts from: give --pool FILE or --url URL, or --without-pool to check signature and \
             calldata only",
        ));
    }
    let request =
        PoolRequest { chain_id: claim.chain_id, pool_address: claim.pool, time_in_seconds: claim.time_in_seconds };
    let (_, pools) = PoolSets::fetch_or_explain(&arguments.access.caller()?.client, &request).await?;
    known(pools, false)
}

fn check(arguments: &VerifyArguments, document: &Document, claim: &Claim, known: Option<&Known>) -> Report {
    let pools = known.map(|known| known.pools.as_slice()).unwrap_or_default();
    let names = Names(pools);
    let quote = document.quote.as_ref();
    let now = system_time();
    let mut report = Report::about(claim, document, names, now);
    report.checks.extend(quote.and_then(|quote| values::check(quote, document.signed.as_ref(), pools)));
    report.checks.extend(known.map(|known| amounts::check(claim, &known.pools, known.standpoint)));
    if let Some(signed) = &document.signed {
        report.checks.push(terms::check(signed, quote, &document.asked, arguments.destination));
        let expected = expected_signature(arguments, signed, pools);
        report.checks.push(signature::check(signed, &expected));
        if let Some((check, call)) = call::check(signed, &document.asked, names) {
            report.checks.push(check);
            report.call = call;
        }
    }
    report.checks.extend(document.good_until().and_then(|until| Check::of_time(until, now)));
    report
}

/// Whose signature it has to be, and under which domain: what the arguments say, else the pool data, else the usual domain.
fn expected_signature(arguments: &VerifyArguments, signed: &SignedSwap, pools: &[PublishedPool]) -> ExpectedSignature {
    let id = PoolId { chain_id: signed.chain_id, address: signed.service_exchange_address };
    let published = pools.iter().find(|pool| pool.id == id);
    let domain = published.and_then(|pool| pool.domain.clone());
    let domain =
        domain.unwrap_or_else(|| SigningDomain { name: USUAL_DOMAIN[0].into(), version: USUAL_DOMAIN[1].into() });
    ExpectedSignature {
        domain: SigningDomain {
            name: arguments.domain_name.clone().unwrap_or(domain.name),
            version: arguments.domain_version.clone().unwrap_or(domain.version),
        },
        signer: arguments.signer.or_else(|| published.and_then(|pool| pool.signer)),
    }
}

fn document_text(path: &Path) -> Result<String, Failure> {
    if path != Path::new("-") {
        return access::read_text(path);
    }
    let mut text = String::new();
    let unread = |error: io::Error| Failure::usage(format!("standard input is not read: {error}"));
    stdin().lock().take(LONGEST_DOCUMENT).read_to_string(&mut text).map_err(unread)?;
    Ok(text)
}
