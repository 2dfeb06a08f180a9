//! Where a node is. Most providers put their key there, so nothing but host and port is ever shown.

use std::{borrow::Cow, fmt};

use hyper::{Uri, http::uri::Scheme};

use super::{InvalidChainAccess, NodeFault};
use crate::sources::web::is_port_right;

/// The shortest part of an address that may be a secret.
const SHORTEST_SECRET: usize = 8;

/// Where a node is.
#[derive(Clone)]
pub(super) struct NodeUrl(Uri);

impl NodeUrl {
    /// # Errors
    /// [`InvalidChainAccess`] for what is no `http` or `https` address, or has credentials before the host. The address
    /// itself is not told, only which of them it is.
    pub(super) fn parse(text: &str, position: usize) -> Result<Self, InvalidChainAccess> {
        let invalid = |what: &str| InvalidChainAccess(format!("address {} of the nodes {what}", position + 1));
        let uri: Uri = text.parse().map_err(|_| invalid("is no address"))?;
        let (Some("http" | "https" | "ws" | "wss"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(invalid("has to start with https://, wss://, http:// or ws:// and a host"));
        };
        if authority.as_str().contains('@') {
            return Err(invalid("cannot have credentials before the host"));
        }
        if !is_port_right(authority) {
            return Err(invalid("has a port that there is not"));
        }
        Ok(Self(uri))
    }

    pub(super) const fn uri(&self) -> &Uri {
        &self.0
    }

    /// The same address for a handshake over HTTP.
    pub(super) fn http(&self) -> Option<Uri> {
        let mut parts = self.0.clone().into_parts();
        parts.scheme = Some(if self.is_tls() { Scheme::HTTPS } else { Scheme::HTTP });
        Uri::from_parts(parts).ok()
    }

    pub(super) fn is_tls(&self) -> bool {
        matches!(self.0.scheme_str(), Some("https" | "wss"))
    }

    pub(super) fn is_web_socket(&self) -> bool {
        matches!(self.0.scheme_str(), Some("ws" | "wss"))
    }

    /// Holds what the node says against the address: whatever the client is given, it may log.
    ///
    /// # Errors
    /// [`NodeFault::Malformed`] for a text with a part of the address that may be a key.
    pub(super) fn check_betrayal(&self, text: &str) -> Result<(), NodeFault> {
        match self.is_betrayed_by(text) {
            true => Err(NodeFault::Malformed("its answer holds a part of its address".to_owned())),
            false => Ok(()),
        }
    }

    /// Whether `text` holds a part of the address that may be a key, as it stands or as it is read.
    fn is_betrayed_by(&self, text: &str) -> bool {
        let read = unescaped(text);
        let hidden = self.0.path_and_query().map(|hidden| hidden.as_str()).unwrap_or_default();
        let mut parts = hidden.split(['/', '?', '&', '=']).filter(|part| part.len() >= SHORTEST_SECRET);
        parts.any(|part| text.contains(part) || read.contains(part))
    }
}

impl fmt::Display for NodeUrl {
    /// Host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.authority().map(|authority| authority.as_str()).unwrap_or_default())
    }
}

/// `text` with the escapes of JSON taken out, wherever they stand: what is read of it holds none.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let (letter, behind) = letter(escape).unzip();
        plain.extend(letter);
        rest = behind.unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// What stands behind a backslash: the letter that is meant, and what follows.
fn letter(escape: &str) -> Option<(char, &str)> {
    let code = escape.strip_prefix('u').and_then(|hex| hex.split_at_checked(4));
    let letter = code.and_then(|(code, behind)| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, behind)));
    // Every other escape is one letter; what follows a backslash that is escaped is none.
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
    fn what_is_no_address_of_a_node_is_refused_without_being_told() {
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
            assert!(error.to_string().starts_with("address 3") && !error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn texts_with_a_part_of_the_key_are_known() {
        let url = NodeUrl::parse("https://node.example/v3/0123456789abcdef?key=fedcba9876543210", 0)
            .unwrap_or_else(|_| panic!());
        let escaped = [r"\u0030123456789abcdef", r"01234567\u00389abcde\u0066 is unknown", r"\\\fedcba987654321\u0030"];
        for text in ["project 0123456789abcdef is unknown", "fedcba9876543210"].into_iter().chain(escaped) {
            assert!(url.is_betrayed_by(text), "{text}");
        }
        // Behind a backslash that is escaped, letters are no escape.
        let url = NodeUrl::parse("https://node.example/u0041bcdefgh", 0).unwrap_or_else(|_| panic!());
        for text in [r"\\u0041bcdefgh", r"\\u0041bcdef\u0067h", r"\u0041bcdefgh", r"\\\\u0041\u0062cdefgh"] {
            assert!(url.is_betrayed_by(text), "{text}");
        }
        for text in ["", "v3", "key", "execution reverted", "node.example", r"\", r"\u", r"\u00", r"\ud800", r"\u00€"]
        {
            assert!(!url.is_betrayed_by(text), "{text}");
        }
    }
}
