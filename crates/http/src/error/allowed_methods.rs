//! The methods of a path.

use std::fmt;

use actix_web::http::Method;

/// The methods that a path allows, as listed in `Allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AllowedMethods {
    Get,
    Post,
    Put,
    GetAndHead,
}

impl AllowedMethods {
    /// Returns the value of `Allow`.
    pub(crate) const fn list(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::GetAndHead => "GET, HEAD",
        }
    }

    /// Returns whether `method` is allowed.
    pub(crate) fn contains(self, method: &Method) -> bool {
        match self {
            Self::Get => method == Method::GET,
            Self::Post => method == Method::POST,
            Self::Put => method == Method::PUT,
            Self::GetAndHead => method == Method::GET || method == Method::HEAD,
        }
    }
}

impl fmt::Display for AllowedMethods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list())
    }
}
