//! The requests in the documentation, run unchanged by the shell, return the documented responses.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Deserializer, Value, json};

use crate::program::{Serving, firmquote};

/// The pages with requests to the demo.
const PAGES: [&str; 4] = ["README.md", "docs/api.md", "docs/errors.md", LEVELS];

/// The page with programs that consume a stream.
const LEVELS: &str = "docs/levels.md";

/// The address of the demo in the documentation.
const WRITTEN: &str = "http://127.0.0.1:8080";

/// Values that differ in every response: only their shape is compared with the page.
const VARYING: [&str; 14] = [
    "id",
    "quote_id",
    "state_id",
    "levels_id",
    "must_accept_by",
    "good_until",
    "expires_at",
    "created_at",
    "as_of_ms",
    "published_ms",
    "valid_until_ms",
    "v",
    "r",
    "s",
];

/// The number of times that a quote may expire before it is signed, on a machine too busy for its lifetime.
const ATTEMPTS: usize = 20;

/// Marks members that a page omits.
const REST: &str = "...";

/// A script of a page, and the documented response, if any.
struct DocumentedRequest {
    page: &'static str,
    script: String,
    answer: Option<Value>,
}

/// Returns the requests of a page in order.
fn documented_requests(page: &'static str, base: &str) -> Vec<DocumentedRequest> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(file).unwrap().replace(WRITTEN, base);
    let blocks: Vec<_> = text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect();
    let mut requests: Vec<DocumentedRequest> = Vec::new();
    let mut follows_request = false;
    for (language, block) in blocks {
        let is_request = language == "sh" && block.contains("curl ");
        match requests.last_mut() {
            Some(last) if language == "json" && follows_request => last.answer = Some(read(block)),
            _ if is_request => requests.push(DocumentedRequest { page, script: block.to_owned(), answer: None }),
            _ => {}
        }
        follows_request = is_request;
    }
    requests
}

