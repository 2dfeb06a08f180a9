//! What credentials cost the address they come from while they are not known to be right.

use std::cell::Cell;

use super::{Limiters, Sender};
use crate::error::ApiError;

/// The one failed login that a request can be, however much of it is wrong.
///
/// Whatever takes time to check is paid before it is checked and given back when it was right. So as many guesses as
/// come at the same time are still no more than the quota, and beyond it nobody learns whether one was right. Whoever hangs
/// up while a password is checked has paid for it, right or wrong.
pub(crate) struct Guess<'r> {
    limiters: &'r Limiters,
    sender: Sender<'r>,
    is_paid: Cell<bool>,
}

impl<'r> Guess<'r> {
    /// Nothing is paid yet.
    pub(super) const fn new(limiters: &'r Limiters, sender: Sender<'r>) -> Self {
        Self { limiters, sender, is_paid: Cell::new(false) }
    }

    /// Counts one failed login, unless that is done already.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn pay(&self) -> Result<(), ApiError> {
        if self.is_paid.get() {
            return Ok(());
        }
        self.sender.admit(self.limiters.take_failed_login(self.sender))?;
        self.is_paid.set(true);
        Ok(())
    }

    /// Uncounts it: what was checked was right, or was not checked after all.
    pub(crate) fn take_back(&self) {
        if self.is_paid.replace(false) {
            self.limiters.give_failed_login_back(self.sender);
            self.sender.forget();
        }
    }

    /// The same outcome; wrong credentials are counted on the way.
    ///
    /// # Errors
    /// That of the outcome, or [`ApiError::RateLimited`] instead of wrong credentials beyond the quota.
    pub(crate) fn settle<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        if matches!(outcome, Err(ApiError::BadCredentials)) {
            self.pay()?;
        }
        outcome
    }
}
