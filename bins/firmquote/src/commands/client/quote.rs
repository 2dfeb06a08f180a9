//! `firmquote quote`.

use std::{io::Write as _, process::ExitCode};

use firmquote_client::{Client, FixedAmount, PoolRequest, QuoteRequest, SignRequest};
use firmquote_domain::{Asset, Clock as _, parse_address};

use super::{print, sign};
use crate::{
    cli::{Pools, QuoteArguments},
    client::{
        access,
        claim::Claim,
        derived::Derived,
        document::{Asked, Fixed},
        failure::Failure,
        moment::seconds_left,
        pool_sets::PoolSets,
        printed::{Printed, body},
        published::PublishedPool,
        whole_tokens,
    },
    clock::SystemClock,
    commands::output::Output,
};

/// Asks for a quote, has it signed if that is wanted, and shows both.
pub(super) async fn run(arguments: &QuoteArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    let (sets, pools) = pool_data(arguments, &client).await?;
    let (request, fixed) = request(arguments, &pools)?;
    let quote = client.quote(&request).await?;
    let terms = arguments.destination.map(|destination| arguments.terms.to(destination));
    let signed = match terms {
        Some(terms) => Some(client.sign(&SignRequest { quote_id: quote.id, terms }).await?),
        None => None,
    };
    let asked = terms.map_or_else(Asked::default, |terms| sign::asked(&terms));
    let asked = Asked { fixed: Some(fixed), ..asked };
    let claim = Claim::of_quote(&quote, arguments.pools.pool_address, asked.fixed());
    let derived = Derived::of(&claim, quote.good_until, &pools);
    let mut out = Output::lock();
    if arguments.json {
        let pool_is_still = match sets {
            // The quote counts, even where the pool does not answer again.
            Some(_) => {
                PoolSets::fetch(&client, &arguments.pools.request()).await.is_ok_and(|(_, after)| after == pools)
            }
            None => false,
        };
        let seconds_left_to_accept = Some(seconds_left(quote.must_accept_by, SystemClock.now()));
        let (quote, signed) = (body(quote.text), signed.and_then(|signed| body(signed.text)));
        let printed = Printed { quote, signed, asked, derived, seconds_left_to_accept, pool: sets, pool_is_still };
        printed.write(&mut out)?;
    } else {
        print::quote(&mut out, &quote, &derived, SystemClock.now())?;
        if let Some(signed) = &signed {
            writeln!(out, "\nsigned:\n")?;
            print::signed(&mut out, signed, &derived)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl Pools {
    /// What to ask for their data.
    pub(super) const fn request(&self) -> PoolRequest {
        let Self { chain: chain_id, pool_address, time_in_seconds } = *self;
        PoolRequest { chain_id, pool_address, time_in_seconds }
    }
}

/// The data of the file, or that of the service with its text.
async fn pool_data(
    arguments: &QuoteArguments,
    client: &Client,
) -> Result<(Option<PoolSets>, Vec<PublishedPool>), Failure> {
    let Pools { chain, pool_address, .. } = arguments.pools;
    if let Some(path) = &arguments.pool {
        let mut pools = PoolSets::read(&access::read_text(path)?)?.pools()?;
        pools.retain(|pool| pool.id.chain_id == chain && pool_address.is_none_or(|address| address == pool.id.address));
        return Ok((None, pools));
    }
    if !arguments.access.has_api_key()? {
        return Err(Failure::usage(
            "symbols and whole tokens are looked up in the pool data, which takes an API key: give --api-key-file, set \
             FIRMQUOTE_API_KEY, or give the data as --pool",
        ));
    }
    let (sets, pools) = PoolSets::fetch(client, &arguments.pools.request()).await?;
    Ok((Some(sets), pools))
}

/// What to ask for, with the side whose amount is named.
fn request(arguments: &QuoteArguments, pools: &[PublishedPool]) -> Result<(QuoteRequest, Fixed), Failure> {
    let (input, output) = (listed(&arguments.input, pools)?, listed(&arguments.output, pools)?);
    // The command line has exactly one of the two amounts.
    let (text, option, asset, fixed) = match (&arguments.give, &arguments.get) {
        (Some(give), _) => (give.as_str(), "--in", input, Fixed::Input),
        (None, get) => (get.as_deref().unwrap_or_default(), "--out", output, Fixed::Output),
    };
    let amount = if arguments.base_units {
        text.parse().map_err(|error| Failure::usage(format!("{option} {text}: {error}")))?
    } else {
        let whole = whole_tokens::parse(text, asset.decimals);
        whole.map_err(|error| Failure::usage(format!("{option} {text} {}: {error}", asset.symbol)))?
    };
    let amount = match fixed {
        Fixed::Input => FixedAmount::Input(amount),
        Fixed::Output => FixedAmount::Output(amount),
    };
    let Pools { chain, pool_address, time_in_seconds } = arguments.pools;
    let request = QuoteRequest::new(chain, input.symbol.clone(), output.symbol.clone(), amount);
    Ok((QuoteRequest { time_in_seconds, pool_address, ..request }, fixed))
}

/// The asset that is called so in the pools, the same in all of them.
fn listed<'p>(name: &str, pools: &'p [PublishedPool]) -> Result<&'p Asset, Failure> {
    if name.starts_with("0x")
        && let Err(error) = parse_address(name)
    {
        return Err(Failure::usage(format!("{name}: {error}")));
    }
    let mut found = pools.iter().filter_map(|pool| pool.named(name)).map(|one| &one.asset);
    let Some(first) = found.next() else {
        let mut symbols: Vec<_> =
            pools.iter().flat_map(|pool| &pool.assets).map(|one| one.asset.symbol.as_str()).collect();
        symbols.sort_unstable();
        symbols.dedup();
        return Err(Failure::no(format!("{name} is no asset of these pools, allowed: {}", symbols.join(", "))));
    };
    let is_same = |other: &Asset| (other.address, other.decimals) == (first.address, first.decimals);
    if !found.all(is_same) {
        return Err(Failure::usage(format!("{name} is another token in each of several pools: give --pool-address")));
    }
    Ok(first)
}
