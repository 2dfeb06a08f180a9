//! The routes mounted in a host application, beside its middleware, its routes and its default service.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::{
    App, HttpMessage as _, HttpRequest, HttpResponse, HttpServer,
    dev::{ServerHandle, ServiceRequest},
    middleware::{Next, from_fn},
    web::{self, scope},
};
use firmquote_http::{
    AuthenticatedClient, ClientName, ConnectionConfig, ConnectionSettings, LiveService, admin_routes, public_routes,
    serve,
};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{POOL, Rig};

/// The number of requests through the host's own middleware.
type Passes = Arc<AtomicUsize>;

/// A host's application.
fn host(
    service: Arc<LiveService>,
    passes: Passes,
) -> App<
    impl actix_service::ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = actix_web::dev::ServiceResponse<impl actix_web::body::MessageBody>,
        Error = actix_web::Error,
        InitError = (),
    >,
> {
    App::new()
        .wrap(from_fn(move |request, next: Next<_>| {
            passes.fetch_add(1, Ordering::SeqCst);
            next.call(request)
        }))
        .route("/", web::get().to(async || "the host's own page"))
        .service(scope("/swap").configure(public_routes(Arc::clone(&service))))
        .service(scope("/swap-operator").configure(admin_routes(service)))
        .default_service(web::to(async || HttpResponse::ImATeapot().body("the host's own default")))
}

/// Starts the host's own server, that of actix-web.
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

