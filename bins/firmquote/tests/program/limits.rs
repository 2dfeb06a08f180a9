//! Configured limits on the running program.

use reqwest::{Client, Response};

use crate::program::{CONFIG, Serving, configured, directory};

#[tokio::test]
async fn guesses_are_limited_by_the_address_from_a_trusted_proxy() {
    let directory = directory();
    let limits = "anonymous = true\nfailed_logins_per_minute = 1\nfailed_logins_burst = 1";
    let config = CONFIG.replace("anonymous = true", limits).replace("10.0.0.0/8", "127.0.0.0/8");
    let mut serving = Serving::start(configured(&directory, &["serve"], &config));
    let (client, url) =
        (Client::builder().no_proxy().build().unwrap(), format!("http://{}/rfq/v2/pool/1", serving.public));
    let send = async |key: &str, address: &str| -> Response {
        let request = client.get(&url).header("x-api-key", key).header("x-forwarded-for", address);
        request.send().await.unwrap()
    };
    assert_eq!(send("guess", "198.51.100.1").await.status(), 403);
    let refused = send("guess", "198.51.100.1").await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["ratelimit-policy"], "\"failed-logins\";q=1;w=60");
    assert!(serving.wait_for("status=429").contains("error=\"failed_login_rate\""));
    assert_eq!(send("guess", "198.51.100.2").await.status(), 403);
    // The key whose hash is in the file.
    assert_eq!(send("test", "198.51.100.1").await.status(), 200);
}
