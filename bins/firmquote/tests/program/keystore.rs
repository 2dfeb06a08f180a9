//! Encrypted keystores: created by the program, created by others, and invalid ones.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use tempfile::TempDir;

use crate::program::{ACCOUNT, CONFIG, Ended, configured, directory, firmquote, run, set_mode};

/// A keystore created by another program with the key of [`ACCOUNT`], and its password.
const KEYSTORE: &str = include_str!("../../../../crates/signer/tests/signer/vectors/keystore/eth_keyfile_scrypt.json");
const PASSWORD: &str = "pässwörd mit Leerzeichen";
const OF_SIGNER: &str = "key_env = \"FIRMQUOTE_SIGNER_KEY\"";

fn write(directory: &TempDir, name: &str, text: &str, mode: u32) {
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    set_mode(&path, mode);
}

/// Runs `check` on a configuration whose signer has these files.
fn checked(directory: &TempDir) -> Ended {
    let config = CONFIG.replace(OF_SIGNER, "keystore = \"key.json\"\npassword_file = \"password\"");
    run(configured(directory, &["check"], &config))
}

fn new_key(directory: &TempDir) -> Ended {
    let mut command = firmquote(&["key", "new", "--keystore", "key.json", "--password-file", "password"]);
    command.current_dir(directory.path());
    run(command)
}

#[test]
fn a_keystore_of_another_program_signs() {
    let directory = directory();
    write(&directory, "key.json", KEYSTORE, 0o644);
    for (contents, mode) in [(format!("{PASSWORD}\n"), 0o600), (PASSWORD.to_owned(), 0o400)] {
        drop(fs::remove_file(directory.path().join("password")));
        write(&directory, "password", &contents, mode);
        let ended = checked(&directory);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
        assert!(ended.stdout.contains(&format!("signed by    {ACCOUNT} (hot)")), "{}", ended.stdout);
        assert!(!ended.stdout.contains(PASSWORD));
    }
}

#[test]
fn keystore_errors_are_reported_without_secrets() {
    let password_error = |allowed: &str| format!("34: signer[0].password_file is \"password\", allowed: {allowed}");
    let keystore_error = |allowed: &str| format!("33: signer[0].keystore is \"key.json\", allowed: {allowed}");
    let costly = KEYSTORE.replace("4096", "1073741824");
    for (keystore, password, mode, expected) in [
        (KEYSTORE, "another", 0o600, password_error("the password that opens the keystore, in its first line")),
        (KEYSTORE, "\n", 0o600, password_error("a file that holds the password of a keystore in its first line")),
        (
            KEYSTORE,
            PASSWORD,
            0o640,
            password_error(
                "a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)",
            ),
        ),
        (
            "{}",
            PASSWORD,
            0o600,
            keystore_error("a file that holds a keystore of version 3 (read up to line 1, column 2)"),
        ),
        (
            &costly,
            PASSWORD,
            0o600,
            keystore_error(
                "a keystore whose crypto.kdfparams is n, r and p of scrypt: n a power of two from 2, r and p 1 to 64, \
                 n times r at most 2097152 (256 MiB), n times r times p at most 8388608",
            ),
        ),
    ] {
        let directory = directory();
        write(&directory, "key.json", keystore, 0o600);
        write(&directory, "password", password, mode);
        let ended = checked(&directory);
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
        assert_eq!(ended.stderr.trim_end(), format!("error: firmquote.toml:{expected}"));
    }
}

#[test]
fn a_new_keystore_is_private_and_its_settings_are_valid() {
    let directory = directory();
    write(&directory, "password", "correct horse\n", 0o600);
    let made = new_key(&directory);
    assert_eq!((made.status.code(), made.stderr.as_str()), (Some(0), ""));
    let mode = fs::metadata(directory.path().join("key.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let account = made.stdout.lines().find_map(|line| line.strip_prefix("    ")).unwrap();
    let lines = made.stdout.split_once("\n\n[[signer]]\n").unwrap().1;
    let config = CONFIG.replace(&format!("name = \"hot\"\n{OF_SIGNER}\n"), lines);
    let ended = run(configured(&directory, &["check"], &config));
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.contains(&format!("signed by    {account} (hot)")), "{}", ended.stdout);
}

#[test]
fn a_new_keystore_never_overwrites_a_file() {
    let directory = directory();
    write(&directory, "password", "correct horse", 0o600);
    write(&directory, "key.json", "precious", 0o600);
    let ended = new_key(&directory);
    assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(1), ""));
    assert_eq!(ended.stderr, "error: cannot write key.json: File exists (os error 17)\n");
    assert_eq!(fs::read_to_string(directory.path().join("key.json")).unwrap(), "precious");
}

#[test]
fn a_new_keystore_requires_a_private_password_file() {
    for (password, mode, expected) in [
        (
            "secret",
            0o644,
            "cannot read the password from password: it is not a file that only its owner may read and write (mode 600 or 400, or 640 or 440 of root's if the service is not root)",
        ),
        ("\nsecret", 0o600, "password has no password in its first line"),
    ] {
        let directory = directory();
        write(&directory, "password", password, mode);
        let ended = new_key(&directory);
        assert_eq!((ended.status.code(), ended.stderr), (Some(1), format!("error: {expected}\n")));
        assert!(!Path::new(&directory.path().join("key.json")).exists());
    }
}

/// Generates a key in hex and its account.
const KEY_HEX: &str = "4646464646464646464646464646464646464646464646464646464646464646";
const KEY_ACCOUNT: &str = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F";

#[test]
fn a_key_is_imported_from_any_source_and_its_account_shown() {
    let directory = directory();
    write(&directory, "password", "secret", 0o600);
    write(&directory, "key", &format!("0x{KEY_HEX}\n"), 0o600);
    let command = |arguments: &[&str]| {
        let mut command = firmquote(arguments);
        command.current_dir(directory.path());
        run(command)
    };
    let imported =
        command(&["key", "import", "--key-file", "key", "--keystore", "new.json", "--password-file", "password"]);
    assert_eq!((imported.status.code(), imported.stderr.as_str()), (Some(0), ""));
    assert!(imported.stdout.contains(KEY_ACCOUNT) && !imported.stdout.contains(KEY_HEX), "{}", imported.stdout);
    for source in [&["--key-file", "key"][..], &["--keystore", "new.json", "--password-file", "password"]] {
        let output = command(&[&["key", "address"], source].concat());
        assert_eq!((output.stderr.as_str(), output.stdout), ("", format!("{KEY_ACCOUNT}\n")));
    }
    write(&directory, "exposed", KEY_HEX, 0o644);
    write(&directory, "short", &KEY_HEX[1..], 0o600);
    for (file, expected) in
        [("exposed", "mode 600 or 400"), ("short", "expected 64 hex digits"), ("absent", "cannot read absent")]
    {
        let refused = command(&["key", "address", "--key-file", file]);
        assert_eq!((refused.status.code(), refused.stdout.as_str()), (Some(1), ""));
        assert!(refused.stderr.contains(expected) && !refused.stderr.contains(&KEY_HEX[2..]), "{}", refused.stderr);
    }
}
