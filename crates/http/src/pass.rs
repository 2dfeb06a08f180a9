//! How a request passes through the service: through the boundary around everything, and through a net under
//! its handler that turns a panic into an answer.

use std::{sync::Arc, time::Instant};

use actix_web::{
    Error, HttpMessage,
    dev::{Service as Endpoint, ServiceRequest, ServiceResponse},
};

use tracing::Instrument as _;

use crate::{
    boundary::{self, Arrival},
    error::ApiError,
    live_service::LiveService,
    request_id::RequestId,
    traced::Traced,
    unwind::catch_panic,
};

/// Passes a request on with what is in force as it comes, and its answer through the boundary.
pub(crate) fn pass<S>(
    live: &LiveService,
    request: ServiceRequest,
    inner: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Endpoint<ServiceRequest, Response = ServiceResponse, Error = Error>,
{
    let (in_force, started) = (live.load(), Instant::now());
    request.extensions_mut().insert(Arc::clone(&in_force));
    let request_id = RequestId::of(request.headers());
    let traced = Traced::begin(&request, in_force.tracing());
    let answer = inner.call(request).instrument(traced.span.clone());
    async move {
        let answer = answer.await?;
        Ok(boundary::finish(&in_force, &Arrival { request_id, traced }, answer, started.elapsed()))
    }
}

/// Passes a request on to its handler; if that panics, the answer is an error of ours.
pub(crate) fn catch<S>(
    request: ServiceRequest,
    handler: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Endpoint<ServiceRequest, Response = ServiceResponse, Error = Error>,
{
    let asked = request.request().clone();
    let answer = handler.call(request);
    async move {
        match catch_panic(answer).await {
            Ok(answer) => answer,
            Err(panic) => Ok(ServiceResponse::from_err(ApiError::Internal(panic), asked)),
        }
    }
}
