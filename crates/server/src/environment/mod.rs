//! The parts of the system that a configuration depends on: variables, files, memory, open files.

mod credentials_file;
mod file;
mod keystores;
mod process_limits;
mod variables;

use std::{io, path::Path, sync::Arc};

use firmquote_config::{Environment, FileReaders, UnreadableFile};
use firmquote_signer::{KeystoreError, LocalSigner};
use zeroize::Zeroizing;

use self::keystores::Keystores;
pub use credentials_file::CredentialsFile;
pub use process_limits::raise_open_file_limit;
pub(crate) use variables::host_name;
pub use variables::{overrides, program, secret, text};

/// [`Environment`] of this process: its variables, files and limits.
#[derive(Default)]
struct SystemEnvironment {
    keystores: Keystores,
}

/// Returns the variables, files and limits of this process, for reading a configuration.
pub fn system_environment() -> Arc<dyn Environment> {
    Arc::new(SystemEnvironment::default())
}

impl Environment for SystemEnvironment {
    fn variable(&self, name: &str) -> Option<Zeroizing<String>> {
        secret(name)
    }

    fn text(&self, path: &Path) -> io::Result<String> {
        file::read_text(path)
    }

    fn file(&self, path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
        file::read(path, max_bytes, readers)
    }

    fn signer(&self, keystore: &[u8], password: &[u8]) -> Result<Arc<LocalSigner>, KeystoreError> {
        self.keystores.signer(keystore, password)
    }

    fn memory_bytes(&self) -> Option<u64> {
        process_limits::memory_bytes()
    }

    fn max_connections(&self) -> Option<u64> {
        process_limits::max_connections()
    }
}
