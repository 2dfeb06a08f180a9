//! 64 connections that ask as fast as they are answered.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::{connection::Connection, replica::API_KEY};

const CONNECTIONS: usize = 64;

/// How it went.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) per_second: f64,
    pub(crate) median_us: u128,
}

impl Load {
    fn of(mut each: Vec<Duration>, all: Duration) -> Self {
        each.sort_unstable();
        let median_us = each.get(each.len() / 2).map_or(0, Duration::as_micros);
        Self { per_second: f64::from(u32::try_from(each.len()).expect("few")) / all.as_secs_f64(), median_us }
    }

    /// The one in the middle, by throughput.
    pub(crate) fn median(mut loads: Vec<Self>) -> Self {
        loads.sort_by(|one, other| one.per_second.total_cmp(&other.per_second));
        *loads.get(loads.len() / 2).expect("at least one")
    }
}

/// Asks for so many quotes; returns their ids.
pub(crate) async fn quote_all(address: SocketAddr, quotes: usize) -> (Load, Vec<String>) {
    let body = r#"{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000000000000000000"}"#;
    let request = post("/rfq/quote", body);
    let requests = vec![request; quotes];
    let (load, answers) = send_all(address, requests, id).await;
    (load, answers)
}

/// Has all of these quotes signed.
pub(crate) async fn sign_all(address: SocketAddr, ids: Vec<String>) -> Load {
    let body = |id: String| {
        format!(
            r#"{{"quote_id":"{id}","destination_address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","calldata":true}}"#
        )
    };
    let requests = ids.into_iter().map(|id| post("/rfq/sign", &body(id))).collect();
    send_all(address, requests, |_| ()).await.0
}

async fn send_all<T: Send + 'static>(
    address: SocketAddr,
    mut requests: Vec<Vec<u8>>,
    read: fn(&[u8]) -> T,
) -> (Load, Vec<T>) {
    let share = requests.len().div_ceil(CONNECTIONS);
    let mut tasks = JoinSet::new();
    let start = Instant::now();
    while !requests.is_empty() {
        let own = requests.split_off(requests.len().saturating_sub(share));
        tasks.spawn(async move {
            let mut connection = Connection::open(address).await;
            let mut answers = Vec::with_capacity(own.len());
            for request in own {
                let sent = Instant::now();
                let answer = read(connection.exchange(&request).await);
                answers.push((sent.elapsed(), answer));
            }
            answers
        });
    }
    let answers = tasks.join_all().await.into_iter().flatten();
    let all = start.elapsed();
    let (each, answers) = answers.unzip();
    (Load::of(each, all), answers)
}

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: firmquote\r\nx-api-key: {API_KEY}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// The id of a quote, which its answer starts with.
fn id(answer: &[u8]) -> String {
    let text = std::str::from_utf8(answer).expect("JSON");
    let rest = text.split_once(r#""id":""#).expect("an id").1;
    rest.split('"').next().expect("an id").to_owned()
}
