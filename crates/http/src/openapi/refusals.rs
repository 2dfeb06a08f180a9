//! Answers that say no: one for each status that an operation can have, from the table of errors.

use std::collections::BTreeMap;

use utoipa::openapi::{Content, ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema, schema::OneOfBuilder};

use super::{
    headers,
    reasons::{is_given, told},
    schemas::refusal_name,
};
use crate::{outcome::Reason, route::Route, verdict::Verdict};

/// Each status of an error that `route` can give, and its answer; `HEAD` has no bodies.
pub(super) fn of(route: Route, has_bodies: bool) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Reason>> = BTreeMap::new();
    for reason in Reason::ALL.into_iter().filter(|reason| is_given(*reason, route)) {
        by_status.entry(Verdict::of(reason).status.as_u16()).or_default().push(reason);
    }
    by_status
        .into_iter()
        .map(|(status, reasons)| (status.to_string(), response(route, status, &reasons, has_bodies).into()))
        .collect()
}

fn response(route: Route, status: u16, reasons: &[Reason], has_bodies: bool) -> Response {
    let when: Vec<&str> = reasons.iter().map(|reason| told(*reason).0).collect();
    let builder = ResponseBuilder::new().description(when.join(" "));
    let builder = headers::of_refusal(route, status, reasons)
        .into_iter()
        .fold(builder, |builder, name| builder.header_ref(headers::field_name(name), headers::reference(name)));
    let builder = if has_bodies { builder.content("application/json", content(reasons)) } else { builder };
    builder.build()
}

/// The schemas of all `reasons`, and an example of each.
fn content(reasons: &[Reason]) -> Content {
    let mut names: Vec<&str> = reasons.iter().map(|reason| refusal_name(*reason)).collect();
    names.sort_unstable();
    names.dedup();
    let schema: RefOr<Schema> = match names.as_slice() {
        [name] => Ref::from_schema_name(*name).into(),
        names => {
            let one_of =
                names.iter().fold(OneOfBuilder::new(), |one_of, name| one_of.item(Ref::from_schema_name(*name)));
            one_of.into()
        }
    };
    let example = |reason: &Reason| {
        let label = reason.label();
        (label, RefOr::Ref(Ref::new(format!("#/components/examples/{label}"))))
    };
    ContentBuilder::new().schema(Some(schema)).examples_from_iter(reasons.iter().map(example)).build()
}
