//! `firmquote webhook`.

use std::path::Path;

use anyhow::{Context as _, ensure};
use firmquote_config::{Config, new_webhook_secret};
use firmquote_server::{environment, system_environment, system_time, test_webhook};

use super::{key::write_new, output, runtime::runtime};

/// Writes a new secret to a file that must not exist.
///
/// # Errors
/// When the file exists or cannot be written.
pub(crate) fn new_secret(file: &Path) -> anyhow::Result<()> {
    let secret = new_webhook_secret().context("the system provides no randomness")?;
    write_new(file, &format!("{}\n", &*secret)).with_context(|| file.display().to_string())?;
    output::print(format_args!(
        "{}: the secret of a webhook; its receiver verifies signatures with it\n",
        file.display()
    ))
}

/// Posts a test event to the webhook of this name.
///
/// # Errors
/// When there is no such webhook, no response, or one that refuses.
pub(crate) fn test(name: &str, file: &Path) -> anyhow::Result<()> {
    let config = Config::from_file(file, &environment::overrides()?, &system_environment())?;
    let webhook = config.webhooks.iter().find(|webhook| webhook.name == name);
    let names: Vec<&str> = config.webhooks.iter().map(|webhook| webhook.name.as_str()).collect();
    let webhook = webhook.with_context(|| match names.as_slice() {
        [] => format!("no webhook {name:?}: {} has no [[webhook]]", file.display()),
        names => format!("no webhook {name:?}, allowed: {}", names.join(", ")),
    })?;
    let status = runtime()?.block_on(test_webhook(webhook, system_time()))?;
    ensure!((200..300).contains(&status), "webhook {name:?} responds with HTTP status {status}");
    output::print(format_args!("webhook {name:?} accepts events: HTTP status {status}\n"))
}
