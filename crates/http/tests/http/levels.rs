//! Price levels never exceed what a quote gives, in every notation and over every transport.

use std::time::Duration;

use firmquote_domain::U512;
use firmquote_http::{ConnectionSettings, Limits, NewApiKey, Quota, Settings};
use firmquote_market::{Rejection, Snapshot};
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpSocket,
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    client_async, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

use crate::support::{LevelEvents, PATIENCE, Publisher, Rig, Start, demo_pool, demo_state};

/// Sets the price of ETH one second later, when it may be published.
fn move_price(rig: &Rig, price: &str) {
    rig.clock.advance_micros(1_000_000);
    rig.set_eth_price(price);
}

fn number(value: &Value) -> U512 {
    value.as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_snapshot_stays_below_quotes_of_its_state() {
    let rig = Rig::start().await;
    let levels = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC,USDC-ETH&knots=12").await.success();
    assert_eq!((levels["books"].as_array().unwrap().len(), &levels["withdrawn"]), (2, &serde_json::json!([])));
    for book in levels["books"].as_array().unwrap() {
        assert_eq!(
            (book["firm"].as_bool(), book["semantics"].as_str()),
            (Some(false), Some("cumulative_input_output_floor"))
        );
        let knots = book["knots"].as_array().unwrap();
        assert_eq!(knots.len(), 12);
        assert_eq!((&knots[0][0], &knots[11][0]), (&book["minimum_input"], &book["maximum_input"]));
        for ends in knots.windows(2) {
            let [from, to] = [&ends[0], &ends[1]].map(|knot| [number(&knot[0]), number(&knot[1])]);
            let input = (from[0] + to[0]) / U512::from(2);
            let line = from[1] + (to[1] - from[1]) * (input - from[0]) / (to[0] - from[0]);
            let (input_symbol, output_symbol) = (&book["input_asset_symbol"], &book["output_asset_symbol"]);
            let query = format!(
                "input_asset_symbol={}&output_asset_symbol={}&input_amount={input}",
                input_symbol.as_str().unwrap(),
                output_symbol.as_str().unwrap()
            );
            let quote = rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success();
            assert!(number(&quote["output_amount"]) >= line, "{quote} {line}");
            assert_eq!(
                (&quote["state_id"], &quote["fee_in_basis_points"]),
                (&book["state_id"], &book["fee_in_basis_points"])
            );
        }
    }
}

#[tokio::test]
async fn an_unchanged_snapshot_is_not_sent_again() {
    let rig = Rig::start().await;
    let path = "/rfq/v2/levels/1?pairs=ETH-USDC";
    let first = rig.get(path).await;
    let tag = first.header("etag").unwrap().to_owned();
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let again = |tag: &str| {
        let request = rig.request(Method::GET, path).header("x-api-key", rig.acme_key.reveal());
        rig.send(request.header("if-none-match", tag))
    };
    assert_eq!((again(&tag).await.status, again("\"another\"").await.status), (304, 200));
    move_price(&rig, "2090");
    let moved = again(&tag).await;
    let ids = [&first, &moved].map(|answer| answer.success()["books"][0]["levels_id"].clone());
    assert!(moved.status == 200 && ids[0] != ids[1], "{ids:?}");
}

/// Sums of price times size in doubles, as simple clients compute them, stay below the knots.
#[tokio::test]
async fn summed_bands_stay_below_the_knots() {
    let rig = Rig::start().await;
    let both = ["cumulative", "incremental"].map(|format| format!("/rfq/v2/levels/1?knots=64&format={format}"));
    let [cumulative, incremental] = [rig.get(&both[0]).await.success(), rig.get(&both[1]).await.success()];
    assert_eq!(cumulative["books"].as_array().unwrap().len(), 12);
    for (knots, bands) in cumulative["books"].as_array().unwrap().iter().zip(incremental["books"].as_array().unwrap()) {
        assert_eq!(knots["levels_id"], bands["levels_id"]);
        assert_eq!((bands["semantics"].as_str(), bands.get("knots")), (Some("incremental_price_size"), None));
        let units = |decimals: &Value| 10_f64.powi(i32::try_from(decimals.as_u64().unwrap()).unwrap());
        let (input_unit, output_unit) = (units(&knots["input_asset_decimals"]), units(&knots["output_asset_decimals"]));
        let double = |value: &Value| value.as_str().unwrap().parse::<f64>().unwrap();
        let (mut input, mut output, mut last_price) = (0.0, 0.0, f64::INFINITY);
        let bands = bands["bands"].as_array().unwrap();
        assert_eq!(bands.len(), knots["knots"].as_array().unwrap().len());
        for (knot, band) in knots["knots"].as_array().unwrap().iter().zip(bands) {
            let (price, size) = (double(&band[0]), double(&band[1]));
            assert!(price <= last_price, "{bands:?}");
            (input, output, last_price) = (input + size, output + price * size, price);
            let [knot_input, knot_output] = [double(&knot[0]) / input_unit, double(&knot[1]) / output_unit];
            assert!((input / knot_input - 1.0).abs() < 1e-12, "{band} {knot}");
            assert!(output < knot_output && output > knot_output * (1.0 - 1e-11), "{output} of {knot_output}");
        }
    }
}

#[tokio::test]
async fn a_stream_sends_changes_only() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let mut events = LevelEvents::open(&rig, "pairs=ETH-USDC,USDC-USDT").await;
    let books = [events.expect("book").await, events.expect("book").await];
    assert_eq!(books.each_ref().map(|book| book["seq"].as_u64()), [Some(1); 2]);
    assert_eq!(events.expect("snapshot_end").await["books"], 2);
    let snapshot = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC,USDC-USDT").await.success();
    let ids = |books: &[Value]| books.iter().map(|book| book["levels_id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&books), ids(snapshot["books"].as_array().unwrap()), "one computation for all");

    move_price(&rig, "2090");
    let moved = events.expect("book").await;
    assert_eq!((&moved["input_asset_symbol"], moved["seq"].as_u64()), (&Value::from("ETH"), Some(2)));
    assert!(moved["knots"][3][1] != books[0]["knots"][3][1]);
    // The other pair has not moved, so its levels are renewed shortly before they expire.
    let renewed = events.expect("renew").await;
    assert_eq!(renewed["levels_ids"], serde_json::json!([books[1]["levels_id"]]));
    assert!(renewed["valid_until_ms"].as_u64() > books[1]["valid_until_ms"].as_u64());

    rig.clock.advance_micros(1_000_000);
    let mut untrusted = demo_state("2090");
    untrusted.assets[0].price = Err(Rejection::Silent);
    rig.market.replace(Snapshot::default().with(demo_pool().id, untrusted));
    let gone = loop {
        let message = events.next().await.unwrap();
        match message["type"].as_str() {
            Some("withdraw") => break message,
            Some("renew" | "heartbeat") => {}
            _ => panic!("{message}"),
        }
    };
    assert_eq!(
        (&gone["levels_ids"], &gone["reason"]),
        (&serde_json::json!([moved["levels_id"]]), &Value::from("stale_prices"))
    );
    let withdrawn = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC").await.success();
    assert_eq!(
        (&withdrawn["books"], &withdrawn["withdrawn"][0]["reason"]),
        (&serde_json::json!([]), &Value::from("stale_prices"))
    );
}

#[tokio::test]
async fn the_operator_sees_subscribed_books() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let overview = async || rig.send(rig.http.get(format!("{}/overview", rig.admin))).await.success()["levels"].take();
    let breaches = ["reserves_moved", "outstanding_limit", "store_lost"]
        .map(|reason| serde_json::json!({"reason": reason, "count": 0}));
    let silent = serde_json::json!({"streams": 0, "breaches": breaches, "store_failures": 0, "books": []});
    assert_eq!(overview().await, silent);

    let mut first = LevelEvents::open(&rig, "pairs=ETH-USDC,USDC-USDT").await;
    let mut second = LevelEvents::open(&rig, "pairs=ETH-USDC&knots=4").await;
    for events in [&mut first, &mut second] {
        while events.next().await.unwrap()["type"] != "snapshot_end" {}
    }
    rig.clock.advance_micros(200_000);
    let read = overview().await;
    assert_eq!(read["streams"], 2);
    let expected = [("ETH", "USDC", 2), ("USDC", "USDT", 1)].map(|(input, output, streams)| {
        serde_json::json!({"chain_id": 1, "pool_address": demo_pool().id.address.to_string(), "input_asset": input,
            "output_asset": output, "streams": streams, "firm": false, "withdrawn": null, "age_ms": 200,
            "valid_for_ms": 4_800})
    });
    assert_eq!(read["books"], serde_json::json!(expected));

    drop(second);
    rig.clock.advance_micros(1_000_000);
    let mut untrusted = demo_state("2090");
    untrusted.assets[0].price = Err(Rejection::Silent);
    rig.market.replace(Snapshot::default().with(demo_pool().id, untrusted));
    while first.next().await.unwrap()["type"] != "withdraw" {}
    let withdrawn = loop {
        let read = overview().await;
        if read["streams"] == 1 {
            break read;
        }
    };
    let book = &withdrawn["books"][0];
    assert_eq!((&book["streams"], &book["withdrawn"]), (&Value::from(1), &Value::from("stale_prices")));
    assert_eq!([&book["firm"], &book["age_ms"], &book["valid_for_ms"]], [&Value::Null; 3]);
}

#[tokio::test]
async fn a_stream_ends_when_its_service_is_replaced() {
    let rig = Rig::start().await;
    let mut events = LevelEvents::open(&rig, "pairs=ETH-USDC").await;
    events.expect("book").await;
    events.expect("snapshot_end").await;
    rig.stop.begin_draining();
    let goodbye = events.expect("goodbye").await;
    assert_eq!((goodbye["reason"].as_str(), goodbye["reconnect_after_ms"].as_u64()), (Some("shutdown"), Some(500)));
    assert_eq!(events.next().await, None);
    for route in ["stream", "ws"] {
        let refused = rig.get(&format!("/rfq/v2/levels/1/{route}")).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("2")), "{route}");
        assert_eq!(refused.error().3, "The service is shutting down");
    }
}

