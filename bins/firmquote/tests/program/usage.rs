//! The command line: arguments and exit codes.

use serde_json::Value;

use crate::program::{CONFIG, Ended, configured, directory, firmquote, run};

fn ended(arguments: &[&str]) -> Ended {
    run(firmquote(arguments))
}

#[test]
fn invalid_usage_exits_with_two() {
    for arguments in [
        &[][..],
        &["quote"],
        &["serve", "--port", "1"],
        &["check"],
        &["key"],
        &["key", "new", "--keystore", "f"],
        &["key", "new", "--password-file", "f"],
        &["credential", "new"],
        &["credential", "new", "--client", "a b"],
        &["credential", "new", "--client", "a", "--username", "a:b"],
        &["ledger", "tail"],
        &["ledger", "tail", "--config", "f", "--lines", "10001"],
        &["ledger", "export", "--config", "f", "--from", "soon"],
        &["ledger", "export", "--config", "f", "--to", "2026-13-01"],
    ] {
        let ended = ended(arguments);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!ended.stderr.is_empty());
    }
}

#[test]
fn help_and_version_exit_with_zero() {
    let version = ended(&["--version"]);
    assert_eq!((version.status.code(), version.stdout.as_str()), (Some(0), "firmquote 0.1.0\n"));
    let help = ended(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    for command in [
        "serve",
        "check",
        "key",
        "credential",
        "ledger",
        "demo",
        "quote",
        "sign",
        "status",
        "pool",
        "verify",
        "completions",
        "config",
        "version",
    ] {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn version_is_also_a_command() {
    assert_eq!(ended(&["version"]).stdout, "firmquote 0.1.0\n");
}

#[test]
fn a_starter_configuration_is_printed_or_written_once_and_is_valid() {
    let directory = directory();
    let printed = ended(&["config", "init"]).stdout;
    let init = |directory: &tempfile::TempDir| {
        let mut command = firmquote(&["config", "init", "--file", "new.toml"]);
        command.current_dir(directory.path());
        run(command)
    };
    assert!(init(&directory).stdout.contains("firmquote check --config new.toml"));
    assert_eq!(std::fs::read_to_string(directory.path().join("new.toml")).unwrap(), printed);
    let again = init(&directory);
    assert_eq!((again.status.code(), again.stdout.as_str()), (Some(1), ""));
    assert!(again.stderr.starts_with("error: cannot write new.toml: File exists"), "{}", again.stderr);
    let checked = run(configured(&directory, &["check"], &printed));
    assert_eq!((checked.status.code(), checked.stderr.as_str()), (Some(0), ""), "{}", checked.stderr);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let directory = directory();
    for command in
        [firmquote(&["demo"]), firmquote(&["completions", "bash"]), configured(&directory, &["check"], CONFIG)]
    {
        let mut command = command;
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stdout(writer);
        let ended = run(command);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn the_log_can_be_json_and_quiet() {
    let directory = directory();
    let mut command = configured(&directory, &["serve"], CONFIG);
    command.env("FIRMQUOTE__LOG__FORMAT", "json");
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    loop {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut stderr, &mut line).unwrap() > 0);
        let response: Value = serde_json::from_str(&line).unwrap();
        if response["message"] == "serving" {
            assert!(response["public"].as_str().unwrap().starts_with("127.0.0.1:"));
            assert_eq!(response["pools"], 1);
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
