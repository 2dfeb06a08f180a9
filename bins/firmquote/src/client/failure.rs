//! The failure of a client command and its exit code.

use std::{collections::BTreeMap, process::ExitCode};

use firmquote_client::{Client, Error, InvalidSettings, Quote, Reaction, Refusal, Response};
use serde_json::value::{RawValue, to_raw_value};

use super::display::compact;

/// The exit code for requests that were refused, and for responses that do not match the request.
const EXIT_PERMANENT: u8 = 1;
/// The exit code for a usage error, the same as that of clap.
const EXIT_USAGE: u8 = 2;
/// The exit code for requests that may succeed later.
pub(crate) const EXIT_TEMPORARY: u8 = 3;

/// A failure, with the response of the service, if there is one.
#[derive(Debug)]
pub(crate) struct Failure {
    exit_code: u8,
    message: String,
    cause: Option<Box<Error>>,
    /// The unmodified quote that was received before the failure.
    quote: Option<Box<RawValue>>,
}

impl Failure {
    const fn new(exit_code: u8, message: String) -> Self {
        Self { exit_code, message, cause: None, quote: None }
    }

    /// Creates a failure that a retry does not resolve.
    pub(crate) fn permanent(message: impl ToString) -> Self {
        Self::new(EXIT_PERMANENT, message.to_string())
    }

    /// Creates a usage error.
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::new(EXIT_USAGE, message.to_string())
    }

    /// Adds `quote`, which was received before the failure and may still be signed.
    pub(crate) fn after(self, quote: &Response<Quote>) -> Self {
        Self {
            message: format!("{}; quote {} was to be signed", self.message, quote.id),
            quote: RawValue::from_string(quote.text.clone()).ok(),
            ..self
        }
    }

    /// Rewrites the message with `reword`.
    pub(crate) fn reword(self, reword: impl FnOnce(String) -> String) -> Self {
        Self { message: reword(self.message), ..self }
    }

    /// Adds the supported chains to the message if the service refused the requested one.
    pub(crate) async fn with_chains(self, client: &Client) -> Self {
        if !(self.message.starts_with("chain_id: ") && self.message.contains(" is not supported")) {
            return self;
        }
        // Without a response, the refusal is returned unchanged.
        let Ok(chains) = client.chains().await else { return self };
        let ids: Vec<_> = chains.iter().map(|chain| chain.chain_id.to_string()).collect();
        self.reword(|message| format!("{message}, allowed: {}", ids.join(", ")))
    }

    /// Returns the exit code of the process.
    pub(crate) fn exit_code(&self) -> ExitCode {
        self.exit_code.into()
    }

    /// Returns the message as one line of text.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the failure as one line of JSON.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let mut members =
            BTreeMap::from([("message", to_raw_value(&self.message)?), ("exit_code", to_raw_value(&self.exit_code)?)]);
        if let Some(cause) = &self.cause {
            members.insert("request_id", to_raw_value(&cause.request_id())?);
            if let Some(refusal) = cause.refusal() {
                members.insert("http_status", to_raw_value(&refusal.status)?);
                members.insert("error_code", to_raw_value(&refusal.error_code)?);
                let pause = refusal.retry_after.map(|pause| pause.as_secs());
                members.insert("retry_after_seconds", to_raw_value(&pause)?);
            }
        }
        if let Some(quote) = &self.quote {
            members.insert("quote", quote.clone());
        }
        Ok(compact(&serde_json::to_string(&BTreeMap::from([("error", members)]))?))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Error::NeedsApiKey(_) = error {
            return Self::usage(format!("{error}: use --api-key-file, or set FIRMQUOTE_API_KEY"));
        }
        let is_broken = error.refusal().is_some_and(|refusal| refusal.status >= 500);
        let (is_later, pause) = match error.reaction() {
            Reaction::Retry { after } => (true, after),
            Reaction::Requote | Reaction::GiveUp => (is_broken, None),
        };
        let exit_code = if is_later { EXIT_TEMPORARY } else { EXIT_PERMANENT };
        let pause = pause.map_or_else(String::new, |pause| format!("; retry after {} s", pause.as_secs()));
        // The service also returns 404 for an unknown quote.
        let is_about_quote = |refusal: &Refusal| refusal.message.starts_with("quote ");
        let is_elsewhere = error.refusal().is_some_and(|refusal| refusal.status == 404 && !is_about_quote(refusal));
        let hint = if is_elsewhere {
            "; check the URL: use the address in server.bind, or server.bind_v2 for version 2, not server.admin_bind"
        } else {
            ""
        };
        let message = format!("{error}{pause}{hint}");
        Self { cause: Some(Box::new(error)), ..Self::new(exit_code, message) }
    }
}

impl From<InvalidSettings> for Failure {
    fn from(error: InvalidSettings) -> Self {
        Self::usage(error)
    }
}

/// A failed write to standard output.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::permanent(format!("cannot write the output: {error}"))
    }
}
