//! What the operator's own pricing backend sends.

use actix_web::HttpResponse;

use crate::{asked::Asked, error::ApiError, json, wire};

/// Takes prices, all or none.
pub(crate) async fn put(asked: &Asked) -> Result<HttpResponse, ApiError> {
    asked.in_force.check_operator(asked.sender())?;
    let body = asked.body().await?;
    let service = asked.site.live.load();
    service.check_operator(asked.sender())?;
    let accepted = service.prices.post(&body).await.map_err(|error| wire::refused_prices(error, &body))?;
    json::answer(&wire::PricesAnswer { accepted })
}
