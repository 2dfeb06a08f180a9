//! Credentials are sent to the service and never exposed.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_client::{Client, ClientSettings, Credential, Error, InvalidSettings, Secret};

use crate::server::{API_KEY, QUOTE, Server, request};

const PASSWORD: &str = "a-password-that-nobody-is-told";

fn with_basic(server: &Server) -> Client {
    let mut settings = server.settings();
    settings.credential = Credential::Basic { username: "partner".into(), password: Secret::new(PASSWORD) };
    Client::new(settings).unwrap()
}

#[tokio::test]
async fn each_credential_sets_its_header_and_selects_the_version() {
    let server = Server::responding(200, "", QUOTE).await;
    server.client().quote(&request()).await.unwrap();
    with_basic(&server).quote(&request()).await.unwrap();
    server.anonymous_client().quote(&request()).await.unwrap();
    let [key, basic, anonymous] = server.requests().try_into().unwrap();
    assert!(key.starts_with("GET /rfq/v2/quote/1?") && key.contains(&format!("\r\nx-api-key: {API_KEY}\r\n")), "{key}");
    let value = "Basic cGFydG5lcjphLXBhc3N3b3JkLXRoYXQtbm9ib2R5LWlzLXRvbGQ=";
    assert!(
        basic.starts_with("POST /rfq/quote ") && basic.contains(&format!("\r\nauthorization: {value}\r\n")),
        "{basic}"
    );
    assert!(anonymous.starts_with("POST /rfq/quote "), "{anonymous}");
    assert!(!anonymous.contains("authorization") && !anonymous.contains("x-api-key"), "{anonymous}");
}

#[tokio::test]
async fn errors_and_debug_output_never_contain_credentials() {
    for body in [API_KEY, PASSWORD, "cGFydG5lcjphLXBhc3N3b3JkLXRoYXQtbm9ib2R5LWlzLXRvbGQ="] {
        let error = format!(r#"{{"errorMessage":"no such key {body}","errorType":"Forbidden"}}"#);
        let quote = QUOTE.replace("0xC02", &format!("{body}0xC02"));
        let escaped = error.replace(body, &body.replace('a', r"\u0061"));
        for (status, text) in [(403, "{}"), (403, error.as_str()), (403, &escaped), (200, &quote), (502, body)] {
            let headers = format!("x-request-id: {body}\r\nratelimit: \"{body}\";r=1;t=1\r\n");
            let server = Server::responding(status, &headers, text).await;
            for client in [server.client(), with_basic(&server)] {
                let output = format!("{client:?}");
                assert!(!output.contains(API_KEY) && !output.contains(PASSWORD), "{output}");
            }
            let client = if body == API_KEY { server.client() } else { with_basic(&server) };
            let error = client.quote(&request()).await.unwrap_err();
            // Invalid header values are ignored, so a credential in a header alone is not detected.
            assert!(text == "{}" || matches!(error, Error::InvalidResponse { .. }), "{error:?}");
            for output in [format!("{error:?}"), error.to_string()] {
                assert!(!output.contains(body), "{output}");
            }
        }
    }
}

#[test]
fn credentials_that_are_invalid_header_values_are_rejected() {
    let with = |credential| {
        let mut settings = ClientSettings::new("http://127.0.0.1:1");
        settings.credential = credential;
        Client::new(settings).err()
    };
    assert_eq!(with(Credential::ApiKey(Secret::new("two\r\nlines"))), Some(InvalidSettings::Credential));
    let basic = Credential::Basic { username: "a:b".into(), password: Secret::new("c") };
    assert_eq!(with(basic), Some(InvalidSettings::Credential));
}
