//! `firmquote status`.

use std::{
    io::{self, Write, stderr},
    process::ExitCode,
    time::Duration,
};

use firmquote_client::{Client, Error, EventsChange, QuoteEvents, QuoteState, QuoteStatus, Reaction, Response};
use tokio::time::{sleep, timeout};

use crate::{
    cli::StatusArguments,
    client::{
        display::{Align, TextTable, compact, utc},
        failure::Failure,
    },
    commands::output::Output,
};

/// The polling interval of `--wait` without events, and the default delay after a temporary failure.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The longest delay, whatever the service requests and while there are no events. The shortest is [`POLL_INTERVAL`].
const MAX_DELAY: Duration = Duration::from_secs(60);

/// Shows the status of a quote, with `--wait` again whenever it changes until it is final.
pub(super) async fn run(arguments: &StatusArguments) -> Result<ExitCode, Failure> {
    let client = arguments.access.client()?;
    let mut out = Output::lock();
    let mut last_phase = None;
    let mut was_reached = false;
    let mut events = None;
    loop {
        let delay = match client.quote_status(arguments.quote_id).await {
            Ok(status) => {
                let is_final = status.is_final(arguments.confirmations);
                let phase = Some((status.state, status.settled.map(|settled| settled.block_number)));
                if last_phase != phase || is_final {
                    if last_phase.is_some() && !arguments.json {
                        writeln!(out)?;
                    }
                    print(&mut out, &status, arguments.json)?;
                    out.flush()?;
                }
                if !arguments.wait || is_final || out.is_closed() {
                    let is_lapsed = arguments.wait && status.state == QuoteState::Lapsed;
                    return Ok(if is_lapsed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
                }
                last_phase = phase;
                was_reached = true;
                let events = events.get_or_insert_with(|| StatusEvents::new(&client, &status));
                events.wait_for_change(&status).await;
                Duration::ZERO
            }
            // A service that was never reached is more likely misspelt than unavailable.
            Err(error @ Error::Unreachable { .. }) if !was_reached => return Err(error.into()),
            Err(error) => match error.reaction() {
                Reaction::Retry { after } if arguments.wait => {
                    was_reached = true;
                    let delay = after.unwrap_or(POLL_INTERVAL).clamp(POLL_INTERVAL, MAX_DELAY);
                    writeln!(stderr(), "warning: {error}; retrying in {} s", delay.as_secs())?;
                    delay
                }
                Reaction::Retry { .. } | Reaction::Requote | Reaction::GiveUp => return Err(error.into()),
            },
        };
        sleep(delay).await;
    }
}

/// The events after which the status of a quote is requested again.
struct StatusEvents {
    /// `None` if the service has no stream of events.
    events: Option<QuoteEvents>,
}

impl StatusEvents {
    fn new(client: &Client, status: &QuoteStatus) -> Self {
        Self { events: Some(client.follow_events(*status.chain_id, None)) }
    }

    /// Waits until the status may have changed. The depth of a settlement changes with every block, without an event.
    async fn wait_for_change(&mut self, status: &QuoteStatus) {
        let patience = if status.state == QuoteState::Settled { POLL_INTERVAL } else { MAX_DELAY };
        let Some(events) = &mut self.events else { return sleep(POLL_INTERVAL).await };
        let change = async {
            loop {
                match events.next().await {
                    Ok(EventsChange::Quote(event)) if event.quote_id != status.quote_id => {}
                    change => return change,
                }
            }
        };
        match timeout(patience, change).await {
            Err(_) | Ok(Ok(EventsChange::Quote(_) | EventsChange::Reset | EventsChange::UpToDate)) => {}
            Ok(Ok(_)) => sleep(POLL_INTERVAL).await,
            Ok(Err(_)) => {
                self.events = None;
                sleep(POLL_INTERVAL).await;
            }
        }
    }
}

fn print(out: &mut impl Write, status: &Response<QuoteStatus>, is_json: bool) -> io::Result<()> {
    if is_json {
        return writeln!(out, "{}", compact(&status.text));
    }
    let mut table = TextTable::new([Align::Left, Align::Left, Align::Left]);
    let execution = status.execution.map(|execution| execution.name().replace('_', " ")).unwrap_or_default();
    table.row(["state", status.state.name(), &execution]);
    match status.signed_at {
        Some(signed_at) => table.row(["signed at", &utc(signed_at.seconds()), ""]),
        None => table.row(["accept by", &utc(status.must_accept_by.seconds()), ""]),
    }
    table.row(["good until", &utc(*status.good_until), ""]);
    if let Some(settled) = &status.settled {
        let confirmations = settled.confirmations.map(|blocks| format!("{blocks} confirmations")).unwrap_or_default();
        table.row(["transaction", &settled.transaction_hash.to_string(), &format!("log {}", settled.log_index)]);
        table.row(["block", &settled.block_number.to_string(), &confirmations]);
        table.row(["executed at", &utc(*settled.block_timestamp), ""]);
        table.row(["gave", &settled.input_amount.to_string(), "base units"]);
        table.row(["got", &settled.output_amount.to_string(), "base units"]);
    }
    table.row(["pool", &status.pool_address.to_string(), &format!("chain {}", status.chain_id)]);
    write!(out, "{table}")
}
