//! `[[webhook]]`: where events are posted to.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use firmquote_http::OPERATOR_EVENT_KINDS;
use firmquote_outbound::Endpoint;
use serde::Deserialize;
use zeroize::Zeroizing;

use crate::{
    FileReaders,
    credentials::refuse_repeated,
    document::{
        error::KeyError,
        field::Field,
        secret_refs::without_line_ending,
        values::{
            array::{Array, Plural},
            text::{FilePath, FromText, Text, one_of},
        },
    },
};

/// Maximum length of the file of a secret, in bytes.
const MAX_SECRET_FILE_BYTES: usize = 1 << 10;

/// The prefix of secrets (Standard Webhooks).
const SECRET_PREFIX: &str = "whsec_";

/// An endpoint that events are posted to. Not `Debug`: its URL may contain a credential.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookConfig {
    /// Its name, in metrics and in the log.
    pub name: String,
    /// The URL.
    pub url: Endpoint,
    /// The keys that its requests are signed with: two while one replaces the other.
    pub secrets: Vec<Zeroizing<Vec<u8>>>,
    /// The kinds of events that it receives; all if there are none.
    pub kinds: Vec<&'static str>,
    /// Whether its addresses may be other than public ones.
    pub allow_private: bool,
}

/// A `[[webhook]]`.
#[derive(Deserialize)]
pub(crate) struct WebhookTable {
    name: Text<WebhookName>,
    url: Text<WebhookUrl>,
    secret_file: Text<FilePath>,
    kinds: Option<Array<EventKind>>,
    allow_private: Option<bool>,
}

struct WebhookName(String);

impl FromText for WebhookName {
    fn from_text(text: &str) -> Result<Self, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_allowed = (1..=64).contains(&text.len()) && text.bytes().all(is_plain);
        let name = is_allowed.then(|| Self(text.to_owned()));
        name.ok_or_else(|| "1 to 64 letters, digits, '-', '_' and '.'".to_owned())
    }
}

struct WebhookUrl(Endpoint);

impl FromText for WebhookUrl {
    fn from_text(text: &str) -> Result<Self, String> {
        let endpoint = Endpoint::parse(text).ok();
        let endpoint = endpoint.filter(|endpoint| !endpoint.is_web_socket() && !endpoint.has_fragment());
        endpoint.map(Self).ok_or_else(|| {
            "http:// or https://, a host, optionally a port, a path and a query, without credentials".to_owned()
        })
    }
}

struct EventKind(&'static str);

impl FromText for EventKind {
    fn from_text(text: &str) -> Result<Self, String> {
        let kind = OPERATOR_EVENT_KINDS.iter().find(|kind| **kind == text);
        kind.map(|kind| Self(kind)).ok_or_else(|| one_of("a kind of event", OPERATOR_EVENT_KINDS.iter()))
    }
}

impl Plural for EventKind {
    const PLURAL: &'static str = "kinds of events";
}

/// Returns a new secret, as its file contains it: `whsec_` and the Base64 of 32 random bytes.
///
/// # Errors
/// When the system provides no randomness.
pub fn new_webhook_secret() -> Result<Zeroizing<String>, getrandom::Error> {
    let mut secret = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *secret)?;
    Ok(Zeroizing::new(format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode(*secret))))
}

/// Creates the endpoints of the tables at `field`.
///
/// # Errors
/// [`KeyError`] for a repeated name, and for a file without a secret.
pub(crate) fn read(tables: Vec<WebhookTable>, field: &Field<'_>) -> Result<Vec<WebhookConfig>, KeyError> {
    let webhook = |(table, field): (WebhookTable, Field<'_>)| {
        if table.kinds.as_ref().is_some_and(|kinds| kinds.0.is_empty()) {
            return Err(field
                .key("kinds")
                .not_allowed(one_of("one kind of event or more", OPERATOR_EVENT_KINDS.iter())));
        }
        Ok(WebhookConfig {
            name: table.name.0.0,
            url: table.url.0.0,
            secrets: read_secrets(&field.key("secret_file"), &table.secret_file.0)?,
            kinds: table
                .kinds
                .map(|kinds| kinds.0.into_iter().map(|EventKind(kind)| kind).collect())
                .unwrap_or_default(),
            allow_private: table.allow_private.unwrap_or(false),
        })
    };
    let webhooks = tables.into_iter().zip(field.entries()).map(webhook).collect::<Result<_, _>>()?;
    refuse_repeated(field.entries().map(|entry| entry.key("name")), str::to_owned)?;
    Ok(webhooks)
}

fn read_secrets(field: &Field<'_>, file: &FilePath) -> Result<Vec<Zeroizing<Vec<u8>>>, KeyError> {
    const WHAT: &str = "a secret: whsec_ and the Base64 of 24 to 64 bytes, as `firmquote webhook new-secret` makes it; or two, a line \
                        each";
    let contents = field.read_file(file, WHAT, MAX_SECRET_FILE_BYTES, FileReaders::OwnerOnly)?;
    let text = str::from_utf8(&contents).map(without_line_ending).unwrap_or_default();
    let secret = |line: &str| {
        let secret = line.strip_prefix(SECRET_PREFIX).and_then(|secret| BASE64_STANDARD.decode(secret).ok());
        secret.map(Zeroizing::new).filter(|secret| (24..=64).contains(&secret.len()))
    };
    let secrets: Option<Vec<_>> = text.lines().map(secret).collect();
    let secrets = secrets.filter(|secrets| (1..=2).contains(&secrets.len()));
    secrets.ok_or_else(|| field.not_allowed(format!("a file that holds {WHAT}")))
}
