//! The check of a signature: whose it is under the pool's EIP-712 domain, for exactly the terms that stand beside it.

use firmquote_domain::{Address, SigningDomain};
use firmquote_signer::{DomainSeparator, digest, recover};

use crate::{Check, CheckStatus, Difference, SignResponse};

/// The name of the check.
const SIGNATURE: &str = "signature";

/// What a signature is held against.
#[derive(Clone, Debug)]
pub(crate) struct ExpectedSignature {
    /// The domain of the pool's contract.
    pub(crate) domain: SigningDomain,
    /// The account that the pool's contract honours, if it is known.
    pub(crate) signer: Option<Address>,
}

/// Holds the signature against the account that the pool's contract honours, if that is known.
pub(crate) fn check(signed: &SignResponse, expected: &ExpectedSignature) -> Check {
    let ExpectedSignature { domain, signer } = expected;
    let offer = &signed.offer;
    let recovered = recover(digest(&DomainSeparator::new(domain, offer.pool), offer), &signed.signature);
    let domain = format!("{:?} {:?}", domain.name, domain.version);
    match (recovered, signer) {
        (Some(account), Some(signer)) if account == *signer => {
            let says = format!("it is that of {signer} for these terms, under the domain {domain}");
            Check::new(SIGNATURE, CheckStatus::Holds, says)
        }
        (Some(account), Some(signer)) => {
            let says = format!(
                "it is not that of the pool's signer for these terms: other terms were signed, by another account, or \
                 under another domain than {domain}"
            );
            let difference = Difference { of: "signer", is: account.to_string(), expected: signer.to_string() };
            Check::new(SIGNATURE, CheckStatus::Differs, says).with_differences(vec![difference])
        }
        (Some(account), None) => {
            let says = format!(
                "under the domain {domain} it is that of {account}; the pool's signer is not known (DESIGNATED_SIGNER() of \
                 the contract)"
            );
            Check::new(SIGNATURE, CheckStatus::Undecided, says)
        }
        (None, _) => Check::new(SIGNATURE, CheckStatus::Differs, "no account can have made it"),
    }
}
