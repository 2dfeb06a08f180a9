use std::collections::BTreeSet;

use firmquote_api as api;
use serde_json::{Value, json};
use strum::VariantArray as _;

use super::*;
use crate::{
    endpoints::ENDPOINTS,
    error::{AllowedMethods, Reason},
    input::{CHAIN_ID, Field},
    wire::{POOL_V1, POOL_V2, QUOTE_SIGN, QUOTE_V1, QUOTE_V2, SIGN},
};

const ALL: [ListenerRole; 4] =
    [ListenerRole::BothVersions, ListenerRole::Version1, ListenerRole::Version2, ListenerRole::Admin];

fn read(role: ListenerRole) -> Value {
    serde_json::from_slice(&document(role, ENDPOINTS).bytes).unwrap()
}

/// A validator of `schema` that can resolve references to the components of `document`.
fn with_components(schema: &Value, document: &Value) -> jsonschema::Validator {
    let schema = json!({"allOf": [schema], "components": document["components"]});
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Every operation of a document, with its path and method.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let each = paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(|(method, operation)| (path.clone(), method.clone(), operation.clone()))
    });
    each.collect()
}

fn names<'f>(fields: impl IntoIterator<Item = &'f &'f Field>) -> BTreeSet<String> {
    fields.into_iter().map(|field| field.name.to_owned()).collect()
}

#[test]
fn every_served_route_is_described_with_its_methods() {
    let described = |role: ListenerRole| -> BTreeSet<(String, String)> {
        operations(&read(role)).into_iter().map(|(path, method, _)| (path, method)).collect()
    };
    let mut all = BTreeSet::new();
    for listener in ALL {
        let described_endpoints = ENDPOINTS
            .iter()
            .copied()
            .filter(|endpoint| endpoint.is_served_by(listener) && endpoint.operation.is_some());
        let expected = described_endpoints.flat_map(|endpoint| {
            let methods: &[&str] = match endpoint.methods {
                AllowedMethods::Get => &["get"],
                AllowedMethods::Post => &["post"],
                AllowedMethods::Put => &["put"],
                AllowedMethods::GetAndHead => &["get", "head"],
            };
            methods.iter().map(move |method| (endpoint.path.to_owned(), (*method).to_owned()))
        });
        let described = described(listener);
        assert_eq!(described, expected.collect(), "{listener:?}");
        all.extend(described.into_iter().map(|(path, _)| path));
    }
    let described = ENDPOINTS.iter().copied().filter(|endpoint| endpoint.operation.is_some());
    assert_eq!(all, described.map(|endpoint| endpoint.path.to_owned()).collect());
    let is_operation = |endpoint: &&Endpoint| endpoint.is_operation();
    let for_clients = ENDPOINTS.iter().copied().filter(is_operation);
    assert!(for_clients.into_iter().all(|endpoint| endpoint.is_served_by(ListenerRole::BothVersions)));
    let of_admin = ENDPOINTS.iter().copied().filter(|endpoint| endpoint.is_served_by(ListenerRole::Admin));
    assert!(of_admin.into_iter().all(|endpoint| !endpoint.is_operation()));
}

