//! Hash slot ownership as seen by one node of a Cluster.

/// Number of hash slots of every Cluster.
pub(crate) const SLOTS: u16 = 16_384;

/// The parsed reply of `CLUSTER NODES`. Nodes are identified by port.
#[derive(Debug, Default)]
pub(crate) struct View {
    /// First slot, last slot and owner, in slot order.
    pub(crate) ranges: Vec<(u16, u16, u16)>,
    /// Known nodes that this node considers healthy.
    pub(crate) well: Vec<u16>,
}

impl View {
    /// Parses a reply. Each line has an ID, `ip:port@bus`, flags, a master, three numbers, the link state and any
    /// number of slot ranges.
    pub(crate) fn parse(answer: &str) -> Option<Self> {
        let mut view = Self::default();
        for line in answer.lines() {
            let mut fields = line.split_whitespace();
            let (address, flags) = (fields.nth(1)?, fields.next()?);
            let (_, ports) = address.split_once(':')?;
            let port = ports.split('@').next()?.parse().ok()?;
            if !["fail", "handshake", "noaddr"].iter().any(|flag| flags.contains(flag)) {
                view.well.push(port);
            }
            // A range in brackets is being migrated; no test does that.
            for range in fields.skip(5).filter(|range| !range.starts_with('[')) {
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                view.ranges.push((first.parse().ok()?, last.parse().ok()?, port));
            }
        }
        view.ranges.sort_unstable();
        Some(view)
    }

    /// Returns the port of the node that owns `slot`.
    pub(crate) fn owner(&self, slot: u16) -> Option<u16> {
        let range = self.ranges.iter().find(|(first, last, _)| (first..=last).contains(&&slot))?;
        Some(range.2)
    }

    /// Whether every slot has an owner.
    pub(crate) fn is_complete(&self) -> bool {
        let width = |(first, last, _): &(u16, u16, u16)| u32::from(last - first) + 1;
        self.ranges.iter().map(width).sum::<u32>() == u32::from(SLOTS)
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    const ANSWER: &str = "\
07c3 127.0.0.1:30004@31004,host slave e7d1 0 1426238317239 4 connected
67ed 127.0.0.1:30002@31002 master,fail? - 0 1426238316232 2 connected 5461-10922
e7d1 127.0.0.1:30001@31001 myself,master - 0 0 1 connected 0-5459 5460 [93-<-292f]";

    #[test]
    fn slots_are_parsed_with_owners_and_health() {
        let view = View::parse(ANSWER).unwrap();
        assert_eq!(view.ranges, [(0, 5459, 30001), (5460, 5460, 30001), (5461, 10922, 30002)]);
        assert_eq!(view.well, [30004, 30001]);
        assert_eq!((view.owner(5460), view.owner(5461), view.owner(16383)), (Some(30001), Some(30002), None));
        assert!(!view.is_complete());
        assert!(View::parse("hello").is_none());
    }
}