/// Requests a quote of version 1 without credentials; returns status, body and whether the response has a request id.
async fn quote(http: &Client, base: &str, body: &str) -> (StatusCode, Value, bool) {
    let request = http.post(format!("{base}/rfq/quote")).header("content-type", "application/json");
    let response = request.body(body.to_owned()).send().await.unwrap();
    let (status, is_named) = (response.status(), response.headers().contains_key("x-request-id"));
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap(), is_named)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_serves_the_routes_in_its_own_scope_beside_its_own() {
    let (rig, passes) = (Rig::start().await, Passes::default());
    let (base, handle) = host_server(&rig.live, &passes);
    let swap = format!("{base}/swap");
    let (status, quoted, is_named) = quote(&rig.http, &swap, QUOTE).await;
    assert_eq!((status.as_u16(), &quoted["output_amount"], is_named), (200, &json!("2078539413"), true));
    assert_eq!(passes.load(Ordering::SeqCst), 1, "the host's middleware sees every request");
    // Errors are those of the interface, and link to where the host mounts it.
    let (status, refused, is_named) = quote(&rig.http, &swap, "{}").await;
    assert_eq!((status.as_u16(), &refused["errorType"], is_named), (400, &json!("BadData"), true));
    let page = refused["data"][0]["url"].as_str().unwrap();
    assert!(page.starts_with(&format!("{swap}/errors/")), "{page}");
    assert_eq!(get(&rig.http, page.to_owned()).await.0, 200);
    // Authentication and the order of checks come with the routes: no body is read before.
    let forged = rig.http.post(format!("{swap}/rfq/v2/sign")).header("x-api-key", "none").body(vec![0; 1 << 20]);
    assert_eq!(forged.send().await.unwrap().status(), 403);
    let large = rig.http.post(format!("{swap}/rfq/quote")).header("content-type", "application/json");
    assert_eq!(large.body(" ".repeat(1 << 20)).send().await.unwrap().status(), 413);
    let (status, chains) = get(&rig.http, format!("{swap}/rfq/v2/chains")).await;
    assert_eq!(status, 401, "{chains}");
    let other_method = rig.http.delete(format!("{swap}/rfq/quote")).send().await.unwrap();
    assert_eq!((other_method.status().as_u16(), other_method.headers()["allow"].to_str().unwrap()), (405, "POST"));
    // Routes of the host above and below the scope are unaffected.
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
async fn scope_parameters_of_a_host_are_not_route_parameters() {
    let rig = Rig::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let service = Arc::clone(&rig.live);
    let app = move || {
        let (public, admin) = (public_routes(Arc::clone(&service)), admin_routes(Arc::clone(&service)));
        App::new().service(scope("/{tenant}/swap").configure(public)).service(scope("/{chain_id}/op").configure(admin))
    };
    let server = HttpServer::new(app).workers(1).disable_signals().listen(listener).unwrap().run();
    let handle = server.handle();
    tokio::spawn(server);
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    let quote = async |chain: u32| {
        let request = rig.http.get(format!("{base}/5/swap/rfq/v2/quote/{chain}?{query}"));
        let response = request.header("x-api-key", rig.acme_key.reveal()).send().await.unwrap();
        (response.status().as_u16(), serde_json::from_str::<Value>(&response.text().await.unwrap()).unwrap())
    };
    let (status, quoted) = quote(1).await;
    assert_eq!((status, &quoted["chain_id"]), (200, &json!(1)));
    let (status, refused) = quote(5).await;
    assert_eq!((status, &refused["errorMessage"]), (400, &json!("chain_id: 5 is not supported")));
    let pause = rig.http.post(format!("{base}/7/op/pools/{POOL}/pause"));
    let paused = pause.bearer_auth(rig.admin_token.reveal()).send().await.unwrap();
    assert_eq!(paused.status().as_u16(), 200);
    let (status, refused) = quote(1).await;
    let message = refused["errorMessage"].as_str().unwrap();
    assert!(status != 200 && message.contains("paused"), "{status} {message}");
    handle.stop(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_and_larger_bodies_work_in_a_host() {
    let rig = Rig::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let quick = Duration::from_millis(50);
    let settings =
        ConnectionSettings { workers: 1, keep_alive: quick, head_timeout: quick, ..ConnectionSettings::default() };
    let config = ConnectionConfig::new(settings, Arc::clone(&rig.live)).with_max_body_bytes(64 << 10);
    let app = || {
        App::new()
            .route("/stream", web::get().to(async || HttpResponse::Ok().streaming(Ticks(0))))
            .route("/length", web::post().to(async |body: web::Bytes| body.len().to_string()))
    };
    let server = serve(app, listener, config).unwrap();
    let handle = server.handle();
    tokio::spawn(server);
    assert_eq!(
        get(&rig.http, format!("{base}/stream")).await.1,
        "tick".repeat(5),
        "longer than an idle connection lives"
    );
    let length = async |bytes: usize| rig.http.post(format!("{base}/length")).body(vec![b'x'; bytes]).send().await;
    assert_eq!(length(60 << 10).await.unwrap().text().await.unwrap(), (60 << 10).to_string());
    assert!(length(200 << 10).await.is_err(), "it is not waited for beyond what may be read");
    handle.stop(true).await;
}

/// Five ticks, each later than the idle timeout of a connection.
struct Ticks(u32);

impl futures_util::Stream for Ticks {
    type Item = Result<web::Bytes, std::convert::Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        if self.0 == 10 {
            return std::task::Poll::Ready(None);
        }
        self.0 += 1;
        if self.0.is_multiple_of(2) {
            return std::task::Poll::Ready(Some(Ok(web::Bytes::from_static(b"tick"))));
        }
        let waker = context.waker().clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            waker.wake();
        });
        std::task::Poll::Pending
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hosts_application_is_served_on_the_crates_connections() {
    let (rig, passes) = (Rig::start().await, Passes::default());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let settings = ConnectionSettings { workers: 1, max_connections_per_address: 1, ..ConnectionSettings::default() };
    let config = ConnectionConfig::new(settings, Arc::clone(&rig.live));
    let service = Arc::clone(&rig.live);
    let server = serve(move || host(Arc::clone(&service), Arc::clone(&passes)), listener, config).unwrap();
    let handle = server.handle();
    let serving = tokio::spawn(server);
    // Both requests use one connection, which stays open: an address may have only one.
    let mut connection = TcpStream::connect(address).await.unwrap();
    let head = format!("host: x\r\ncontent-type: application/json\r\ncontent-length: {}", QUOTE.len());
    let requests =
        format!("POST /swap/rfq/quote HTTP/1.1\r\n{head}\r\n\r\n{QUOTE}GET /none HTTP/1.1\r\nhost: x\r\n\r\n");
    connection.write_all(requests.as_bytes()).await.unwrap();
    let mut responses = String::new();
    while !responses.ends_with("the host's own default") {
        let mut bytes = [0; 4096];
        let length = connection.read(&mut bytes).await.unwrap();
        assert_ne!(length, 0, "the connection ends after {responses}");
        responses.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
    }
    assert!(responses.starts_with("HTTP/1.1 200 OK\r\n"), "{responses}");
    assert!(responses.contains(r#""output_amount":"2078539413""#), "{responses}");
    assert!(responses.contains("HTTP/1.1 418 I'm a teapot\r\n"), "{responses}");
    assert!(Client::new().get(format!("http://{address}/")).send().await.is_err());
    drop(connection);
    handle.stop(true).await;
    serving.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_authenticates_clients_itself() {
    let rig = Rig::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let service = Arc::clone(&rig.live);
    let server = HttpServer::new(move || {
        let authenticate = from_fn(|request: ServiceRequest, next: Next<_>| {
            if request.headers().contains_key("x-session") {
                request.extensions_mut().insert(AuthenticatedClient(ClientName::new("acme").unwrap()));
            }
            next.call(request)
        });
        let live = Arc::clone(&service);
        let own_route = move |request: HttpRequest| {
            let live = Arc::clone(&live);
            async move {
                match live.authenticate(&request).await {
                    Ok(client) => HttpResponse::Ok().body(client.name().unwrap_or_default().to_owned()),
                    Err(refusal) => refusal,
                }
            }
        };
        let app = App::new().wrap(authenticate).route("/own", web::get().to(own_route));
        app.configure(public_routes(Arc::clone(&service)))
    });
    let server = server.workers(1).disable_signals().listen(listener).unwrap().run();
    let handle = server.handle();
    tokio::spawn(server);
    let quote = format!(
        "{base}/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000"
    );
    let request = |name: &str, value: &str| rig.http.get(&quote).header(name, value).send();
    assert_eq!(request("x-other", "1").await.unwrap().status(), 401, "without a session");
    let quoted = request("x-session", "1").await.unwrap();
    assert_eq!(quoted.status(), 200);
    let quoted: Value = serde_json::from_str(&quoted.text().await.unwrap()).unwrap();
    // The quote is that of the client, whichever way it presents itself.
    let body = json!({"quote_id": quoted["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let sign = |name: &str, value: String| {
        let request = rig.http.post(format!("{base}/rfq/v2/sign")).header("content-type", "application/json");
        request.header(name, value).body(body.to_string()).send()
    };
    assert_eq!(sign("x-api-key", rig.acme_key.reveal().to_string()).await.unwrap().status(), 200);
    assert_eq!(sign("x-session", "1".to_owned()).await.unwrap().status(), 200);
    let own_route = |name: &str| rig.http.get(format!("{base}/own")).header(name, "1").send();
    assert_eq!(own_route("x-other").await.unwrap().status(), 401);
    assert_eq!(own_route("x-session").await.unwrap().text().await.unwrap(), "acme");
    handle.stop(true).await;
}
