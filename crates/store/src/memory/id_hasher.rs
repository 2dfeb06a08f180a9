//! The hash of quote ids.

use std::hash::Hasher;

/// Hashes the bytes of ids by folding them.
///
/// Ids are random, and only quotes that the service made itself are kept: nobody can choose ids that fall together, so
/// that a hash against attackers is not needed. Asking for an id keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IdHasher(u64);

/// `2^64` divided by the golden ratio, odd: spreads ids that only count up as well.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut part = [0; 8];
            part.iter_mut().zip(chunk).for_each(|(slot, byte)| *slot = *byte);
            self.0 = self.0.rotate_left(32) ^ u64::from_le_bytes(part);
        }
    }

    fn write_usize(&mut self, _: usize) {
        // The length of an id, which is always the same.
    }

    fn finish(&self) -> u64 {
        let product = u128::from(self.0) * u128::from(SPREAD);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one")]
        let folded = (product >> 64) as u64 ^ product as u64;
        folded
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        hash::{BuildHasher, BuildHasherDefault},
    };

    use firmquote_domain::QuoteId;

    use super::*;

    #[test]
    fn ids_that_count_up_spread_over_the_buckets_and_tags_of_a_map() {
        let hashes = (0_u128..4_096).map(|number| {
            let id = QuoteId::from_bytes(number.to_le_bytes());
            BuildHasherDefault::<IdHasher>::default().hash_one(id)
        });
        let hashes: Vec<_> = hashes.collect();
        let buckets: HashSet<_> = hashes.iter().map(|hash| hash & 0xfff).collect();
        let tags: HashSet<_> = hashes.iter().map(|hash| hash >> 57).collect();
        assert!(buckets.len() > 2_000, "{}", buckets.len());
        assert!(tags.len() > 100, "{}", tags.len());
    }
}
