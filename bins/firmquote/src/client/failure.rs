//! The failure of a client command and its exit code.

use std::process::ExitCode;

use firmquote_client::{Client, Error, InvalidSettings, Quote, Reaction, Response};
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

/// The exit code for a usage error, the same as that of clap.
const USAGE: u8 = 2;
/// The exit code for requests that may succeed later.
pub(crate) const EXIT_TEMPORARY: u8 = 3;

/// A failure, with one variant for each nonzero exit code.
#[derive(Debug)]
pub(crate) enum Failure {
    /// 1: the request was refused, or the response does not match the request.
    Permanent(Problem),
    /// 2: usage error.
    Usage(String),
    /// 3: no response for now.
    Temporary(Problem),
}

/// The cause of a failure, with the response of the service, if there is one.
#[derive(Debug)]
pub(crate) struct Problem {
    message: String,
    cause: Option<Box<Error>>,
    /// The unmodified quote that was received before the failure.
    quote: Option<Box<RawValue>>,
}

/// A failure as JSON.
#[derive(Serialize)]
struct FailureJson<'f> {
    error: ErrorJson<'f>,
}

#[derive(Serialize)]
struct ErrorJson<'f> {
    #[serde(flatten)]
    members: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quote: Option<&'f RawValue>,
}

impl Problem {
    fn new(message: impl ToString) -> Self {
        Self { message: message.to_string(), cause: None, quote: None }
    }
}

impl Failure {
    /// Creates a [`Self::Permanent`].
    pub(crate) fn permanent(message: impl ToString) -> Self {
        Self::Permanent(Problem::new(message))
    }

    /// Adds `quote`, which was received before the failure and may still be signed.
    pub(crate) fn after(self, quote: &Response<Quote>) -> Self {
        let with_quote = |problem: Problem| Problem {
            message: format!("{}; quote {} was to be signed", problem.message, quote.id),
            quote: RawValue::from_string(quote.text.clone()).ok(),
            ..problem
        };
        match self {
            Self::Permanent(problem) => Self::Permanent(with_quote(problem)),
            Self::Temporary(problem) => Self::Temporary(with_quote(problem)),
            Self::Usage(message) => Self::Usage(message),
        }
    }

    /// Rewrites the message with `reword`, except for usage errors.
    pub(crate) fn reword(self, reword: impl FnOnce(String) -> String) -> Self {
        let reworded = |problem: Problem| Problem { message: reword(problem.message), ..problem };
        match self {
            Self::Permanent(problem) => Self::Permanent(reworded(problem)),
            Self::Temporary(problem) => Self::Temporary(reworded(problem)),
            Self::Usage(message) => Self::Usage(message),
        }
    }

    /// Adds the supported chains to the message if the service refused the requested one.
    pub(crate) async fn with_chains(self, client: &Client) -> Self {
        let line = self.message();
        if !(line.starts_with("chain_id: ") && line.contains(" is not supported")) {
            return self;
        }
        // Without a response, the refusal is returned unchanged.
        let Ok(chains) = client.chains().await else { return self };
        let ids: Vec<_> = chains.iter().map(|chain| chain.chain_id.to_string()).collect();
        self.reword(|message| format!("{message}, allowed: {}", ids.join(", ")))
    }

    /// Creates a [`Self::Usage`].
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::Usage(message.to_string())
    }

    /// Returns the exit code of the process.
    pub(crate) fn exit_code(&self) -> ExitCode {
        self.code().into()
    }

    const fn code(&self) -> u8 {
        match self {
            Self::Permanent(_) => 1,
            Self::Usage(_) => USAGE,
            Self::Temporary(_) => EXIT_TEMPORARY,
        }
    }

    /// Returns the message as one line of text.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Usage(message) => message.clone(),
            Self::Permanent(Problem { message, .. }) | Self::Temporary(Problem { message, .. }) => message.clone(),
        }
    }

    /// Returns the failure as one line of JSON.
    ///
    /// # Errors
    /// None known: every member can be serialized.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let (line, code) = (Value::from(self.message()), Value::from(self.code()));
        let mut members = Map::from_iter([("message".to_owned(), line), ("exit_code".to_owned(), code)]);
        let problem = match self {
            Self::Permanent(problem) | Self::Temporary(problem) => Some(problem),
            Self::Usage(_) => None,
        };
        if let Some(cause) = problem.and_then(|problem| problem.cause.as_ref()) {
            members.insert("request_id".to_owned(), cause.request_id().into());
            if let Some(refusal) = cause.refusal() {
                members.insert("http_status".to_owned(), refusal.status.into());
                members.insert("error_code".to_owned(), refusal.error_code.into());
                let pause = refusal.retry_after.map(|pause| pause.as_secs());
                members.insert("retry_after_seconds".to_owned(), pause.into());
            }
        }
        let quote = problem.and_then(|problem| problem.quote.as_deref());
        serde_json::to_string(&FailureJson { error: ErrorJson { members, quote } })
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
        let pause = pause.map_or_else(String::new, |pause| format!("; retry after {} s", pause.as_secs()));
        let is_elsewhere = error.refusal().is_some_and(|refusal| refusal.status == 404);
        let hint = if is_elsewhere {
            "; check the URL: use the address in server.bind, or server.bind_v2 for version 2, not server.admin_bind"
        } else {
            ""
        };
        let problem = Problem { message: format!("{error}{pause}{hint}"), cause: Some(Box::new(error)), quote: None };
        if is_later { Self::Temporary(problem) } else { Self::Permanent(problem) }
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
