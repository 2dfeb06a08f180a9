//! A child process that is read line by line and never outlives the value that stands for it.
#![expect(clippy::expect_used, clippy::panic, reason = "a process that does not start is a failed test")]

use std::{
    collections::VecDeque,
    io::{BufRead as _, BufReader, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::patience::{PATIENCE, wait_until};

/// Lines kept of each process. Older ones are forgotten, whether or not somebody waited for them.
const KEPT_LINES: usize = 10_000;

/// A running program. Killed when dropped, also by a panic, also while it is suspended.
///
/// Both of its output streams are read all the time, so it never waits for a test to listen.
pub struct Process {
    child: Child,
    output: Arc<Output>,
    is_suspended: bool,
}

impl Process {
    /// Starts `command`.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(command: Command) -> Self {
        Self::start_overheard(command, |_| {})
    }

    /// Starts `command` and tells `listener` every line that it says, as it is said; a
    /// listener that panics ends the reading.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start_overheard(mut command: Command, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().expect("a piped stream")),
            Box::new(child.stderr.take().expect("a piped stream")),
        ];
        let lines = Lines { open_streams: streams.len(), ..Lines::default() };
        let output = Arc::new(Output { lines: Mutex::new(lines), changed: Condvar::new() });
        let listener = Arc::new(listener);
        for stream in streams {
            let (output, listener) = (Arc::clone(&output), Arc::clone(&listener));
            thread::spawn(move || output.read(stream, &*listener));
        }
        Self { child, output, is_suspended: false }
    }

    /// Its number in the system.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has neither ended nor been suspended.
    pub fn is_running(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let has_ended = !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None));
        !self.is_suspended && !has_ended
    }

    /// The next line that contains `text`.
    ///
    /// # Panics
    /// With all it said, when it ends or does not say it in time.
    pub fn wait_for(&mut self, text: &str) -> String {
        self.wait_for_any(&[text])
    }

    /// The next line that contains one of these texts.
    ///
    /// # Panics
    /// With all it said, when it ends or does not say it in time.
    pub fn wait_for_any(&mut self, texts: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = self.output.lock();
        loop {
            while let Some(line) = lines.next() {
                if texts.iter().any(|text| line.contains(text)) {
                    return line;
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(lines.open_streams > 0 && !left.is_zero(), "no line with any of {texts:?} but {:#?}", lines.kept);
            let woken = self.output.changed.wait_timeout(lines, left);
            lines = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends it as `kill -9` does, suspended or not, and returns when it is gone. One that has ended already stays so.
    pub fn kill(&mut self) {
        self.child.kill().expect("a child of this process");
        self.child.wait().expect("a child of this process");
        self.is_suspended = false;
    }

    /// Asks it to end (SIGTERM) and returns at once.
    pub fn ask_to_end(&mut self) {
        self.send(Signal::TERM);
    }

    /// Asks it to end (SIGTERM) and returns how it did.
    ///
    /// # Panics
    /// With all it said, when it does not end in time.
    pub fn terminate(&mut self) -> ExitStatus {
        self.ask_to_end();
        self.wait_for_end()
    }

    /// How it ended, once it has.
    ///
    /// # Panics
    /// With all it said, when it does not end in time.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        wait_until("the process ends", || {
            let status = self.child.try_wait().expect("a child of this process");
            status.ok_or_else(|| format!("{:#?}", self.output.lock().kept))
        })
    }

    /// Tells it to read its configuration again (SIGHUP) and returns at once.
    pub fn hang_up(&mut self) {
        self.send(Signal::HUP);
    }

    /// Stops it where it is (SIGSTOP), connections open, and returns when none of its threads runs any more.
    pub fn suspend(&mut self) {
        self.send(Signal::STOP);
        // The child is not reaped here, also if it has ended: `Child` does that.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options).expect("a child of this process");
        self.is_suspended = true;
    }

    /// Lets it go on after [`suspend`](Self::suspend) (SIGCONT).
    pub fn resume(&mut self) {
        self.send(Signal::CONT);
        self.is_suspended = false;
    }

    fn send(&mut self, signal: Signal) {
        let status = self.child.try_wait().expect("a child of this process");
        assert!(status.is_none(), "the process has ended ({status:?}) and gets no signal");
        kill_process(Pid::from_child(&self.child), signal).expect("a child of this process");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What the threads that read a process share with the one that waits for it.
struct Output {
    lines: Mutex<Lines>,
    changed: Condvar,
}

#[derive(Default)]
struct Lines {
    kept: VecDeque<String>,
    /// How many of the kept lines somebody has waited past.
    passed: usize,
    open_streams: usize,
}

impl Output {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end, also what is not text.
    fn read(&self, stream: impl Read, listener: impl Fn(&str)) {
        for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
            listener(&line);
            self.lock().push(line);
            self.changed.notify_all();
        }
        self.lock().open_streams -= 1;
        self.changed.notify_all();
    }
}

impl Lines {
    fn push(&mut self, line: String) {
        self.kept.push_back(line);
        if self.kept.len() > KEPT_LINES {
            self.kept.pop_front();
            self.passed = self.passed.saturating_sub(1);
        }
    }

    fn next(&mut self) -> Option<String> {
        let line = self.kept.get(self.passed).cloned();
        self.passed += usize::from(line.is_some());
        line
    }
}