#[tokio::test]
async fn a_slow_web_socket_receives_the_latest_books() {
    const PRICES: u32 = 120;
    let connections = ConnectionSettings { write_timeout: 2 * PATIENCE, ..Start::default().connections };
    let rig = Rig::start_with(Start { connections, ..Start::default() }).await;
    let _publisher = Publisher::start(&rig);
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let client = socket.connect(rig.base_v2.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    let address = rig.base_v2.replace("http://", "ws://");
    let mut request = format!("{address}/rfq/v2/levels/1/ws?pairs=ETH-USDC&knots=64").into_client_request().unwrap();
    request.headers_mut().insert("x-api-key", rig.acme_key.reveal().parse().unwrap());
    let (mut socket, _) = client_async(request, client).await.unwrap();
    let newest = async || {
        let books = rig.get("/rfq/v2/levels/1?pairs=ETH-USDC&knots=64").await.success();
        books["books"][0]["seq"].as_u64().unwrap()
    };
    let first = newest().await;
    for number in 0..PRICES {
        // Alive, but not reading.
        socket.send(Message::Pong(Default::default())).await.unwrap();
        let before = newest().await;
        move_price(&rig, &(2_000 + number).to_string());
        while newest().await == before {
            sleep(Duration::from_millis(1)).await;
        }
    }
    let (last, mut received) = (newest().await, 0);
    assert!(last >= first + u64::from(PRICES));
    timeout(PATIENCE, async {
        loop {
            let Message::Text(text) = socket.next().await.unwrap().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            received += u32::from(message["type"] == "book");
            if message["seq"] == last {
                break;
            }
        }
    })
    .await
    .expect("the newest book");
    assert!(received < PRICES / 3, "{received} of {PRICES}");
}

#[tokio::test]
async fn web_sockets_carry_the_same_messages() {
    let rig = Rig::start().await;
    let _publisher = Publisher::start(&rig);
    let address = rig.base_v2.replace("http://", "ws://");
    let mut request = format!("{address}/rfq/v2/levels/1/ws?pairs=ETH-USDC").into_client_request().unwrap();
    request.headers_mut().insert("x-api-key", rig.acme_key.reveal().parse().unwrap());
    let (mut socket, response) = connect_async(request).await.unwrap();
    assert_eq!(response.status().as_u16(), 101);
    let mut expect = async |kind: &str| loop {
        match timeout(PATIENCE, socket.next()).await.expect("a message").unwrap().unwrap() {
            Message::Text(text) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["type"] == kind {
                    return message;
                }
                assert!(matches!(message["type"].as_str(), Some("heartbeat" | "renew")), "{message}");
            }
            frame => assert!(matches!(frame, Message::Ping(_)), "{frame:?}"),
        }
    };
    assert_eq!(expect("hello").await["n"], 1);
    let first = expect("book").await;
    assert_eq!((first["n"].as_u64(), expect("snapshot_end").await["n"].as_u64()), (Some(2), Some(3)));
    move_price(&rig, "2090");
    assert_eq!(expect("book").await["seq"], 2);
    rig.stop.begin_draining();
    assert_eq!(expect("goodbye").await["reason"], "shutdown");
    let close = timeout(PATIENCE, socket.next()).await.expect("a close").unwrap().unwrap();
    assert!(close.is_close(), "{close:?}");
}

