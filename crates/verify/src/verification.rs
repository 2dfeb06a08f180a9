//! All checks of a quote, a signature, or both.

use firmquote_api::{Quote, SignedSwap};
use firmquote_domain::{Address, SigningDomain};

use crate::{
    Check, PricedSwap, PublishedPool, QuotedLevels, RequestedSwap, amounts, check_calldata,
    consistency::{check_rate_bound, check_state, check_terms, check_values},
    pool::PublishedPools,
    signature::{self, ExpectedSignature},
};

/// Name and version of the EIP-712 domain of most pool contracts.
const DEFAULT_DOMAIN: [&str; 2] = ["ClipperDirect", "1.0.0"];

/// Responses with everything to check them against. Unknown parts are not checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verification<'v> {
    /// The quote.
    pub quote: Option<&'v Quote>,
    /// The signature.
    pub signed: Option<&'v SignedSwap>,
    /// The request.
    pub requested: RequestedSwap,
    /// Data of the pools that may have quoted.
    pub pool_data: Option<PublishedPools<'v>>,
    /// The account that must receive the output.
    pub destination: Option<Address>,
    /// The account whose signatures the pool's contract accepts (`DESIGNATED_SIGNER()`); by default the one in the pool
    /// data.
    pub signer: Option<Address>,
    /// The name of the contract's EIP-712 domain; by default the one in the pool data, else `ClipperDirect`.
    pub domain_name: Option<&'v str>,
    /// The version of that domain; by default the one in the pool data, else `1.0.0`.
    pub domain_version: Option<&'v str>,
}

impl<'v> Verification<'v> {
    /// Returns the swap to verify: that of the signature if there is one, else that of the quote; `None` without
    /// either.
    pub fn swap(&self) -> Option<PricedSwap> {
        let quoted = self.quote.map(|quote| PricedSwap {
            levels: self.levels(quote),
            ..PricedSwap::from_quote(quote, self.requested.fixed)
        });
        match self.signed {
            Some(signed) => Some(PricedSwap::from_signed(signed, quoted.as_ref())),
            None => quoted,
        }
    }

    /// Runs every possible check: values, state, amounts, terms, settlement, signature and calldata, in this order.
    pub fn checks(&self) -> Vec<Check> {
        let pools = self.pools();
        let mut checks = Vec::new();
        checks.extend(self.quote.and_then(|quote| check_values(quote, self.signed, pools)));
        let quote_and_data = self.quote.zip(self.pool_data);
        checks.extend(quote_and_data.and_then(|(quote, data)| check_state(quote, self.levels(quote), data)));
        checks.extend(self.swap().zip(self.pool_data).map(|(swap, data)| amounts::check(&swap, data)));
        if let Some(signed) = self.signed {
            checks.push(check_terms(signed, self.quote, &self.requested, self.destination));
            checks.extend(check_rate_bound(signed, pools));
            checks.push(signature::check(signed, &self.expected_signature(signed)));
            checks.extend(check_calldata(signed, &self.requested).map(|(check, _)| check));
        }
        checks
    }

    /// Returns the levels of `quote` if they are the requested ones.
    fn levels(&self, quote: &Quote) -> Option<QuotedLevels> {
        QuotedLevels::from_quote(quote).filter(|levels| Some(levels.id) == self.requested.levels_id)
    }

    fn pools(&self) -> &'v [PublishedPool] {
        self.pool_data.map_or(&[], |data| data.pools)
    }

    /// Returns the domain and signer of this verification, by default those in the pool data, else [`DEFAULT_DOMAIN`].
    fn expected_signature(&self, signed: &SignedSwap) -> ExpectedSignature {
        let published = self.pools().iter().find(|pool| pool.id == signed.pool_id());
        let domain = published.and_then(|pool| pool.domain.as_ref());
        let [name, version] = domain.map_or(DEFAULT_DOMAIN, |domain| [&domain.name, &domain.version]);
        ExpectedSignature {
            domain: SigningDomain {
                name: self.domain_name.unwrap_or(name).to_owned(),
                version: self.domain_version.unwrap_or(version).to_owned(),
            },
            signer: self.signer.or_else(|| published.and_then(|pool| pool.signer)),
        }
    }
}
