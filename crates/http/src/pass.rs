//! How a request passes through the service: to its handler, under which is a net that turns a panic into an answer, and
//! back through the boundary.

use std::{pin::pin, rc::Rc, time::Instant};

use actix_http::Request;
use actix_web::HttpResponse;
use tracing::Instrument as _;

use crate::{
    asked::Asked,
    boundary::{self, Arrival},
    error::ApiError,
    handlers,
    request_id::RequestId,
    site::Site,
    traced::Traced,
    unwind::catch_panic,
};

/// The answer of `site` to `request`.
pub(crate) async fn pass(site: Rc<Site>, request: Request) -> HttpResponse {
    let (in_force, started) = (site.live.load(), Instant::now());
    let traced = Traced::begin(request.head(), in_force.tracing());
    let arrival = Arrival { request_id: RequestId::of(&request.head().headers), traced };
    let asked = Asked::new(site, in_force, request);
    // Where it stands, it is not copied from one future into the next.
    let handler = pin!(handlers::answer(&asked));
    let answer = catch_panic(handler).instrument(arrival.traced.span.clone()).await;
    let answer = answer.unwrap_or_else(|panic| Err(ApiError::Internal(panic)));
    let took = started.elapsed();
    if answer.is_err() {
        asked.pass_over_body().await;
    }
    boundary::finish(&asked, &arrival, answer, took)
}