#[tokio::test]
async fn invalid_requests_are_rejected_before_the_stream_starts() {
    let rig = Rig::start().await;
    for route in ["", "/stream", "/ws"] {
        let get = async |query: &str| rig.get(&format!("/rfq/v2/levels/1{route}?{query}")).await;
        assert_eq!(get("pairs=ETH-XYZ").await.error().3, "pairs: ETH-XYZ is not supported", "{route}");
        assert_eq!(get("knots=1&format=x&pairs=ETH").await.invalid().len(), 3, "{route}");
        assert_eq!(get("time_in_seconds=601").await.invalid(), ["out_of_range time_in_seconds"]);
        let keyless = rig.request(Method::GET, &format!("/rfq/v2/levels/1{route}"));
        assert_eq!(rig.send(keyless).await.error().0, 401);
    }
    let plain = rig.get("/rfq/v2/levels/1/ws").await;
    assert_eq!((plain.status, plain.header("upgrade")), (426, Some("websocket")));
    let address = rig.base_v2.replace("http://", "ws://");
    let refused = connect_async(format!("{address}/rfq/v2/levels/1/ws")).await.unwrap_err();
    assert!(matches!(refused, Error::Http(response) if response.status().as_u16() == 401));
}

#[tokio::test]
async fn streams_per_client_are_bounded() {
    let rig = Rig::start().await;
    let mut streams = Vec::new();
    for _ in 0..32 {
        streams.push(LevelEvents::open(&rig, "pairs=ETH-USDC").await);
    }
    let refused = rig.get("/rfq/v2/levels/1/stream").await;
    assert_eq!(refused.error().3, "Too many streams, please try again in 5 s");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("5")));
    let limit = ["ratelimit-policy", "ratelimit"].map(|name| refused.header(name));
    assert_eq!(limit, [Some("\"level-streams\";q=32"), Some("\"level-streams\";r=0;t=5")]);
    let other = rig.request(Method::GET, "/rfq/v2/levels/1/stream").header("x-api-key", rig.apex_key.reveal());
    assert_eq!(other.send().await.unwrap().status(), 200, "another client has its own");
}

