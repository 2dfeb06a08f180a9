//! Bytes that are only partly valid HTTP, or not at all.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::{CredentialKind, one, quotes};
use crate::storm::{secrets::ACME_KEY, wire::RawRequest};

/// Draws all the bytes to send over one connection.
pub(in crate::storm) fn noise(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let quote = quotes::from(rng, CredentialKind::Acme, 2).raw_request.bytes();
    let health = RawRequest::new("GET", "/errors").bytes();
    let post = |headers: &str, body: &[u8]| {
        let head = "POST /rfq/quote HTTP/1.1\r\nhost: storm\r\ncontent-type: application/json\r\n";
        [format!("{head}x-api-key: {ACME_KEY}\r\n{headers}\r\n").as_bytes(), body].concat()
    };
    match rng.random_range(0..20) {
        0 => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".iter().copied().chain(random(rng, 300)).collect(),
        1 => random(rng, 2_000),
        2 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00".to_vec(),
        3 => format!("GET /errors HTTP/1.1\nhost: storm\nx-api-key: {ACME_KEY}\n\n").into_bytes(),
        4 => format!("GET /errors HTTP/1.1\r\nhost: storm\r\nx-api-key {ACME_KEY}\r\n\r\n").into_bytes(),
        5 => format!("GET /errors HTTP/1.1\r\nx-api-key: {ACME_KEY}\r\n folded: x\r\n{}\r\n\r\n", "\x01: 1").into_bytes(),
        6 => [b"GET /errors HTTP/1.1\r\n", "a: b\r\n".repeat(rng.random_range(50..40_000)).as_bytes()].concat(),
        7 => [b"GET /", "x".repeat(rng.random_range(1_000..300_000)).as_bytes(), b" HTTP/1.1\r\n\r\n"].concat(),
        8 => post("transfer-encoding: chunked\r\n", b"zz\r\n{}\r\n0\r\n\r\n"),
        9 => post("transfer-encoding: chunked\r\n", b"ffffffffffffffffff\r\n{}"),
        10 => post("transfer-encoding: chunked\r\n", b"2\r\n{}\r\n0\r\ntrailer: x\r\n\r\n"),
        11 => post("transfer-encoding: chunked\r\ncontent-length: 2\r\n", b"2\r\n{}\r\n0\r\n\r\n"),
        12 => post("content-length: 2\r\ncontent-length: 3\r\n", b"{}"),
        13 => post(&format!("content-length: {}\r\n", one(rng, &["-1", "+2", "2 2", "18446744073709551616", "0x2"])), b"{}"),
        14 => post("content-length: 9000\r\n", b"{\"chain_id\":"),
        15 => post("transfer-encoding: identity\r\n", b"{}"),
        16 => [&quote[..], &health, &quote, b"BROKEN\r\n\r\n", &health].concat(),
        17 => quote.iter().chain(&health).copied().cycle().take((quote.len() + health.len()) * 12).collect(),
        18 => one(rng, &[
            &b"GET /errors\r\n\r\n"[..],
            b"GET /errors HTTP/1.0\r\n\r\n",
            b"GET /errors HTTP/9.9\r\n\r\n",
            b" / HTTP/1.1\r\n\r\n",
            b"GET  /errors  HTTP/1.1\r\n\r\n",
            b"GET /\xff\xfe HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
            b"\r\n\r\n\r\nGET /errors HTTP/1.1\r\n\r\n",
            b"CONNECT storm:443 HTTP/1.1\r\nhost: storm:443\r\n\r\n\x16\x03\x01",
            b"GET /errors HTTP/1.1\r\nhost: \x00\r\n\r\n",
            b"GET /errors HTTP/1.1\r\nupgrade: h2c\r\nconnection: upgrade\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\nPRI",
        ])
        .to_vec(),
        _ => corrupted(rng, quote),
    }
}

fn random(rng: &mut ChaCha8Rng, max_length: usize) -> Vec<u8> {
    (0..rng.random_range(1..max_length)).map(|_| rng.random()).collect()
}

/// Changes a few bytes at random, and sometimes truncates the rest.
fn corrupted(rng: &mut ChaCha8Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..rng.random_range(1..6) {
        let at = rng.random_range(0..bytes.len());
        bytes[at] = rng.random();
    }
    if rng.random() {
        bytes.truncate(rng.random_range(1..bytes.len()));
    }
    bytes
}
