//! Status, headers and body of every route for every method and credential, and the order of checks, as recorded in
//! `pinned.txt`.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path, sync::Arc};

use firmquote_signer::LocalSigner;
use reqwest::{Method, header::HOST};
use serde_json::Value;

use crate::support::{Rig, Start, TestResponse};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/http/pinned.txt");

/// Longer bodies are recorded by their beginning and their hash.
const MAX_SHOWN: usize = 240;

const QUOTE: &str = r#"{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":"1000"}"#;

const QUERY: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";

/// The paths of a listener, each with a valid query.
fn public_paths() -> Vec<String> {
    let destination = "destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    [
        "/rfq/pool?chain_id=1",
        "/rfq/quote",
        "/rfq/sign",
        "/rfq/v2/chains",
        "/rfq/v2/pool/1",
        "/rfq/v2/pool/one",
        &format!("/rfq/v2/quote/1?{QUERY}"),
        "/rfq/v2/quote/1?input_amount=0",
        &format!("/rfq/v2/quote-sign/1?{QUERY}&{destination}&calldata=true"),
        "/rfq/v2/quote-status/05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
        "/rfq/v2/quote-status/x",
        "/rfq/v2/swaps?until=1",
        "/rfq/v2/swaps?since=-1&until=x&cursor=0&limit=101",
        "/rfq/v2/curve/1?input_asset_symbol=ETH&output_asset_symbol=USDC&amounts=1000,2000000000000000000&times=15,60",
        "/rfq/v2/curve/1?amounts=0&times=x",
        "/rfq/v2/levels/1?pairs=ETH-XYZ",
        "/rfq/v2/levels/1?knots=1",
        "/rfq/v2/levels/1/stream?pairs=ETH-XYZ",
        "/rfq/v2/levels/1/ws",
        "/rfq/v2/sign",
        "/openapi.json",
        "/asyncapi.json",
        "/abi.json",
        "/typed-data.json",
        "/",
        "/docs",
        "/docs/",
        "/docs/none.js",
        "/errors",
        "/errors/missing",
        "/errors/none",
        "/rfq",
        "/rfq/none",
        "/rfq/v2/quote/1/2",
        "/none",
        "/%6fpenapi.json",
    ]
    .map(str::to_owned)
    .to_vec()
}

const ADMIN_PATHS: [&str; 19] = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/prices",
    "/hedges",
    "/credentials/revoke",
    "/credentials/restore?credential_id=none",
    "/pools/0x655eDCE464CC797526600a462A8154650EEe4B77/pause",
    "/pools/0x655eDCE464CC797526600a462A8154650EEe4B77/resume",
    "/pools/none/pause",
    "/pools/0x655eDCE464CC797526600a462A8154650EEe4B77/curve?chain_id=1&input_asset_symbol=ETH&output_asset_symbol=USDC",
    "/",
    "/operator/style.css",
    "/operator/main.js",
    "/operator/none.js",
    "/overview",
    "/signatures/recent",
    "/openapi.json",
    "/none",
];

const METHODS: [Method; 6] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS];

/// Request bodies: a name, the content type and the contents.
fn bodies() -> Vec<(&'static str, Option<&'static str>, String)> {
    vec![
        ("quote", Some("application/json"), QUOTE.to_owned()),
        ("empty", Some("application/json"), String::new()),
        ("no JSON", Some("application/json"), "{".to_owned()),
        ("an array", Some("application/json"), "[]".to_owned()),
        ("text", Some("text/plain"), QUOTE.to_owned()),
        ("no type", None, QUOTE.to_owned()),
        ("too large", Some("application/json"), format!("{QUOTE}{}", " ".repeat(20_000))),
        ("too large and text", Some("text/plain"), " ".repeat(20_000)),
    ]
}

/// The recorded responses: a line for each group of credentials with the same response, and the header blocks by
/// number.
#[derive(Default)]
struct Pinned {
    lines: String,
    headers: BTreeMap<String, usize>,
}

impl Pinned {
    /// Formats the line of a response.
    fn line(&mut self, answer: &TestResponse, is_stable: bool) -> String {
        let mut headers = String::new();
        let by_name: BTreeMap<_, _> = answer.headers.iter().map(|(name, value)| (name.as_str(), value)).collect();
        for (name, value) in by_name {
            let value = value.to_str().unwrap();
            let value = match name {
                // The order of members, and with it an entity tag, depends on the features of the build.
                "date" | "x-request-id" | "ratelimit" | "etag" => "*".to_owned(),
                "content-length" if !is_stable => "*".to_owned(),
                _ => value.to_owned(),
            };
            writeln!(headers, "    {name}: {value}").unwrap();
        }
        let next = self.headers.len() + 1;
        let number = *self.headers.entry(headers).or_insert(next);
        let body = if is_stable { without_ids(&sorted(&answer.text)) } else { "*".to_owned() };
        let body = if body.len() > MAX_SHOWN {
            let start: String = body.chars().take(80).collect();
            format!("{start}... {} bytes, {:016x}", body.len(), fnv_1a(body.as_bytes()))
        } else {
            body
        };
        format!("{} H{number} {}", answer.status, body.escape_debug())
    }