/// Parses a documented response: lines may be wrapped, and members at the end may be omitted.
fn read(block: &str) -> Value {
    let whole = block.replace(", ...}", &format!(r#","{REST}":null}}"#));
    serde_json::from_str(&whole).map_err(|error| format!("{error} in {block}")).unwrap()
}

/// Runs `script` in a shell and returns the responses it prints.
fn run(script: &str, base: &str, key: &str) -> Vec<Value> {
    let output = Command::new("bash")
        .args(["-euc", script])
        .envs([("BASE", base), ("KEY", key), ("NO_PROXY", "127.0.0.1"), ("no_proxy", "127.0.0.1")])
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{script}\n{stdout}{}", String::from_utf8_lossy(&output.stderr));
    let answers = Deserializer::from_str(&stdout).into_iter().collect::<Result<Vec<_>, _>>();
    answers.map_err(|error| format!("{error} in {stdout:?}, the answer to\n{script}")).unwrap()
}

/// Returns every response to a documented request; repeats it if its quote expired in between.
fn answers(request: &DocumentedRequest, base: &str, key: &str) -> Vec<Value> {
    let is_late =
        |answer: &Value| answer["errorMessage"].as_str().is_some_and(|text| text.starts_with("no live quote"));
    // Repeats until a quote is signed before it expires.
    let mut attempts = (0..ATTEMPTS).map(|_| run(&request.script, base, key));
    attempts.find(|answers| !answers.iter().any(is_late)).unwrap()
}

/// Compares `answer` with the `documented` one.
fn compare(documented: &Value, answer: &Value, path: &str) {
    match (documented, answer) {
        (Value::Object(members), Value::Object(answered)) => {
            for (name, member) in members.iter().filter(|(name, _)| *name != REST) {
                let got = answered.get(name).ok_or_else(|| format!("no {path}.{name} in {answer}")).unwrap();
                match VARYING.contains(&name.as_str()) {
                    true => assert_eq!(shape(got, member), shape(member, member), "{path}.{name}"),
                    false => compare(member, got, &format!("{path}.{name}")),
                }
            }
            let is_whole = !members.contains_key(REST);
            assert!(!is_whole || members.len() == answered.len(), "{path} is {answer}, and shown as {documented}");
        }
        (Value::Array(items), Value::Array(answered)) => {
            assert_eq!(items.len(), answered.len(), "{path}");
            items.iter().zip(answered).for_each(|(item, got)| compare(item, got, path));
        }
        (Value::String(text), Value::String(got)) if text.contains(REST) => {
            let (start, end) = text.split_once(REST).unwrap();
            assert!(got.starts_with(start) && got.ends_with(end), "{path} is {got}, and shown as {text}");
        }
        _ => assert_eq!(answer, documented, "{path}"),
    }
}

/// Returns the type of a value and, for a text, the positions of its digits; skips members omitted in `documented`.
fn shape(value: &Value, documented: &Value) -> Value {
    match (value, documented) {
        (Value::String(text), Value::String(documented)) if documented.contains(REST) => json!(text.starts_with("0x")),
        (Value::String(text), _) => {
            json!(text.chars().map(|one| if one.is_ascii_hexdigit() { '0' } else { one }).collect::<String>())
        }
        (Value::Number(_), _) => json!(0),
        (other, _) => other.clone(),
    }
}

#[test]
fn every_documented_request_gets_its_documented_response() {
    let (mut requests, mut compared) = (0, 0);
    for page in PAGES {
        // Signatures of other pages do not move the prices of this one.
        let serving = Serving::start(firmquote(&["serve"]));
        let key = serving.wait_for_output("API key   ").split_whitespace().nth(2).unwrap().to_owned();
        let base = format!("http://{}", serving.public);
        for request in documented_requests(page, &base) {
            let answers = answers(&request, &base, &key);
            requests += answers.len();
            match &request.answer {
                Some(expected) => {
                    compare(expected, answers.last().unwrap(), request.page);
                    compared += 1;
                }
                None => assert!(answers.iter().all(|answer| answer.get("errorType").is_none()), "{answers:?}"),
            }
        }
    }
    assert!(requests >= 8 && compared >= 4, "{requests} requests, {compared} answers");
}

#[test]
fn the_documented_python_program_follows_a_stream() {
    let serving = Serving::start(firmquote(&["serve"]));
    let key = serving.wait_for_output("API key   ").split_whitespace().nth(2).unwrap().to_owned();
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(LEVELS)).unwrap();
    let program = page.split_once("```python\n").unwrap().1.split_once("```").unwrap().0;
    let mut python = Command::new("python3")
        .args(["-c", program])
        .envs([("BASE", &*format!("http://{}", serving.public)), ("KEY", &*key), ("NO_PROXY", "127.0.0.1")])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(python.stdout.take().unwrap()).lines().map(Result::unwrap);
    let lines: Vec<String> = lines.take(5).collect();
    python.kill().unwrap();
    python.wait().unwrap();
    let expected = ["hello 0 books", "book 1 books", "book 2 books", "snapshot_end 2 books", "renew 2 books"];
    assert_eq!(lines, expected);
}

#[test]
fn undocumented_responses_are_detected() {
    let documented = json!({"id": "0a-1", "amount": "12", "call": "0x2b...ff"});
    compare(&documented, &json!({"id": "ff-9", "amount": "12", "call": "0x2b00ff"}), "");
    for other in [
        json!({"id": "ff9", "amount": "12", "call": "0x2b00ff"}),
        json!({"id": "ff-9", "amount": 12, "call": "0x2b00ff"}),
        json!({"id": "ff-9", "amount": "13", "call": "0x2b00ff"}),
        json!({"id": "ff-9", "amount": "12", "call": "0x2b00fe"}),
        json!({"id": "ff-9", "amount": "12"}),
        json!({"id": "ff-9", "amount": "12", "call": "0x2b00ff", "more": 1}),
    ] {
        let compared = std::panic::catch_unwind(|| compare(&documented, &other, ""));
        assert!(compared.is_err(), "{other}");
    }
}
