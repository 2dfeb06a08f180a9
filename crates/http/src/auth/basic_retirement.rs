//! The retirement of the Basic scheme: its end date, and the headers that announce it.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use firmquote_domain::{Clock, UnixSeconds};

use crate::wire::HttpDate;

static DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
static SUNSET: HeaderName = HeaderName::from_static("sunset");

/// The dates when Basic authentication was deprecated and when it ends. It is refused from its end on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicRetirement {
    /// When Basic was deprecated (RFC 9745, `Deprecation`).
    pub deprecated_at: UnixSeconds,
    /// When Basic ends (RFC 8594, `Sunset`), if a date is set.
    pub sunset_at: Option<UnixSeconds>,
    /// Whether Basic is refused already, regardless of the dates.
    pub is_switched_off: bool,
}

impl BasicRetirement {
    /// Whether Basic is refused at the current time of `clock`; the end itself counts as over.
    pub(crate) fn is_in_effect(&self, clock: &dyn Clock) -> bool {
        self.is_switched_off || self.sunset_at.is_some_and(|end| clock.now().seconds() >= end)
    }
}

impl Default for BasicRetirement {
    /// Deprecated since the first second of 2026, without an end date, not switched off.
    fn default() -> Self {
        Self { deprecated_at: UnixSeconds::new(1_767_225_600), sunset_at: None, is_switched_off: false }
    }
}

/// The `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers, prepared once.
pub(crate) struct DeprecationHeaders {
    deprecation: Option<HeaderValue>,
    sunset: Option<HeaderValue>,
}

impl DeprecationHeaders {
    /// Formats the headers that announce `retirement`.
    pub(crate) fn new(retirement: BasicRetirement) -> Self {
        let sunset = retirement.sunset_at.map(|sunset| HttpDate(sunset).to_string());
        Self {
            deprecation: HeaderValue::from_str(&format!("@{}", retirement.deprecated_at.get())).ok(),
            sunset: sunset.and_then(|date| HeaderValue::from_str(&date).ok()),
        }
    }

    /// Adds the headers to a response.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        for (name, value) in [(&DEPRECATION, &self.deprecation), (&SUNSET, &self.sunset)] {
            if let Some(value) = value {
                headers.insert(name.clone(), value.clone());
            }
        }
    }
}
