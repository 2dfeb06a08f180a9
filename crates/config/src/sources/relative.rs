//! Paths of a configuration file, which are relative to its directory.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_signer::{KeystoreError, LocalSigner};
use zeroize::Zeroizing;

use super::{FileReaders, Sources, UnreadableFile};

/// Sources whose files are relative to the directory of a configuration.
struct RelativeSources {
    sources: Arc<dyn Sources>,
    directory: PathBuf,
}

/// Wraps `sources` for the configuration at `path`.
pub(crate) fn relative_to(path: &Path, sources: &Arc<dyn Sources>) -> Arc<dyn Sources> {
    let directory = path.parent().map(Path::to_owned).unwrap_or_default();
    Arc::new(RelativeSources { sources: Arc::clone(sources), directory })
}

impl Sources for RelativeSources {
    fn resolve(&self, path: &Path) -> PathBuf {
        self.directory.join(path)
    }

    fn variable(&self, name: &str) -> Option<Zeroizing<String>> {
        self.sources.variable(name)
    }

    fn text(&self, path: &Path) -> io::Result<String> {
        self.sources.text(path)
    }

    fn file(&self, path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
        self.sources.file(path, max_bytes, readers)
    }

    fn signer(&self, keystore: &[u8], password: &[u8]) -> Result<Arc<LocalSigner>, KeystoreError> {
        self.sources.signer(keystore, password)
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.sources.memory_bytes()
    }

    fn max_connections(&self) -> Option<u64> {
        self.sources.max_connections()
    }
}
