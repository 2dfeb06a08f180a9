//! What the status of an answer means.

use hyper::{
    HeaderMap, StatusCode,
    header::{CONTENT_TYPE, RETRY_AFTER},
};

use crate::{SourceError, sources::web::pause_seconds};

/// The longest that a server can ask to be left alone.
const LONGEST_PAUSE_SECONDS: u64 = 3_600;

/// Whether the answer is a stream of events.
///
/// # Errors
/// [`SourceError::Busy`] for 429, [`SourceError::Gone`] for 5xx, [`SourceError::Protocol`] for every other status but
/// 200 and for a 200 that is no stream of events. Redirections are not followed: the key is for the configured host.
pub(super) fn check(status: StatusCode, headers: &HeaderMap) -> Result<(), SourceError> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_stream = header(CONTENT_TYPE).to_ascii_lowercase().starts_with("text/event-stream");
    match status {
        StatusCode::OK if is_stream => Ok(()),
        StatusCode::TOO_MANY_REQUESTS => {
            Err(SourceError::Busy { seconds: pause_seconds(header(RETRY_AFTER), LONGEST_PAUSE_SECONDS) })
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(protocol(format!("{status}: wants another API key"))),
        StatusCode::NOT_FOUND => Err(protocol(format!("{status}: has no such stream, or not all of the feeds"))),
        StatusCode::OK => Err(protocol("no stream of events".to_owned())),
        status if status.is_redirection() => Err(protocol(format!("{status}: is somewhere else"))),
        status if status.is_server_error() => Err(SourceError::Gone(status.to_string().into())),
        status => Err(protocol(status.to_string())),
    }
}

fn protocol(reason: String) -> SourceError {
    SourceError::Protocol { reason }
}