#[test]
fn exactly_the_decoded_inputs_are_described() {
    const CHAIN: &[&Field] = &[&CHAIN_ID.field];
    let decoded: [(&str, &[&[&'static Field]]); 7] = [
        ("/rfq/pool", &[POOL_V1]),
        ("/rfq/quote", &[QUOTE_V1]),
        ("/rfq/sign", &[SIGN]),
        ("/rfq/v2/pool/{chain_id}", &[CHAIN, POOL_V2]),
        ("/rfq/v2/quote/{chain_id}", &[CHAIN, QUOTE_V2]),
        ("/rfq/v2/quote-sign/{chain_id}", &[CHAIN, QUOTE_SIGN]),
        ("/rfq/v2/sign", &[SIGN]),
    ];
    let document = read(ListenerRole::BothVersions);
    for (path, lists) in decoded {
        let expected = names(lists.concat().iter());
        let item = &document["paths"][path];
        let operation = item.get("get").or(item.get("post")).unwrap();
        let parameters = operation["parameters"].as_array().unwrap().iter().filter(|one| one["in"] != "header");
        let mut described: BTreeSet<_> = parameters.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        if let Some(body) = operation.pointer("/requestBody/content/application~1json/schema/properties") {
            described.extend(body.as_object().unwrap().keys().cloned());
        }
        assert_eq!(described, expected, "{path}");
    }
}

#[test]
fn every_documented_error_is_described_where_it_can_occur() {
    let documents = [read(ListenerRole::BothVersions), read(ListenerRole::Admin)];
    // A handshake is no operation of the document.
    let described = Reason::VARIANTS.iter().copied().filter(|reason| *reason != Reason::UpgradeRequired);
    for reason in described {
        let ((status, error_type), error_code) = (reason.status(), reason.code());
        let described = ENDPOINTS.iter().copied().filter_map(|endpoint| Some((endpoint, endpoint.operation.as_ref()?)));
        let giving = described.filter(|(endpoint, operation)| reasons::can_return(reason, endpoint, operation));
        let giving: Vec<_> = giving.map(|(endpoint, _)| endpoint).collect();
        assert!(!giving.is_empty(), "{reason:?}");
        for endpoint in giving {
            let document = documents.iter().find(|one| one["paths"].get(endpoint.path).is_some()).unwrap();
            let operations = document["paths"][endpoint.path].as_object().unwrap();
            let (_, operation) = operations.iter().find(|(method, _)| *method != "head").unwrap();
            let content = &operation["responses"][status.to_string()]["content"]["application/json"];
            let example = &document["components"]["examples"][reason.name()]["value"];
            assert!(content["examples"].get(reason.name()).is_some(), "{endpoint:?} {reason:?}");
            assert_eq!(example["errorType"], error_type.name());
            assert_eq!(example.get("errorCode").cloned(), error_code.map(Value::from));
            let schema = with_components(&content["schema"], document);
            assert!(schema.is_valid(example), "{endpoint:?} {reason:?}");
            let mut other = example.clone();
            other["errorType"] = json!("Other");
            assert!(!schema.is_valid(&other), "{endpoint:?} {reason:?}");
        }
    }
}

#[test]
fn every_example_matches_its_schema() {
    for document in ALL {
        let document = read(document);
        for (path, method, operation) in operations(&document) {
            let hold = |schema: &Value, example: &Value| {
                let schema = with_components(schema, &document);
                let found: Vec<_> = schema.iter_errors(example).map(|error| error.to_string()).collect();
                assert!(found.is_empty(), "{method} {path}: {found:?}");
            };
            for parameter in operation["parameters"].as_array().unwrap() {
                if let Some(example) = parameter.get("example") {
                    hold(&parameter["schema"], example);
                }
            }
            if let Some(content) = operation.pointer("/requestBody/content/application~1json") {
                hold(&content["schema"], &content["example"]);
            }
            let answer = &operation["responses"]["200"]["content"]["application/json"];
            let named = answer["examples"].as_object().into_iter().flatten();
            for example in named.map(|(_, example)| &example["value"]).chain(answer.get("example")) {
                hold(&answer["schema"], example);
            }
        }
    }
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    for document in ALL {
        let (document, mut found) = (read(document), BTreeSet::new());
        references(&document, &mut found);
        let mut there = BTreeSet::new();
        for kind in ["schemas", "headers", "examples"] {
            let components = document["components"][kind].as_object().unwrap();
            there.extend(components.keys().map(|name| format!("#/components/{kind}/{name}")));
        }
        assert_eq!(found, there);
    }
}

#[test]
fn every_operation_is_described() {
    for (path, method, operation) in ALL.into_iter().flat_map(|role| operations(&read(role))) {
        for text in ["operationId", "summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{method} {path} has no {text}");
        }
        let has_body = operation["responses"]["200"]["content"].is_object();
        assert_eq!(has_body, method != "head" && !path.ends_with("/ws"), "{method} {path}");
    }
}

#[test]
fn examples_are_values_of_the_types() {
    fn check<T: serde::Serialize + serde::de::DeserializeOwned>(example: &Value) {
        let value: T = serde_json::from_value(example.clone()).unwrap();
        assert_eq!(serde_json::to_value(value).unwrap(), *example);
    }
    check::<api::Quote>(&examples::quote());
    check::<api::SignedSwap>(&examples::signed());
    check::<api::QuotedSwap>(&examples::quoted_and_signed());
    check::<api::QuoteStatus>(&examples::status());
    check::<api::QuoteGrid>(&examples::grid());
    check::<api::Chains>(&examples::chains());
    check::<api::LevelsSnapshot>(&examples::levels());
    check::<api::Pools<api::OnchainData>>(&examples::pools(api::PoolType::Onchain));
    check::<api::Pools<api::OffchainData>>(&examples::pools(api::PoolType::Offchain));
    check::<api::Pools<api::PoolData>>(&examples::pools(api::PoolType::All));
    check::<api::OnchainData>(&examples::pool(api::PoolType::Onchain));
    check::<api::OffchainData>(&examples::pool(api::PoolType::Offchain));
    check::<api::PoolData>(&examples::pool(api::PoolType::All));
    check::<api::Readiness>(&examples::readiness(false));
    check::<api::Pauses>(&examples::pauses(true));
}
