//! Secrets never appear in any output, whatever the request and the configuration.

use reqwest::Client;

use crate::program::{CONFIG, KEY, Serving, configured, directory};

#[tokio::test]
async fn a_running_service_reveals_no_secrets() {
    let directory = directory();
    let mut command = configured(&directory, &["serve"], CONFIG);
    command.env("FIRMQUOTE__LOG__LEVEL", "trace");
    // The SHA-256 of "admin-token-of-the-test".
    let token_hash = "0f6e0bcbdef9eeb455904b1f489cfceb94e0c430ccc0820f8635d446455c8cd9";
    command.env("FIRMQUOTE__SERVER__ADMIN_TOKEN_SHA256", token_hash);
    let serving = Serving::start(command);
    let client = Client::builder().no_proxy().build().unwrap();
    // The key whose hash is in the file, and a password that is wrong.
    let answer = client.get(format!("http://{}/rfq/v2/pool/1", serving.public)).header("x-api-key", "test");
    assert_eq!(answer.send().await.unwrap().status(), 200);
    let answer = client.get(format!("http://{}/rfq/pool?chain_id=1", serving.public));
    let answer = answer.basic_auth("old-partner", Some("wrong-password"));
    assert_eq!(answer.send().await.unwrap().status(), 403);
    for (token, status) in [("admin-token-of-the-test", 400), ("another-token", 403)] {
        let answer = client.put(format!("http://{}/prices", serving.admin)).bearer_auth(token).json(&[0]);
        assert_eq!(answer.send().await.unwrap().status(), status);
    }
    serving.signal("TERM");
    let ended = serving.ended();
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(0), ""));
    for secret in [
        &KEY[2..],
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "argon2id",
        "hidden",
        "wrong-password",
        "x-api-key",
        "admin-token-of-the-test",
        "another-token",
        token_hash,
    ] {
        assert!(!ended.stderr.contains(secret), "{secret}\n{}", ended.stderr);
    }
}
