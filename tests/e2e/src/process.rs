//! A child process that is read line by line and never outlives the test that started it.
#![expect(clippy::expect_used, clippy::panic, reason = "a process that does not start is a failed test")]

use std::{
    io::{BufRead as _, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// Longer than anything takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program. Killed when dropped, also by a panic.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Process {
    /// Starts `command`; both of its output streams are read.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let (sender, lines) = channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().expect("a piped stream")),
            Box::new(child.stderr.take().expect("a piped stream")),
        ];
        for stream in streams {
            let sender = sender.clone();
            thread::spawn(move || {
                let lines = BufReader::new(stream).lines().map_while(Result::ok);
                lines.map(|line| sender.send(line)).all(|sent| sent.is_ok())
            });
        }
        Self { child, lines, seen: Vec::new() }
    }

    /// The next line that contains `text`.
    ///
    /// # Panics
    /// With all it said, when it ends or stays silent instead.
    pub fn wait_for(&mut self, text: &str) -> String {
        loop {
            let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
                panic!("no line with {text:?} but {:#?}", self.seen);
            };
            self.seen.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
