//! A map of bounded size.

use std::{
    borrow::Borrow,
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// A map of at most `MAX` entries that evicts its oldest.
#[derive(Debug)]
pub(crate) struct BoundedMap<K, V, const MAX: usize> {
    values: HashMap<K, V>,
    order: VecDeque<K>,
}

impl<K, V, const MAX: usize> Default for BoundedMap<K, V, MAX> {
    fn default() -> Self {
        Self { values: HashMap::new(), order: VecDeque::new() }
    }
}

impl<K: Clone + Eq + Hash, V, const MAX: usize> BoundedMap<K, V, MAX> {
    /// Sets the value of `key`. A new key becomes the newest; an existing one keeps its age.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.values.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.values.remove(&oldest);
        }
    }

    /// Removes `key`, and returns its value.
    pub(crate) fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let value = self.values.remove(key)?;
        self.order.retain(|existing| existing.borrow() != key);
        Some(value)
    }

    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values.get(key)
    }

    pub(crate) fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values.get_mut(key)
    }

    pub(crate) fn contains<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.values.contains_key(key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.values.values()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entry_is_evicted() {
        let mut remembered = BoundedMap::<_, _, 2>::default();
        for (key, value) in [("a", 1), ("b", 2), ("a", 3), ("c", 4)] {
            remembered.insert(key, value);
        }
        assert_eq!(["a", "b", "c"].map(|key| remembered.get(key).copied()), [None, Some(2), Some(4)]);
        assert_eq!((remembered.remove("b"), remembered.contains("b")), (Some(2), false));
        remembered.insert("d", 5);
        assert_eq!((remembered.contains("c"), remembered.values().count()), (true, 2));
    }
}
