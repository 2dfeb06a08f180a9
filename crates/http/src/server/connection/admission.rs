//! Limits the number of connections per address and per process.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
    sync::Arc,
};

use parking_lot::Mutex;
use prometheus::{IntCounter, IntGauge};

use crate::limits::AddressBlock;

/// The open connections of the public listeners, counted by address and in total.
pub(crate) struct Admission {
    open: Mutex<OpenConnections>,
    max_connections: usize,
    max_per_address: usize,
    metrics: AdmissionMetrics,
}

/// The metrics of admission.
#[derive(Clone)]
pub(crate) struct AdmissionMetrics {
    pub(crate) open: IntGauge,
    pub(crate) refused_by_address: IntCounter,
    pub(crate) refused_by_process: IntCounter,
}

#[derive(Default)]
struct OpenConnections {
    all: usize,
    /// By IPv4 address, and by IPv6 /64, /56 and /48: prefix length and block.
    by_block: HashMap<(u32, AddressBlock), usize>,
}

/// Permission for one connection; released on drop.
pub(super) struct ConnectionPermit {
    admission: Arc<Admission>,
    address: Option<AddressBlock>,
}

impl Admission {
    pub(crate) fn new(max_connections: usize, max_per_address: usize, metrics: AdmissionMetrics) -> Self {
        Self { open: Mutex::default(), max_connections, max_per_address, metrics }
    }

    /// Admits a connection from `address`, or counts the refusal: an IPv6 /56 may have four times as many as a /64, and
    /// a /48 sixteen times. Connections of a trusted proxy do not count for an address, because it serves many clients.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr, is_trusted_proxy: bool) -> Option<ConnectionPermit> {
        let address = (!is_trusted_proxy).then(|| AddressBlock::from_address(address));
        let mut open = self.open.lock();
        if open.all >= self.max_connections {
            self.metrics.refused_by_process.inc();
            return None;
        }
        if let Some(address) = address {
            let is_full = |(prefix, block, times): (u32, AddressBlock, u32)| {
                let limit = self.max_per_address.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX));
                open.by_block.get(&(prefix, block)).is_some_and(|count| *count >= limit)
            };
            if address.enclosing().any(is_full) {
                self.metrics.refused_by_address.inc();
                return None;
            }
            for (prefix, block, _) in address.enclosing() {
                *open.by_block.entry((prefix, block)).or_insert(0) += 1;
            }
        }
        open.all += 1;
        self.metrics.open.inc();
        Some(ConnectionPermit { admission: Arc::clone(self), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.admission.open.lock();
        open.all = open.all.saturating_sub(1);
        for (prefix, block, _) in self.address.into_iter().flat_map(AddressBlock::enclosing) {
            if let Entry::Occupied(mut count) = open.by_block.entry((prefix, block)) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
        self.admission.metrics.open.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(max_connections: usize, max_per_address: usize) -> Arc<Admission> {
        let metrics = AdmissionMetrics {
            open: IntGauge::new("open", "open").unwrap(),
            refused_by_address: IntCounter::new("address", "address").unwrap(),
            refused_by_process: IntCounter::new("process", "process").unwrap(),
        };
        Arc::new(Admission::new(max_connections, max_per_address, metrics))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_per_address_are_bounded_and_released() {
        let admission = admission(100, 2);
        let first = admission.admit(address("192.0.2.1"), false).unwrap();
        let _second = admission.admit(address("::ffff:192.0.2.1"), false).unwrap();
        assert!(admission.admit(address("192.0.2.1"), false).is_none());
        assert!(admission.admit(address("192.0.2.2"), false).is_some(), "another address");
        drop(first);
        assert!(admission.admit(address("192.0.2.1"), false).is_some());
        assert_eq!(admission.metrics.refused_by_address.get(), 1);
    }

    #[test]
    fn a_64_bit_network_is_one_address() {
        let admission = admission(100, 1);
        let _first = admission.admit(address("2001:db8:1:2::1"), false).unwrap();
        assert!(admission.admit(address("2001:db8:1:2::2"), false).is_none());
        assert!(admission.admit(address("2001:db8:1:3::1"), false).is_some());
    }

    #[test]
    fn a_household_has_the_connections_of_four_networks_and_a_company_of_sixteen() {
        let admission = admission(1_000, 2);
        let network = |number: u32| address(&format!("2001:db8:1:{number:x}::1"));
        let admitted = |networks: std::ops::Range<u32>| -> Vec<ConnectionPermit> {
            let attempts = networks.flat_map(|number| [number; 3]);
            attempts.filter_map(|number| admission.admit(network(number), false)).collect()
        };
        let household = admitted(0..256);
        assert_eq!(household.len(), 8);
        let company = admitted(256..65_536);
        assert_eq!(company.len(), 32 - 8);
        assert!(admission.admit(address("2001:db8:2::1"), false).is_some());
        drop((household, company));
        assert!(admission.open.lock().by_block.is_empty());
    }

    #[test]
    fn trusted_proxies_are_limited_only_by_the_process() {
        let admission = admission(3, 1);
        let permits: Vec<_> = (0..3).map(|_| admission.admit(address("10.0.0.1"), true).unwrap()).collect();
        assert!(admission.admit(address("10.0.0.1"), true).is_none());
        assert!(admission.admit(address("192.0.2.1"), false).is_none(), "the process is full");
        assert_eq!((admission.metrics.open.get(), admission.metrics.refused_by_process.get()), (3, 2));
        drop(permits);
        assert_eq!((admission.metrics.open.get(), admission.open.lock().by_block.len()), (0, 0));
    }
}
