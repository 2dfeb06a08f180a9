//! The middleware around every route: the service snapshot, request id, span, panics, metrics and the access log.

use std::{pin::pin, time::Instant};

use actix_web::{
    Error, HttpMessage as _, HttpResponse,
    body::BoxBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};
use tracing::Instrument as _;

use crate::{
    error::ApiError,
    request::{ListenerContext, RequestContext},
    request_id::RequestId,
    response::{self, Arrival},
    route::Route,
    traced::Traced,
    unwind::catch_panic,
};

/// Answers a request to `route`: everything that is the same for all routes, around its handler.
pub(crate) async fn observe(
    listener: ListenerContext,
    route: Route,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let (snapshot, started) = (listener.live.load(), Instant::now());
    let traced = Traced::begin(request.headers(), request.method(), snapshot.tracing());
    let arrival = Arrival { request_id: RequestId::of(request.headers()), traced };
    let payload = request.take_payload();
    let context = RequestContext::attach(request.request().clone(), payload, listener, route, snapshot);
    let answer = respond(&context, request, next).instrument(arrival.traced.span.clone()).await;
    let took = started.elapsed();
    let response = match answer {
        Ok(response) => match response.error().and_then(Error::as_error::<ApiError>) {
            Some(error) => {
                context.discard_body().await;
                response::complete(&context, &arrival, Err(error), took)
            }
            None => response::complete(&context, &arrival, Ok(response), took),
        },
        Err(error) => {
            context.discard_body().await;
            let internal = || ApiError::Internal(error.to_string());
            match error.as_error::<ApiError>() {
                Some(error) => response::complete(&context, &arrival, Err(error), took),
                None => response::complete(&context, &arrival, Err(&internal()), took),
            }
        }
    };
    Ok(ServiceResponse::new(context.into_http(), response))
}

/// The response of the handler, or the one that comes before it. A panic of the handler is an error like any other.
async fn respond(
    context: &RequestContext,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<HttpResponse, Error> {
    let handled = async {
        match context.admit()? {
            Some(response) => Ok(response),
            None => Ok::<_, Error>(next.call(request).await?.into_parts().1),
        }
    };
    catch_panic(pin!(handled)).await.map_err(ApiError::Internal)?
}
