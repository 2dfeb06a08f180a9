//! What the operator's own pricing backend sends.

use actix_web::HttpResponse;

use crate::{error::ApiError, json, request::RequestContext, wire};

/// Takes prices, all or none.
pub(crate) async fn put(context: RequestContext) -> Result<HttpResponse, ApiError> {
    context.service().check_operator(context.sender())?;
    let body = context.body().await?;
    let service = context.newest_service();
    service.check_operator(context.sender())?;
    let accepted = service.prices.post(&body).await.map_err(|error| wire::refused_prices(error, &body))?;
    json::answer(&wire::PricesAnswer { accepted })
}
