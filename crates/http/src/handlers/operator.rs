//! What the operator's page shows.

use std::sync::atomic::Ordering;

use actix_web::HttpResponse;

use crate::{
    asked::Asked,
    error::ApiError,
    input::{Field, Fields},
    json, own_site,
    wire::{CURVE, CurveAnswer, CurveInput, OverviewAnswer, RecentAnswer},
};

/// All pools with their prices, reserves and fees.
pub(crate) async fn overview(asked: &Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(asked.headers())?;
    let service = &asked.in_force;
    let readiness = service.readiness(asked.site.draining.load(Ordering::SeqCst)).await;
    let overview = service.desk.overview();
    json::answer(&OverviewAnswer::new(&overview, service, &readiness))
}

/// What quotes of a pair would be.
pub(crate) fn curve(asked: &Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(asked.headers())?;
    let fields = Fields::from_query(asked.query(), CURVE).with_path(Field::PoolAddress, asked.parameter());
    let input = CurveInput::decode(&fields)?;
    let curve = asked.in_force.desk.curve(&input.request()).map_err(|error| fields.refused(error))?;
    json::answer(&CurveAnswer::of(&curve))
}

/// What was signed last, for the holder of the token.
pub(crate) fn recent_signatures(asked: &Asked) -> Result<HttpResponse, ApiError> {
    own_site::check_data(asked.headers())?;
    asked.in_force.check_operator(asked.sender())?;
    let (signed, metrics) = (&asked.in_force.desk.watch.signatures, asked.in_force.metrics());
    json::answer(&RecentAnswer::new(&signed.newest_first(), signed.volumes(), metrics.clients.counts()))
}