    fn add(&mut self, request: &str, answers: Vec<(&str, String)>) {
        let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
        for (credential, answer) in answers {
            match groups.iter_mut().find(|(_, known)| *known == answer) {
                Some((credentials, _)) => credentials.push(credential),
                None => groups.push((vec![credential], answer)),
            }
        }
        for (credentials, answer) in groups {
            writeln!(self.lines, "{request} [{}]: {answer}", credentials.join(", ")).unwrap();
        }
    }

    fn text(self) -> String {
        let mut blocks: Vec<_> = self.headers.into_iter().collect();
        blocks.sort_by_key(|(_, number)| *number);
        blocks.into_iter().fold(self.lines, |text, (block, number)| format!("{text}H{number}\n{block}"))
    }
}

/// Sorts the members of JSON by name, whatever order the parser's features preserve; other text is unchanged.
fn sorted(text: &str) -> String {
    fn sort(value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let by_name: BTreeMap<_, _> = members.into_iter().map(|(name, member)| (name, sort(member))).collect();
                Value::Object(by_name.into_iter().collect())
            }
            Value::Array(items) => items.into_iter().map(sort).collect(),
            value => value,
        }
    }
    serde_json::from_str(text).map_or_else(|_| text.to_owned(), |json| sort(json).to_string())
}

/// Replaces every UUID in `text` by `*`.
fn without_ids(text: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_uuid = |candidate: &str| {
        let groups: Vec<_> = candidate.split('-').collect();
        groups.len() == 5
            && groups
                .iter()
                .zip(GROUPS)
                .all(|(group, length)| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let mut masked = text.to_owned();
    for start in 0..text.len().saturating_sub(35) {
        if let Some(candidate) = text.get(start..start + 36).filter(|candidate| is_uuid(candidate)) {
            masked = masked.replace(candidate, "*");
        }
    }
    masked
}

/// FNV-1a with 64 bits.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The credentials by name, each as a header.
fn credentials(rig: &Rig) -> [(&'static str, Option<(&'static str, String)>); 5] {
    [
        ("none", None),
        ("key", Some(("x-api-key", rig.acme_key.reveal().to_owned()))),
        ("wrong key", Some(("x-api-key", "none".to_owned()))),
        ("token", Some(("authorization", format!("Bearer {}", rig.admin_token.reveal())))),
        ("wrong token", Some(("authorization", "Bearer none".to_owned()))),
    ]
}

async fn send_with(
    rig: &Rig,
    method: Method,
    url: String,
    credential: &Option<(&'static str, String)>,
    body: Option<(Option<&'static str>, String)>,
) -> TestResponse {
    let mut request = rig.http.request(method, url).header(HOST, "localhost:8080");
    if let Some((name, value)) = credential {
        request = request.header(*name, value);
    }
    if let Some((content_type, body)) = body {
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        request = request.body(body);
    }
    TestResponse::read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn every_route_matches_its_pinned_response() {
    let signer = Arc::new(LocalSigner::from_hex(&"11".repeat(32)).unwrap());
    let rig = Rig::start_with(Start { signer, ..Start::default() }).await;
    let credentials = credentials(&rig);
    let mut pinned = Pinned::default();
    let public = public_paths().into_iter().map(|path| (&rig.base, "public", path));
    let admin = ADMIN_PATHS.iter().map(|path| (&rig.admin, "admin", (*path).to_owned()));
    for (base, listener, path) in public.chain(admin) {
        for method in METHODS {
            let mut answers = Vec::new();
            for (name, credential) in &credentials {
                let answer = send_with(&rig, method.clone(), format!("{base}{path}"), credential, None).await;
                answers.push((*name, pinned.line(&answer, path != "/metrics")));
            }
            pinned.add(&format!("{listener} {method} {path}"), answers);
        }
    }
    let operations = [
        (&rig.base, Method::POST, "/rfq/quote"),
        (&rig.base, Method::POST, "/rfq/sign"),
        (&rig.base, Method::POST, "/rfq/v2/sign"),
        (&rig.base, Method::GET, "/rfq/v2/chains"),
        (&rig.admin, Method::PUT, "/prices"),
    ];
    for (base, method, path) in operations {
        for (kind, content_type, body) in bodies() {
            let mut answers = Vec::new();
            for (name, credential) in &credentials {
                let body = Some((content_type, body.clone()));
                let answer = send_with(&rig, method.clone(), format!("{base}{path}"), credential, body).await;
                answers.push((*name, pinned.line(&answer, true)));
            }
            pinned.add(&format!("{method} {path} with {kind}"), answers);
        }
    }
    let found = pinned.text();
    if found != fs::read_to_string(FILE).unwrap_or_default() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pinned.txt");
        fs::write(&path, found).unwrap();
        panic!("routes answer otherwise than {FILE} says: compare it with {}", path.display());
    }
}
