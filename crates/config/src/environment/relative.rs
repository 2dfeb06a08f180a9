//! Paths of a configuration file, which are relative to its directory.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_signer::{KeystoreError, LocalSigner};
use zeroize::Zeroizing;

use super::{Environment, FileReaders, UnreadableFile};

/// An environment whose files are relative to the directory of a configuration.
struct RelativeEnvironment {
    environment: Arc<dyn Environment>,
    directory: PathBuf,
}

/// Wraps `environment` for the configuration at `path`.
pub(crate) fn relative_to(path: &Path, environment: &Arc<dyn Environment>) -> Arc<dyn Environment> {
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    Arc::new(RelativeEnvironment { environment: Arc::clone(environment), directory })
}

impl Environment for RelativeEnvironment {
    fn resolve(&self, path: &Path) -> PathBuf {
        self.directory.join(path)
    }

    fn variable(&self, name: &str) -> Option<Zeroizing<String>> {
        self.environment.variable(name)
    }

    fn text(&self, path: &Path) -> io::Result<String> {
        self.environment.text(path)
    }

    fn file(&self, path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
        self.environment.file(path, max_bytes, readers)
    }

    fn signer(&self, keystore: &[u8], password: &[u8]) -> Result<Arc<LocalSigner>, KeystoreError> {
        self.environment.signer(keystore, password)
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.environment.memory_bytes()
    }

    fn max_connections(&self) -> Option<u64> {
        self.environment.max_connections()
    }
}
