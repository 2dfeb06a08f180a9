//! The baseline for the service: handlers for requests and responses of the same sizes that do nothing else (quote), or
//! only the work that every signature requires (sign, quote-sign).

use std::{
    iter::repeat_n,
    sync::atomic::{AtomicU64, Ordering},
};

use actix_web::{
    App, HttpResponse, HttpServer,
    error::{ErrorBadRequest, ErrorInternalServerError},
    http::header::CONTENT_TYPE,
    web::{self, Bytes, Data},
};
use anyhow::Context as _;
use clap::Args;
use firmquote_domain::{Address, Amount, ChainId, GoodUntil, Offer, PoolId, SigningDomain, U256, UnixSeconds};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer as _, TypedMessage};
use serde::Deserialize;

use crate::service::SIGNER_KEY;

/// Response sizes.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Body size of a quote response in bytes
    #[arg(long)]
    pub(crate) quote_body: usize,
    /// Bytes to add to the head of a bare response to match that of a quote
    #[arg(long)]
    pub(crate) quote_filler: usize,
    /// Body size of a sign response in bytes
    #[arg(long)]
    pub(crate) sign_body: usize,
    /// Bytes to add to the head of a bare response to match that of a signature
    #[arg(long)]
    pub(crate) sign_filler: usize,
}

/// State shared by all handlers.
struct AppState {
    quote: Bytes,
    quote_filler: String,
    sign_body: usize,
    sign_filler: String,
    pool: PoolId,
    signer: LocalSigner,
    separator: DomainSeparator,
    /// Makes each signed message different, as in the service.
    next_number: AtomicU64,
}

/// Serves all handlers with one worker until the process is killed. Prints the address on standard error.
pub(crate) fn serve(sizes: Sizes) -> anyhow::Result<()> {
    let pool = pool()?;
    let domain = SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() };
    let state = Data::new(AppState {
        quote: Bytes::from("q".repeat(sizes.quote_body)),
        quote_filler: "f".repeat(sizes.quote_filler),
        sign_body: sizes.sign_body,
        sign_filler: "f".repeat(sizes.sign_filler),
        pool,
        signer: LocalSigner::from_hex(SIGNER_KEY)?,
        separator: DomainSeparator::new(&domain, pool),
        next_number: AtomicU64::new(1),
    });
    let app = move || {
        App::new()
            .app_data(state.clone())
            .route("/rfq/v2/quote/{chain_id}", web::get().to(quote))
            .route("/rfq/v2/quote-sign/{chain_id}", web::get().to(quote_sign))
            .route("/rfq/v2/sign", web::post().to(sign))
    };
    actix_web::rt::System::new().block_on(async {
        let server = HttpServer::new(app).workers(1).bind("127.0.0.1:0")?;
        for address in server.addrs() {
            announce(&address.to_string());
        }
        server.run().await
    })?;
    Ok(())
}

#[expect(clippy::print_stderr, reason = "the harness reads the address there, as it does the service's")]
fn announce(address: &str) {
    eprintln!(r#""public":"{address}""#);
}

/// Returns the prepared response.
async fn quote(state: Data<AppState>) -> HttpResponse {
    padded_response(&state.quote_filler, state.quote.clone())
}

/// The request members that are needed to sign.
#[derive(Deserialize)]
struct SignRequest<'r> {
    quote_id: &'r str,
    destination_address: &'r str,
}

/// Parses the request, hashes an offer and signs it.
async fn sign(body: Bytes, state: Data<AppState>) -> Result<HttpResponse, actix_web::Error> {
    let request: SignRequest<'_> = serde_json::from_slice(&body)?;
    // Every request signs a different message, as in the service.
    let amount = request.quote_id.bytes().fold(1_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()) | 1);
    signed_response(&state, amount, request.destination_address).await
}

/// The request parameters that are needed to sign a quote.
#[derive(Deserialize)]
struct QuoteSignRequest {
    input_amount: u64,
    destination_address: String,
}

/// Parses the request, hashes an offer and signs it.
async fn quote_sign(
    request: web::Query<QuoteSignRequest>,
    state: Data<AppState>,
) -> Result<HttpResponse, actix_web::Error> {
    let number = state.next_number.fetch_add(1, Ordering::Relaxed);
    signed_response(&state, request.input_amount.wrapping_add(number), &request.destination_address).await
}

async fn signed_response(state: &AppState, amount: u64, destination: &str) -> Result<HttpResponse, actix_web::Error> {
    let amount = Amount::new(U256::from(amount)).ok_or_else(|| ErrorBadRequest("the amount is zero"))?;
    let offer = Offer {
        pool: state.pool,
        input_token: Address::repeat_byte(1),
        output_token: Address::repeat_byte(2),
        input_amount: amount,
        output_amount: amount,
        good_until: GoodUntil::Plain(UnixSeconds::new(1_800_000_000)),
        destination: destination.parse().map_err(ErrorBadRequest)?,
    };
    let message = TypedMessage::from_offer(&state.separator, &offer);
    let signature = state.signer.sign(&message).await.map_err(ErrorInternalServerError)?;
    let (v, r, s) = (signature.v(), signature.r(), signature.s());
    let mut text = format!(r#"{{"signature":{{"v":{v},"r":"{r}","s":"{s}"}},"filler":""#);
    text.extend(repeat_n('f', state.sign_body.saturating_sub(text.len() + 2)));
    text.push_str("\"}");
    Ok(padded_response(&state.sign_filler, Bytes::from(text)))
}

/// Returns a 200 with a head padded by `filler` to the length of the service's.
fn padded_response(filler: &str, body: Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "application/json"));
    if !filler.is_empty() {
        response.insert_header(("x-filler", filler));
    }
    response.body(body)
}

fn pool() -> anyhow::Result<PoolId> {
    let chain_id = ChainId::new(1).context("invalid chain id")?;
    Ok(PoolId { chain_id, address: Address::repeat_byte(0x65) })
}
