//! Webhooks of two replicas over one Redis: signed, in order, repeated until they are accepted, and taken over.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fs, os::unix::fs::PermissionsExt as _};

use firmquote_e2e::{
    configuration,
    load::{destination, quote, sign},
    replicas::SharedStore,
    service::Service,
    webhook_receiver::{Delivery, WebhookReceiver},
};
use firmquote_test_servers::redis::{Options, Server};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Signs the quotes with these numbers at a replica, and returns their ids.
async fn sign_quotes(replica: &Service, numbers: std::ops::Range<u64>) -> Vec<String> {
    let mut ids = Vec::new();
    for number in numbers {
        let id = quote(replica.public()).await.unwrap().ok()["id"].as_str().unwrap().to_owned();
        sign(replica.public(), &id, destination(number)).await.unwrap().ok();
        ids.push(id);
    }
    ids
}

/// Receives accepted requests until they had `count` events, and returns the quotes of these.
fn received(receiver: &WebhookReceiver, count: usize) -> Vec<String> {
    let mut quotes = Vec::new();
    while quotes.len() < count {
        let delivery = receiver.next();
        if delivery.status == 204 {
            quotes.extend(quotes_of(&delivery));
        }
    }
    quotes
}

fn quotes_of(delivery: &Delivery) -> Vec<String> {
    let events = delivery.events();
    assert_eq!(delivery.id, events.last().unwrap()["id"].as_str().unwrap());
    let quote = |event: &serde_json::Value| {
        assert_eq!(event["event"], "signed");
        event["quote_id"].as_str().unwrap().to_owned()
    };
    events.iter().map(quote).collect()
}

async fn delivered(replica: &Service) -> f64 {
    replica.metric("firmquote_webhook_deliveries_total{endpoint=\"office\",outcome=\"delivered\"}").await
}

#[tokio::test]
async fn every_event_is_posted_in_order_by_one_replica_after_another() {
    let redis = Server::start(Options::default());
    let directory = tempfile::tempdir().unwrap();
    let secret_file = directory.path().join("secret");
    fs::write(&secret_file, SECRET).unwrap();
    fs::set_permissions(&secret_file, fs::Permissions::from_mode(0o600)).unwrap();
    let receiver = WebhookReceiver::start(SECRET);
    let table = format!(
        "[[webhook]]\nname = \"office\"\nurl = \"{}\"\nsecret_file = \"{}\"\nkinds = [\"signed\"]\nallow_private = true\n",
        receiver.url(),
        secret_file.display()
    );
    let file = configuration::over_redis(&SharedStore::from_server(&redis)) + &table;
    let mut replicas = vec![Service::start(&file), Service::start(&file)];
    // A new endpoint begins with what follows; a refused request is repeated as it was.
    receiver.set_status(500);
    let mut first = Vec::new();
    let mut number = 0;
    let refused = loop {
        first.extend(sign_quotes(&replicas[0], number..number + 1).await);
        number += 1;
        if let Ok(delivery) = receiver.try_next() {
            break delivery;
        }
    };
    let repeated = receiver.next();
    assert_eq!((&repeated.id, &repeated.body, repeated.status), (&refused.id, &refused.body, 500));
    receiver.set_status(204);
    let start = first.iter().position(|id| *id == quotes_of(&refused)[0]).unwrap();
    assert_eq!(received(&receiver, first.len() - start), first[start..]);

    let counts = [delivered(&replicas[0]).await, delivered(&replicas[1]).await];
    assert!(counts.iter().filter(|count| **count > 0.0).count() == 1, "one replica posts: {counts:?}");
    let dispatching = usize::from(counts[1] > 0.0);
    let mut dispatcher = replicas.remove(dispatching);
    dispatcher.kill();
    let rest = sign_quotes(&replicas[0], 100..110).await;
    assert_eq!(received(&receiver, 10), rest);
}
