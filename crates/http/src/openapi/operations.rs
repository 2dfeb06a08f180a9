//! The operations of a path, one for each method that it answers.

use utoipa::openapi::{
    Deprecated, HttpMethod, PathItem,
    path::{Operation, OperationBuilder, PathItemBuilder},
    response::ResponsesBuilder,
};

use super::{
    answers, bodies, parameters, refusals, security,
    words::{self, Words},
};
use crate::{error::AllowedMethods, route::Route};

/// What the path of `route` answers; `None` for what matches no path.
pub(super) fn path_item(route: Route) -> Option<PathItem> {
    let words = words::of(route)?;
    let method = match route.methods() {
        AllowedMethods::Get => HttpMethod::Get,
        AllowedMethods::Post => HttpMethod::Post,
        AllowedMethods::Put => HttpMethod::Put,
        AllowedMethods::GetAndHead => {
            let item = PathItemBuilder::new().operation(HttpMethod::Get, operation(route, &words, true));
            return Some(item.operation(HttpMethod::Head, operation(route, &words, false)).build());
        }
    };
    Some(PathItem::new(method, operation(route, &words, true)))
}

/// One method of `route`; without bodies in its answers it is `HEAD`.
fn operation(route: Route, words: &Words, has_bodies: bool) -> Operation {
    let responses = ResponsesBuilder::new().response("200", answers::success(route, words.success, has_bodies));
    let responses = responses.responses_from_iter(refusals::of(route, has_bodies));
    let kept = answers::not_modified(route).map(|answer| ("304", answer));
    let responses = responses.responses_from_iter(kept);
    let id = if has_bodies { words.id.to_owned() } else { format!("head_{}", words.id) };
    OperationBuilder::new()
        .operation_id(Some(id))
        .summary(Some(words.summary))
        .description(Some(words.about))
        .tag(words.tag)
        .deprecated(only_basic(route).then_some(Deprecated::True))
        .securities(Some(security::requirements(route)))
        .parameters(Some(parameters::of(route)))
        .request_body(bodies::of(route))
        .responses(responses.build())
        .build()
}

/// Whether it takes nothing but the deprecated Basic scheme, and goes with it.
fn only_basic(route: Route) -> bool {
    let accepted = route.accepted();
    route.is_operation() && accepted.basic && !accepted.api_key && !accepted.anonymous
}
