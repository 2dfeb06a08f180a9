//! `firmquote completions`.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use crate::program::{firmquote, run};

#[test]
fn every_shell_has_a_script_with_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = run(firmquote(&["completions", shell]));
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in [
            "serve",
            "check",
            "ledger",
            "demo",
            "quote",
            "sign",
            "status",
            "levels",
            "pool",
            "verify",
            "completions",
            "api-key-file",
        ] {
            assert!(ended.stdout.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(run(firmquote(&["completions", "cmd"])).status.code(), Some(2));
}

#[test]
fn bash_accepts_its_script() {
    let script = run(firmquote(&["completions", "bash"])).stdout;
    let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}
