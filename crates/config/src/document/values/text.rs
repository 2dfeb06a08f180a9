//! Values that are written as a text.

use std::{net::SocketAddr, str::FromStr};

use firmquote_domain::{Address, B256, InvalidValue, Symbol, parse_address};
use firmquote_http::{
    AdminTokenHash, ApiKeyHash, ClientName, CorsOrigin, OperatorName, PasswordHash, PublicUrl, ServiceName, Username,
};
#[cfg(feature = "redis")]
use firmquote_store::redis::{ALLOWED_ADDRESSES, KeyPrefix, RedisAddress};

use super::setting::{Form, Setting, Syntax};

/// A type that is read from a text.
pub(crate) trait FromText: Sized {
    /// Parses a text.
    ///
    /// # Errors
    /// What is allowed instead.
    fn from_text(text: &str) -> Result<Self, String>;
}

/// A value that is written as a text.
pub(crate) type Text<T> = Setting<T, AsText>;

/// The form of [`FromText`].
pub(crate) enum AsText {}

impl<T: FromText> Form<T> for AsText {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<T, String> {
        T::from_text(text)
    }
}

/// Implements [`FromText`] with a parser that does not say what is allowed.
macro_rules! texts {
    ($($value:ty: $parse:expr, $allowed:expr;)*) => {
        $(impl FromText for $value {
            fn from_text(text: &str) -> Result<Self, String> {
                $parse(text).ok_or_else(|| $allowed.to_owned())
            }
        })*
    };
}

texts! {
    SocketAddr: parse, "an IP address and a port such as 127.0.0.1:8080 or [::1]:8080";
    ServiceName: |text| Self::new(text).ok(),
        "1 to 32 printable ASCII characters without quotation marks and backslashes";
    PublicUrl: |text| Self::new(text).ok(), "http:// or https://, a host, optionally a port and a path";
    CorsOrigin: |text| Self::new(text).ok(),
        "an origin as browsers send it: http:// or https://, a host in lower case, a port only if it is not that of \
         the scheme, no slash at the end";
    AdminTokenHash: |text| Self::from_hex(text).ok(), "the SHA-256 of an admin token: 64 hex digits";
    ApiKeyHash: |text| Self::from_hex(text).ok(), "the SHA-256 of an API key: 64 hex digits";
    ClientName: |text| Self::new(text).ok(), "1 to 64 printable ASCII characters without blanks";
    OperatorName: |text| Self::new(text).ok(), "1 to 64 printable ASCII characters without blanks";
    Username: |text| Self::new(text).ok(), "1 to 64 printable ASCII characters without blanks and colons";
    PasswordHash: |text| Self::from_phc(text).ok(),
        "a PHC string of argon2id, version 19, as `firmquote credential new` makes it";
    B256: parse, "a feed's id: 0x and 64 hex digits";
    FilePath: |text| nonempty(text).map(Self), "the path of a file";
    DirectoryPath: |text| nonempty(text).map(Self), "the path of a directory";
}

#[cfg(feature = "redis")]
texts! {
    KeyPrefix: Self::new, Self::ALLOWED;
    RedisAddress: |text| Self::parse(text).ok(), ALLOWED_ADDRESSES;
}

fn parse<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn nonempty(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

/// The path of a file as written, relative to the configuration; it is not opened.
pub(crate) struct FilePath(pub String);

/// The path of a directory as written, relative to the configuration.
pub(crate) struct DirectoryPath(pub String);

impl FromText for Symbol {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::new(text).map_err(allowed)
    }
}

impl FromText for Address {
    fn from_text(text: &str) -> Result<Self, String> {
        parse_address(text).map_err(allowed)
    }
}

/// The address of a contract.
pub(crate) enum Contract {}

impl Form<Address> for Contract {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<Address, String> {
        nonzero(text, "a contract, not the zero address")
    }
}

/// The address of an account.
pub(crate) enum Account {}

impl Form<Address> for Account {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<Address, String> {
        nonzero(text, "an account, not the zero address")
    }
}

fn nonzero(text: &str, allowed: &str) -> Result<Address, String> {
    Address::from_text(text).and_then(|address| if address.is_zero() { Err(allowed.to_owned()) } else { Ok(address) })
}

/// A display text of at most `MAX` characters.
pub(crate) type Label<const MAX: usize> = Setting<String, AsLabel<MAX>>;

/// The form of [`Label`].
pub(crate) enum AsLabel<const MAX: usize> {}

impl<const MAX: usize> Form<String> for AsLabel<MAX> {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        let is_allowed = (1..=MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        is_allowed
            .then(|| text.to_owned())
            .ok_or_else(|| format!("1 to {MAX} characters, none of them a control character"))
    }
}

/// Returns what is allowed instead of an invalid value.
pub(crate) fn allowed(error: InvalidValue) -> String {
    match error {
        InvalidValue::Malformed { expected: allowed } | InvalidValue::OutOfRange { allowed } => allowed.to_owned(),
        InvalidValue::TooPrecise { allowed } => format!("no more than {allowed}"),
    }
}

/// Returns the value of `text` in a list of words.
///
/// # Errors
/// The words.
pub(crate) fn word<T: Copy>(words: &[(&str, T)], text: &str) -> Result<T, String> {
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(*value);
    }
    let names: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
    Err(match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.join(""),
    })
}

/// Describes one of `names`.
pub(crate) fn one_of<T: ToString>(what: &str, names: impl Iterator<Item = T>) -> String {
    let names: Vec<_> = names.map(|name| name.to_string()).collect();
    if names.is_empty() { format!("{what}, and there is none") } else { format!("{what}: {}", names.join(", ")) }
}
