//! What the operator's own pricing backend sends.

use actix_web::{HttpRequest, HttpResponse, web::Payload};

use crate::{
    body,
    error::ApiError,
    in_force::{Asked, InForce},
    json, wire,
};

/// Takes prices, all or none.
pub(crate) async fn put(request: HttpRequest, payload: Payload, service: Asked) -> Result<HttpResponse, ApiError> {
    service.check_operator(&request)?;
    let body = body::read(&request, payload).await?;
    let service = InForce::newest(&request)?;
    service.check_operator(&request)?;
    let accepted = service.prices.post(&body).await.map_err(|error| wire::refused_prices(error, &body))?;
    json::answer(&wire::PricesAnswer { accepted })
}
