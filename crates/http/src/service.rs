//! Everything an operator may change while the server runs, as one immutable value.

use std::sync::Arc;

use firmquote_desk::{Desk, PriceDesk};

use crate::{AdminTokenHash, Credentials, Settings};

/// What is served: the desk, who may ask it, and the operator's choices.
///
/// Never changed: [`LiveService::replace`](crate::LiveService::replace) puts a whole new one in its place.
pub struct Service {
    /// Answers quote, sign and pool requests.
    pub desk: Arc<Desk>,
    /// Takes the prices that the operator sends.
    pub prices: Arc<PriceDesk>,
    /// Opens the operator's own routes on the admin listener; without it they answer nobody.
    pub admin_token: Option<AdminTokenHash>,
    /// Who may ask.
    pub credentials: Credentials,
    /// The operator's choices.
    pub settings: Settings,
}
