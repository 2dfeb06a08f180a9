//! The system as configurations depend on it.

use std::{fs, io, path::Path, sync::Arc};

use firmquote_config::{Readers, Sources, UnreadableFile};
use zeroize::Zeroizing;

use crate::{environment, file, memory_size, open_files};

/// The variables, files and limits of this process.
struct SystemSources;

/// Where every configuration of this process finds what it names.
pub(crate) fn system() -> Arc<dyn Sources> {
    Arc::new(SystemSources)
}

impl Sources for SystemSources {
    fn variable(&self, name: &str) -> Option<Zeroizing<String>> {
        environment::secret(name)
    }

    fn text(&self, path: &Path) -> io::Result<String> {
        fs::read_to_string(path)
    }

    fn file(&self, path: &Path, max_bytes: usize, readers: Readers) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
        file::read(path, max_bytes, readers)
    }

    fn memory_bytes(&self) -> Option<u64> {
        memory_size::available()
    }

    fn max_connections(&self) -> Option<u64> {
        open_files::max_connections()
    }
}
