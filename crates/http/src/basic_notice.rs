//! What clients of the deprecated Basic scheme are told in every answer.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

use crate::{civil_time::HttpDate, settings::BasicRetirement};

static DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
static SUNSET: HeaderName = HeaderName::from_static("sunset");

/// The `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers, prepared once.
pub(crate) struct BasicNotice {
    deprecation: Option<HeaderValue>,
    sunset: Option<HeaderValue>,
}

impl BasicNotice {
    /// The headers that announce `retirement`.
    pub(crate) fn new(retirement: BasicRetirement) -> Self {
        let sunset = retirement.sunset_at.map(|sunset| HttpDate(sunset).to_string());
        Self {
            deprecation: HeaderValue::from_str(&format!("@{}", retirement.deprecated_at.get())).ok(),
            sunset: sunset.and_then(|date| HeaderValue::from_str(&date).ok()),
        }
    }

    /// Puts them among the headers of an answer.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        for (name, value) in [(&DEPRECATION, &self.deprecation), (&SUNSET, &self.sunset)] {
            if let Some(value) = value {
                headers.insert(name.clone(), value.clone());
            }
        }
    }
}
