//! The clients in other languages: their own tests, and the service, a node and a sandbox as they meet them.
//! `scripts/install-bindings` installs what they need.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod collection;
mod first_swap;
mod packages;
mod recompute;
mod replicas;
mod sandbox;
mod swap;

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

/// The clients that are tested alike.
const ALL: [Binding; 2] = [Binding::TypeScript, Binding::Python];

/// A client in another language.
#[derive(Clone, Copy, Debug)]
enum Binding {
    TypeScript,
    Python,
}

/// The package and the tests for TypeScript, built once for all tests of this process.
static BUILT: LazyLock<()> = LazyLock::new(|| {
    for script in ["build", "build:tests"] {
        succeed(Binding::TypeScript.command("npm").args(["run", "--silent", script]));
    }
});

impl Binding {
    /// The folder of the package.
    fn folder(self) -> PathBuf {
        let name = match self {
            Self::TypeScript => "typescript",
            Self::Python => "python",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings").join(name)
    }

    /// A command in that folder.
    fn command(self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder()).env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
        command
    }

    /// The interpreter of the programs, ready to run them.
    fn interpreter(self) -> Command {
        match self {
            Self::TypeScript => {
                LazyLock::force(&BUILT);
                self.command("node")
            }
            Self::Python => {
                let mut command = self.command("venv/bin/python");
                command.env("PYTHONPATH", "src").env("PYTHONDONTWRITEBYTECODE", "1");
                command
            }
        }
    }

    /// A program of its tests against a service.
    fn program(self, name: &str) -> Command {
        let mut command = self.interpreter();
        command.arg(match self {
            Self::TypeScript => format!("build/tests/service/{name}.js"),
            Self::Python => format!("tests/service/{name}.py"),
        });
        command
    }
}

/// Runs a command to its end.
fn run(command: &mut Command) -> Output {
    let shown = format!("{command:?}");
    command
        .output()
        .unwrap_or_else(|error| panic!("{shown}: {error}; scripts/install-bindings installs what is missing"))
}

/// Runs a command, which has to succeed, and returns what it printed.
fn succeed(command: &mut Command) -> String {
    let output = run(command);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout
}
