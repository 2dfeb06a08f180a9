//! What a change of credentials changed, for the operator's stream: never a key or a hash of one.

use std::collections::{BTreeMap, BTreeSet};

use firmquote_http::ClientCredential;
use firmquote_store::ChangedKey;

/// Returns the ids of the credentials that were added, removed or replaced, each with its client before and after, and the
/// terms that changed, each as the id, a point and the key of the term.
pub(super) fn changed_credentials(old: &[ClientCredential], new: &[ClientCredential]) -> Vec<ChangedKey> {
    let [old, new] = [old, new].map(by_id);
    let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    ids.into_iter().flat_map(|id| changes(id, old.get(id).copied(), new.get(id).copied())).collect()
}

fn by_id(credentials: &[ClientCredential]) -> BTreeMap<String, &ClientCredential> {
    credentials.iter().map(|one| (one.credential.id(), one)).collect()
}

fn changes(id: &str, old: Option<&ClientCredential>, new: Option<&ClientCredential>) -> Vec<ChangedKey> {
    let secrets = [old, new].map(|one| one.map(|one| &one.credential));
    if secrets[0] != secrets[1] {
        let [old, new] = secrets.map(|one| one.map(|credential| credential.client().as_str().to_owned()));
        return vec![ChangedKey { key: id.to_owned(), old, new }];
    }
    let [old, new] = [old, new].map(|one| one.map(ClientCredential::written_terms).unwrap_or_default());
    let keys: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let changed = keys.into_iter().filter(|key| old.get(key) != new.get(key));
    let change =
        |key: &str| ChangedKey { key: format!("{id}.{key}"), old: old.get(key).cloned(), new: new.get(key).cloned() };
    changed.map(change).collect()
}

#[cfg(test)]
mod tests {
    use firmquote_desk::ClientTerms;
    use firmquote_domain::ChainId;
    use firmquote_http::{ApiKeyHash, ClientName, Credential};

    use super::*;

    fn credential(client: &str, max_trade: Option<&str>, chains: Option<u64>) -> ClientCredential {
        let client = ClientName::new(client).unwrap();
        let key = ApiKeyHash::from_hex(&"ab".repeat(32)).unwrap();
        let terms = ClientTerms {
            max_trade: max_trade.map(|usd| usd.parse().unwrap()),
            chains: chains.map(|id| BTreeSet::from([ChainId::new(id).unwrap()])),
            ..ClientTerms::default()
        };
        ClientCredential { terms, ..Credential::ApiKey { client, hash: key }.into() }
    }

    #[test]
    fn every_changed_term_is_named_with_both_values() {
        let id = credential("acme", None, None).credential.id();
        let change = |key: String, old: Option<&str>, new: Option<&str>| ChangedKey {
            key,
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        let plain = [credential("acme", None, None)];
        assert_eq!(changed_credentials(&[], &plain), [change(id.clone(), None, Some("acme"))]);
        assert_eq!(changed_credentials(&plain, &[]), [change(id.clone(), Some("acme"), None)]);
        assert_eq!(changed_credentials(&plain, &plain), []);
        assert_eq!(
            changed_credentials(&[credential("acme", Some("500"), None)], &[credential("acme", Some("700"), Some(10))]),
            [
                change(format!("{id}.chains"), None, Some("10")),
                change(format!("{id}.max_trade_usd"), Some("500"), Some("700")),
            ]
        );
    }
}
