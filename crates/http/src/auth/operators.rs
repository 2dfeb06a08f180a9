//! Operators: who may use the operator's routes on the admin listener, and for what.

use actix_web::http::header::{HeaderMap, HeaderValue};

use super::{AdminTokenHash, OperatorName, credential_headers::CredentialHeader};
use crate::{error::ApiError, service::ServiceName};

/// What an operator may do beyond what the admin listener allows everyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// See the swaps of clients and what they earned.
    Viewer,
    /// Pause pools.
    Pauser,
    /// Send prices.
    Pricer,
    /// Report hedges.
    Hedger,
    /// All of that, and resume pools.
    Admin,
}

impl Role {
    /// The names of all roles.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// Returns the name in the configuration and in errors.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A person or a program that runs the service.
#[derive(Clone)]
pub struct Operator {
    name: OperatorName,
    token: AdminTokenHash,
    roles: Vec<Role>,
}

impl Operator {
    /// Creates an operator who presents the token with this hash.
    pub const fn new(name: OperatorName, token: AdminTokenHash, roles: Vec<Role>) -> Self {
        Self { name, token, roles }
    }

    /// Creates the holder of the admin token, who may do everything.
    pub fn admin(token: AdminTokenHash) -> Self {
        Self::new(OperatorName::admin(), token, vec![Role::Admin])
    }

    /// Returns the name.
    pub const fn name(&self) -> &OperatorName {
        &self.name
    }

    /// Whether the operator may do what `role` stands for.
    pub fn may(&self, role: Role) -> bool {
        self.roles.iter().any(|own| *own == role || *own == Role::Admin)
    }
}

/// Returns the operator whose token a request carries as `Authorization: Bearer <token>` (RFC 6750), if it has `role`.
///
/// # Errors
/// [`ApiError::NoAdminToken`] when there are no operators, [`ApiError::NoCredentials`] with the challenge when the request
/// has no `Authorization` header, [`ApiError::BadCredentials`] for a wrong token, another scheme, or more than one header,
/// and [`ApiError::MissingRole`].
pub(crate) fn check_operator<'o>(
    headers: &HeaderMap,
    operators: &'o [Operator],
    role: Role,
    realm: &ServiceName,
) -> Result<&'o Operator, ApiError> {
    if operators.is_empty() {
        return Err(ApiError::NoAdminToken);
    }
    let header = match CredentialHeader::authorization(headers) {
        CredentialHeader::Absent => return Err(ApiError::NoCredentials(challenge(realm))),
        CredentialHeader::Value(header) => header,
        CredentialHeader::Ambiguous => return Err(ApiError::BadCredentials),
    };
    let token = bearer_token(header).ok_or(ApiError::BadCredentials)?;
    let operator = operators.iter().find(|operator| operator.token.matches(token)).ok_or(ApiError::BadCredentials)?;
    if operator.may(role) { Ok(operator) } else { Err(ApiError::MissingRole(role.name())) }
}

fn challenge(realm: &ServiceName) -> Vec<HeaderValue> {
    HeaderValue::from_str(&format!("Bearer realm=\"{}\"", realm.as_str())).into_iter().collect()
}

/// The token after the scheme name, which is case-insensitive.
fn bearer_token(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = authorization.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::AUTHORIZATION;

    use super::*;
    use crate::{InvalidCredential, NewAdminToken};

    fn operator(name: &str, token: &NewAdminToken, roles: &[Role]) -> Operator {
        let hash = AdminTokenHash::from_hex(&token.sha256_hex()).unwrap();
        Operator::new(OperatorName::new(name).unwrap(), hash, roles.to_vec())
    }

    /// The operator of a request with this header, or the error.
    fn check<'o>(operators: &'o [Operator], header: &str, role: Role) -> Result<&'o str, ApiError> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(header).unwrap());
        check_operator(&headers, operators, role, &ServiceName::default()).map(|operator| operator.name().as_str())
    }

    #[test]
    fn a_new_token_matches_its_hash_and_the_scheme_is_case_insensitive() {
        let token = NewAdminToken::generate().unwrap();
        let operators = [operator("ops", &token, &[Role::Admin])];
        for (header, is_right) in [
            (format!("Bearer {}", token.reveal()), true),
            (format!("bEARER   {} ", token.reveal()), true),
            (format!("Bearer{}", token.reveal()), false),
            (format!("Basic {}", token.reveal()), false),
            (token.reveal().to_owned(), false),
            ("Bearer ".to_owned(), false),
            (format!("Bearer {}", NewAdminToken::generate().unwrap().reveal()), false),
            (format!("Bearer {}", token.sha256_hex()), false),
        ] {
            assert_eq!(check(&operators, &header, Role::Admin).is_ok(), is_right, "{header}");
        }
        assert_eq!(AdminTokenHash::from_hex("a").err(), Some(InvalidCredential::AdminTokenHash));
    }

    #[test]
    fn an_operator_may_do_what_its_roles_say() {
        let [first, second] = [(), ()].map(|()| NewAdminToken::generate().unwrap());
        let operators =
            [operator("on-call", &first, &[Role::Viewer, Role::Pauser]), operator("ada", &second, &[Role::Admin])];
        let [first, second] = [first, second].map(|token| format!("Bearer {}", token.reveal()));
        for role in [Role::Viewer, Role::Pauser, Role::Pricer, Role::Admin] {
            assert_eq!(check(&operators, &second, role).unwrap(), "ada");
            match check(&operators, &first, role) {
                Ok(name) => assert!(name == "on-call" && matches!(role, Role::Viewer | Role::Pauser)),
                Err(ApiError::MissingRole(missing)) => {
                    assert!(missing == role.name() && matches!(role, Role::Pricer | Role::Admin))
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}
