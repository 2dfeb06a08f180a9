//! What the operator's page shows.

use actix_web::{HttpRequest, HttpResponse};

use crate::{
    error::ApiError,
    in_force::Asked,
    input::{Field, Fields},
    json, own_site,
    wire::{CURVE, CurveAnswer, CurveInput, OverviewAnswer, RecentAnswer},
};

/// All pools with their prices, reserves and fees.
pub(crate) async fn overview(request: HttpRequest, service: Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(&request)?;
    let overview = service.desk.overview();
    json::answer(&OverviewAnswer::of(&overview, service.has_admin_token(), service.desk.pauses.is_shared()))
}

/// What quotes of a pair would be.
pub(crate) async fn curve(request: HttpRequest, service: Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(&request)?;
    let named = request.match_info().get("pool_address").unwrap_or_default();
    let fields = Fields::from_query(request.query_string(), CURVE).with_path(Field::PoolAddress, named);
    let input = CurveInput::decode(&fields)?;
    let curve = service.desk.curve(&input.request()).map_err(|error| fields.refused(error))?;
    json::answer(&CurveAnswer::of(&curve))
}

/// What was signed last, for the holder of the token.
pub(crate) async fn recent_signatures(request: HttpRequest, service: Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(&request)?;
    service.check_operator(&request)?;
    json::answer(&RecentAnswer::of(&service.desk.watch.signatures.newest_first()))
}
