//! A child process whose output is read line by line, and which is killed on drop.
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

/// Maximum number of lines kept per process. Older ones are discarded, whether or not they were read.
const MAX_LINES: usize = 10_000;

/// A child process. Killed on drop, even during a panic or while suspended.
///
/// Both output streams are read continuously, so the process never blocks on output.
pub struct Process {
    child: Child,
    output: Arc<Output>,
    is_suspended: bool,
}

impl Process {
    /// Starts `command`.
    ///
    /// # Panics
    /// If the process does not start.
    pub fn start(command: Command) -> Self {
        Self::start_with_output(command, |_| {})
    }

    /// Starts `command` and passes every line of its output to `listener` as it arrives. If the listener panics, the
    /// stream is no longer read.
    ///
    /// # Panics
    /// If the process does not start.
    pub fn start_with_output(mut command: Command, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
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

    /// Returns the process ID.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has neither exited nor been suspended.
    pub fn is_running(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let has_ended = !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None));
        !self.is_suspended && !has_ended
    }

    /// Waits for the next line that contains `text` and returns it.
    ///
    /// # Panics
    /// With the kept lines, if the process exits or does not print such a line in time.
    pub fn wait_for(&mut self, text: &str) -> String {
        self.wait_for_any(&[text])
    }

    /// Waits for the next line that contains one of `texts` and returns it.
    ///
    /// # Panics
    /// With the kept lines, if the process exits or does not print such a line in time.
    pub fn wait_for_any(&mut self, texts: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = self.output.lock();
        loop {
            while let Some(line) = lines.next() {
                if texts.iter().any(|text| line.contains(text)) {
                    return line;
                }
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            assert!(
                lines.open_streams > 0 && !remaining.is_zero(),
                "no line with any of {texts:?} but {:#?}",
                lines.recent
            );
            let result = self.output.changed.wait_timeout(lines, remaining);
            lines = result.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Kills the process (SIGKILL), suspended or not, and waits until it is gone. Does nothing if it has exited
    /// already.
    pub fn kill(&mut self) {
        self.child.kill().expect("a child of this process");
        self.child.wait().expect("a child of this process");
        self.is_suspended = false;
    }

    /// Sends SIGTERM without waiting for the process to exit.
    pub fn request_termination(&mut self) {
        self.send(Signal::TERM);
    }

    /// Sends SIGTERM, waits for the process to exit and returns its status.
    ///
    /// # Panics
    /// With the kept lines, if the process does not exit in time.
    pub fn terminate(&mut self) -> ExitStatus {
        self.request_termination();
        self.wait_for_end()
    }

    /// Waits for the process to exit and returns its status.
    ///
    /// # Panics
    /// With the kept lines, if the process does not exit in time.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        wait_until("the process ends", || {
            let status = self.child.try_wait().expect("a child of this process");
            status.ok_or_else(|| format!("{:#?}", self.output.lock().recent))
        })
    }

    /// Sends SIGHUP, which makes the server reload its configuration, without waiting for the reload.
    pub fn send_hangup(&mut self) {
        self.send(Signal::HUP);
    }

    /// Suspends the process (SIGSTOP), with its connections open, and waits until all of its threads are stopped.
    pub fn suspend(&mut self) {
        self.send(Signal::STOP);
        // NOWAIT: do not reap the child even if it has exited, since `Child` does that.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options).expect("a child of this process");
        self.is_suspended = true;
    }

    /// Resumes the process after [`suspend`](Self::suspend) (SIGCONT).
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
        // The process may have exited already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// State shared by the reader threads and the thread that waits for output.
struct Output {
    lines: Mutex<Lines>,
    changed: Condvar,
}

#[derive(Default)]
struct Lines {
    recent: VecDeque<String>,
    /// Number of kept lines that waits have consumed.
    consumed: usize,
    open_streams: usize,
}

impl Output {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a stream to its end, replacing invalid UTF-8.
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
        self.recent.push_back(line);
        if self.recent.len() > MAX_LINES {
            self.recent.pop_front();
            self.consumed = self.consumed.saturating_sub(1);
        }
    }

    fn next(&mut self) -> Option<String> {
        let line = self.recent.get(self.consumed).cloned();
        self.consumed += usize::from(line.is_some());
        line
    }
}
