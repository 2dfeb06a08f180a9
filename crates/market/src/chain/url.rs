//! Addresses of nodes. Most providers put the API key into the address, so only host and port are ever shown.

use std::{borrow::Cow, fmt};

use firmquote_outbound::{Endpoint, InvalidEndpoint};

use super::NodeFault;
use crate::InvalidConfig;

/// The minimum length of a part of an address that may be a secret, in bytes.
const MIN_SECRET_BYTES: usize = 8;

/// The minimum length of a part of lowercase letters alone that may be a secret, in bytes.
const MIN_LETTER_SECRET_BYTES: usize = 16;

/// The address of a node.
#[derive(Clone)]
pub(super) struct NodeUrl(Endpoint);

impl NodeUrl {
    /// # Errors
    /// [`InvalidConfig`] for anything but an HTTP or WebSocket address, and for credentials before the host.
    /// The error contains the position of the address, never the address itself.
    pub(super) fn parse(text: &str, position: usize) -> Result<Self, InvalidConfig> {
        let endpoint = Endpoint::parse(text).map_err(|error| {
            let reason = match error {
                InvalidEndpoint::Scheme => "has to start with https://, wss://, http:// or ws:// and a host".to_owned(),
                error => error.to_string(),
            };
            InvalidConfig(format!("node address {} {reason}", position + 1))
        })?;
        Ok(Self(endpoint))
    }

    /// Returns the whole address, which only the transport may use.
    pub(super) const fn endpoint(&self) -> &Endpoint {
        &self.0
    }

    /// Checks that a text from the node does not repeat a secret of the address: the RPC client may log whatever it
    /// receives.
    ///
    /// # Errors
    /// [`NodeFault::Malformed`] for a text that contains a part of the address that may be a key.
    pub(super) fn check_leak(&self, text: &str) -> Result<(), NodeFault> {
        match self.is_leaked_in(text) {
            true => Err(NodeFault::Malformed("its response contains a part of its address".to_owned())),
            false => Ok(()),
        }
    }

    /// Returns whether `text` contains a part of the address that may be a key, either literally or once its JSON
    /// escapes are decoded.
    fn is_leaked_in(&self, text: &str) -> bool {
        let decoded = decode_json_escapes(text);
        let path_and_query =
            self.0.uri().path_and_query().map(|path_and_query| path_and_query.as_str()).unwrap_or_default();
        let mut parts = path_and_query.split(['/', '?', '&', '=']).filter(|part| may_be_secret(part));
        parts.any(|part| text.contains(part) || decoded.contains(part))
    }
}

impl fmt::Display for NodeUrl {
    /// Writes host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Whether a part of an address may be a key. A word such as `ethereum` is none; keys have digits or are longer.
fn may_be_secret(part: &str) -> bool {
    let is_word = part.len() < MIN_LETTER_SECRET_BYTES
        && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_');
    part.len() >= MIN_SECRET_BYTES && !is_word
}

/// Decodes all JSON escapes in `text`, inside and outside of strings: parsed values contain none.
fn decode_json_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let (letter, behind) = decode_escape(escape).unzip();
        plain.extend(letter);
        rest = behind.unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Decodes the escape after a backslash: returns the character that it stands for, and the rest of the text.
fn decode_escape(escape: &str) -> Option<(char, &str)> {
    let code = escape.strip_prefix('u').and_then(|hex| hex.split_at_checked(4));
    let letter = code.and_then(|(code, behind)| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, behind)));
    // Every other escape is one character. Consuming it here keeps the text after an escaped backslash from being read
    // as an escape.
    letter.or_else(|| {
        let mut letters = escape.chars();
        Some((letters.next()?, letters.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_host_and_port_are_shown() {
        for (text, shown) in [
            ("https://node.example/v3/0123456789abcdef", "node.example"),
            ("http://127.0.0.1:8545", "127.0.0.1:8545"),
            ("https://node.example:443/?apikey=0123456789abcdef#x", "node.example:443"),
        ] {
            assert_eq!(NodeUrl::parse(text, 0).unwrap_or_else(|error| panic!("{error}")).to_string(), shown);
        }
    }

    #[test]
    fn invalid_node_urls_are_rejected_and_not_shown() {
        for text in [
            "",
            "node.example/secret",
            "/secret",
            "ftp://node.example/secret",
            "https://",
            "https://me:secret@node.example",
            "https://node.example:99999/secret",
            "https://node.example:/secret",
            "wss://node.example:0/secret",
        ] {
            let Err(error) = NodeUrl::parse(text, 2) else { panic!("{text} is taken") };
            assert!(
                error.to_string().starts_with("node address 3") && !error.to_string().contains("secret"),
                "{error}"
            );
        }
    }

    #[test]
    fn leaked_key_fragments_are_detected() {
        let url = NodeUrl::parse("https://node.example/v3/0123456789abcdef?key=fedcba9876543210", 0)
            .unwrap_or_else(|_| panic!());
        let escaped = [r"\u0030123456789abcdef", r"01234567\u00389abcde\u0066 is unknown", r"\\\fedcba987654321\u0030"];
        for text in ["project 0123456789abcdef is unknown", "fedcba9876543210"].into_iter().chain(escaped) {
            assert!(url.is_leaked_in(text), "{text}");
        }
        let url = NodeUrl::parse("https://node.example/ethereum/arbitrum-one/abcdefghijklmnop", 0)
            .unwrap_or_else(|_| panic!());
        assert!(!url.is_leaked_in("the ethereum node, arbitrum-one, is busy"));
        assert!(url.is_leaked_in("abcdefghijklmnop is unknown"), "as long as a key");
        // After an escaped backslash, characters are not an escape.
        let url = NodeUrl::parse("https://node.example/u0041bcdefgh", 0).unwrap_or_else(|_| panic!());
        for text in [r"\\u0041bcdefgh", r"\\u0041bcdef\u0067h", r"\u0041bcdefgh", r"\\\\u0041\u0062cdefgh"] {
            assert!(url.is_leaked_in(text), "{text}");
        }
        for text in ["", "v3", "key", "execution reverted", "node.example", r"\", r"\u", r"\u00", r"\ud800", r"\u00€"]
        {
            assert!(!url.is_leaked_in(text), "{text}");
        }
    }
}
