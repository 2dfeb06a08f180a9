//! Faults that are injected automatically, into every nth request that they apply to.

use std::{collections::HashMap, str::FromStr as _};

use serde::{Deserialize, Serialize};

use crate::{Fault, FaultInjection, operation::Operation};

/// Maximum number of entries of a schedule.
pub const MAX_ENTRIES: usize = 16;

/// An entry of a schedule: every nth request gets the fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleEntry {
    /// The fault, as in the header.
    pub fault: String,
    /// The interval in requests that the fault applies to, from 1.
    pub every: u32,
}

/// A validated schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule(Vec<(FaultInjection, u32)>);

/// The number of a client's requests that each fault applies to.
#[derive(Debug, Default)]
pub(crate) struct ScheduleCounters(HashMap<Fault, u32>);

impl Schedule {
    /// Validates a schedule.
    ///
    /// # Errors
    /// A message that names the first invalid entry and the allowed values.
    pub fn new(entries: &[ScheduleEntry]) -> Result<Self, String> {
        if entries.len() > MAX_ENTRIES {
            return Err(format!("{} entries, at most {MAX_ENTRIES} are allowed", entries.len()));
        }
        let mut checked: Vec<(FaultInjection, u32)> = Vec::new();
        for (position, ScheduleEntry { fault, every }) in entries.iter().enumerate() {
            let injection =
                FaultInjection::parse(fault).map_err(|error| format!("entry {position}: fault: {error}"))?;
            if *every == 0 {
                return Err(format!("entry {position}: every: must be at least 1"));
            }
            if checked.iter().any(|(existing, _)| existing.fault == injection.fault) {
                return Err(format!("entry {position}: fault: {fault} is listed twice"));
            }
            checked.push((injection, *every));
        }
        Ok(Self(checked))
    }

    /// Parses entries such as `conflict:10`: the fault, and its interval in requests.
    ///
    /// # Errors
    /// A message that names the first invalid entry and the allowed values.
    pub fn parse<'t>(entries: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let entry = |text: &str| {
            let (fault, every) = text.rsplit_once(':').ok_or_else(|| format!("{text:?} is not like conflict:10"))?;
            let every = u32::from_str(every).map_err(|_| format!("{text:?} is not like conflict:10"))?;
            Ok::<_, String>(ScheduleEntry { fault: fault.to_owned(), every })
        };
        Self::new(&entries.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?)
    }

    /// Counts a request, and returns the first fault that is due.
    pub(crate) fn next(&self, operation: Operation, counters: &mut ScheduleCounters) -> Option<FaultInjection> {
        let mut due = None;
        for (injection, every) in self.0.iter().filter(|(injection, _)| injection.fault.applies_to(operation)) {
            let count = counters.0.entry(injection.fault).or_default();
            *count += 1;
            // If two are due, the second applies to the next request.
            if *count >= *every && due.is_none() {
                *count = 0;
                due = Some(*injection);
            }
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_applicable_request_gets_the_fault() {
        let schedule = Schedule::parse(["conflict:3", "cut:4"]).unwrap();
        let mut counters = ScheduleCounters::default();
        let faults: Vec<_> = (0..12)
            .map(|_| schedule.next(Operation::Sign, &mut counters).map(|injection| injection.fault))
            .map(|fault| fault.map_or("", Fault::name))
            .collect();
        assert_eq!(faults, ["", "", "conflict", "cut", "", "conflict", "", "cut", "conflict", "", "", "conflict"]);
        assert_eq!(schedule.next(Operation::Other, &mut counters), None);
    }

    #[test]
    fn an_invalid_entry_is_named() {
        for (entries, message) in [
            (vec!["conflict"], "\"conflict\" is not like conflict:10"),
            (vec!["conflict:x"], "\"conflict:x\" is not like conflict:10"),
            (vec!["conflict:0"], "entry 0: every: must be at least 1"),
            (vec!["cut:1", "cut:2"], "entry 1: fault: cut is listed twice"),
            (vec!["storm:1"], "entry 0: fault: \"storm\" is not a fault; GET /sandbox lists all faults"),
        ] {
            assert_eq!(Schedule::parse(entries), Err(message.to_owned()));
        }
    }
}
