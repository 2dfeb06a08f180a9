//! Builds the client from the command line and the environment: URL, credential, trust anchors, timeouts.

use std::{
    io::{self, Read as _, stdin},
    path::Path,
    time::Duration,
};

use firmquote_client::{Client, ClientSettings, Credential, Secret};
use firmquote_config::FileReaders;
use firmquote_server::{environment, system_environment};
use zeroize::Zeroizing;

use super::failure::Failure;
use crate::{cli::ConnectionArguments, secret};

/// The environment variable with the URL of the service.
const URL: &str = "FIRMQUOTE_URL";
/// The environment variable with the API key.
const API_KEY: &str = "FIRMQUOTE_API_KEY";
/// Upper bound on a document or a file of pool data, in bytes.
const MAX_DOCUMENT_BYTES: usize = 16 << 20;
/// Upper bound on a file of CA certificates, in bytes.
const MAX_CA_FILE_BYTES: usize = 1 << 20;

impl ConnectionArguments {
    /// Returns the URL of the service, from the command line or else the environment.
    pub(crate) fn url(&self) -> Option<String> {
        self.url.clone().or_else(|| environment::text(URL))
    }

    /// Builds the client without sending a request. The API key file is read here and nowhere else: a pipe can be read
    /// only once, and a second read could find another key.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let missing = || Failure::usage(format!("no service URL: use --url, or set {URL}"));
        let url = self.url().ok_or_else(missing)?;
        if self.ca_file.is_some() && url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http://")) {
            return Err(Failure::usage("--ca-file requires an https:// URL, but the service URL is http://"));
        }
        let mut settings = ClientSettings::new(url);
        if let Some(key) = self.api_key()? {
            settings.credential = Credential::ApiKey(Secret::new(key.as_str()));
        }
        if let Some(path) = &self.ca_file {
            let pem = read(path, MAX_CA_FILE_BYTES, FileReaders::All)?;
            settings.authorities = Some(pem.to_vec());
        }
        settings.request_timeout = Duration::from_secs(self.timeout.into());
        settings.connect_timeout = settings.connect_timeout.min(settings.request_timeout);
        Ok(Client::new(settings)?)
    }

    /// Returns the first line of the file, else the environment variable; an empty variable counts as unset.
    fn api_key(&self) -> Result<Option<Zeroizing<String>>, Failure> {
        match &self.api_key_file {
            Some(path) => {
                secret::text_from_file(path, "API key").map(Some).map_err(|error| Failure::usage(format!("{error:#}")))
            }
            None => Ok(environment::secret(API_KEY).filter(|key| !key.is_empty())),
        }
    }
}

/// Reads a file given on the command line.
pub(crate) fn read(path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, Failure> {
    system_environment().file(path, max_bytes, readers).map_err(|error| {
        let error = anyhow::Error::from(error);
        Failure::usage(format!("cannot read {}: {error:#}", path.display()))
    })
}

/// Reads a UTF-8 file given on the command line.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let contents = read(path, MAX_DOCUMENT_BYTES, FileReaders::All)?;
    let text = str::from_utf8(&contents).map(str::to_owned);
    text.map_err(|_| Failure::usage(format!("cannot read {}: it is not UTF-8", path.display())))
}

/// Reads a UTF-8 document given on the command line; `-` is standard input.
pub(crate) fn read_document(path: &Path) -> Result<String, Failure> {
    if path != Path::new("-") {
        return read_text(path);
    }
    let mut text = String::new();
    let limit = u64::try_from(MAX_DOCUMENT_BYTES).unwrap_or(u64::MAX);
    let unread = |error: io::Error| Failure::usage(format!("cannot read standard input: {error}"));
    stdin().lock().take(limit.saturating_add(1)).read_to_string(&mut text).map_err(unread)?;
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(Failure::usage(format!("standard input is longer than {MAX_DOCUMENT_BYTES} bytes")));
    }
    Ok(text)
}
