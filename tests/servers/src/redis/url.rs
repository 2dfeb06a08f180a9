//! Builds the URL of a server, including credentials.

use std::path::Path;

use super::client::Client;

/// Returns the URL of the Unix socket if there is one, else of the port.
pub(crate) fn render(client: &Client, socket: Option<&Path>) -> String {
    let user = client.access.user().map(percent_encoded);
    let password = client.access.password().map(percent_encoded);
    if let Some(socket) = socket {
        let parameters = [user.map(|user| format!("user={user}")), password.map(|password| format!("pass={password}"))];
        let query = parameters.into_iter().flatten().collect::<Vec<_>>().join("&");
        let mark = if query.is_empty() { "" } else { "?" };
        return format!("redis+unix://{}{mark}{query}", socket.display());
    }
    let scheme = if client.certificates.is_some() { "rediss" } else { "redis" };
    let credentials = password.map(|password| format!("{}:{password}@", user.unwrap_or_default()));
    format!("{scheme}://{}127.0.0.1:{}", credentials.unwrap_or_default(), client.port)
}

/// Percent-encodes everything except letters, digits and `-._~` (RFC 3986, section 2.1).
fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}
