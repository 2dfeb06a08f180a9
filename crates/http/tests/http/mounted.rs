//! The routes in somebody's own application, beside its middleware, its routes and its default service.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::ServerHandle,
    middleware::from_fn,
    web::{self, scope},
};
use firmquote_http::{ConnectionConfig, ConnectionSettings, LiveService, admin_routes, public_routes, serve};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::support::Rig;

/// How often the host's own middleware was passed.
type Passes = Arc<AtomicUsize>;

/// A host's application.
fn host(
    service: Arc<LiveService>,
    passes: Passes,
) -> App<
    impl actix_service::ServiceFactory<
        actix_web::dev::ServiceRequest,
        Config = (),
        Response = actix_web::dev::ServiceResponse<impl actix_web::body::MessageBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    App::new()
        .wrap(from_fn(move |request, next: actix_web::middleware::Next<_>| {
            passes.fetch_add(1, Ordering::SeqCst);
            next.call(request)
        }))
        .route("/", web::get().to(async || "the host's own page"))
        .service(scope("/swap").configure(public_routes(Arc::clone(&service))))
        .service(scope("/swap-operator").configure(admin_routes(service)))
        .default_service(web::to(async || HttpResponse::ImATeapot().body("the host's own default")))
}

/// The host's own server, which is actix-web's.
fn host_server(service: &Arc<LiveService>, passes: &Passes) -> (String, ServerHandle) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (service, passes) = (Arc::clone(service), Arc::clone(passes));
    let server = HttpServer::new(move || host(Arc::clone(&service), Arc::clone(&passes)));
    let server = server.workers(1).disable_signals().listen(listener).unwrap().run();
    let handle = server.handle();
    tokio::spawn(server);
    (base, handle)
}

async fn get(http: &Client, url: String) -> (StatusCode, String) {
    let response = http.get(url).send().await.unwrap();
    (response.status(), response.text().await.unwrap())
}

const QUOTE: &str =
    r#"{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000000000000000000"}"#;

/// A quote of version 1 without credentials, and what the answer says of the request.
async fn quote(http: &Client, base: &str, body: &str) -> (StatusCode, Value, bool) {
    let request = http.post(format!("{base}/rfq/quote")).header("content-type", "application/json");
    let response = request.body(body.to_owned()).send().await.unwrap();
    let (status, is_named) = (response.status(), response.headers().contains_key("x-request-id"));
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap(), is_named)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_serves_the_routes_below_its_own_scope_and_keeps_everything_else() {
    let (rig, passes) = (Rig::start().await, Passes::default());
    let (base, handle) = host_server(&rig.live, &passes);
    let swap = format!("{base}/swap");
    let (status, quoted, is_named) = quote(&rig.http, &swap, QUOTE).await;
    assert_eq!((status.as_u16(), &quoted["output_amount"], is_named), (200, &json!("2078539413"), true));
    assert_eq!(passes.load(Ordering::SeqCst), 1, "the host's middleware sees every request");
    // Errors are the interface's own, and link to where the host serves it.
    let (status, refused, is_named) = quote(&rig.http, &swap, "{}").await;
    assert_eq!((status.as_u16(), &refused["errorType"], is_named), (400, &json!("BadData"), true));
    let page = refused["data"][0]["url"].as_str().unwrap();
    assert!(page.starts_with(&format!("{swap}/errors/")), "{page}");
    assert_eq!(get(&rig.http, page.to_owned()).await.0, 200);
    // Authentication and the order of refusals come with the routes: nothing of a body is read before.
    let forged = rig.http.post(format!("{swap}/rfq/v2/sign")).header("x-api-key", "none").body(vec![0; 1 << 20]);
    assert_eq!(forged.send().await.unwrap().status(), 403);
    let large = rig.http.post(format!("{swap}/rfq/quote")).header("content-type", "application/json");
    assert_eq!(large.body(" ".repeat(1 << 20)).send().await.unwrap().status(), 413);
    let (status, chains) = get(&rig.http, format!("{swap}/rfq/v2/chains")).await;
    assert_eq!(status, 401, "{chains}");
    let other_method = rig.http.delete(format!("{swap}/rfq/quote")).send().await.unwrap();
    assert_eq!((other_method.status().as_u16(), other_method.headers()["allow"].to_str().unwrap()), (405, "POST"));
    // What is the host's stays the host's, above and below the scope.
    assert_eq!(get(&rig.http, format!("{base}/")).await, (StatusCode::OK, "the host's own page".to_owned()));
    for path in ["/none", "/rfq/quote", "/swap/none", "/swap/rfq/v3/quote", "/swap/metrics"] {
        let expected = (StatusCode::IM_A_TEAPOT, "the host's own default".to_owned());
        assert_eq!(get(&rig.http, format!("{base}{path}")).await, expected, "{path}");
    }
    assert_eq!(get(&rig.http, format!("{base}/swap-operator/healthz")).await.0, 200);
    let metrics = get(&rig.http, format!("{base}/swap-operator/metrics")).await.1;
    let counted = "firmquote_http_requests_total{outcome=\"ok\",route=\"/rfq/quote\"} 1";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
    handle.stop(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hosts_application_is_served_with_the_connections_of_this_crate() {
    let (rig, passes) = (Rig::start().await, Passes::default());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let settings = ConnectionSettings { workers: 1, max_connections_per_address: 1, ..ConnectionSettings::default() };
    let config = ConnectionConfig::new(settings, Arc::clone(&rig.live));
    let service = Arc::clone(&rig.live);
    let server = serve(move || host(Arc::clone(&service), Arc::clone(&passes)), listener, config).unwrap();
    let handle = server.handle();
    let serving = tokio::spawn(server);
    let (status, quoted, _) = quote(&rig.http, &format!("{base}/swap"), QUOTE).await;
    assert_eq!((status.as_u16(), &quoted["output_amount"]), (200, &json!("2078539413")));
    assert_eq!(get(&rig.http, format!("{base}/none")).await.0, StatusCode::IM_A_TEAPOT);
    // The client above keeps its connection, and an address may have one.
    assert!(Client::new().get(format!("{base}/")).send().await.is_err());
    handle.stop(true).await;
    serving.await.unwrap().unwrap();
}
