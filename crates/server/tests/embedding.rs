//! The whole service embedded in a host process.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{sync::Arc, time::Duration};

use firmquote_client::{ChainId, Client, ClientSettings, QuoteRequest, Reaction, SwapAmount, Symbol};
use firmquote_config::Config;
use firmquote_domain::{Clock, ManualClock, Timestamp};
use firmquote_server::{Application, SystemClock, system_environment, system_time};
use tokio::sync::oneshot;

/// The built-in demo on ports that the system chooses.
fn config() -> Config {
    let mut config = Config::demo(&[], &system_environment()).unwrap();
    (config.server.bind, config.server.admin_bind) = ("127.0.0.1:0".parse().unwrap(), "127.0.0.1:0".parse().unwrap());
    config.server.drain = Duration::ZERO;
    config
}

async fn build(clock: Arc<dyn Clock>) -> Application {
    Application::build(config(), clock).await.unwrap()
}

fn one_ether() -> QuoteRequest {
    let amount = SwapAmount::ExactInput("1000000000000000000".parse().unwrap());
    QuoteRequest::new(ChainId::new(1).unwrap(), Symbol::new("ETH").unwrap(), Symbol::new("USDC").unwrap(), amount)
}

fn desk_request() -> firmquote_desk::QuoteRequest<'static> {
    firmquote_desk::QuoteRequest {
        client: firmquote_domain::Client::Anonymous,
        source_network: None,
        chain_id: ChainId::new(1).unwrap(),
        input: "ETH".into(),
        output: "USDC".into(),
        amount: SwapAmount::ExactInput("1000000000000000000".parse().unwrap()),
        time_in_seconds: None,
        pool_address: None,
        levels_id: None,
        quote_id: None,
    }
}

fn client(application: &Application) -> Client {
    Client::new(ClientSettings::new(format!("http://{}", application.addresses().public))).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_runs_until_stopped() {
    let application = build(Arc::new(SystemClock::new(Duration::from_secs(5)))).await;
    let client = client(&application);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run(async { drop(stopped.await) }));
    let quote = client.quote(&one_ether()).await.unwrap();
    assert!(*quote.must_accept_by > system_time());
    drop(stop);
    running.await.unwrap().unwrap();
    assert_eq!(client.quote(&one_ether()).await.unwrap_err().reaction(), Reaction::Retry { after: None });
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_use_the_hosts_clock() {
    let clock = Arc::new(ManualClock::at(Timestamp::from_seconds(1_795_230_380)));
    let application = build(clock).await;
    let client = client(&application);
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run(async { drop(stopped.await) }));
    let quote = client.quote(&one_ether()).await.unwrap();
    assert_eq!(quote.must_accept_by.seconds().get(), 1_795_230_380 + 12);
    drop(stop);
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_quotes_through_the_desk_with_prices_and_pauses_updated_in_the_background() {
    let application = build(Arc::new(SystemClock::new(Duration::from_secs(5)))).await;
    let (desk, client) = (Arc::clone(application.desk()), client(&application));
    assert!(application.registry().gather().iter().any(|family| family.name() == "firmquote_build_info"));
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(application.run_background(async { drop(stopped.await) }));
    desk.quote(&desk_request()).await.unwrap();
    assert!(client.quote(&one_ether()).await.is_err(), "its own listeners are closed");
    drop(stop);
    running.await.unwrap().unwrap();
    assert!(desk.quote(&desk_request()).await.is_err(), "nothing is kept up to date any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_the_server_future_closes_its_listeners_and_stops_quoting() {
    let application = build(Arc::new(SystemClock::new(Duration::from_secs(5)))).await;
    let (service, client) = (Arc::clone(application.service()), client(&application));
    let running = tokio::spawn(application.run(std::future::pending()));
    client.quote(&one_ether()).await.unwrap();
    service.desk().quote(&desk_request()).await.unwrap();
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    assert!(service.desk().quote(&desk_request()).await.is_err(), "a pause would no longer be noticed");
    while client.quote(&one_ether()).await.is_ok() {
        tokio::task::yield_now().await;
    }
}
