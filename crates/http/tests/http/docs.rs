//! The page at `/docs` and the files it loads.

use std::io::Read as _;

use firmquote_http::{Limits, Quota, Settings};
use reqwest::{Client, Method, redirect::Policy};

use crate::support::{Rig, Start, TestResponse};

/// Returns the URLs in `src` and `href` of the page, except for embedded data.
fn loaded_by(page: &str) -> Vec<String> {
    let values = ["src=\"", "href=\""].into_iter().flat_map(|name| page.split(name).skip(1));
    let values = values.map(|rest| rest.split('"').next().unwrap().to_owned());
    values.filter(|value| !value.starts_with("data:")).collect()
}

async fn fetch(rig: &Rig, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    let request = rig.request(Method::GET, path);
    rig.send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

#[tokio::test]
async fn every_listener_serves_its_own_document_and_page_assets() {
    let rig = Rig::start_with(Start { is_split: true, ..Start::default() }).await;
    for base in [&rig.base, &rig.base_v2, &rig.admin] {
        let page = rig.send(rig.http.get(format!("{base}/docs"))).await;
        assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let loaded = loaded_by(&page.text);
        assert_eq!(loaded.len(), 5, "{loaded:?}");
        for relative in loaded {
            assert!(!relative.starts_with('/') && !relative.contains(':'), "{relative}");
            assert_eq!(rig.send(rig.http.get(format!("{base}/{relative}"))).await.status, 200, "{relative}");
        }
        let start = rig.send(rig.http.get(format!("{base}/docs/start.js"))).await;
        assert!(start.text.contains("url: \"openapi.json\""), "{}", start.text);
    }
}

#[tokio::test]
async fn the_root_and_a_trailing_slash_redirect_to_the_page_wherever_mounted() {
    let rig = Rig::start_with(Start { is_split: true, ..Start::default() }).await;
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    for base in [&rig.base, &rig.base_v2] {
        for (path, way) in [("/", "docs"), ("/docs/", "../docs")] {
            let answer = client.get(format!("{base}{path}")).send().await.unwrap();
            assert_eq!(
                (answer.status().as_u16(), answer.headers()["location"].to_str().unwrap()),
                (308, way),
                "{path}"
            );
            let page = rig.http.get(format!("{base}{path}")).send().await.unwrap();
            assert_eq!((page.status().as_u16(), page.url().path()), (200, "/docs"), "{path}");
        }
    }
    let slash = rig.http.get(format!("{}/docs/", rig.admin)).send().await.unwrap();
    assert_eq!((slash.status().as_u16(), slash.url().path()), (200, "/docs"));
}

#[tokio::test]
async fn the_page_runs_only_its_own_scripts_and_connects_only_to_its_server() {
    let rig = Rig::start().await;
    let page = fetch(&rig, "/docs", &[]).await;
    assert_eq!(
        page.header("content-security-policy"),
        Some(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
    );
    for inline in ["<style", "style=", "<script>", "onload", "onclick", "<form", "<base"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    let script = fetch(&rig, "/docs/start.js", &[]).await;
    assert_eq!(script.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"));
    assert_eq!(script.header("x-content-type-options"), Some("nosniff"));
}

#[tokio::test]
async fn files_are_compressed_for_clients_that_accept_it() {
    let rig = Rig::start().await;
    for name in ["swagger-ui-bundle.js", "swagger-ui.css"] {
        let path = format!("/docs/{name}");
        let plain = fetch(&rig, &path, &[]).await;
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None));
        for refusing in ["identity", "br, gzip;q=0", "gzip;q=0.4, identity;q=0.5", "@@"] {
            let answer = fetch(&rig, &path, &[("accept-encoding", refusing)]).await;
            assert_eq!(answer.header("content-encoding"), None, "{refusing}");
            assert!(answer.text == plain.text, "{refusing}");
        }
        for taking in ["gzip", "gzip, deflate, br, zstd", "deflate, gzip;q=0.8, identity;q=0"] {
            let packed = bytes(&rig, &path, taking).await;
            assert!(packed.starts_with(&[0x1f, 0x8b]) && packed.len() * 3 < plain.text.len(), "{taking}");
        }
        assert_eq!(plain.header("vary"), Some("accept-encoding"));
    }
}

#[tokio::test]
async fn json_larger_than_a_packet_is_compressed_for_clients_that_accept_it() {
    let rig = Rig::start().await;
    let plain = fetch(&rig, "/openapi.json", &[]).await;
    let tag = plain.header("etag").unwrap().to_owned();
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
    let packed = bytes(&rig, "/openapi.json", "gzip").await;
    assert!(packed.len() * 4 < plain.text.len(), "{}", packed.len());
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.text);
    // Both forms have one tag, which is weak.
    for listed in [tag.clone(), format!("W/{tag}")] {
        let unchanged = fetch(&rig, "/openapi.json", &[("if-none-match", &listed), ("accept-encoding", "gzip")]).await;
        assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""));
        assert_eq!(unchanged.header("vary"), Some("accept-encoding"));
    }
    let small = fetch(&rig, "/healthz-of-nothing", &[("accept-encoding", "gzip")]).await;
    assert_eq!(small.header("content-encoding"), None);
}

