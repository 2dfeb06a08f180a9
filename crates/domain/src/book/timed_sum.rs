//! Sums of swaps that also tell when each part of them leaves, by the second: a refusal says when there is room again,
//! and costs the same however many swaps there are.

use std::{
    collections::BTreeMap,
    ops::{AddAssign, SubAssign},
};

use crate::UnixSeconds;

/// A sum of what leaves in each second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedSum<T> {
    total: T,
    leaving: BTreeMap<UnixSeconds, T>,
}

impl<T: Copy + Default + PartialEq + AddAssign + SubAssign> TimedSum<T> {
    /// The whole sum.
    pub const fn total(&self) -> T {
        self.total
    }

    /// What leaves in each second at the latest, earliest first.
    pub fn departures(&self) -> impl Iterator<Item = (UnixSeconds, T)> {
        self.leaving.iter().map(|(second, part)| (*second, *part))
    }

    /// Whether nothing is left of the sum.
    pub(super) fn is_empty(&self) -> bool {
        self.leaving.is_empty()
    }

    pub(super) fn add(&mut self, second: UnixSeconds, part: T) {
        self.total += part;
        *self.leaving.entry(second).or_default() += part;
    }

    pub(super) fn subtract(&mut self, second: UnixSeconds, part: T) {
        self.total -= part;
        if let Some(left) = self.leaving.get_mut(&second) {
            *left -= part;
            if *left == T::default() {
                self.leaving.remove(&second);
            }
        }
    }
}
