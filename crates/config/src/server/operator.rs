//! `[[operator]]`: who may use the operator's routes, and for what. A configuration contains only hashes of their tokens.

use std::str::FromStr as _;

use firmquote_http::{AdminTokenHash, Operator, OperatorName, Role};
use serde::Deserialize;

use crate::{
    credentials::refuse_repeated,
    document::{
        error::KeyError,
        field::Field,
        values::{
            array::{Array, Plural},
            text::{FromText, Text, one_of},
        },
    },
};

/// The name of the operator with the token of `[server]`.
const ADMIN: &str = "admin";

/// An `[[operator]]`.
#[derive(Deserialize)]
pub(crate) struct OperatorTable {
    name: Text<OperatorName>,
    token_sha256: Text<AdminTokenHash>,
    roles: Array<Role>,
}

impl Plural for Role {
    const PLURAL: &'static str = "roles";
}

impl FromText for Role {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::from_str(text).map_err(|_| one_of("a role", Self::NAMES.iter()))
    }
}

/// Creates the operators of the tables at `field`, and the one called `admin` if there is a token for it.
///
/// # Errors
/// [`KeyError`] for a repeated name or token, also that of `admin`, and for an operator without a role.
pub(crate) fn read(
    tables: Vec<OperatorTable>,
    admin_token: Option<AdminTokenHash>,
    field: &Field<'_>,
) -> Result<Vec<Operator>, KeyError> {
    let operator = |(table, field): (OperatorTable, Field<'_>)| {
        if let Some(admin_token) = &admin_token {
            if table.token_sha256.0 == *admin_token {
                return Err(field
                    .key("token_sha256")
                    .not_allowed("another token than that of server.admin_token_sha256"));
            }
            if table.name.0.as_str() == ADMIN {
                return Err(field
                    .key("name")
                    .not_allowed("another name: admin is the holder of server.admin_token_sha256"));
            }
        }
        if table.roles.0.is_empty() {
            return Err(field.key("roles").not_allowed(one_of("one role or more", Role::NAMES.iter())));
        }
        Ok(Operator::new(table.name.0, table.token_sha256.0, table.roles.0))
    };
    let mut operators: Vec<_> = tables.into_iter().zip(field.entries()).map(operator).collect::<Result<_, _>>()?;
    refuse_repeated(field.entries().map(|entry| entry.key("name")), str::to_owned)?;
    refuse_repeated(field.entries().map(|entry| entry.key("token_sha256")), str::to_ascii_lowercase)?;
    operators.extend(admin_token.map(Operator::admin));
    Ok(operators)
}
