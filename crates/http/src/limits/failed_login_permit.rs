//! The permit that charges a request for failed logins.

use std::cell::Cell;

use super::{AddressBlock, Limiters, RequestSource};
use crate::error::ApiError;

/// The single failed login that a request can be charged for, however many of its credentials are wrong.
///
/// Checks that take time are charged before they run and refunded unless the credentials prove wrong. Concurrent
/// guesses therefore never exceed the quota, and beyond it no response reveals whether a guess was right, unless it is
/// a password that the same address used recently. A client that disconnects while a password is being verified stays
/// charged, whether the password is right or wrong.
pub(crate) struct FailedLoginPermit<'r> {
    limiters: &'r Limiters,
    source: RequestSource<'r>,
    is_charged: Cell<bool>,
}

impl<'r> FailedLoginPermit<'r> {
    /// Creates a permit that is not charged yet.
    pub(crate) const fn new(limiters: &'r Limiters, source: RequestSource<'r>) -> Self {
        Self { limiters, source, is_charged: Cell::new(false) }
    }

    /// Returns the address block that is charged.
    pub(crate) fn address(&self) -> AddressBlock {
        self.limiters.address_block(self.source)
    }

    /// Counts one failed login, unless the request is charged already.
    ///
    /// # Errors
    /// [`ApiError::RateLimited`] when the address has used up its quota.
    pub(crate) fn charge(&self) -> Result<(), ApiError> {
        if self.is_charged.get() {
            return Ok(());
        }
        self.source.enforce(self.limiters.count_failed_login(self.source))?;
        self.is_charged.set(true);
        Ok(())
    }

    /// Refunds the charge: the credentials were right, or were not verified after all.
    pub(crate) fn refund(&self) {
        if self.is_charged.replace(false) {
            self.limiters.refund_failed_login(self.source);
            self.source.clear_status();
        }
    }

    /// Returns `outcome` unchanged, after counting wrong credentials.
    ///
    /// # Errors
    /// The error of the outcome, or [`ApiError::RateLimited`] instead of wrong credentials beyond the quota.
    pub(crate) fn charge_on_failure<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        if matches!(outcome, Err(ApiError::BadCredentials)) {
            self.charge()?;
        }
        outcome
    }
}
