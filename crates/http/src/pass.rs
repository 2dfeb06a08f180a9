//! How a request passes through the service: through the boundary around everything, and through a net under
//! its handler that turns a panic into an answer.

use std::{sync::Arc, time::Instant};

use actix_web::{
    Error,
    dev::{Service as Endpoint, ServiceRequest, ServiceResponse},
};

use crate::{boundary::Boundary, error::ApiError, request_id::RequestId, unwind::catch_panic};

/// Passes a request on, and its answer through `boundary`.
pub(crate) fn pass<S>(
    boundary: &Arc<Boundary>,
    request: ServiceRequest,
    inner: &S,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Endpoint<ServiceRequest, Response = ServiceResponse, Error = Error>,
{
    let (boundary, started) = (Arc::clone(boundary), Instant::now());
    let request_id = RequestId::of(request.headers());
    let answer = inner.call(request);
    async move { Ok(boundary.finish(&request_id, answer.await?, started.elapsed())) }
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
