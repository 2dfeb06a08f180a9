//! The clients in other languages: their own tests, and tests against the service, a node and a sandbox.
//! `scripts/install-bindings` installs their dependencies.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod collection;
mod first_swap;
mod packages;
mod reasons;
mod recompute;
mod replicas;
mod sandbox;
mod swap;

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

/// The clients that run the same tests.
const ALL: [Binding; 2] = [Binding::TypeScript, Binding::Python];

/// A client in another language.
#[derive(Clone, Copy, Debug)]
enum Binding {
    TypeScript,
    Python,
}

/// Builds the TypeScript package and its tests, once per test process.
static BUILT: LazyLock<()> = LazyLock::new(|| {
    for script in ["build", "build:tests"] {
        succeed(Binding::TypeScript.command("npm").args(["run", "--silent", script]));
    }
});

impl Binding {
    /// Returns the directory of the package.
    fn folder(self) -> PathBuf {
        let name = match self {
            Self::TypeScript => "typescript",
            Self::Python => "python",
        };
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings").join(name)
    }

    /// Returns a command in that directory.
    fn command(self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder()).env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
        command
    }

    /// Returns a command for the interpreter of the test programs, ready to run them.
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

    /// Returns a command that runs one of its test programs against a service.
    fn program(self, name: &str) -> Command {
        let mut command = self.interpreter();
        command.arg(match self {
            Self::TypeScript => format!("build/tests/service/{name}.js"),
            Self::Python => format!("tests/service/{name}.py"),
        });
        command
    }
}

/// Runs a command to completion.
fn run(command: &mut Command) -> Output {
    let shown = format!("{command:?}");
    command
        .output()
        .unwrap_or_else(|error| panic!("{shown}: {error}; scripts/install-bindings installs what is missing"))
}

/// Runs a command that must succeed, and returns its output.
fn succeed(command: &mut Command) -> String {
    let output = run(command);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout
}
