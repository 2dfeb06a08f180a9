//! Modifies valid requests.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::{GeneratedRequest, one, values};
use crate::storm::{secrets::ACME_KEY, wire::RawRequest};

/// Applies one random modification to a request.
pub(in crate::storm) fn tampered(rng: &mut ChaCha8Rng, generated: GeneratedRequest) -> GeneratedRequest {
    let raw_request = match rng.random_range(0..10) {
        0 => framed_otherwise(rng, generated.raw_request),
        1 => RawRequest {
            method: one(rng, &["HEAD", "OPTIONS", "DELETE", "PATCH", "TRACE", "PUT", "get"]),
            ..generated.raw_request
        },
        _ if generated.raw_request.body.is_some() => with_body(rng, generated.raw_request),
        _ => with_query(rng, generated.raw_request),
    };
    GeneratedRequest { raw_request, is_tampered: true, ..generated }
}

fn with_body(rng: &mut ChaCha8Rng, raw_request: RawRequest) -> RawRequest {
    let text = String::from_utf8(raw_request.body.unwrap_or_default()).unwrap_or_default();
    let object = serde_json::from_str(&text);
    let Ok(Value::Object(members)) = object else { return RawRequest { body: Some(text.into()), ..raw_request } };
    let names: Vec<&String> = members.keys().collect();
    let name = one(rng, &names);
    let value = members.get(name).map(Value::to_string).unwrap_or_default();
    let (old, weird) = (format!("\"{name}\":{value}"), values::json(rng));
    let body = match rng.random_range(0..14) {
        0 => text.replacen(&old, "\"other\":0", 1).into_bytes(),
        1 => text.replacen(&old, &format!("\"{name}\":null"), 1).into_bytes(),
        2 => text.replacen(&old, &format!("{old},{old}"), 1).into_bytes(),
        3 => text
            .replacen(&old, &format!("{old},\"\\u{:04x}{}\":{weird}", name.as_bytes()[0], &name[1..]), 1)
            .into_bytes(),
        4 => format!("[{text}]").into_bytes(),
        5 => format!("{text}{text}").into_bytes(),
        6 => text.as_bytes()[..rng.random_range(0..text.len())].to_vec(),
        7 => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        8 => text.replacen(name.as_str(), "\u{1f4a3}", 1).into_bytes().into_iter().rev().collect(),
        9 => text.replacen('{', &format!("{{\"unknown\":{weird},"), 1).into_bytes(),
        _ => text.replacen(&old, &format!("\"{name}\":{weird}"), 1).into_bytes(),
    };
    RawRequest { body: Some(body), ..raw_request }
}

fn with_query(rng: &mut ChaCha8Rng, raw_request: RawRequest) -> RawRequest {
    let target = String::from_utf8(raw_request.target).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let parts: Vec<&str> = query.split('&').collect();
    let part = one(rng, &parts);
    let name = part.split('=').next().unwrap_or_default();
    let weird = values::query(rng);
    let target = match rng.random_range(0..8) {
        0 => target.replacen(part, "", 1),
        1 => format!("{target}&{part}"),
        2 => format!("{target}&{name}={weird}&x-api-key={ACME_KEY}"),
        3 => {
            let (front, _) = path.rsplit_once('/').unwrap_or((path, ""));
            format!("{front}/{}?{query}", weird.replace(['{', '}', '[', ']'], "%5B"))
        }
        4 => target.replacen('/', "//", 1),
        5 => format!("{target}&{}", "a&".repeat(rng.random_range(1..8_000))),
        _ => target.replacen(part, &format!("{name}={weird}"), 1),
    };
    RawRequest { target: target.into_bytes(), ..raw_request }
}

/// Changes headers or framing: no content type, an encoding, an oversized or unexpected body, an upgrade, a long
/// header.
fn framed_otherwise(rng: &mut ChaCha8Rng, mut raw_request: RawRequest) -> RawRequest {
    match rng.random_range(0..7) {
        0 => raw_request.headers.retain(|(name, _)| *name != "content-type"),
        1 => raw_request.headers.push(("content-encoding", b"gzip".to_vec())),
        2 => raw_request.headers.push(("expect", one(rng, &[&b"100-continue"[..], b"nothing"]).to_vec())),
        3 => raw_request.body = Some(vec![b' '; rng.random_range(16_000..70_000)]),
        4 => raw_request.headers.push(("upgrade", b"websocket".to_vec())),
        5 => {
            raw_request.headers.push(("connection", one(rng, &[&b"close"[..], b"upgrade", b"keep-alive, x"]).to_vec()))
        }
        _ => raw_request.headers.push(("accept", vec![b'*'; rng.random_range(1..60_000)])),
    }
    raw_request
}
