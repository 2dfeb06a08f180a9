//! `firmquote quote`.

use std::{io::Write as _, process::ExitCode};

use firmquote_client::{Client, PoolRequest, Quote};
use firmquote_domain::ChainId;
use firmquote_server::system_time;
use firmquote_verify::{PricedSwap, PublishedPool};

use super::{chain::only, print, quote_request::QuoteTarget, sign};
use crate::{
    cli::QuoteArguments,
    client::{
        Derived,
        failure::Failure,
        json_output::{JsonOutput, body},
        pool_data,
    },
    commands::output::Output,
};

/// Requests a quote and optionally its signature, and prints both.
pub(super) async fn run(arguments: &QuoteArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    let (chain, pool_text, pools) = load_pools(arguments, &client).await?;
    let target = QuoteTarget::new(arguments, chain, &pools)?;
    let quote = client.quote(&target.request).await;
    let quote = quote.map_err(|error| Failure::from(error).reword(|message| target.in_command_units(&message)))?;
    target.check(&quote)?;
    let terms = arguments.destination.map(|destination| arguments.terms.to_swap_terms(destination));
    let signed = match terms {
        Some(terms) => {
            let signed = sign::sign_and_check(&client, &quote, &terms, Some(&pools)).await;
            Some(signed.map_err(|failure| failure.after(&quote))?)
        }
        None => None,
    };
    // Only after the signature: a quote soon becomes too old to be signed.
    let (pool_text, pool_is_unchanged) = match pool_text.filter(|_| arguments.json) {
        Some(before) => fetch_quoted_state(&client, &arguments.pools.request(chain), &quote, before).await,
        None => (None, false),
    };
    let requested = match &terms {
        Some(terms) => target.requested_terms().with_terms(terms),
        None => target.requested_terms(),
    };
    let swap = PricedSwap::from_quote(&quote, requested.fixed());
    let derived = Derived::new(&swap, *quote.good_until, &pools);
    let mut out = Output::lock();
    if arguments.json {
        let seconds_left_to_accept = Some(quote.must_accept_by.seconds_since(system_time()));
        let (quote, signed) = (body(quote.text), signed.and_then(|signed| body(signed.text)));
        let pool = pool_text.and_then(body);
        let json_output =
            JsonOutput { quote, signed, requested, derived, seconds_left_to_accept, pool, pool_is_unchanged };
        json_output.write(&mut out)?;
    } else {
        print::quote(&mut out, &quote, &derived, system_time())?;
        if let Some(signed) = &signed {
            let swap = PricedSwap::from_signed(signed, Some(&swap));
            writeln!(out, "\nsigned:\n")?;
            print::signed(&mut out, signed, &Derived::new(&swap, signed.good_until.expires_at(), &pools))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the pool data that `quote` was computed with, otherwise the data from before it, and whether they are
/// certainly those of the quote. A failure to fetch them must not discard the quote.
async fn fetch_quoted_state(
    client: &Client,
    pools: &PoolRequest,
    quote: &Quote,
    before: String,
) -> (Option<String>, bool) {
    // Absent from earlier releases of the service.
    if quote.state_id.is_some() {
        let request = PoolRequest {
            pool_address: quote.pool_address.map(|address| *address),
            state_id: quote.state_id.map(|id| *id),
            ..*pools
        };
        if let Ok(pools) = client.pools(&request).await {
            return (Some(pools.text), true);
        }
    }
    (Some(before), false)
}

/// Returns the chain, and its pools: those of the file, or those of the service with its unmodified response; only the
/// pinned one if the command line names it.
async fn load_pools(
    arguments: &QuoteArguments,
    client: &Client,
) -> Result<(ChainId, Option<String>, Vec<PublishedPool>), Failure> {
    let (chain, text, mut pools) = if let Some(path) = &arguments.pool {
        let pools = pool_data::from_file(path)?;
        let chain = match arguments.pools.chain {
            Some(chain) => chain,
            None => only(pools.iter().map(|pool| pool.id.chain_id), &path.display().to_string())?,
        };
        (chain, None, pools)
    } else if client.has_api_key() {
        let chain = arguments.pools.chain_of_service(client).await?;
        let fetched = pool_data::fetch(client, &arguments.pools.request(chain)).await?;
        (chain, Some(fetched.text), pool_data::published(fetched.value))
    } else {
        return Err(Failure::usage(
            "symbols and whole tokens are looked up in the pool data, which requires an API key: use --api-key-file, \
             set FIRMQUOTE_API_KEY, or pass a file of pool data with --pool",
        ));
    };
    let pool_address = arguments.pools.pool_address;
    pools.retain(|pool| pool.id.chain_id == chain && pool_address.is_none_or(|address| address == pool.id.address));
    Ok((chain, text, pools))
}
