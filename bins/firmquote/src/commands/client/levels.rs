//! `firmquote levels`.

use std::{
    io::{IsTerminal as _, Write, stderr, stdout},
    process::ExitCode,
    time::Duration,
};

use firmquote_client::{Json, LevelBook, Levels, LevelsChange, LevelsRequest};
use firmquote_domain::{Amount, WholeTokens};
use firmquote_pricing::rate;
use tokio::time::{Instant, timeout_at};

use crate::{
    cli::LevelsArguments,
    client::{
        display::{Align, TextTable, compact},
        failure::Failure,
    },
    commands::output::Output,
};

/// The minimum interval between two drawings of the books with `--follow`.
const MIN_REDRAW_INTERVAL: Duration = Duration::from_millis(250);

/// The maximum interval, after which unchanged books are drawn again: their age changes.
const MAX_REDRAW_INTERVAL: Duration = Duration::from_secs(1);

/// Moves to the first line of a terminal and clears it (ECMA-48).
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Shows the levels of a chain, with `--follow` as they change.
pub(super) async fn run(arguments: &LevelsArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    let request = LevelsRequest {
        chain_id: arguments.pools.chain_of_service(&client).await?,
        pairs: arguments.pairs.clone(),
        pool_address: arguments.pools.pool_address,
        time_in_seconds: arguments.pools.time_in_seconds,
        max_knots: arguments.knots,
    };
    let mut out = Output::lock();
    if arguments.follow {
        follow(&mut out, client.follow_levels(request)).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let levels = client.levels(&request).await?;
    if arguments.json {
        writeln!(out, "{}", compact(&levels.text))?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", table(levels.books.iter()))?;
    for withdrawn in &levels.withdrawn {
        let (input, output) = (&withdrawn.input_asset_symbol, &withdrawn.output_asset_symbol);
        writeln!(out, "{input}-{output} is not quoted: {}", withdrawn.reason.replace('_', " "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the live books repeatedly, until standard output is closed.
async fn follow(out: &mut Output, mut levels: Levels) -> Result<(), Failure> {
    let clear = if stdout().is_terminal() { CLEAR } else { "" };
    while !out.is_closed() {
        // The books change more often than they can be read.
        let mut redraw_at = Instant::now() + MAX_REDRAW_INTERVAL;
        let earliest = Instant::now() + MIN_REDRAW_INTERVAL;
        while let Ok(change) = timeout_at(redraw_at, levels.changed()).await {
            redraw_at = earliest;
            if let LevelsChange::Disconnected { cause, retry_after } = change? {
                let cause = cause.map_or_else(|| "the service ended the stream".to_owned(), |cause| cause.to_string());
                writeln!(stderr(), "{cause}; connecting again in {} ms", retry_after.as_millis())?;
            }
        }
        write!(out, "{clear}{}", table(levels.books()))?;
        if clear.is_empty() {
            writeln!(out)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn table<'b>(books: impl Iterator<Item = &'b LevelBook>) -> TextTable {
    use Align::{Left, Right};
    let mut table = TextTable::new([Left, Right, Right, Right, Right, Right, Right, Right]);
    table.row(["pair", "from", "price", "to", "price", "knots", "shortfall", "firm for"]);
    for book in books {
        let (Some(Json(first)), Some(Json(last))) = (book.knots().first(), book.knots().last()) else { continue };
        let [[smallest, _], [largest, _]] = [*first, *last];
        let size = |input: Amount| WholeTokens(input.base_units(), *book.input_asset_decimals).to_string();
        table.row([
            format!("{}-{}", book.input_asset_symbol, book.output_asset_symbol),
            size(smallest),
            price(book, *first),
            size(largest),
            price(book, *last),
            book.knots().len().to_string(),
            format!("{} bps", book.max_shortfall_bps),
            book.firm_budget_input.filter(|_| book.firm).map_or_else(|| "-".to_owned(), |budget| size(*budget)),
        ]);
    }
    table
}

/// Returns the whole output tokens for each whole input token up to a knot, with eight digits.
fn price(book: &LevelBook, [input, output]: [Amount; 2]) -> String {
    let price = rate((input, *book.input_asset_decimals), (output, *book.output_asset_decimals));
    let magnitude = format!("{price:e}").split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    let decimals = usize::try_from(7 - magnitude.unwrap_or(0)).unwrap_or(0);
    format!("{price:.decimals$}")
}
