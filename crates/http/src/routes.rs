//! The route tables of the listeners, and where a path leads in them.

use std::ops::Range;

use actix_web::{dev::Url, http::Uri};

use crate::route::Route;

/// What a listener answers, with the pages that explain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routes {
    /// Version 1 and version 2.
    Both,
    /// Version 1 on a listener of its own.
    Version1,
    /// Version 2 on a listener of its own.
    Version2,
    /// Health, readiness, metrics, the prices that the operator sends, the switch of each pool, and the operator's page with
    /// what it shows.
    Admin,
}

const VERSION_1: &[Route] = &[Route::PoolV1, Route::QuoteV1, Route::SignV1];
const VERSION_2: &[Route] = &[Route::ChainsV2, Route::PoolV2, Route::QuoteV2, Route::SignV2, Route::QuoteSignV2];
const ADMIN: &[Route] = &[
    Route::Health,
    Route::Readiness,
    Route::Metrics,
    Route::Prices,
    Route::PausePool,
    Route::ResumePool,
    Route::OperatorPage,
    Route::OperatorStyle,
    Route::OperatorScript,
    Route::Overview,
    Route::Curve,
    Route::RecentSignatures,
];
/// What leads to the page that explains a listener with no page of its own.
const ROOT: &[Route] = &[Route::Root];
const PAGES: &[Route] = &[
    Route::OpenApi,
    Route::ContractAbi,
    Route::TypedData,
    Route::Docs,
    Route::DocsSlash,
    Route::DocsFile,
    Route::ErrorIndex,
    Route::ErrorPage,
];

impl Routes {
    /// All of them, in the order in which they are described; no path is of two of them.
    pub(crate) fn all(self) -> impl Iterator<Item = Route> {
        let operations: [&[Route]; 3] = match self {
            Self::Both => [VERSION_1, VERSION_2, ROOT],
            Self::Version1 => [VERSION_1, &[], ROOT],
            Self::Version2 => [VERSION_2, &[], ROOT],
            Self::Admin => [ADMIN, &[], &[]],
        };
        operations.into_iter().chain([PAGES]).flatten().copied()
    }

    /// Where the path of `uri` leads. An escaped character of it is the character, unless that is `%`, `+` or `/`.
    pub(crate) fn target(self, uri: &Uri) -> Target {
        let decoded = uri.path().contains('%').then(|| Box::from(Url::new(uri.clone()).path()));
        let path = decoded.as_deref().unwrap_or_else(|| uri.path());
        let found = self.all().find_map(|route| Some((route, opening(route.path(), path)?)));
        let (route, parameter) = found.unwrap_or((Route::Unmatched, 0..0));
        Target { route, decoded, parameter }
    }
}

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Target {
    route: Route,
    /// The path, if it is written otherwise than it reads.
    decoded: Option<Box<str>>,
    /// What of it the pattern of the route leaves open.
    parameter: Range<usize>,
}

impl Target {
    /// The operation.
    pub(crate) const fn route(&self) -> Route {
        self.route
    }

    /// What the path of `uri`, which led here, names where the pattern leaves it open; empty where it does not.
    pub(crate) fn parameter<'u>(&'u self, uri: &'u Uri) -> &'u str {
        let path = self.decoded.as_deref().unwrap_or_else(|| uri.path());
        path.get(self.parameter.clone()).unwrap_or_default()
    }
}

/// What of `path` stands where `pattern` has a name in braces, empty where it has none; `None` if it is no such path.
///
/// What stands there is one segment of a path, or a part of one, and never nothing.
fn opening(pattern: &str, path: &str) -> Option<Range<usize>> {
    let Some((before, rest)) = pattern.split_once('{') else { return (pattern == path).then_some(0..0) };
    let (_, after) = rest.split_once('}')?;
    let named = path.strip_prefix(before)?.strip_suffix(after)?;
    let is_segment = !named.is_empty() && !named.contains('/');
    is_segment.then(|| before.len()..before.len() + named.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(routes: Routes, path: &str) -> (Route, String) {
        let uri = path.parse().unwrap();
        let target = routes.target(&uri);
        (target.route(), target.parameter(&uri).to_owned())
    }

    #[test]
    fn every_route_is_found_by_its_own_path_and_by_no_other() {
        let all = [Routes::Both, Routes::Version1, Routes::Version2, Routes::Admin];
        let mut found = Vec::new();
        for (routes, route) in all.into_iter().flat_map(|routes| routes.all().map(move |route| (routes, route))) {
            let path = match route.path().split_once('{') {
                Some((before, rest)) => format!("{before}x{}", rest.split_once('}').unwrap().1),
                None => route.path().to_owned(),
            };
            let parameter = if path == route.path() { "" } else { "x" };
            assert_eq!(led(routes, &path), (route, parameter.to_owned()));
            for other in [format!("{path}/"), format!("{path}x/y"), format!("/x{path}"), path.to_uppercase()] {
                if Route::ALL.iter().all(|route| route.path() != other) {
                    assert_eq!(led(routes, &other).0, Route::Unmatched, "{other}");
                }
            }
            found.push(route);
        }
        assert!(Route::ALL.iter().all(|route| found.contains(route) || *route == Route::Unmatched));
    }

    #[test]
    fn a_parameter_is_one_segment_as_it_reads() {
        for (path, named) in [
            ("/rfq/v2/quote/1", Some("1")),
            ("/rfq/v2/quote/%31", Some("1")),
            ("/rfq/%76%32/quote/1", Some("1")),
            ("/rfq/v2/quote/1%2F2", Some("1%2F2")),
            ("/rfq/v2/quote/%ff", Some("\u{fffd}")),
            ("/rfq/v2/quote/", None),
            ("/rfq/v2/quote/1/2", None),
            ("//rfq/v2/quote/1", None),
        ] {
            let (route, parameter) = led(Routes::Version2, path);
            assert_eq!((route == Route::QuoteV2).then_some(&*parameter), named, "{path}");
        }
    }

    #[test]
    fn a_listener_answers_what_it_is_for() {
        assert_eq!(led(Routes::Version1, "/rfq/v2/sign").0, Route::Unmatched);
        assert_eq!(led(Routes::Version2, "/rfq/sign").0, Route::Unmatched);
        assert_eq!(led(Routes::Both, "/healthz").0, Route::Unmatched);
        assert_eq!(led(Routes::Admin, "/rfq/sign").0, Route::Unmatched);
    }
}
