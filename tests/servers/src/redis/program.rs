//! The installed Redis programs, and free ports to run them on.
#![expect(clippy::expect_used, reason = "a missing program is a failed test")]

use std::{
    net::{Ipv4Addr, TcpListener},
    process::{Command, Stdio},
    sync::LazyLock,
};

/// Timeout of a `redis-cli` call in seconds: a suspended server never closes its connections.
const CALL_SECONDS: &str = "10";

/// Whether both programs are installed; determined once.
static IS_INSTALLED: LazyLock<bool> = LazyLock::new(|| {
    let is_there = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    is_there("redis-server") && is_there("redis-cli")
});

/// Returns a command for `redis-server`.
///
/// # Panics
/// With the command that installs it, if it is missing.
pub(crate) fn redis_server() -> Command {
    assert_installed();
    Command::new("redis-server")
}

/// Returns a command for `redis-cli` that fails if the server does not respond in time.
///
/// # Panics
/// With the command that installs it, if it is missing.
pub(crate) fn redis_cli() -> Command {
    assert_installed();
    let mut command = Command::new("timeout");
    command.args([CALL_SECONDS, "redis-cli"]);
    command
}

/// Returns a currently free port of 127.0.0.1. Another process may take it before the caller does.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}

fn assert_installed() {
    assert!(
        *IS_INSTALLED,
        "redis-server or redis-cli is not installed, run: ./scripts/test (or scripts/install-tools)"
    );
}
