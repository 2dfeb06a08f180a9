//! Whom to ask, as whom, and for how long.

use std::{path::Path, time::Duration};

use firmquote_client::{Client, ClientSettings, Credential, Secret};
use firmquote_config::{FileReaders, keystore_password};
use firmquote_server::{environment, system_sources};
use zeroize::Zeroizing;

use super::failure::Failure;
use crate::cli::Access;

/// The variable with the address of the service.
const URL: &str = "FIRMQUOTE_URL";
/// The variable with the API key.
const API_KEY: &str = "FIRMQUOTE_API_KEY";
/// More than any API key, in bytes.
const MAX_KEY_FILE_BYTES: usize = 4 << 10;
/// More than any document or pool data, in bytes.
const MAX_DOCUMENT_BYTES: usize = 16 << 20;
/// More than any list of authorities, in bytes.
const MAX_CA_FILE_BYTES: usize = 1 << 20;

/// A client with what is known of who is asking.
pub(crate) struct Caller {
    pub(crate) client: Client,
    /// Whether there is an API key, without which pool data is not to be had.
    pub(crate) has_api_key: bool,
}

impl Access {
    /// The address of the service, from the command line or the environment.
    pub(crate) fn url(&self) -> Option<String> {
        self.url.clone().or_else(|| environment::text(URL))
    }

    /// A client that has asked nothing yet. The file of the API key is read here and nowhere else: a pipe can be read once,
    /// and another read could find another key.
    ///
    /// # Errors
    /// [`Failure::Usage`] without an address, and for anything else that will not do.
    pub(crate) fn caller(&self) -> Result<Caller, Failure> {
        let missing = || Failure::usage(format!("no address of a service: give --url, or set {URL}"));
        let url = self.url().ok_or_else(missing)?;
        if self.ca_file.is_some() && url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://")) {
            return Err(Failure::usage("--ca-file is about https:// addresses, and that of the service is http://"));
        }
        let mut settings = ClientSettings::new(url);
        let key = self.api_key()?;
        let has_api_key = key.is_some();
        if let Some(key) = key {
            settings.credential = Credential::ApiKey(Secret::new(key.as_str()));
        }
        if let Some(path) = &self.ca_file {
            let pem = read(path, MAX_CA_FILE_BYTES, FileReaders::All)?;
            settings.authorities = Some(pem.to_vec());
        }
        settings.request_timeout = Duration::from_secs(self.timeout.into());
        settings.connect_timeout = settings.connect_timeout.min(settings.request_timeout);
        Ok(Caller { client: Client::new(settings)?, has_api_key })
    }

    /// The first line of the file, else what the environment says; an empty variable says nothing.
    fn api_key(&self) -> Result<Option<Zeroizing<String>>, Failure> {
        let Some(path) = &self.api_key_file else {
            return Ok(environment::secret(API_KEY).filter(|key| !key.is_empty()));
        };
        let contents = read(path, MAX_KEY_FILE_BYTES, FileReaders::OwnerOnly)?;
        let key = keystore_password::first_line(&contents).and_then(|key| str::from_utf8(key).ok());
        let empty = || Failure::usage(format!("{} is not a file with an API key in its first line", path.display()));
        key.map(|key| Some(Zeroizing::new(key.to_owned()))).ok_or_else(empty)
    }
}

/// The contents of a file that the command line names.
///
/// # Errors
/// [`Failure::Usage`] with the reason.
pub(crate) fn read(path: &Path, most: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, Failure> {
    system_sources().file(path, most, readers).map_err(|error| {
        let error = anyhow::Error::from(error);
        Failure::usage(format!("{} is not read: {error:#}", path.display()))
    })
}

/// The text of a file that the command line names.
///
/// # Errors
/// [`Failure::Usage`] with the reason.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let contents = read(path, MAX_DOCUMENT_BYTES, FileReaders::All)?;
    let text = str::from_utf8(&contents).map(str::to_owned);
    text.map_err(|_| Failure::usage(format!("{} is not read: it is not UTF-8", path.display())))
}
