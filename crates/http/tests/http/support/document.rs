//! Validates every response of every test against the OpenAPI document of its listener.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use reqwest::Request;
use serde_json::{Value, json, value::RawValue};

use super::{Rig, Start, TestResponse};

/// The documents of a server with one public listener and of one with two.
static DOCUMENTS: LazyLock<[Value; 4]> = LazyLock::new(|| {
    // On a separate thread: the first test to get here is already inside a runtime.
    std::thread::spawn(|| tokio::runtime::Runtime::new().unwrap().block_on(fetch())).join().unwrap()
});

/// Header fields of every server, and those that protect browsers.
const USUAL: [&str; 8] = [
    "connection",
    "content-length",
    "content-security-policy",
    "content-type",
    "date",
    "keep-alive",
    "transfer-encoding",
    "x-content-type-options",
];

async fn fetch() -> [Value; 4] {
    let (whole, split) = (Rig::start().await, Rig::start_with(Start { is_split: true, ..Start::default() }).await);
    let mut documents = [const { Value::Null }; 4];
    for (document, base) in documents.iter_mut().zip([&whole.base, &whole.admin, &split.base, &split.base_v2]) {
        let response = reqwest::get(format!("{base}/openapi.json")).await.unwrap();
        *document = TestResponse::read(response).await.success();
    }
    documents
}

/// Returns the document of the listener that `request` is sent to.
fn document_of(rig: &Rig, request: &Request) -> &'static Value {
    let is_to = |base: &str| request.url().as_str().starts_with(base);
    let [whole, admin, version_1, version_2] = &*DOCUMENTS;
    match (is_to(&rig.admin), rig.base == rig.base_v2, is_to(&rig.base)) {
        (true, ..) => admin,
        (_, true, _) => whole,
        (_, _, true) => version_1,
        (_, _, false) => version_2,
    }
}

/// Whether the document leaves `path` out: data of the operator's page, and WebSockets.
fn is_left_out(path: &str) -> bool {
    matches!(path, "/overview" | "/signatures/recent")
        || path.ends_with("/ws")
        || path.starts_with("/pools/") && path.ends_with("/curve")
}

/// Validates a response against the document, and the request if it succeeded.
pub(super) fn check(rig: &Rig, request: &Request, answer: &TestResponse) {
    let document = document_of(rig, request);
    let operation_name = format!("{} {}", request.method(), request.url().path());
    let method = request.method().as_str().to_lowercase();
    if method == "options" && answer.status != 405 {
        return assert!(matches!(answer.status, 204 | 404 | 429), "{operation_name}: a preflight");
    }
    if answer.status == 308 {
        return assert!(answer.text.is_empty() && answer.header("location").is_some(), "{operation_name}: {answer:?}");
    }
    let Some(item) = item_of(document, request.url().path()) else {
        if is_left_out(request.url().path()) {
            return;
        }
        assert_eq!(answer.status, 404, "{operation_name}");
        return assert_valid(
            document,
            &json!({"$ref": "#/components/schemas/ErrorObject"}),
            &answer.text,
            &operation_name,
        );
    };
    let (operation, expects_405) = match item.get(&method) {
        Some(operation) => (operation, false),
        None => (item.as_object().unwrap().values().next().unwrap(), true),
    };
    assert_eq!(answer.status == 405, expects_405, "{operation_name} {answer:?}");
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{operation_name}: {} is not described", answer.status);
    check_headers(document, response, answer, &operation_name);
    if method == "head" || answer.status == 304 {
        return assert_eq!(answer.text, "", "{operation_name}");
    }
    let content_type = answer.header("content-type").unwrap();
    let content = response["content"].get(content_type);
    let content = content.unwrap_or_else(|| panic!("{operation_name}: {content_type} is not described"));
    if content_type == "application/json" {
        assert_valid(document, &content["schema"], &answer.text, &operation_name);
    }
    if answer.status == 200 {
        check_request(document, operation, request, &operation_name);
    }
}

