//! Identifiers that the examples in the documents share: those of the demo configuration.

pub(crate) const ETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
pub(crate) const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
pub(crate) const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
pub(crate) const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
pub(crate) const QUOTE_ID: &str = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4";
pub(crate) const STATE_ID: &str = "70d694998af847a90115a30a7266ae1a";
pub(crate) const USDT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
pub(crate) const DAI: &str = "0x6B175474E89094C44Da98b954EedeAC495271d0F";
/// The account whose key signed the examples.
pub(crate) const SIGNER: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";
