//! The keys of a `[[signer]]`.

use firmquote_domain::Address;
use serde::Deserialize;

use crate::document::{
    secret_refs::{Secret, Variable},
    values::{
        integer::Millis,
        setting::Setting,
        text::{Account, FilePath, FromText, Label, Text},
    },
};

/// A `[[signer]]`: its name, and where its key is, in exactly one way.
#[derive(Deserialize)]
pub(crate) struct SignerTable {
    pub(super) name: Label<64>,
    /// A variable that holds the key.
    pub(super) key_env: Option<Variable<SigningKey>>,
    /// A secret file that holds it.
    pub(super) key_file: Option<Text<FilePath>>,
    /// A file that holds it encrypted.
    pub(super) keystore: Option<Text<FilePath>>,
    /// The account of a signer of the embedding program.
    pub(super) host_address: Option<Setting<Address, Account>>,
    pub(super) password_file: Option<Text<FilePath>>,
    /// A signing service that holds it.
    pub(super) remote_url: Option<Text<ServiceUrl>>,
    pub(super) remote_address: Option<Setting<Address, Account>>,
    pub(super) remote_timeout_ms: Option<Millis<50, 60_000>>,
    pub(super) remote_ca_file: Option<Text<FilePath>>,
    pub(super) remote_certificate_file: Option<Text<FilePath>>,
    pub(super) remote_key_file: Option<Text<FilePath>>,
}

/// A signing key.
pub(super) enum SigningKey {}

impl Secret for SigningKey {
    const WHAT: &'static str = "64 hex digits";
}

/// The URL of a signing service as written; `RemoteSigner` checks it.
pub(super) struct ServiceUrl(pub(super) String);

impl FromText for ServiceUrl {
    fn from_text(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("the address of a signing service".to_owned()) } else { Ok(Self(text.to_owned())) }
    }
}
