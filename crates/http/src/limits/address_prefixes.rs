//! The networks that an IPv6 address is counted in: one client often has a whole network.

use super::AddressBlock;

/// The IPv6 prefix lengths at which clients are counted, each with its multiple of the allowance of a single /64:
/// providers assign a /64 to a phone, a /56 to a household and a /48 to a company.
pub(super) const PREFIXES: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 16)];

impl AddressBlock {
    /// Returns the block of this prefix length that contains an IPv6 /64; an IPv4 address is its own block.
    const fn truncated(self, prefix: u32) -> Self {
        match self {
            Self::V4(_) => self,
            Self::V6(network) => Self::V6(network >> (64 - prefix) << (64 - prefix)),
        }
    }

    /// Returns the blocks that an address counts in, narrowest first: each with its prefix length and its multiple of
    /// the allowance of the narrowest.
    pub(crate) fn enclosing(self) -> impl Iterator<Item = (u32, Self, u32)> {
        let levels = if matches!(self, Self::V4(_)) { 1 } else { PREFIXES.len() };
        PREFIXES.into_iter().take(levels).map(move |(prefix, times)| (prefix, self.truncated(prefix), times))
    }
}