#[tokio::test]
async fn books_with_other_parameters_are_limited_for_each_client() {
    let plenty = Quota::per_second(1_000_000, 1_000_000);
    let limits = Limits { anonymous: plenty, failed_logins: plenty, credential: Some(plenty) };
    let settings = Settings { limits, ..Start::default().settings };
    let rig = Rig::start_with(Start { settings, ..Start::default() }).await;
    let open = async |key: &NewApiKey, query: &str| {
        let path = format!("/rfq/v2/levels/1/stream?{query}");
        rig.request(Method::GET, &path).header("x-api-key", key.reveal()).send().await.unwrap()
    };
    let mut streams = Vec::new();
    // 12 books each, of which 128 may have other parameters than the default ones.
    for time in 1..=10 {
        streams.push(open(&rig.acme_key, &format!("time_in_seconds={time}")).await);
    }
    let refused = rig.get("/rfq/v2/levels/1/stream?time_in_seconds=11").await;
    assert_eq!(refused.error().3, "Too many books of levels, please try again in 5 s");
    let fields = ["retry-after", "ratelimit-policy", "ratelimit"].map(|name| refused.header(name));
    assert_eq!(fields, [Some("5"), Some("\"level-books\";q=128"), Some("\"level-books\";r=0;t=5")]);
    for (key, query) in [
        (&rig.acme_key, "time_in_seconds=10"),
        (&rig.acme_key, ""),
        (&rig.acme_key, "time_in_seconds=60&knots=16"),
        (&rig.apex_key, "time_in_seconds=11"),
    ] {
        streams.push(open(key, query).await);
    }
    let statuses: Vec<_> = streams.iter().map(|stream| stream.status().as_u16()).collect();
    assert_eq!(statuses, [200; 14]);
}

#[tokio::test]
async fn a_stalled_reader_is_disconnected_and_buffers_only_the_latest_books() {
    let connections = ConnectionSettings { write_timeout: Duration::from_millis(300), ..Start::default().connections };
    let rig = Rig::start_with(Start { connections, ..Start::default() }).await;
    let _publisher = Publisher::start(&rig);
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut client = socket.connect(rig.base_v2.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    let key = rig.acme_key.reveal();
    let head = format!("GET /rfq/v2/levels/1/stream?knots=64 HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n");
    client.write_all(head.as_bytes()).await.unwrap();
    let streams = async || {
        let metrics = rig.http.get(format!("{}/metrics", rig.admin)).send().await.unwrap().text().await.unwrap();
        metrics.lines().any(|line| line == "firmquote_level_streams 1")
    };
    timeout(PATIENCE, async {
        while !streams().await {
            sleep(Duration::from_millis(5)).await
        }
    })
    .await
    .unwrap();
    let reading = async {
        for price in 2_000_u32.. {
            move_price(&rig, &price.to_string());
            // Reading a byte now and then does not help: the client must read all output.
            let _ = timeout(Duration::from_millis(20), client.read(&mut [0])).await;
            if !streams().await {
                break;
            }
        }
    };
    timeout(PATIENCE, reading).await.expect("the connection is closed");
}
