//! `server.tls_certificate_file` and `server.tls_key_file`: the TLS identity of the service.

use std::{path::Path, sync::Arc};

use firmquote_http::{InvalidTlsCertificate, TlsCertificate};

use crate::{
    Environment, FileReaders,
    document::{
        displayed_value::DisplayedValue,
        error::KeyError,
        field::{Field, both},
        secret_refs::{MAX_PEM_BYTES, contents},
        values::text::FilePath,
    },
};

const CERTIFICATE: &str = "tls_certificate_file";
const KEY: &str = "tls_key_file";

/// The files of a certificate and its key, which can be reloaded after a change.
pub struct TlsConfig {
    certificate_file: String,
    key_file: String,
    environment: Arc<dyn Environment>,
}

impl TlsConfig {
    /// Returns the path of the certificate file.
    pub fn certificate_file(&self) -> &Path {
        Path::new(&self.certificate_file)
    }
}

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("server.{key} is {file}, allowed: {allowed}")]
pub struct UnusableTlsFile {
    key: &'static str,
    file: DisplayedValue,
    allowed: String,
}

impl TlsConfig {
    /// Creates the identity from the two keys of the table at `field`, and loads the files to verify that they can be
    /// used.
    ///
    /// # Errors
    /// [`KeyError`] for one key without the other, and for an unusable file.
    pub(crate) fn new(
        certificate: Option<FilePath>,
        key: Option<FilePath>,
        field: &Field<'_>,
    ) -> Result<Option<Self>, KeyError> {
        let Some((FilePath(certificate_file), FilePath(key_file))) =
            both((certificate, CERTIFICATE), (key, KEY), field)?
        else {
            return Ok(None);
        };
        let files = Self { certificate_file, key_file, environment: Arc::clone(field.environment()) };
        match files.load() {
            Ok(_) => Ok(Some(files)),
            Err(unusable) => Err(field.key(unusable.key).not_allowed(unusable.allowed)),
        }
    }

    /// Loads the current contents of the files.
    ///
    /// # Errors
    /// [`UnusableTlsFile`] for the first file that cannot be read, for a key file that users other than its owner may
    /// read, and for unexpected contents.
    pub fn load(&self) -> Result<TlsCertificate, UnusableTlsFile> {
        let (what, key_what) = ("a certificate in PEM", "the key of tls_certificate_file in PEM");
        let certificates = contents(&*self.environment, &self.certificate_file, what, MAX_PEM_BYTES, FileReaders::All);
        let certificates = certificates.map_err(|allowed| self.unusable(CERTIFICATE, allowed))?;
        let key = contents(&*self.environment, &self.key_file, key_what, MAX_PEM_BYTES, FileReaders::OwnerOnly);
        let key = key.map_err(|allowed| self.unusable(KEY, allowed))?;
        TlsCertificate::from_pem(&certificates, &key).map_err(|invalid| match invalid {
            InvalidTlsCertificate::Certificate => self.unusable(CERTIFICATE, format!("a file that holds {what}")),
            InvalidTlsCertificate::Key => {
                self.unusable(KEY, "a file that holds an RSA, ECDSA (P-256 or P-384) or Ed25519 key in PEM".to_owned())
            }
            InvalidTlsCertificate::Mismatch => self.unusable(KEY, format!("a file that holds {key_what}")),
        })
    }

    fn unusable(&self, key: &'static str, allowed: String) -> UnusableTlsFile {
        let file = if key == KEY { &self.key_file } else { &self.certificate_file };
        UnusableTlsFile { key, file: DisplayedValue::text(file), allowed }
    }
}
