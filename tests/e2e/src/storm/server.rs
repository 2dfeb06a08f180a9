//! The server under a storm: its files, its addresses, its log.

use std::{
    fs,
    net::SocketAddr,
    sync::{Arc, mpsc::Receiver},
};

use firmquote_test_servers::Process;
use serde_json::Value;
use tempfile::TempDir;

use super::{
    log::{Log, Reload},
    settings::Settings,
};
use crate::service::{command, resident_kib};

/// A running server. Killed on drop.
pub(super) struct Server {
    pub(super) public: SocketAddr,
    pub(super) admin: SocketAddr,
    pub(super) log: Arc<Log>,
    process: Process,
    reloads: Receiver<Reload>,
    directory: TempDir,
}

impl Server {
    pub(super) fn start(settings: &Settings) -> Self {
        let (directory, command) = command("serve", &settings.configuration());
        fs::write(directory.path().join("credentials.toml"), settings.credentials()).expect("a writable directory");
        let (log, reloads) = Log::new();
        let log = Arc::new(log);
        let listener = Arc::clone(&log);
        let mut process = Process::start_with_output(command, move |line| listener.receive(line));
        let line: Value = serde_json::from_str(&process.wait_for("\"message\":\"serving\"")).expect("JSON");
        let address = |name: &str| line[name].as_str().and_then(|text| text.parse().ok()).expect("an address");
        Self { public: address("public"), admin: address("admin"), log, process, reloads, directory }
    }

    /// Replaces both files atomically, triggers a reload by signal, and returns its result.
    ///
    /// Only a reload triggered by the signal is certain to have started after both files were written, so automatic
    /// reloads are ignored.
    pub(super) fn reload(&mut self, settings: &Settings) -> Reload {
        let files = [("credentials.toml", settings.credentials()), ("firmquote.toml", settings.configuration())];
        for (name, text) in files {
            let (beside, place) = (self.directory.path().join("beside"), self.directory.path().join(name));
            fs::write(&beside, text).expect("a writable directory");
            fs::rename(beside, place).expect("a writable directory");
        }
        self.process.send_hangup();
        self.reloads.recv_timeout(firmquote_test_servers::patience::PATIENCE).unwrap_or_else(|_| panic!("no reload"))
    }

    /// Returns the resident memory in KiB.
    pub(super) fn resident_kib(&self) -> u64 {
        resident_kib(self.process.pid())
    }

    /// Stops the server like a service manager, and returns its log once the last line has been processed.
    pub(super) fn stop(mut self) -> Arc<Log> {
        assert!(self.process.is_running(), "the server has exited");
        assert!(self.process.terminate().success(), "the server did not exit successfully");
        // The reader thread may lag behind the process.
        firmquote_test_servers::patience::wait_until("the last line is read", || {
            self.log.is_whole().then_some(()).ok_or_else(|| "no last line".to_owned())
        });
        Arc::clone(&self.log)
    }
}
