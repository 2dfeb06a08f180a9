//! `firmquote verify` on files: signatures of a live deployment, and files without anything to verify.

use std::{
    io::Write as _,
    process::{Child, Stdio},
};

use serde_json::{Value, json};

use crate::program::{Ended, directory, firmquote, run};

/// Signatures issued by a live deployment.
const LIVE: &str = include_str!("../../../../crates/signer/tests/signer/vectors/signatures.json");

/// Runs verify on standard input.
fn verified(text: &str, arguments: &[&str]) -> Ended {
    let mut command = firmquote(&[&["verify"][..], arguments].concat());
    let mut child: Child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status, stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn live_deployment_signatures_recover_only_their_signers() {
    let live: Value = serde_json::from_str(LIVE).unwrap();
    let signer = live["signer"].as_str().unwrap();
    let cases = live["cases"].as_array().unwrap();
    assert!(cases.len() >= 3);
    for case in cases {
        let destination = case["destination_address"].as_str().unwrap();
        let arguments = ["--without-pool", "--signer", signer, "--destination", destination];
        let report = verified(&case.to_string(), &arguments);
        assert_eq!(report.status.code(), Some(3), "{}", report.stdout);
        let standings: Vec<_> = report.stdout.lines().filter(|line| line.starts_with("undecided ")).collect();
        assert!(matches!(standings[..], [line] if line.contains("good_until has passed")), "{}", report.stdout);
        assert!(report.stdout.lines().next().unwrap().ends_with(" UTC, which has passed"), "{}", report.stdout);
        if let Some(function) = case["function"].as_str() {
            assert!(report.stdout.contains(&format!("the calldata calls {function}, ")), "{}", report.stdout);
            assert!(report.stdout.contains("\"1INCH\""), "{}", report.stdout);
        }
        for (arguments, code) in [
            (&["--signer", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"][..], 1),
            (&["--signer", signer, "--domain-version", "1.0.1"], 1),
            (&["--signer", signer, "--domain-name", "Another"], 1),
            (&[], 3),
        ] {
            let report = verified(&case.to_string(), &[&["--without-pool"][..], arguments].concat());
            assert_eq!(report.status.code(), Some(code), "{arguments:?}: {}", report.stdout);
            assert!(code == 1 || report.stdout.contains(signer), "{}", report.stdout);
        }
    }
}

#[test]
fn input_with_nothing_to_verify_is_rejected() {
    for text in ["", "{}", "[]", "{\"quote\":{}}", "{\"signed\":{}}", "{\"signature\":1}", "{\"must_accept_by\":1}"] {
        let report = verified(text, &["--without-pool"]);
        assert_eq!((report.status.code(), report.stdout.as_str()), (Some(2), ""), "{text}");
        assert!(report.stderr.starts_with("error: nothing to verify: "), "{}", report.stderr);
    }
}

#[test]
fn a_document_with_two_native_sides_is_rejected() {
    let live: Value = serde_json::from_str(LIVE).unwrap();
    let signed = &live["cases"][0];
    for (native_input, native_output, is_valid) in [(false, false, true), (true, false, true), (true, true, false)] {
        let requested = json!({"native_input": native_input, "native_output": native_output});
        let report = verified(&json!({"signed": signed, "requested": requested}).to_string(), &["--without-pool"]);
        assert_eq!(report.status.code() != Some(2), is_valid, "{}", report.stderr);
        let error = "error: nothing to verify: native_input and native_output cannot both be true";
        assert_eq!(report.stderr.starts_with(error), !is_valid, "{}", report.stderr);
    }
}

#[test]
fn invalid_file_usage_exits_with_two() {
    let directory = directory();
    let (quote, broken) = (directory.path().join("quote.json"), directory.path().join("broken.json"));
    let live: Value = serde_json::from_str(LIVE).unwrap();
    std::fs::write(&quote, live["cases"][0].to_string()).unwrap();
    std::fs::write(&broken, [0xff]).unwrap();
    let [quote, broken] = [&quote, &broken].map(|path| path.to_str().unwrap());
    for (arguments, text) in [
        (&["verify", "nowhere.json"][..], "cannot read nowhere.json"),
        (&["verify", broken, "--without-pool"], "it is not UTF-8"),
        (&["verify", quote, "--pool", quote], "not the output of pool --json"),
        (&["verify", quote], "no pool data to recompute amounts from"),
        (&["verify", quote, "--without-pool", "--pool", quote], "--pool"),
        (&["verify", quote, "--without-pool", "--signer", "0x1"], "--signer"),
        (&["verify", quote, "--without-pool", "--price-tolerance-bps", "10000"], "below 10000"),
    ] {
        let ended = run(firmquote(arguments));
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(2), ""), "{arguments:?} {}", ended.stderr);
        assert!(ended.stderr.contains(text), "{}", ended.stderr);
    }
}
