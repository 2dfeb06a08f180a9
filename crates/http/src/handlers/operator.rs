//! What the operator's page shows.

use actix_web::HttpResponse;

use crate::{
    error::ApiError,
    input::{Field, Fields},
    json, own_site,
    request::RequestContext,
    wire::{CURVE, CurveAnswer, CurveInput, OverviewAnswer, RecentAnswer},
};

/// All pools with their prices, reserves and fees.
pub(crate) async fn overview(context: RequestContext) -> Result<HttpResponse, ApiError> {
    own_site::check_data(context.headers())?;
    let service = context.service();
    let readiness = service.readiness(context.is_draining()).await;
    let overview = service.desk.overview();
    json::answer(&OverviewAnswer::new(&overview, service, &readiness))
}

/// What quotes of a pair would be.
pub(crate) async fn curve(context: RequestContext) -> Result<HttpResponse, ApiError> {
    own_site::check_data(context.headers())?;
    let fields = Fields::from_query(context.query(), CURVE).with_path(Field::PoolAddress, context.parameter());
    let input = CurveInput::decode(&fields)?;
    let curve = context.service().desk.curve(&input.request()).map_err(|error| fields.refused(error))?;
    json::answer(&CurveAnswer::of(&curve))
}

/// What was signed last, for the holder of the token.
pub(crate) async fn recent_signatures(context: RequestContext) -> Result<HttpResponse, ApiError> {
    own_site::check_data(context.headers())?;
    context.service().check_operator(context.sender())?;
    let (signed, metrics) = (&context.service().desk.watch.signatures, context.service().metrics());
    json::answer(&RecentAnswer::new(&signed.newest_first(), signed.volumes(), metrics.clients.counts()))
}
