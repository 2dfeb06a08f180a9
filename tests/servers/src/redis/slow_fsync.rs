//! A disk that takes its time: a library that a server is started with, in which every `fsync` of a background thread waits.
//!
//! While one is under way, Redis with `appendfsync everysec` puts off even writing its append-only file, for two seconds at
//! most, and answers all the same. What it answered then is gone with a killed process.
#![expect(clippy::expect_used, reason = "a library that is not there is a failed test")]

use std::{fs, path::PathBuf, process::Command, sync::LazyLock, time::Duration};

use tempfile::TempDir;

const SOURCE: &str = include_str!("slow_fsync.c");

/// The library, compiled once for all servers of a test program.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (source, library) = (directory.path().join("slow_fsync.c"), directory.path().join("slow_fsync.so"));
    fs::write(&source, SOURCE).expect("a writable directory");
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-O2", "-o"]).args([&library, &source]).arg("-ldl");
    assert!(compile.status().expect("a C compiler: ./scripts/install-tools").success(), "the library compiles");
    (directory, library)
});

/// Has `command` start a server whose background threads wait so long for the disk.
pub(crate) fn slow_down(command: &mut Command, fsync: Duration) {
    command.env("LD_PRELOAD", &LIBRARY.1).env("SLOW_FSYNC_MS", fsync.as_millis().to_string());
}