/// Returns the path item, if the path is documented.
fn item_of<'d>(document: &'d Value, path: &str) -> Option<&'d Value> {
    let is_of = |template: &str| {
        let (steps, segments): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
        let is_step =
            |(step, segment): (&&str, &&str)| step == segment || (step.starts_with('{') && !segment.is_empty());
        steps.len() == segments.len() && steps.iter().zip(&segments).all(is_step)
    };
    document["paths"].as_object().unwrap().iter().find(|(template, _)| is_of(template)).map(|(_, item)| item)
}

fn check_headers(document: &Value, response: &Value, answer: &TestResponse, operation_name: &str) {
    let described: HashMap<_, _> = response["headers"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, header)| {
            let component = header["$ref"].as_str().unwrap().trim_start_matches('#');
            (name.to_lowercase(), &document.pointer(component).unwrap()["schema"])
        })
        .collect();
    for (name, value) in &answer.headers {
        let value = value.to_str().unwrap();
        match described.get(name.as_str()) {
            Some(_) if name == "vary" && value == "origin" => {}
            Some(schema) if schema["type"] == "integer" => assert_valid(document, schema, value, operation_name),
            Some(schema) => assert_valid(document, schema, &json!(value).to_string(), operation_name),
            // CORS headers concern only the browser and the service.
            None if name == "vary" || name.as_str().starts_with("access-control-") => {}
            None => assert!(USUAL.contains(&name.as_str()), "{operation_name}: {name} is not described"),
        }
    }
}

/// Validates a successful request against its operation.
fn check_request(document: &Value, operation: &Value, request: &Request, operation_name: &str) {
    let body = request.body().and_then(|body| body.as_bytes()).map(|body| String::from_utf8(body.to_vec()).unwrap());
    let schema = operation.pointer("/requestBody/content/application~1json/schema");
    if let (Some(body), Some(schema)) = (body, schema) {
        assert_valid(document, schema, &described_form(&body, schema), operation_name);
    }
    let given: HashMap<_, _> = request.url().query_pairs().collect();
    for parameter in operation["parameters"].as_array().unwrap().iter().filter(|parameter| parameter["in"] != "header")
    {
        let name = parameter["name"].as_str().unwrap();
        // An empty parameter counts as absent.
        let value = given.get(name).filter(|value| parameter["in"] == "query" && !value.is_empty());
        let Some(value) = value else {
            assert!(parameter["in"] == "path" || parameter["required"] == false, "{operation_name}: {name}");
            continue;
        };
        let value = match parameter["schema"]["type"].as_str() {
            Some("string") => json!(value).to_string(),
            Some("boolean") => matches!(&**value, "true" | "True" | "1").to_string(),
            _ => value.trim_start_matches('0').to_owned(),
        };
        assert_valid(document, &parameter["schema"], &value, operation_name);
    }
}

/// Returns a body with its amounts as strings and its other numbers as integers: the service accepts both forms of both, and
/// the document describes one.
fn described_form(body: &str, schema: &Value) -> String {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(body).unwrap();
    let written = members.iter().map(|(name, value)| {
        let kinds = schema["properties"][name]["type"].to_string();
        let digits = value.get().trim_matches('"');
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let value = match (is_number, kinds.contains("string"), kinds.contains("integer")) {
            (true, true, _) => format!("\"{digits}\""),
            (true, _, true) => digits.trim_start_matches('0').to_owned(),
            _ => value.get().to_owned(),
        };
        format!("\"{name}\":{value}")
    });
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}

/// Whether a JSON text matches `schema`. An unpaired surrogate, which an echo may repeat, has no value to validate.
fn assert_valid(document: &Value, schema: &Value, text: &str, operation_name: &str) {
    let value: Value = serde_json::from_str(&text.replace(r#""\ud800""#, r#""""#))
        .unwrap_or_else(|error| panic!("{operation_name}: {error}: {text}"));
    let schema = json!({"allOf": [schema], "components": document["components"]});
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let found: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(found.is_empty(), "{operation_name}: {found:?} in {text}");
}
