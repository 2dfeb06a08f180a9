//! A revoked credential is refused by every replica, also if its file enables it, and after a loss of Redis.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_client::{Error, EventsChange, SwapAmount};
use firmquote_e2e::{
    configuration,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256, API_KEY_SHA256},
    evm::chain_id,
    replicas::SharedStore,
    service::Service,
};
use firmquote_test_servers::redis::{Options, Server};
use serde_json::json;

use crate::{
    client::setup::{api_key, client, request},
    live::setup::until,
};

/// Waits until the replica accepts the client's key, or refuses it.
async fn until_accepted(replica: &Service, is_accepted: bool) {
    let client = client(replica, api_key());
    let swap = request("USDC", "DAI", SwapAmount::ExactInput("200000".parse().unwrap()));
    until("the replica knows about the credential", async || match client.quote(&swap).await {
        Ok(_) if is_accepted => Ok(()),
        Err(Error::Refused(refused)) if !is_accepted && refused.status == 403 => Ok(()),
        answer => Err(format!("{:?}", answer.map(|quote| quote.id.to_string()))),
    })
    .await;
}

#[tokio::test]
async fn a_revocation_reaches_all_replicas_and_survives_a_loss_of_redis() {
    let mut redis = Server::start(Options::default());
    let file = configuration::over_redis(&SharedStore::from_server(&redis));
    let file = file.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"), 1);
    let mut replicas = [Service::start(&file), Service::start(&file)];
    let id = &API_KEY_SHA256[..12];
    let set = async |replica: &Service, act: &str, id: &str| {
        let path = format!("/credentials/{act}?credential_id={id}&reason=drill");
        replica.admin().post_with_token(&path, ADMIN_TOKEN, &json!({})).await.unwrap()
    };
    for replica in &replicas {
        until_accepted(replica, true).await;
    }
    let mut stream = client(&replicas[1], api_key()).follow_events(chain_id(), None);
    assert!(matches!(stream.next().await.unwrap(), EventsChange::UpToDate));
    assert_eq!(set(&replicas[0], "revoke", "000000000000").await.status, 400, "no credential has this id");
    let revoked = set(&replicas[0], "revoke", id).await;
    assert_eq!((revoked.status, &revoked.body), (200, &json!({"credential_id": id, "is_revoked": true, "kept": true})));
    for replica in &replicas {
        until_accepted(replica, false).await;
    }
    let ended = stream.next().await.unwrap();
    assert!(matches!(ended, EventsChange::Disconnected { .. }), "{ended:?}");
    let refused = stream.next().await;
    assert!(matches!(&refused, Err(Error::Refused(refused)) if refused.status == 403), "{refused:?}");
    // Redis starts empty: the replicas put it back.
    redis.kill();
    redis.restart();
    let started = Service::start(&file);
    until_accepted(&started, false).await;
    assert_eq!(set(&started, "restore", id).await.status, 200);
    for replica in replicas.iter().chain([&started]) {
        until_accepted(replica, true).await;
    }
    // The file of one replica disables it.
    let hash = format!("api_key_sha256 = \"{API_KEY_SHA256}\"\n");
    let disabled = format!("{hash}enabled = false\n");
    replicas[0].edit(|file| file.replacen(&hash, &disabled, 1));
    for replica in replicas.iter().chain([&started]) {
        until_accepted(replica, false).await;
    }
    replicas[0].edit(|file| file.replacen(&disabled, &hash, 1));
    for replica in replicas.iter().chain([&started]) {
        until_accepted(replica, true).await;
    }
}
