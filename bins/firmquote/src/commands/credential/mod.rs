//! `firmquote credential`: creates credentials, and edits the credentials file.

mod file;
mod list;
mod new;
mod revoke;

pub(crate) use list::list;
pub(crate) use new::{new, new_admin_token};
pub(crate) use revoke::{CredentialSelector, revoke};
