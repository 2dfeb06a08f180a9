//! Simulates a slow disk with a preloaded library that delays every `fsync` of a background thread.
//!
//! While an fsync is in progress, Redis with `appendfsync everysec` postpones even writing its append-only file, for up
//! to two seconds, but still replies. A killed process loses the writes acknowledged in that time.
#![expect(clippy::expect_used, reason = "a library that is not there is a failed test")]

use std::{fs, path::PathBuf, process::Command, sync::LazyLock, time::Duration};

use tempfile::TempDir;

const SOURCE: &str = include_str!("slow_fsync.c");

/// The library, compiled once per test binary.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, library) = (directory.path().join("slow_fsync.c"), directory.path().join("slow_fsync.so"));
    fs::write(&source, SOURCE).expect("a writable directory");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-O2", "-o"]).args([&library, &source]).arg("-ldl");
    assert!(compile.status().expect("a C compiler: ./scripts/install-tools").success(), "the library compiles");
    (directory, library)
});

/// Makes `command` start a server whose background threads delay each fsync by `fsync`.
pub(crate) fn slow_down(command: &mut Command, fsync: Duration) {
    command.env("LD_PRELOAD", &LIBRARY.1).env("SLOW_FSYNC_MS", fsync.as_millis().to_string());
}