#[tokio::test]
async fn pages_and_documents_count_as_anonymous_requests() {
    let limits =
        Limits { anonymous: Quota::per_hour(1, 3), failed_logins: Quota::per_second(1_000, 1_000), credential: None };
    let rig = Rig::start_with(Start { settings: Settings { limits, ..Settings::default() }, ..Start::default() }).await;
    for (path, left, status) in [
        ("/docs", 2, 200),
        ("/docs/swagger-ui-bundle.js", 1, 200),
        ("/openapi.json", 0, 200),
        ("/docs/start.js", 0, 429),
        ("/openapi.json", 0, 429),
    ] {
        let answer = fetch(&rig, path, &[]).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert!(answer.header("ratelimit").unwrap().starts_with(&format!("\"anonymous\";r={left};")), "{answer:?}");
    }
    let on_admin = rig.send(rig.http.get(format!("{}/openapi.json", rig.admin))).await;
    assert_eq!(on_admin.status, 200, "the operator's own listener counts nothing");
}

/// Returns the body as sent to a client that accepts `coding`.
async fn bytes(rig: &Rig, path: &str, coding: &str) -> Vec<u8> {
    let request = Client::new().get(format!("{}{path}", rig.base)).header("accept-encoding", coding);
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    response.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn cached_files_are_not_sent_again() {
    let rig = Rig::start().await;
    for path in ["/docs", "/docs/start.js", "/docs/swagger-ui.css"] {
        let first = fetch(&rig, path, &[]).await;
        let tag = first.header("etag").unwrap().to_owned();
        assert_eq!(first.header("cache-control"), Some("no-cache"), "{path}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = fetch(&rig, path, &[("if-none-match", &known)]).await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path} {known}");
            assert_eq!(again.header("etag"), Some(&*tag), "{path}");
            assert_eq!(again.header("content-security-policy"), first.header("content-security-policy"), "{path}");
        }
        for unknown in ["\"other\"", "nonsense", ""] {
            assert_eq!(fetch(&rig, path, &[("if-none-match", unknown)]).await.status, 200, "{path} {unknown}");
        }
    }
    let packed = Client::new().get(format!("{}/docs/swagger-ui.css", rig.base)).header("accept-encoding", "gzip");
    let plain = fetch(&rig, "/docs/swagger-ui.css", &[]).await;
    assert_ne!(packed.send().await.unwrap().headers()["etag"], plain.header("etag").unwrap());
}

#[tokio::test]
async fn head_matches_get_and_unknown_files_are_not_found() {
    let rig = Rig::start().await;
    for path in ["/docs", "/docs/LICENSE", "/docs/NOTICE", "/docs/swagger-ui-bundle.js.LICENSE.txt"] {
        let (got, head) = (fetch(&rig, path, &[]).await, rig.send(rig.request(Method::HEAD, path)).await);
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        for name in ["content-type", "etag", "cache-control", "content-security-policy"] {
            assert_eq!(head.header(name), got.header(name), "{path} {name}");
        }
    }
    for name in ["absent.js", "page.html", "swagger-ui.css.gz", "..%2fopenapi.json", "%2e%2e%2f", "a/b", "start.js%00"]
    {
        assert_eq!(fetch(&rig, &format!("/docs/{name}"), &[]).await.error().0, 404, "{name}");
    }
    assert_eq!(rig.send(rig.request(Method::POST, "/docs")).await.status, 405);
}
