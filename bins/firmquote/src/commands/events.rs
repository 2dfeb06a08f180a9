//! `firmquote events`: prints the events of a service as lines of JSON, and continues on another replica when one ends.

use std::{
    io::{Write as _, stderr},
    time::Duration,
};

use anyhow::{Context as _, bail};
use firmquote_api::HEARTBEAT_INTERVAL;
use firmquote_outbound::{HttpClient, HttpClientConfig, Retry, next_part, read_body};
use hyper::{Request, StatusCode, header::AUTHORIZATION};
use tokio::time::{sleep, timeout};

use super::{
    http_request::{NO_ADMIN_LISTENER, admin_url, refuse},
    output::Output,
    replicas::token,
    runtime::runtime,
};
use crate::cli::EventsArguments;

/// The longest time without a part of the stream: three heartbeats.
const MAX_SILENCE: Duration = HEARTBEAT_INTERVAL.saturating_mul(3);

/// The delay before another replica is tried.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Why a command without `--follow` and `--after` prints no entries.
const FROM_NOW_ON: &str = "note: --follow waits for entries from now on, --after ID prints those since an entry";

/// Prints events until the service has told all, or forever.
///
/// # Errors
/// When no replica can be reached, or one refuses.
pub(crate) fn run(arguments: &EventsArguments) -> anyhow::Result<()> {
    let token = token(&arguments.token)?;
    let mut last_id = arguments.after.clone();
    runtime()?.block_on(async {
        let mut failures = 0;
        for address in arguments.replicas.admin.iter().cycle() {
            match follow(arguments, address, &token, &mut last_id).await {
                Ok(End::Output) => return Ok(()),
                Ok(End::Stream) if !arguments.follow => {
                    if last_id.is_none() {
                        writeln!(stderr(), "{FROM_NOW_ON}")?;
                    }
                    return Ok(());
                }
                Ok(End::Stream) => failures = 0,
                Ok(End::Refused(message)) => bail!("{address}: {message}"),
                Err(error) if !arguments.follow => {
                    failures += 1;
                    if failures == arguments.replicas.admin.len() {
                        return Err(error.context(address.clone()));
                    }
                    continue;
                }
                Err(error) => writeln!(stderr(), "{address}: {error:#}; trying the next replica")?,
            }
            sleep(RETRY_DELAY).await;
        }
        bail!("no replica to ask")
    })
}

/// Why no more events are printed.
enum End {
    /// The service ended the stream, or has told all.
    Stream,
    /// The reader of the output has closed it.
    Output,
    /// The service refuses the request, and so would others.
    Refused(String),
}

/// Prints the events of one replica after `last_id`, which it advances: all there are, or until the stream ends.
async fn follow(
    arguments: &EventsArguments,
    address: &str,
    token: &str,
    last_id: &mut Option<String>,
) -> anyhow::Result<End> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if !arguments.kinds.is_empty() {
        query.append_pair("kinds", &arguments.kinds.join(","));
    }
    if let Some(id) = last_id {
        query.append_pair("after", id);
    }
    let url = admin_url(address, &format!("/events?{}", query.finish()))?;
    let request = Request::get(url).header(AUTHORIZATION, format!("Bearer {token}"));
    let client = HttpClient::new(HttpClientConfig::default())?;
    let response = timeout(MAX_SILENCE, client.send(request.body(String::new().into())?, Retry::Never)).await??;
    let (status, mut body) = (response.status(), response.into_body());
    if status != StatusCode::OK {
        let text = read_body(body, 1 << 16).await?;
        let refused = refuse(status, &String::from_utf8_lossy(&text));
        return match refused {
            Err(error) if status.is_client_error() => Ok(End::Refused(format!("{error:#}"))),
            Err(error) => Err(error),
            Ok(()) => bail!(NO_ADMIN_LISTENER),
        };
    }
    let mut text = Vec::new();
    while let Some(part) = timeout(MAX_SILENCE, next_part(&mut body)).await.context("the service is silent")?? {
        text.extend_from_slice(&part);
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end();
            if let Some(id) = line.strip_prefix("id: ") {
                *last_id = Some(id.to_owned());
            } else if let Some(data) = line.strip_prefix("data: ") {
                let mut out = Output::lock();
                writeln!(out, "{data}")?;
                out.flush()?;
                if out.is_closed() {
                    return Ok(End::Output);
                }
            } else if line.starts_with(':') && !arguments.follow {
                return Ok(End::Stream);
            }
        }
    }
    Ok(End::Stream)
}
